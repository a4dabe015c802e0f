/** Places a flow's steps and edges on a plane, from top to bottom. */
import { Graph, layout as place } from '@dagrejs/dagre';
import { type Stage, stages } from '../../../flows/engine/flow.ts';
import {
  type Ends,
  edgeKey,
  type FlowGraph,
  type GraphEdge,
  type GraphNode,
  SENT,
} from './flow-graph.ts';

export type Point = { readonly x: number; readonly y: number };
type Box = Point & { readonly width: number; readonly height: number };

export type PlacedNode = GraphNode & Box;
export type PlacedEdge = GraphEdge & {
  readonly key: string;
  readonly points: readonly Point[];
  readonly label: Point;
};
type Band = { readonly stage: Stage; readonly top: number; readonly bottom: number };

export type FlowLayout = {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
  readonly bands: readonly Band[];
};

/** The sizes of a step's card, the last node and an edge's number, in px. */
const CARD = { width: 216, height: 84 };
const LAST = { width: 216, height: 56 };
const LABEL = { width: 96, height: 22 };
const SPACES = { nodesep: 28, edgesep: 24, ranksep: 30, marginx: 24, marginy: 24 };

/** Returns where everything stands. It depends on the flow alone, so new numbers move nothing. */
export function layOut(graph: FlowGraph): FlowLayout {
  // Branches beside each other may be in different stages. An unseen edge moves the later stage down.
  const unseen: Ends[] = [];
  let plan = placed(graph, unseen);
  for (const _ of stages) {
    const mixed = mixedStages(plan.nodes);
    if (mixed.length === 0) break;
    unseen.push(...mixed);
    plan = placed(graph, unseen);
  }
  return { ...plan, bands: bandsOf(plan.nodes) };
}

function placed(graph: FlowGraph, unseen: readonly Ends[]): Omit<FlowLayout, 'bands'> {
  const plane = new Graph();
  plane.setGraph({ rankdir: 'TB', ...SPACES });
  for (const { id } of graph.nodes) plane.setNode(id, { ...(id === SENT ? LAST : CARD) });
  for (const { from, to } of graph.edges) plane.setEdge(from, to, { ...LABEL, labelpos: 'c' });
  for (const { from, to } of unseen) plane.setEdge(from, to, { weight: 0 });
  place(plane);
  const { width = 0, height = 0 } = plane.graph() as { width?: number; height?: number };
  const nodes = graph.nodes.map((node): PlacedNode => {
    const { x, y, width, height } = plane.node(node.id) as Box;
    return { ...node, x: x - width / 2, y: y - height / 2, width, height };
  });
  const edges = graph.edges.map((edge): PlacedEdge => {
    const { points, x, y } = plane.edge(edge.from, edge.to) as Point & { points: Point[] };
    return { ...edge, key: edgeKey(edge), points, label: { x, y } };
  });
  return { width, height, nodes, edges };
}

/** Returns edges that would lift each stage above the next one. */
function mixedStages(nodes: readonly PlacedNode[]): Ends[] {
  const of = (stage: Stage | undefined) => nodes.filter((node) => node.stage === stage);
  return stages.flatMap((stage, index) => {
    const lowest = of(stage).toSorted((one, other) => other.y - one.y)[0];
    const later = stages.slice(index + 1).flatMap(of);
    if (!lowest) return [];
    return later
      .filter(({ y }) => y <= lowest.y)
      .map(({ id }): Ends => ({ from: lowest.id, to: id }));
  });
}

/** The space between a band's edge and its first or last card. */
const BAND = 14;

function bandsOf(nodes: readonly PlacedNode[]): Band[] {
  return stages.flatMap((stage): Band[] => {
    const own = nodes.filter((node) => node.stage === stage);
    if (own.length === 0) return [];
    const top = Math.min(...own.map(({ y }) => y)) - BAND;
    return [{ stage, top, bottom: Math.max(...own.map(({ y, height }) => y + height)) + BAND }];
  });
}
