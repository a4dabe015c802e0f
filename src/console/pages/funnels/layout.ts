/** Places a flow's steps and edges on a plane, from top to bottom. */
import { Graph, layout as place } from '@dagrejs/dagre';
import type { Stage } from '../../../flows/engine/flow.ts';
import { edgeKey, type FlowGraph, type GraphEdge, type GraphNode, SENT } from './flow-graph.ts';

export type Point = { readonly x: number; readonly y: number };
type Box = Point & { readonly width: number; readonly height: number };

export type PlacedNode = GraphNode & Box;
export type PlacedEdge = GraphEdge & {
  readonly key: string;
  readonly points: readonly Point[];
  /** The middle of its number. */
  readonly label: Point;
};
/** A stage's band across the plane. */
export type Band = { readonly stage: Stage; readonly top: number; readonly bottom: number };

export type FlowLayout = {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
  readonly bands: readonly Band[];
};

/** The sizes of a step's card, the last node and an edge's number, in px. */
const CARD = { width: 216, height: 92 };
const LAST = { width: 216, height: 60 };
const LABEL = { width: 96, height: 22 };
const MARGIN = 24;

/** Returns where everything stands. It depends on the flow alone, so new numbers move nothing. */
export function layOut(graph: FlowGraph): FlowLayout {
  const plane = new Graph();
  plane.setGraph({
    rankdir: 'TB',
    ...{ nodesep: 36, edgesep: 28, ranksep: 34, marginx: MARGIN, marginy: MARGIN },
  });
  for (const { id } of graph.nodes) plane.setNode(id, { ...(id === SENT ? LAST : CARD) });
  for (const { from, to } of graph.edges) {
    plane.setEdge(from, to, { ...LABEL, labelpos: 'c' });
  }
  place(plane);
  const { width = 0, height = 0 } = plane.graph() as { width?: number; height?: number };
  const nodes = graph.nodes.map((node): PlacedNode => {
    const box = plane.node(node.id) as Box;
    return {
      ...node,
      ...{ x: box.x - box.width / 2, y: box.y - box.height / 2 },
      ...{ width: box.width, height: box.height },
    };
  });
  const edges = graph.edges.map((edge): PlacedEdge => {
    const { points, x, y } = plane.edge(edge.from, edge.to) as Point & { points: Point[] };
    return { ...edge, key: edgeKey(edge), points, label: { x, y } };
  });
  return { width, height, nodes, edges, bands: bandsOf(nodes) };
}

/** The space between a band's edge and its first or last card. */
const BAND = 14;

/** Returns the stages as bands; none if a flow mixes its stages, where bands would be wrong. */
function bandsOf(nodes: readonly PlacedNode[]): Band[] {
  const bands: Band[] = [];
  for (const { stage, y, height } of [...nodes].sort((one, other) => one.y - other.y)) {
    if (stage === undefined) continue;
    const last = bands.at(-1);
    if (last?.stage === stage) {
      bands[bands.length - 1] = { ...last, bottom: Math.max(last.bottom, y + height + BAND) };
    } else {
      bands.push({ stage, top: y - BAND, bottom: y + height + BAND });
    }
  }
  return new Set(bands.map(({ stage }) => stage)).size === bands.length ? bands : [];
}
