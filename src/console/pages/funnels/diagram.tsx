import { curveBasis, line } from 'd3-shape';
import { useMemo } from 'react';
import { count, duration, percent } from '../../format.ts';
import { Canvas } from './canvas.tsx';
import { Drop, dropTone } from './drop.tsx';
import { SENT } from './flow-graph.ts';
import { completion, dropOff, edgeShare, edgeWidth } from './funnel.ts';
import { type FlowLayout, layOut, type PlacedEdge, type PlacedNode, type Point } from './layout.ts';
import { stageTitle } from './step-titles.ts';
import { type FunnelView, titleIn } from './view.ts';

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
  const { graph, language } = view;
  const plan = useMemo(() => layOut(graph), [graph]);
  return (
    <Canvas
      // Another flow starts at its own fit.
      key={`${plan.width} ${plan.height}`}
      label="The flow with its numbers"
      width={plan.width}
      height={plan.height}
      first={firstPoint(plan, selected ?? graph.start)}
    >
      <svg
        className="flow-lines"
        width={plan.width}
        height={plan.height}
        aria-hidden="true"
        focusable="false"
      >
        {plan.bands.map(({ stage, top, bottom }) => (
          <g key={stage}>
            <rect className="band" x={8} y={top} width={plan.width - 16} height={bottom - top} />
            <text className="band-name" x={20} y={top + 20}>
              {stageTitle(language, stage)}
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
      <ol className="flow-steps" aria-label="Steps">
        {plan.nodes.map((node) => (
          <li key={node.id}>
            <StepCard
              node={node}
              view={view}
              isSelected={node.id === selected}
              onSelect={onSelect}
              onPoint={onPoint}
            />
          </li>
        ))}
      </ol>
    </Canvas>
  );
}

/** Returns the middle of a step's card. */
function firstPoint({ nodes }: FlowLayout, step: string): Point {
  const { x, y, width, height } = nodes.find(({ id }) => id === step) ?? noCard;
  return { x: x + width / 2, y: y + height / 2 };
}

const noCard = { x: 0, y: 0, width: 0, height: 0 };

type EdgeProps = { readonly edge: PlacedEdge; readonly view: FunnelView };

/** An edge has the colour of the step that it leads to, so a leak glows where visitors enter it. */
function Line({ edge, view: { graph, now, other } }: EdgeProps) {
  const visits = now.edgeVisits(edge);
  const tone =
    edge.to === SENT
      ? 'drop-0'
      : dropTone(dropOff(graph, now, edge.to), other && dropOff(graph, other, edge.to));
  return (
    <path
      className={`flow-line ${tone}`}
      data-empty={visits === 0}
      d={path(edge.points) ?? ''}
      strokeWidth={edgeWidth(visits, now.most)}
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
        {...{ x: x - width / 2, y: y - NUMBER_HEIGHT / 2, width, height: NUMBER_HEIGHT }}
      />
      <text className="flow-number" x={x} y={y} dy="0.35em">
        {text}
      </text>
    </>
  );
}

/** Writes an edge's visits, with their share at a branch; beside another selection only the two shares. */
function lineText(edge: PlacedEdge, { graph, now, other }: FunnelView): string {
  const { part, of } = edgeShare(graph, now, edge);
  const isBranch = graph.edges.filter(({ from }) => from === edge.from).length > 1;
  if (!isBranch) return count(part);
  if (!other) return `${count(part)} · ${percent(part, of)}`;
  const before = edgeShare(graph, other, edge);
  return `${percent(part, of)} (${percent(before.part, before.of)})`;
}

type StepCardProps = {
  readonly node: PlacedNode;
  readonly view: FunnelView;
  readonly isSelected: boolean;
  readonly onSelect: (step: string) => void;
  readonly onPoint: (step: string | undefined) => void;
};

function StepCard({ node, view, isSelected, onSelect, onPoint }: StepCardProps) {
  const { id, x, y, width, height } = node;
  const { graph, now, other } = view;
  const drop = dropOff(graph, now, id);
  const tone = node.isEnd ? 'drop-end' : dropTone(drop, other && dropOff(graph, other, id));
  return (
    <button
      type="button"
      className={`step ${tone}`}
      style={{ left: x, top: y, width, height }}
      aria-pressed={isSelected}
      onClick={() => onSelect(id)}
      onFocus={() => onPoint(id)}
      onBlur={() => onPoint(undefined)}
      onPointerEnter={() => onPoint(id)}
      onPointerLeave={() => onPoint(undefined)}
    >
      <span className="step-title">{titleIn(view, id)}</span>
      {id === SENT ? <SentNumbers view={view} /> : <StepNumbers node={node} view={view} />}
    </button>
  );
}

function SentNumbers({ view: { now, other } }: { readonly view: FunnelView }) {
  const { part, of } = completion(now);
  const before = other && completion(other);
  return (
    <span className="step-numbers">
      <b>{count(part)}</b> sent, {percent(part, of)} of visits
      {before && ` (${percent(before.part, before.of)})`}
    </span>
  );
}

function StepNumbers({
  node: { id, isEnd },
  view: { graph, now, other },
}: Pick<StepCardProps, 'node' | 'view'>) {
  const { seen, medianSeconds } = now.step(id);
  const drop = dropOff(graph, now, id);
  const share = now.visits === 0 ? 0 : Math.min(1, seen / now.visits);
  return (
    <>
      <span className="step-bar" aria-hidden="true">
        <span className="step-seen" style={{ inlineSize: `${100 * share}%` }}>
          <span
            className="step-left"
            style={{ inlineSize: `${drop.of === 0 ? 0 : (100 * drop.part) / drop.of}%` }}
          />
        </span>
      </span>
      <span className="step-numbers">
        <span>
          <b>{count(seen)}</b> seen
        </span>
        {!isEnd && <Drop now={drop} other={other && dropOff(graph, other, id)} />}
        {medianSeconds !== null && !other && (
          <span className="step-time">{duration(1000 * medianSeconds)}</span>
        )}
      </span>
    </>
  );
}
