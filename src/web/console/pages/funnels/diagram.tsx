import { curveBasis, line } from 'd3-shape';
import { useLayoutEffect, useMemo, useRef } from 'react';
import { count, percent } from '../../format.ts';
import { Drop, dropTone, type FunnelView, secondsText } from './detail.tsx';
import { SENT } from './flow-graph.ts';
import { edgeWidth } from './funnel.ts';
import { layOut, type PlacedEdge, type PlacedNode, type Point } from './layout.ts';

type DiagramProps = {
  readonly view: FunnelView;
  readonly selected: string | undefined;
  readonly onSelect: (step: string) => void;
  readonly onPoint: (step: string | undefined) => void;
};

const path = line<Point>(
  ({ x }) => x,
  ({ y }) => y,
).curve(curveBasis);

/** A flow is drawn at this size, so that its cards can be read; a wide one fits the window down to `LEAST`. */
const READABLE = 0.75;
const LEAST = 0.5;

/** Draws the flow with its numbers: a card for each step, a line for each edge. The window around it scrolls. */
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
              <button
                type="button"
                className={`step ${node.isEnd ? 'drop-end' : dropTone(view, node.id)}`}
                style={{ left: node.x, top: node.y, width: node.width, height: node.height }}
                aria-pressed={node.id === selected}
                onClick={() => onSelect(node.id)}
                onFocus={() => onPoint(node.id)}
                onBlur={() => onPoint(undefined)}
                onPointerEnter={() => onPoint(node.id)}
                onPointerLeave={() => onPoint(undefined)}
              >
                <span className="step-title">{view.titleOf(node.id)}</span>
                <StepNumbers node={node} view={view} />
              </button>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}

type EdgeProps = { readonly edge: PlacedEdge; readonly view: FunnelView };

/** An edge has the colour of the step that it leads to, so a leak glows where visitors enter it. */
function Line({ edge, view }: EdgeProps) {
  const visits = view.now.edgeVisits(edge);
  return (
    <path
      className={`flow-line ${edge.to === SENT ? 'drop-0' : dropTone(view, edge.to)}`}
      data-empty={visits === 0}
      d={path(edge.points) ?? ''}
      strokeWidth={edgeWidth(visits, view.now.most)}
    />
  );
}

function LineNumber({ edge, view }: EdgeProps) {
  const text = lineText(edge, view);
  const { x, y } = edge.label;
  // About as wide as the text: the line must not show through its spaces.
  const width = 6.6 * text.length + 12;
  return (
    <>
      <rect className="flow-number-back" x={x - width / 2} y={y - 9.5} width={width} height={19} />
      <text className="flow-number" x={x} y={y} dy="0.35em">
        {text}
      </text>
    </>
  );
}

/** Writes an edge's visits, with their share at a branch; beside another selection only the two shares. */
function lineText(edge: PlacedEdge, { now, other }: FunnelView): string {
  const { part, of } = now.edgeShare(edge);
  const isBranch = now.graph.edges.filter(({ from }) => from === edge.from).length > 1;
  if (!isBranch) return count(part);
  if (!other) return `${count(part)} · ${percent(part, of)}`;
  const before = other.edgeShare(edge);
  return `${percent(part, of)} (${percent(before.part, before.of)})`;
}

type StepNumbersProps = { readonly node: PlacedNode; readonly view: FunnelView };

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
  const { part, of } = now.dropOff(id);
  const widthOf = (some: number, all: number) => ({
    width: all === 0 ? 0 : `${Math.min(100, (100 * some) / all)}%`,
  });
  return (
    <>
      <span className="step-bar" aria-hidden="true">
        <span className="step-seen" style={widthOf(seen, now.visits)}>
          <span className="step-left" style={widthOf(part, of)} />
        </span>
      </span>
      <span className="step-numbers">
        <span>
          <b>{count(seen)}</b> seen
        </span>
        {!isEnd && <Drop view={view} step={id} word="leave" />}
        {medianSeconds !== null && !other && <span>{secondsText(medianSeconds)}</span>}
      </span>
    </>
  );
}
