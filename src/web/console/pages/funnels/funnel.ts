import type { FunnelAnswer, FunnelStep } from '../../../../model/messages/console/numbers.ts';
import { count, percent } from '../../format.ts';
import { type Ends, edgeKey, type FlowGraph } from '../../parts/flow-graph.ts';

/** A number of visits as a part of another number of visits. */
export type Ratio = { readonly part: number; readonly of: number };

const unseen = { seen: 0, left: 0, wentBack: 0, medianSeconds: null, refused: [] };

/** Puts the numbers of visits on a flow. */
export function funnelOn(graph: FlowGraph, answer: FunnelAnswer) {
  const steps = new Map(answer.steps.map((step) => [step.step, step]));
  const visits = new Map(answer.edges.map((edge) => [edgeKey(edge), edge.visits]));
  const ends = new Map(graph.nodes.map(({ id, isEnd }) => [id, isEnd]));
  const step = (name: string): FunnelStep => steps.get(name) ?? { step: name, ...unseen };
  const edgeVisits = (edge: Ends) => visits.get(edgeKey(edge)) ?? 0;
  return {
    graph,
    step,
    edgeVisits,
    visits: answer.visits,
    completion: { part: answer.completed, of: answer.visits },
    money: answer.money,
    most: Math.max(0, ...graph.edges.map(edgeVisits)),
    /** Returns the share of the visits at a step that ended at the step. */
    dropOff: (name: string): Ratio => {
      if (ends.get(name) !== false) return { part: 0, of: 0 };
      const { left, seen } = step(name);
      return { part: left, of: seen };
    },
    /** Returns the share of this edge among the visits that continued from the edge's first step. */
    edgeShare: (edge: Ends): Ratio => {
      const ways = graph.edges.filter(({ from }) => from === edge.from);
      const of = ways.reduce((sum, way) => sum + edgeVisits(way), 0);
      return { part: edgeVisits(edge), of };
    },
  };
}
export type Funnel = ReturnType<typeof funnelOn>;

/** The largest width of a line, in px. */
const WIDEST = 20;
const THINNEST = 1.5;

export function edgeWidth(visits: number, most: number): number {
  return most === 0 ? THINNEST : Math.max(THINNEST, (WIDEST * visits) / most);
}

/** Each drop-off class begins at one of these percentages. */
export const dropBounds = [0, 2, 5, 10, 20] as const;

/** A step with fewer visits has no drop-off class. */
export const FEW = 20;

/** Returns the class of a drop-off, or undefined for too few visits. */
export function dropClass({ part, of }: Ratio): number | undefined {
  if (of < FEW) return undefined;
  return dropBounds.findLastIndex((bound) => (100 * part) / of >= bound);
}

const Z_99 = 2.576;

/** Returns the difference of two shares in percentage points. `isClear`: chance rarely explains such a difference. */
export function difference(now: Ratio, before: Ratio | undefined) {
  if (before === undefined || now.of === 0 || before.of === 0) return undefined;
  const points = 100 * (now.part / now.of - before.part / before.of);
  const adjusted = ({ part, of }: Ratio) => ({ share: (part + 1) / (of + 2), n: of + 2 });
  const [a, b] = [adjusted(now), adjusted(before)];
  const error = Math.sqrt((a.share * (1 - a.share)) / a.n + (b.share * (1 - b.share)) / b.n);
  return { points, isClear: Math.abs(a.share - b.share) > Z_99 * error };
}

function most<T>(all: readonly T[], value: (each: T) => number): T | undefined {
  return all.toSorted((one, other) => value(other) - value(one))[0];
}

/** Returns the step at which most visits ended; undefined if every step has few visits. */
export function worstStep({ graph, dropOff }: Funnel): string | undefined {
  const steps = graph.nodes.filter(({ id }) => dropOff(id).of >= FEW);
  return most(steps, ({ id }) => dropOff(id).part)?.id;
}

type Names = { readonly titleOf: (step: string) => string };
const shareText = ({ part, of }: Ratio) => `${percent(part, of)} of ${count(of)}`;

/** Returns a summary that names the step with the largest drop-off. */
export function summaryOf({ now: funnel, titleOf }: Names & { readonly now: Funnel }): string[] {
  if (funnel.visits === 0) return ['Nobody visited this survey in the period.'];
  const sent = `${shareText(funnel.completion)} visits sent the last form.`;
  const worst = worstStep(funnel);
  const drop = worst && funnel.dropOff(worst);
  if (!drop || drop.part === 0) {
    return [sent, `No step has ${FEW} visits yet, too few to show where visitors leave.`];
  }
  return [sent, `Most leave at “${titleOf(worst)}”: ${count(drop.part)}, ${shareText(drop)}.`];
}

/** Returns sentences about the differences between two funnels. */
export function differenceOf(
  now: Funnel,
  other: Funnel,
  { otherName, titleOf }: Names & { readonly otherName: string },
): string[] {
  const gap = difference(now.completion, other.completion);
  if (!gap) return [`There are no visits to compare: ${otherName}.`];
  const clear = gap.isClear ? '' : ', which chance may explain';
  const sent = `${shareText(now.completion)} visits sent the last form, against ${shareText(other.completion)} (${otherName})${clear}.`;
  const steps = now.graph.nodes.flatMap(({ id }) => {
    const each = difference(now.dropOff(id), other.dropOff(id));
    return each?.isClear ? [{ id, points: each.points }] : [];
  });
  const step = most(steps, ({ points }) => Math.abs(points));
  if (!step) return [sent, 'No step differs more than chance may explain.'];
  const [mine, theirs] = [now.dropOff(step.id), other.dropOff(step.id)];
  const more = step.points > 0 ? 'more' : 'fewer';
  return [
    sent,
    `The clearest difference: ${more} leave at “${titleOf(step.id)}” (${percent(mine.part, mine.of)} against ${percent(theirs.part, theirs.of)}).`,
  ];
}
