import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { count, dollars, shortDollars } from '../format.ts';

/** A point of a line. `at` is an ISO time or a day. */
export type Point = { readonly at: string; readonly value: number };

type LineChartProps = {
  readonly series: readonly Point[];
  readonly before: readonly Point[];
  readonly formatAt: (at: string) => string;
  readonly label: string;
  readonly isMoney?: boolean;
  /** True if the last day or hour has not ended. */
  readonly isLastPartial?: boolean;
};

const height = 232;
const margin = { top: 12, right: 8, bottom: 26, left: 44 };

/** Draws a line over time. */
export function LineChart(props: LineChartProps) {
  const { series, before, formatAt, label, isMoney = false, isLastPartial = false } = props;
  const [format, formatTick] = isMoney ? [dollars, shortDollars] : [count, count];
  const [box, width] = useWidth();
  const [at, setAt] = useState<number>();
  const values = [...series, ...before].map(({ value }) => value);
  const [least, most] = [Math.min(0, ...values), Math.max(1, ...values)];
  // Uses the longer line, because a period that has not ended has fewer points.
  const all = series.length >= before.length ? series : before;
  const last = all.length - 1;
  const x = scaleLinear([0, Math.max(1, last)], [margin.left, width - margin.right]);
  const y = scaleLinear([least, most], [height - margin.bottom, margin.top]).nice(4);
  const show = (index: number) => setAt(Math.min(last, Math.max(0, index)));
  const shown = at ?? series.length - 1;
  const move = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1, Home: -last, End: last }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    show(shown + by);
  };
  const [now, then] = [series[shown], before[shown]];
  const soFar = isLastPartial && shown === series.length - 1 ? ', so far' : '';
  const texts = [
    ...(now ? [{ at: `${formatAt(now.at)}${soFar}`, text: format(now.value) }] : []),
    ...(then ? [{ at: `${formatAt(then.at)}, before`, text: format(then.value) }] : []),
  ];
  const whole = isLastPartial ? series.slice(0, -1) : series;
  /** Labels every n-th point, so that labels are about 90 px apart. */
  const every = Math.max(1, Math.ceil(all.length / Math.max(2, Math.floor(width / 90))));
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
      aria-valuetext={texts.map((each) => `${each.at}: ${each.text}`).join('; ')}
      onPointerMove={({ clientX, currentTarget }) =>
        show(Math.round(x.invert(clientX - currentTarget.getBoundingClientRect().left)))
      }
      onPointerLeave={() => setAt(undefined)}
      onKeyDown={move}
      onBlur={() => setAt(undefined)}
    >
      <svg width={width} height={height} aria-hidden="true">
        {y
          .ticks(4)
          .filter(Number.isInteger)
          .map((tick) => (
            <g key={tick} transform={`translate(${margin.left} ${y(tick)})`}>
              <line className="chart-grid" x2={width - margin.left - margin.right} />
              <text x={-8} dy="0.32em" textAnchor="end">
                {formatTick(tick)}
              </text>
            </g>
          ))}
        {all.map((point, index) =>
          index % every === 0 ? (
            <text
              key={point.at}
              x={x(index)}
              y={height - 7}
              textAnchor={x(index) > width - 30 ? 'end' : 'middle'}
            >
              {formatAt(point.at)}
            </text>
          ) : null,
        )}
        <path className="chart-line chart-before" d={pathOf(before, x, y)} />
        <path className="chart-area" d={`${pathOf(whole, x, y)}V${y(0)}H${x(0)}Z`} />
        <path className="chart-line" d={pathOf(whole, x, y)} />
        {isLastPartial && (
          <path
            className="chart-line chart-partial"
            d={pathOf(series.slice(-2), x, y, series.length - 2)}
          />
        )}
        {at !== undefined && (
          <g transform={`translate(${x(at)})`}>
            <line className="chart-grid" y1={margin.top} y2={height - margin.bottom} />
            {now && <circle className="chart-dot" cy={y(now.value)} r="4" />}
          </g>
        )}
      </svg>
      {at !== undefined && (
        <div className="tip" style={{ left: x(at) }} data-end={x(at) > width / 2}>
          <strong>{label}</strong>
          {texts.map((each) => (
            <p className="row spread" key={each.at}>
              <span className="quiet">{each.at}</span> <b>{each.text}</b>
            </p>
          ))}
        </div>
      )}
    </div>
  );
}

type Scale = (value: number) => number;

function pathOf(points: readonly Point[], x: Scale, y: Scale, first = 0): string {
  const draw = line<Point>(
    (_, index) => x(first + index),
    ({ value }) => y(value),
  );
  return draw(points) ?? '';
}

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

type Bar = { readonly label: string; readonly value: number; readonly more?: ReactNode };

/** Draws horizontal bars. */
export function Bars({ rows }: { readonly rows: readonly Bar[] }) {
  const most = Math.max(1, ...rows.map(({ value }) => value));
  return (
    <ul>
      {rows.map(({ label, value, more }) => (
        <li key={label} className="bar">
          <span className="bar-fill" style={{ width: `${(100 * value) / most}%` }} />
          <b>{count(value)}</b>
          <span className="bar-label">{label}</span>
          {more}
        </li>
      ))}
    </ul>
  );
}
