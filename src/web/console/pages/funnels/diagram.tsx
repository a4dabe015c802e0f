import { Graph, layout as place } from '@dagrejs/dagre';
import { curveBasis, line } from 'd3-shape';
import { type ComponentProps, useLayoutEffect, useMemo, useRef } from 'react';
import { count, percent } from '../../format.ts';
import { edgeKey, type FlowGraph, type GraphNode, SENT } from '../../parts/flow-graph.ts';
import { Drop, dropStyle, type FunnelView, StepDetail, secondsText } from './detail.tsx';
import { edgeWidth } from './funnel.ts';

type StepsProps = {
  readonly view: FunnelView;
  readonly selected: string | undefined;
  readonly onSelect: (step: string) => void;
};
type DiagramProps = StepsProps & { readonly onPoint: (step: string | undefined) => void };

type Point = { readonly x: number; readonly y: number };
type Box = Point & { readonly width: number; readonly height: number };

/** The size of a step's card, in px. */
const CARD = { width: 216, height: 84 };
const LAST = { width: 216, height: 56 };
const LABEL = { width: 96, height: 22 };
const SPACES = { nodesep: 28, edgesep: 24, ranksep: 30, marginx: 24, marginy: 24 };

/** Computes the positions of a flow's steps and edges. */
function layOut(graph: FlowGraph) {
  const plane = new Graph();
  plane.setGraph({ rankdir: 'TB', ...SPACES });
  for (const { id } of graph.nodes) plane.setNode(id, { ...(id === SENT ? LAST : CARD) });
  for (const { from, to } of graph.edges) plane.setEdge(from, to, { ...LABEL, labelpos: 'c' });
  place(plane);
  const { width = 0, height = 0 } = plane.graph() as { width?: number; height?: number };
  const nodes = graph.nodes.map((node) => {
    const { x, y, width, height } = plane.node(node.id) as Box;
    return { ...node, x: x - width / 2, y: y - height / 2, width, height };
  });
  const edges = graph.edges.map((edge) => {
    const { points, x, y } = plane.edge(edge.from, edge.to) as Point & { points: Point[] };
    return { ...edge, key: edgeKey(edge), points, label: { x, y } };
  });
  return { width, height, nodes, edges };
}
type PlacedEdge = ReturnType<typeof layOut>['edges'][number];

const path = line<Point>(
  ({ x }) => x,
  ({ y }) => y,
).curve(curveBasis);

/** The largest zoom. A wide flow gets a smaller zoom, so that the flow fits into the window. */
const READABLE = 0.75;
const LEAST = 0.5;

/** Draws a flow with a card for each step and a line for each edge. */
export function Diagram({ view, selected, onSelect, onPoint }: DiagramProps) {
  const { graph } = view.now;
  const plan = useMemo(() => layOut(graph), [graph]);
  const { width, height } = plan;
  const box = useRef<HTMLElement>(null);
  const plane = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!box.current || !plane.current) return;
    const { clientWidth } = box.current;
    const zoom = Math.min(READABLE, Math.max(LEAST, clientWidth / width));
    plane.current.style.zoom = String(zoom);
    box.current.scrollLeft = (width * zoom - clientWidth) / 2;
  }, [width]);
  return (
    <section className="flow" aria-label="The flow with its numbers" ref={box}>
      <div className="flow-plane" ref={plane} style={{ width, height }}>
        <svg className="flow-lines" width={width} height={height} aria-hidden="true">
          {plan.edges.map((edge) => (
            <Line key={edge.key} edge={edge} view={view} />
          ))}
          {plan.edges.map((edge) => (
            <LineNumber key={edge.key} edge={edge} view={view} />
          ))}
        </svg>
        <ol aria-label="Steps">
          {plan.nodes.map((node) => (
            <li key={node.id}>
              <StepCard
                node={node}
                view={view}
                style={{ left: node.x, top: node.y, width: node.width, height: node.height }}
                aria-pressed={node.id === selected}
                onClick={() => onSelect(node.id)}
                onFocus={() => onPoint(node.id)}
                onBlur={() => onPoint(undefined)}
                onPointerEnter={() => onPoint(node.id)}
                onPointerLeave={() => onPoint(undefined)}
              />
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}

/** Lists the steps of a flow, for phones. */
export function StepList({ view, selected, onSelect }: StepsProps) {
  return (
    <ol className="stack" aria-label="Steps">
      {view.now.graph.nodes.map((node) => (
        <li key={node.id} className="stack">
          <StepCard
            node={node}
            view={view}
            aria-expanded={node.id === selected}
            onClick={() => onSelect(node.id)}
          />
          {node.id === selected && <StepDetail view={view} step={node.id} />}
        </li>
      ))}
    </ol>
  );
}

type StepCardProps = ComponentProps<'button'> & StepNumbersProps;

function StepCard({ node, view, style, ...button }: StepCardProps) {
  return (
    <button
      type="button"
      className="step"
      style={{ ...dropStyle(view, node.id), ...style }}
      {...button}
    >
      <span className="step-title">{view.titleOf(node.id)}</span>
      <StepNumbers node={node} view={view} />
    </button>
  );
}

type EdgeProps = { readonly edge: PlacedEdge; readonly view: FunnelView };

function Line({ edge, view }: EdgeProps) {
  const visits = view.now.edgeVisits(edge);
  return (
    <path
      className="flow-line"
      style={dropStyle(view, edge.to)}
      data-empty={visits === 0}
      d={path(edge.points) ?? ''}
      strokeWidth={edgeWidth(visits, view.now.most)}
    />
  );
}

function LineNumber({ edge, view }: EdgeProps) {
  return (
    <text x={edge.label.x} y={edge.label.y} dy="0.35em">
      {lineText(edge, view)}
    </text>
  );
}

function lineText(edge: PlacedEdge, { now, other }: FunnelView): string {
  const { part, of } = now.edgeShare(edge);
  const isBranch = now.graph.edges.filter(({ from }) => from === edge.from).length > 1;
  if (!isBranch) return count(part);
  if (!other) return `${count(part)} · ${percent(part, of)}`;
  const before = other.edgeShare(edge);
  return `${percent(part, of)} (${percent(before.part, before.of)})`;
}

type StepNumbersProps = { readonly node: GraphNode; readonly view: FunnelView };

function StepNumbers({ node: { id, isEnd }, view }: StepNumbersProps) {
  const { now, other } = view;
  if (id === SENT) {
    const { part, of } = now.completion;
    const before = other && ` (${percent(other.completion.part, other.completion.of)})`;
    return (
      <span>
        <b>{count(part)}</b> sent, {percent(part, of)} of visits{before}
      </span>
    );
  }
  const { seen, medianSeconds } = now.step(id);
  return (
    <span className="step-numbers">
      <span>
        <b>{count(seen)}</b> seen
      </span>
      {!isEnd && <Drop view={view} step={id} word="leave" />}
      {medianSeconds !== null && !other && <span>{secondsText(medianSeconds)}</span>}
    </span>
  );
}
