/** Endings by which a flow names its own copy of a step that asks the same question. */
const copySuffix = /(VW3|TikTok)$/;

/**
 * The words of a step: the flow's own (`<flow id>/<step>`), those that flows share (`<step>`), or those
 * of the plain step where the name is one with a suffix (docs/specification.md#vw3,
 * docs/specification.md#tiktok).
 *
 * @returns undefined where there are none
 */
export function stepWords<Words>(
  steps: Readonly<Record<string, Words | undefined>>,
  flowId: string,
  name: string,
): Words | undefined {
  return steps[`${flowId}/${name}`] ?? steps[name] ?? steps[name.replace(copySuffix, '')];
}
