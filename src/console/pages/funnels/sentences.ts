/** The sentences that a funnel opens with, computed from its numbers. */
import { count, percent } from '../../format.ts';
import { type FlowGraph, SENT } from './flow-graph.ts';
import { completion, difference, dropOff, FEW, type Funnel, type Ratio } from './funnel.ts';

type StepDrop = Ratio & { readonly name: string };

function drops(graph: FlowGraph, funnel: Funnel): StepDrop[] {
  return graph.nodes
    .map(({ id }) => ({ name: id, ...dropOff(graph, funnel, id) }))
    .filter(({ of }) => of >= FEW);
}

const rate = ({ part, of }: Ratio) => part / of;

function most<T>(all: readonly T[], value: (each: T) => number): T | undefined {
  return all.toSorted((one, other) => value(other) - value(one))[0];
}

/** Returns the three steps at which most visits leave, of those with enough visits. */
export function worstSteps(graph: FlowGraph, funnel: Funnel): string[] {
  return drops(graph, funnel)
    .filter(({ part }) => part > 0)
    .sort((one, other) => other.part - one.part)
    .slice(0, 3)
    .map(({ name }) => name);
}

/**
 * Returns the medians of the steps on the way that most visits take, added, in seconds. Null: a step of it has
 * too few visits for a median.
 */
export function usualSeconds(graph: FlowGraph, funnel: Funnel): number | null {
  let seconds = 0;
  const seen = new Set<string>();
  for (let step = graph.start; step !== SENT && !seen.has(step); ) {
    seen.add(step);
    const { medianSeconds } = funnel.step(step);
    const next = most(
      graph.edges.filter(({ from }) => from === step),
      funnel.edgeVisits,
    );
    if (medianSeconds === null || !next || funnel.edgeVisits(next) === 0) return null;
    seconds += medianSeconds;
    step = next.to;
  }
  return seconds;
}

/** Says where most visitors leave. */
export function summaryOf(
  graph: FlowGraph,
  funnel: Funnel,
  titleOf: (step: string) => string,
): string[] {
  if (funnel.visits === 0) return ['Nobody visited this survey in the period.'];
  const steps = drops(graph, funnel);
  const largest = most(steps, (step) => step.part);
  const steepest = most(steps, rate);
  if (!largest || !steepest || largest.part === 0) {
    return [`No step has ${FEW} visits yet, too few to tell where visitors leave.`];
  }
  const said = (step: StepDrop) => `${percent(step.part, step.of)} of ${count(step.of)}`;
  const also =
    steepest.name === largest.name
      ? ', which is also the highest share'
      : `; the highest share is at “${titleOf(steepest.name)}” (${said(steepest)})`;
  return [
    `Most leave at “${titleOf(largest.name)}”: ${count(largest.part)}, ${said(largest)}${also}.`,
  ];
}

/** Says how two selections differ, and where most clearly. */
export function differenceOf(
  graph: FlowGraph,
  now: Funnel,
  before: Funnel,
  names: { readonly other: string; readonly titleOf: (step: string) => string },
): string[] {
  const [own, others] = [completion(now), completion(before)];
  if (own.of === 0 || others.of === 0) return [`There are no visits to compare: ${names.other}.`];
  const change = difference(own, others);
  const clear = change?.isClear ? '' : ', which chance may explain';
  const sent = `${percent(own.part, own.of)} of ${count(own.of)} visits sent the last form, against ${percent(others.part, others.of)} of ${count(others.of)} (${names.other})${clear}.`;
  const steps = graph.nodes.flatMap(({ id }) => {
    const found = difference(dropOff(graph, now, id), dropOff(graph, before, id));
    return found?.isClear ? [{ id, points: found.points }] : [];
  });
  const step = most(steps, ({ points }) => Math.abs(points));
  if (!step) return [sent, 'No step differs more than chance may explain.'];
  const [mine, theirs] = [dropOff(graph, now, step.id), dropOff(graph, before, step.id)];
  const more = step.points > 0 ? 'more' : 'fewer';
  return [
    sent,
    `The clearest difference: ${more} leave at “${names.titleOf(step.id)}” (${percent(mine.part, mine.of)} against ${percent(theirs.part, theirs.of)}).`,
  ];
}
