import { type ConditionName, conditions } from '../../rules/facts.ts';
import { type Flow, fieldsOf, stepOf } from './flow.ts';
import type { WalkContext } from './walk.ts';

type OpenEdge = {
  readonly from: string;
  readonly to: string;
  readonly when: readonly ConditionName[];
};

/** Returns the edges from a step, without the edges that the survey's configuration excludes. */
export function openEdges(flow: Flow, from: string, context: WalkContext): OpenEdge[] {
  const facts = { ...context, answers: {} };
  const isDecided = (name: ConditionName) => conditions[name].reads.length === 0;
  const open: OpenEdge[] = [];
  for (const edge of stepOf(flow, from).next) {
    if (typeof edge === 'string') {
      open.push({ from, to: edge, when: [] });
      break;
    }
    const decided = edge.when.filter(isDecided);
    if (!decided.every((condition) => conditions[condition].test(facts))) continue;
    open.push({ from, to: edge.to, when: edge.when.filter((name) => !isDecided(name)) });
    if (decided.length === edge.when.length) break;
  }
  return open;
}

/** Returns the steps that visitors of a survey can reach. */
export function reachableSteps(flow: Flow, context: WalkContext): ReadonlySet<string> {
  const reached = new Set<string>([flow.start]);
  for (const name of reached) {
    for (const { to } of openEdges(flow, name, context)) reached.add(to);
  }
  return reached;
}

/** Returns whether a flow about an accident asks about injuries or treatment. */
export function asksHealth({ steps, rules }: Flow): boolean {
  const fields = Object.values(steps).flatMap(fieldsOf);
  return !rules?.isWithoutAccident && /_injury|injury_type|_treatment/.test(fields.join(' '));
}
