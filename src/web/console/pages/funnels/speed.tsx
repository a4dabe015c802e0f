import type { Period, SpeedRow } from '../../../../model/messages/console/numbers.ts';
import { type SpeedMetric, speedMetrics } from '../../../../model/messages/page-speed.ts';
import { steady, useApi } from '../../api.ts';
import { count, NONE } from '../../format.ts';
import { type Column, ListPanel, numberColumn } from '../../parts/table.tsx';

const deviceNames = { slow_phone: 'Slow phone', phone: 'Phone', computer: 'Computer' };

/** The limits that Google calls good, for three of four views. */
const good: Readonly<Record<SpeedMetric, number>> = { LCP: 2500, INP: 200, CLS: 0.1 };

/** Writes a value, such as `1.3 s`, `80 ms` or `0.02`. */
function speedText(metric: SpeedMetric, value: number | null): string {
  if (value === null) return NONE;
  if (metric === 'CLS') return value.toFixed(2);
  return value >= 1000 ? `${(value / 1000).toFixed(1)} s` : `${count(Math.round(value))} ms`;
}

function speedColumn(header: string, metric: SpeedMetric): Column<SpeedRow> {
  return numberColumn(header, (row) => row[metric], {
    cell: (row) => {
      const text = speedText(metric, row[metric]);
      if ((row[metric] ?? 0) <= good[metric]) return text;
      const problem = metric === 'CLS' ? 'jumps' : 'slow';
      return (
        <strong className="problem">
          {text}, {problem}
        </strong>
      );
    },
  });
}

/** Returns how many of the row's values are not good. */
function problemCount(row: SpeedRow): number {
  return speedMetrics.filter((metric) => (row[metric] ?? 0) > good[metric]).length;
}

type SpeedProps = {
  readonly title: string;
  readonly query: Period & { readonly survey?: string };
  readonly nameOf: (row: SpeedRow) => string;
  /** The steps of the survey in their order. The rows follow it. */
  readonly steps?: readonly string[];
};

/** Shows how fast pages were for three of four visitors, by step and class of device. */
export function Speed({ title, query, nameOf, steps = [] }: SpeedProps) {
  const placeOf = ({ step }: SpeedRow) => steps.indexOf(step) + 1 || steps.length + 1;
  const speeds = useApi<readonly SpeedRow[]>('/api/speeds', query, steady);
  return (
    <ListPanel<readonly SpeedRow[], SpeedRow>
      title={title}
      query={speeds}
      of={(rows) => rows.toSorted((one, other) => placeOf(one) - placeOf(other))}
      rowKey={({ page, step, device }) => [page, step, device].join()}
      note="Three of four views were at most this slow (75th percentile). Red is beyond Google’s limits: 2.5 s, 200 ms, a shift of 0.1."
      empty="No page has reported its speed in this period. Browsers with the opt-out signal report nothing."
      columns={[
        { header: 'Screen', fold: 'wrap', sort: steps.length > 0 ? placeOf : nameOf, cell: nameOf },
        { header: 'Device', sort: ({ device }) => deviceNames[device] },
        numberColumn('Views', ({ views }) => views, { isMinor: true }),
        speedColumn('Largest paint', 'LCP'),
        speedColumn('Tap to paint', 'INP'),
        speedColumn('Layout shift', 'CLS'),
        numberColumn('Problems', problemCount),
      ]}
    />
  );
}
