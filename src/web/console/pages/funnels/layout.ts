/** Places a flow's steps and edges on a plane, from top to bottom. */
import { Graph, layout as place } from '@dagrejs/dagre';
import { edgeKey, type FlowGraph, type GraphEdge, type GraphNode, SENT } from './flow-graph.ts';

export type Point = { readonly x: number; readonly y: number };
type Box = Point & { readonly width: number; readonly height: number };

export type PlacedNode = GraphNode & Box;
export type PlacedEdge = GraphEdge & {
  readonly key: string;
  readonly points: readonly Point[];
  readonly label: Point;
};

export type FlowLayout = {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
};

/** The sizes of a step's card, the last node and an edge's number, in px. */
const CARD = { width: 216, height: 84 };
const LAST = { width: 216, height: 56 };
const LABEL = { width: 96, height: 22 };
const SPACES = { nodesep: 28, edgesep: 24, ranksep: 30, marginx: 24, marginy: 24 };

/** Returns where everything stands. It depends on the flow alone, so new numbers move nothing. */
export function layOut(graph: FlowGraph): FlowLayout {
  const plane = new Graph();
  plane.setGraph({ rankdir: 'TB', ...SPACES });
  for (const { id } of graph.nodes) plane.setNode(id, { ...(id === SENT ? LAST : CARD) });
  for (const { from, to } of graph.edges) plane.setEdge(from, to, { ...LABEL, labelpos: 'c' });
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
