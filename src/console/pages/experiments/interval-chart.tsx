import { scaleLinear } from 'd3-scale';
import type { ExperimentComparison } from '../../../contract/console/numbers.ts';
import { intervalOf, intervalWords, pointsText, reachOf } from './interval.ts';

type IntervalChartProps = {
  readonly comparisons: readonly ExperimentComparison[];
  /** The first variant, to which the others are compared. */
  readonly base: string;
};

const metricNames: Readonly<Record<ExperimentComparison['metric'], string>> = {
  accepted: 'Accepted per visit',
  completed: 'Completed per visit',
  delivered: 'Delivered per visit',
};

/**
 * Draws the confidence sequence of each difference around its estimate, with a line at zero. Only accepted leads per
 * visit have the colour of a success, once their interval leaves the line.
 */
export function IntervalChart({ comparisons, base }: IntervalChartProps) {
  const reach = reachOf(comparisons);
  const place = scaleLinear([-reach, reach], [0, 100]).clamp(true);
  return (
    <div className="intervals">
      <ul className="intervals-list">
        {comparisons.map((one) => {
          const interval = intervalOf(one);
          const [from, to] = [place(interval.low), place(interval.high)];
          return (
            <li
              key={`${one.variant} ${one.metric}`}
              className="interval"
              data-conclusion={one.metric === 'accepted' ? one.conclusion : 'explains'}
            >
              <span className="interval-name">
                {one.variant} <span className="quiet">{metricNames[one.metric]}</span>
              </span>
              <span className="interval-line" aria-hidden="true">
                <span className="interval-zero" />
                <span
                  className="interval-range"
                  style={{ left: `${from}%`, width: `${to - from}%` }}
                />
                <span className="interval-estimate" style={{ left: `${place(one.difference)}%` }} />
              </span>
              <span className="interval-words">
                <strong>{pointsText(one.difference)}</strong>{' '}
                <span className="quiet">{intervalWords(interval)}</span>
                <span className="visually-hidden">
                  {one.conclusion === 'undecided'
                    ? ', undecided'
                    : `, ${one.conclusion} than ${base}`}
                </span>
              </span>
            </li>
          );
        })}
      </ul>
      <p className="interval-scale quiet" aria-hidden="true">
        <span>{pointsText(-reach)}</span>
        <span>as {base}</span>
        <span>{pointsText(reach)}</span>
      </p>
    </div>
  );
}
