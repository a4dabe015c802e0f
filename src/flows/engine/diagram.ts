import { type Edge, edgeTarget, type Flow, stages } from './flow.ts';

/**
 * Draws a flow as a Mermaid flowchart: steps with their fields and progress, edges with their
 * conditions. The output depends on the flow alone, so a diff reveals a stale drawing.
 */
export function mermaid(flow: Flow): string {
  const lines = ['flowchart TD'];
  const declare = (name: string): string => {
    const step = flow.steps[name] as Flow['steps'][string];
    const asked = [
      ...new Set([
        ...(step.choices ?? []).map((choice) => Object.keys(choice)[0] as string),
        ...(step.asks ?? []),
        ...(step.optional ?? []).map((field) => `${field}?`),
      ]),
    ];
    const progress = step.progress === undefined ? '' : ` · ${step.progress} %`;
    const label = [`<b>${name}</b>${progress}`, ...asked].join('<br/>');
    return step.submits || step.ends ? `${name}(["${label}"])` : `${name}["${label}"]`;
  };
  const names = Object.keys(flow.steps);
  const grouped = new Set<string>();
  for (const stage of stages) {
    const inStage = names.filter((name) => flow.steps[name]?.stage === stage);
    if (inStage.length === 0) continue;
    lines.push(`  subgraph ${stage}`);
    for (const name of inStage) {
      grouped.add(name);
      lines.push(`    ${declare(name)}`);
    }
    lines.push('  end');
  }
  for (const name of names.filter((candidate) => !grouped.has(candidate))) {
    lines.push(`  ${declare(name)}`);
  }
  for (const name of names) {
    const step = flow.steps[name] as Flow['steps'][string];
    step.next.forEach((edge: Edge, index) => {
      const condition =
        typeof edge === 'object' ? edge.when.join(' and ') : index > 0 ? 'otherwise' : '';
      const arrow = condition ? `-->|${condition}|` : '-->';
      lines.push(`  ${name} ${arrow} ${edgeTarget(edge)}`);
    });
    if (step.submits) lines.push(`  ${name} --> post{{"POST /post-lead"}}`);
  }
  return `${lines.join('\n')}\n`;
}
