/** Suffixes of a flow's own copy of a step with the same question. */
const copySuffix = /(VW3|TikTok)$/;

/**
 * Returns a step's texts: the flow's own (`<flow id>/<step>`), else the shared ones (`<step>`), else those
 * of the step without suffix (docs/specification.md#flows, docs/specification.md#flows).
 */
export function stepWords<Words>(
  steps: Readonly<Record<string, Words | undefined>>,
  flowId: string,
  name: string,
): Words | undefined {
  return steps[`${flowId}/${name}`] ?? steps[name] ?? steps[name.replace(copySuffix, '')];
}
