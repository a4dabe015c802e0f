import { scaleLinear } from 'd3-scale';
import { area, line } from 'd3-shape';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { count } from '../format.ts';
import { Go } from './link.tsx';

/** A point of a line: when, as an ISO time or a day, and how many. */
export type Point = { readonly at: string; readonly value: number };

type LineChartProps = {
  readonly series: readonly Point[];
  /** The period before, drawn behind point by point. */
  readonly before?: readonly Point[] | undefined;
  readonly format?: (value: number) => string;
  /** Writes a point's time, below the chart and beside the pointer. */
  readonly formatAt: (at: string) => string;
  /** What the line counts. */
  readonly label: string;
  /** Draws the last piece dashed: its day or hour is not over. */
  readonly isLastPartial?: boolean;
};

const height = 232;
const margin = { top: 12, right: 8, bottom: 26, left: 44 };

/** Draws one line over time. Pointer and arrow keys show the value of each point. */
export function LineChart(props: LineChartProps) {
  const { series, before = [], format = count, formatAt, label, isLastPartial = false } = props;
  const [box, width] = useWidth();
  const [at, setAt] = useState<number>();
  const most = Math.max(1, ...series.map(sizeOf), ...before.map(sizeOf));
  // A period that is not over has fewer points than the one before.
  const all = series.length >= before.length ? series : before;
  const last = all.length - 1;
  const x = scaleLinear([0, Math.max(1, last)], [margin.left, width - margin.right]);
  const y = scaleLinear([0, most], [height - margin.bottom, margin.top]).nice(4);
  const near = (event: PointerEvent<HTMLElement>) => {
    const left = event.clientX - event.currentTarget.getBoundingClientRect().left;
    setAt(Math.min(last, Math.max(0, Math.round(x.invert(left)))));
  };
  const move = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1, Home: -last, End: last }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    setAt((now = series.length - 1) => Math.min(last, Math.max(0, now + by)));
  };
  const rows = (index: number): TipRow[] => {
    const [now, then] = [series[index], before[index]];
    const soFar = isLastPartial && index === series.length - 1 ? ', so far' : '';
    return [
      ...(now ? [{ at: `${formatAt(now.at)}${soFar}`, text: format(now.value) }] : []),
      ...(then ? [{ at: `${formatAt(then.at)}, before`, text: format(then.value) }] : []),
    ];
  };
  const shown = at ?? series.length - 1;
  const whole = isLastPartial ? series.slice(0, -1) : series;
  return (
    <div
      ref={box}
      className="chart"
      role="slider"
      tabIndex={0}
      aria-label={`${label} over time`}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={shown}
      aria-valuetext={rows(shown)
        .map((row) => `${row.at}: ${row.text}`)
        .join('; ')}
      onPointerMove={near}
      onPointerLeave={() => setAt(undefined)}
      onKeyDown={move}
      onBlur={() => setAt(undefined)}
    >
      <svg width={width} height={height} aria-hidden="true">
        <Grid ticks={y.ticks(4)} y={y} width={width} format={format} />
        <Days series={all} x={x} width={width} formatAt={formatAt} />
        <path className="chart-before" d={pathOf(before, x, y)} />
        <path className="chart-area" d={areaOf(whole, x, y)} />
        <path className="chart-line" d={pathOf(whole, x, y)} />
        {isLastPartial && (
          <path
            className="chart-line chart-partial"
            d={pathOf(series.slice(-2), x, y, series.length - 2)}
          />
        )}
        {at !== undefined && <Cross at={at} series={series} before={before} x={x} y={y} />}
      </svg>
      {at !== undefined && (
        <Tip left={x(at)} isAtEnd={x(at) > width / 2} title={label} rows={rows(at)} />
      )}
    </div>
  );
}

type Scale = (value: number) => number;

function sizeOf({ value }: Point): number {
  return value;
}

function pathOf(points: readonly Point[], x: Scale, y: Scale, first = 0): string {
  const draw = line<Point>(
    (_, index) => x(first + index),
    ({ value }) => y(value),
  );
  return draw(points) ?? '';
}

function areaOf(points: readonly Point[], x: Scale, y: Scale): string {
  const draw = area<Point>(
    (_, index) => x(index),
    y(0),
    ({ value }) => y(value),
  );
  return draw(points) ?? '';
}

