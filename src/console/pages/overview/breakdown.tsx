import { keepPreviousData } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Segment } from '../../../contract/console/leads-behind.ts';
import type {
  BreakdownAnswer,
  BreakdownRow,
  TotalName,
} from '../../../contract/console/numbers.ts';
import { useApi } from '../../api.ts';
import { percent } from '../../format.ts';
import { Tabs } from '../../parts/controls.tsx';
import { Answer, Card } from '../../parts/page.tsx';
import { type Column, DataTable } from '../../parts/table.tsx';
import { Change, Code, Count } from '../../parts/values.tsx';
import { dimensionLabels, totalWords, valueLabel } from './names.ts';
import { canBreakDown, shownDimensions, useBehind, useChange, useSelection } from './selection.ts';

/** Breaks the numbers down by one dimension. A row's name filters the whole page by it. */
export function Breakdown() {
  return useSelection().segment ? null : <Rows />;
}

function Rows() {
  const { by, from, to, survey } = useSelection();
  const change = useChange();
  const answer = useApi<BreakdownAnswer>(
    '/api/breakdown',
    { dimension: by, from, to, survey },
    { placeholderData: keepPreviousData },
  );
  const columns = useColumns(answer.data);
  return (
    <Card className="breakdown">
      <Tabs
        label="Numbers by"
        items={shownDimensions.map((id) => ({
          id,
          label: dimensionLabels[id],
          isDisabled: !canBreakDown(id, survey),
        }))}
        value={by}
        onChange={(id) => change({ by: id === 'source' ? undefined : id })}
      >
        <Answer
          query={answer}
          rows={8}
          isEmpty={({ rows }) => rows.length === 0}
          empty="No visits in these days."
        >
          {({ rows, dimension }) => (
            <DataTable
              columns={columns}
              rows={rows}
              rowKey={({ value }) => value}
              label={`Numbers by ${dimensionLabels[dimension].toLowerCase()}`}
            />
          )}
        </Answer>
      </Tabs>
    </Card>
  );
}

/** The columns beside the visits: totals, each with its share of another one. */
const shown: readonly TotalName[] = [
  'firstAnswers',
  'completed',
  'accepted',
  'held',
  'qualified',
  'delivered',
  'rejected',
];
/** Left out on a phone. */
const minor: readonly TotalName[] = ['firstAnswers', 'accepted', 'held', 'qualified', 'rejected'];

/** Returns the columns for an answer: they follow its dimension, which may be the one before while it loads. */
function useColumns(answer: BreakdownAnswer | undefined): readonly Column<BreakdownRow>[] {
  const behind = useBehind();
  const { isCompared } = useSelection();
  const dimension = answer?.dimension ?? 'source';
  const most = Math.max(1, ...(answer?.rows.map(({ totals }) => totals.visits) ?? []));
  // biome-ignore lint/correctness/useExhaustiveDependencies: `behind` is new in each render, its links follow the address
  return useMemo(() => {
    const segmentOf = ({ value }: BreakdownRow): Segment => ({ dimension, value });
    return [
      {
        id: 'value',
        header: dimensionLabels[dimension],
        cell: (row) => <Name of={segmentOf(row)} share={row.totals.visits / most} />,
        sort: ({ value }) => value,
      },
      {
        id: 'visits',
        header: totalWords.visits.label,
        align: 'end',
        sort: ({ totals }) => totals.visits,
        cell: (row) => (
          <>
            <Count value={row.totals.visits} to={behind('visits', segmentOf(row))} />
            {isCompared && <Change value={row.totals.visits} before={row.before.visits} />}
          </>
        ),
      },
      ...shown.map(
        (name): Column<BreakdownRow> => ({
          id: name,
          header: totalWords[name].label,
          align: 'end',
          isMinor: minor.includes(name),
          sort: ({ totals }) => totals[name],
          cell: (row) => (
            <>
              <Count value={row.totals[name]} to={behind(name, segmentOf(row))} />
              <span className="cell-share">{shareOf(row, name)}</span>
            </>
          ),
        }),
      ),
    ];
  }, [dimension, most, isCompared, location.search]);
}

function shareOf({ totals }: BreakdownRow, name: TotalName): string {
  const { of: whole } = totalWords[name];
  return whole === undefined ? '' : percent(totals[name], totals[whole]);
}

type NameProps = {
  readonly of: Segment;
  /** Its visits as a share of the largest row's. */
  readonly share: number;
};

function Name({ of: { dimension, value }, share }: NameProps) {
  const change = useChange();
  const label = valueLabel(dimension, value);
  const filter = dimension === 'survey' ? { survey: value } : { dimension, value };
  return (
    <span className="value">
      <span className="value-bar" style={{ width: `${100 * share}%` }} />
      <button
        type="button"
        className="value-name"
        title={`Only ${dimensionLabels[dimension].toLowerCase()} ${label}`}
        onClick={() => change({ ...filter, by: undefined })}
      >
        {dimension === 'survey' ? <Code>{label}</Code> : label}
      </button>
    </span>
  );
}
