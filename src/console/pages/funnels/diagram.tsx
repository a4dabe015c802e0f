import { curveBasis, line } from 'd3-shape';
import { type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { count, percent } from '../../format.ts';
import { Button } from '../../parts/controls.tsx';
import { Drop, dropTone, type FunnelView, secondsText, titleIn } from './detail.tsx';
import { SENT, stageTitle } from './flow-graph.ts';
import { edgeWidth } from './funnel.ts';
import { layOut, type PlacedEdge, type PlacedNode, type Point } from './layout.ts';

type DiagramProps = {
  readonly view: FunnelView;
  readonly selected: string | undefined;
  readonly onSelect: (step: string) => void;
  readonly onPoint: (step: string | undefined) => void;
};

const path = line<Point>()
  .x(({ x }) => x)
  .y(({ y }) => y)
  .curve(curveBasis);

/** Draws the flow with its numbers: a card for each step, a line for each edge. */
export function Diagram({ view, selected, onSelect, onPoint }: DiagramProps) {
  const { graph } = view.now;
  const plan = useMemo(() => layOut(graph), [graph]);
  return (
    // Another flow starts at its own fit.
    <Canvas key={`${plan.width} ${plan.height}`} width={plan.width} height={plan.height}>
      <svg className="flow-lines" width={plan.width} height={plan.height} aria-hidden="true">
        {plan.bands.map(({ stage, top, bottom }) => (
          <g key={stage}>
            <rect className="band" x={8} y={top} width={plan.width - 16} height={bottom - top} />
            <text className="band-name" x={20} y={top + 20}>
              {stageTitle(view.language, stage)}
            </text>
          </g>
        ))}
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
              <span className="step-title">{titleIn(view, node.id)}</span>
              <StepNumbers node={node} view={view} />
            </button>
          </li>
        ))}
      </ol>
    </Canvas>
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

const NUMBER_HEIGHT = 19;

function LineNumber({ edge, view }: EdgeProps) {
  const text = lineText(edge, view);
  const { x, y } = edge.label;
  // About as wide as the text: the line must not show through its spaces.
  const width = 6.6 * text.length + 12;
  return (
    <>
      <rect
        className="flow-number-back"
        x={x - width / 2}
        y={y - NUMBER_HEIGHT / 2}
        width={width}
        height={NUMBER_HEIGHT}
      />
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
  const drop = now.dropOff(id);
  const left = drop.of === 0 ? 0 : drop.part / drop.of;
  const width = now.visits === 0 ? 0 : Math.min(1, seen / now.visits);
  return (
    <>
      <span className="step-bar" aria-hidden="true">
        <span className="step-seen" style={{ width: `${100 * width}%` }}>
          <span className="step-left" style={{ width: `${100 * left}%` }} />
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

type CanvasProps = {
  /** The size of the content at 100 %, in px. */
  readonly width: number;
  readonly height: number;
  readonly children: ReactNode;
};

/** A flow is shown no smaller than this, so that its cards are read; a wide one fits the window down to `LEAST`. */
const READABLE = 0.75;
const LEAST = 0.5;

/** Shows content that is larger than its window, which scrolls: so large that it can be read, or the whole of it. */
function Canvas({ width, height, children }: CanvasProps) {
  const view = useRef<HTMLElement>(null);
  const [isWhole, setIsWhole] = useState(false);
  const [zoom, setZoom] = useState(1);
  useLayoutEffect(() => {
    if (!view.current) return;
    const toWidth = Math.min(1, view.current.clientWidth / width);
    const toWhole = Math.min(toWidth, view.current.clientHeight / height);
    const readable = Math.min(Math.max(READABLE, toWhole), Math.max(LEAST, toWidth));
    setZoom(isWhole ? toWhole : readable);
    view.current.scrollLeft = (width * readable - view.current.clientWidth) / 2;
  }, [isWhole, width, height]);
  return (
    <div className="canvas">
      <section className="canvas-view" aria-label="The flow with its numbers" ref={view}>
        <div className="canvas-space" style={{ width: width * zoom, height: height * zoom }}>
          <div className="canvas-plane" style={{ width, height, transform: `scale(${zoom})` }}>
            {children}
          </div>
        </div>
      </section>
      <div className="canvas-zoom">
        <Button onPress={() => setIsWhole(!isWhole)}>{isWhole ? 'Larger' : 'Whole flow'}</Button>
      </div>
    </div>
  );
}