/** Follows the width of an element. */
function useWidth() {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(640);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [box, width] as const;
}

type GridProps = {
  readonly ticks: readonly number[];
  readonly y: Scale;
  readonly width: number;
  readonly format: (value: number) => string;
};

function Grid({ ticks, y, width, format }: GridProps) {
  return ticks.filter(Number.isInteger).map((tick) => (
    <g key={tick}>
      <line
        className={tick === 0 ? 'chart-axis' : 'chart-grid'}
        x1={margin.left}
        x2={width - margin.right}
        y1={y(tick)}
        y2={y(tick)}
      />
      <text className="chart-text" x={margin.left - 8} y={y(tick)} dy="0.32em" textAnchor="end">
        {format(tick)}
      </text>
    </g>
  ));
}

type DaysProps = {
  readonly series: readonly Point[];
  readonly x: Scale;
  readonly width: number;
  readonly formatAt: (at: string) => string;
};

/** About one label for every 90 px. */
function Days({ series, x, width, formatAt }: DaysProps) {
  const every = Math.max(1, Math.ceil(series.length / Math.max(2, Math.floor(width / 90))));
  return series.map(({ at }, index) => {
    if (index % every !== 0) return null;
    const anchor = x(index) > width - 30 ? 'end' : 'middle';
    return (
      <text className="chart-text" key={at} x={x(index)} y={height - 7} textAnchor={anchor}>
        {formatAt(at)}
      </text>
    );
  });
}

type CrossProps = {
  readonly at: number;
  readonly series: readonly Point[];
  readonly before: readonly Point[];
  readonly x: Scale;
  readonly y: Scale;
};

function Cross({ at, series, before, x, y }: CrossProps) {
  const [now, then] = [series[at], before[at]];
  return (
    <>
      <line
        className="chart-cross"
        x1={x(at)}
        x2={x(at)}
        y1={margin.top}
        y2={height - margin.bottom}
      />
      {then && <circle className="chart-dot-before" cx={x(at)} cy={y(then.value)} r="3" />}
      {now && <circle className="chart-dot" cx={x(at)} cy={y(now.value)} r="4" />}
    </>
  );
}

/** What the lines say at one point. */
type TipRow = { readonly at: string; readonly text: string };

type TipProps = {
  readonly left: number;
  readonly isAtEnd: boolean;
  readonly title: string;
  readonly rows: readonly TipRow[];
};

function Tip({ left, isAtEnd, title, rows }: TipProps) {
  return (
    <div className="tip" style={{ left }} data-end={isAtEnd}>
      <strong>{title}</strong>
      <dl>
        {rows.map(({ at, text }) => (
          <div key={at}>
            <dt>{at}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** One bar: a name, a value, and the list behind it. */
export type Bar = {
  readonly label: string;
  readonly value: number;
  readonly to?: string;
  /** Written instead of the value. */
  readonly text?: string;
};

/** Draws bars from the left, the longest as wide as the box. */
export function Bars({ rows }: { readonly rows: readonly Bar[] }) {
  const most = Math.max(1, ...rows.map(({ value }) => value));
  return (
    <ul className="bars">
      {rows.map(({ label, value, to, text = count(value) }) => (
        <li key={label} className="bar">
          <span className="bar-fill" style={{ width: `${(100 * value) / most}%` }} />
          <span className="bar-label">{to === undefined ? label : <Go to={to}>{label}</Go>}</span>
          <span className="bar-value">{text}</span>
        </li>
      ))}
    </ul>
  );
}

type SparklineProps = { readonly values: readonly number[]; readonly label?: string };

/** Draws a small line without axes. */
export function Sparkline({ values, label }: SparklineProps) {
  const [wide, tall] = [72, 20];
  const x = scaleLinear([0, Math.max(1, values.length - 1)], [1.5, wide - 1.5]);
  const y = scaleLinear([0, Math.max(1, ...values)], [tall - 1.5, 1.5]);
  const points = values.map((value) => ({ at: '', value }));
  const name = label ?? `From ${count(values[0] ?? 0)} to ${count(values.at(-1) ?? 0)}`;
  return (
    <svg className="sparkline" width={wide} height={tall} role="img" aria-label={name}>
      <path className="chart-line" d={pathOf(points, x, y)} />
    </svg>
  );
}
