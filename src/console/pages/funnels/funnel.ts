/** The numbers of a funnel on its flow, and what they mean. */
import type { FunnelAnswer, FunnelEdge, FunnelStep } from '../../../contract/console/numbers.ts';
import { edgeKey, type FlowGraph } from './flow-graph.ts';

/** A part of a whole, such as the visits that left at a step, of those that saw it. */
export type Ratio = { readonly part: number; readonly of: number };

/** The numbers of one selection, by step and edge of the flow as it is defined now. */
export type Funnel = {
  readonly visits: number;
  readonly completed: number;
  readonly step: (name: string) => FunnelStep;
  readonly edgeVisits: (edge: { readonly from: string; readonly to: string }) => number;
  /** The most visits of one edge. */
  readonly most: number;
  /** Edges that visitors took but the flow does not define (any more), the most taken first. */
  readonly others: readonly FunnelEdge[];
};

const unseen = {
  stage: '',
  seen: 0,
  answered: 0,
  left: 0,
  wentBack: 0,
  medianSeconds: null,
  refused: [],
};

/** Puts the counted steps and edges on the flow's graph. */
export function funnelOn(graph: FlowGraph, answer: FunnelAnswer): Funnel {
  const steps = new Map(answer.steps.map((step) => [step.step, step]));
  const visits = new Map(answer.edges.map((edge) => [edgeKey(edge), edge.visits]));
  const defined = new Set(graph.edges.map(edgeKey));
  return {
    visits: answer.visits,
    completed: answer.completed,
    step: (step) => steps.get(step) ?? { step, ...unseen },
    edgeVisits: (edge) => visits.get(edgeKey(edge)) ?? 0,
    most: Math.max(0, ...graph.edges.map((edge) => visits.get(edgeKey(edge)) ?? 0)),
    others: answer.edges
      .filter((edge) => edge.visits > 0 && !defined.has(edgeKey(edge)))
      .sort((one, other) => other.visits - one.visits),
  };
}

/** Returns the share of visits that left the survey at a step; of nobody where the flow ends. */
export function dropOff(graph: FlowGraph, funnel: Funnel, name: string): Ratio {
  const node = graph.nodes.find(({ id }) => id === name);
  if (!node || node.isEnd) return { part: 0, of: 0 };
  const { left, seen } = funnel.step(name);
  return { part: left, of: seen };
}

/** Returns the share of a step's onward visits that took an edge. */
export function edgeShare(
  graph: FlowGraph,
  funnel: Funnel,
  edge: { readonly from: string; readonly to: string },
): Ratio {
  const ways = graph.edges.filter(({ from }) => from === edge.from);
  const of = ways.reduce((sum, way) => sum + funnel.edgeVisits(way), 0);
  return { part: funnel.edgeVisits(edge), of };
}

/** The width of the thickest and of the thinnest line, in px. */
const WIDEST = 20;
const THINNEST = 1.5;

/** Returns a line's width in px: in proportion to its visits. */
export function edgeWidth(visits: number, most: number): number {
  return most === 0 ? THINNEST : Math.max(THINNEST, (WIDEST * visits) / most);
}

/** The lower bounds of the classes of drop-off, in percent. */
export const dropBounds = [0, 2, 5, 10, 20] as const;

/** Below this number of visits a drop-off has no class: a few visitors say nothing. */
export const FEW = 20;

/** Returns the class of a drop-off, 0 to 4; undefined if too few visits were there. */
export function dropClass({ part, of }: Ratio): number | undefined {
  if (of < FEW) return undefined;
  return dropBounds.findLastIndex((bound) => (100 * part) / of >= bound);
}

/** The difference of two shares in percentage points, with its sign. */
export type Difference = {
  readonly points: number;
  /** Whether chance alone rarely makes a difference this large (99 % interval). */
  readonly isClear: boolean;
};

const Z_99 = 2.576;

/**
 * Compares two shares by the interval of Agresti and Caffo, which holds for small numbers too. 99 %, because a
 * flow has about twenty steps that are compared at once.
 */
export function difference(now: Ratio, before: Ratio): Difference | undefined {
  if (now.of === 0 || before.of === 0) return undefined;
  const points = 100 * (now.part / now.of - before.part / before.of);
  const [a, b] = [now, before].map(({ part, of }) => ({ share: (part + 1) / (of + 2), n: of + 2 }));
  if (!a || !b) return undefined;
  const error = Math.sqrt((a.share * (1 - a.share)) / a.n + (b.share * (1 - b.share)) / b.n);
  return { points, isClear: Math.abs(a.share - b.share) > Z_99 * error };
}

/** Returns whether nobody was counted, so that there is nothing to draw on the flow. */
export function isEmptyFunnel({ visits, steps }: FunnelAnswer): boolean {
  return visits === 0 && steps.every(({ seen }) => seen === 0);
}

/** Returns the share of visits that sent the last form. */
export function completion({ completed, visits }: Funnel): Ratio {
  return { part: completed, of: visits };
}
