import type { Segment } from '../../../../model/messages/console/leads-behind.ts';
import {
  type BreakdownAnswer,
  type BreakdownRow,
  hasMoney,
  type TotalName,
} from '../../../../model/messages/console/numbers.ts';
import { steady, useApi } from '../../api.ts';
import { dollars, dollarsPer, percent } from '../../format.ts';
import { useUrlQuery } from '../../parts/address.tsx';
import { Tabs } from '../../parts/controls.tsx';
import { Answer, Card } from '../../parts/page.tsx';
import { type Column, DataTable, numberColumn } from '../../parts/table.tsx';
import { Code, Count } from '../../parts/values.tsx';
import { keyNames, valueText } from '../../parts/words.ts';
import {
  canBreakDown,
  moneyWords,
  shownDimensions,
  totalWords,
  useBehind,
  useSelection,
} from './selection.ts';

/** Shows the totals for each value of a dimension. */
export function Breakdown() {
  const { by, from, to, survey } = useSelection();
  const [, change] = useUrlQuery();
  const answer = useApi<BreakdownAnswer>(
    '/api/breakdown',
    { dimension: by, from, to, survey },
    steady,
  );
  return (
    <Card className="breakdown">
      <Tabs
        label="Numbers by"
        items={shownDimensions.map((id) => ({
          id,
          label: keyNames[id],
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
          {(data) => <Rows answer={data} />}
        </Answer>
      </Tabs>
    </Card>
  );
}

const countsAtBuyer = ['qualified', 'delivered', 'rejected'] as const;
/** A buyer's visits are all completed and accepted. */
const counts = ['completed', 'accepted', ...countsAtBuyer] as const;

const moneyColumns: readonly Column<BreakdownRow>[] = [
  ...(['revenue', 'returned', 'cost', 'margin'] as const).map((name) =>
    numberColumn<BreakdownRow>(moneyWords[name].label, ({ totals }) => totals[name], {
      isMinor: name !== 'margin',
      cell: ({ totals }) => <Count value={totals[name]} format={dollars} />,
    }),
  ),
  numberColumn('Margin a lead', ({ totals }) => totals.margin / totals.accepted || 0, {
    isMinor: true,
    cell: ({ totals }) => dollarsPer(totals.margin, totals.accepted),
  }),
];

function Rows({ answer: { rows, dimension } }: { readonly answer: BreakdownAnswer }) {
  const behind = useBehind();
  const most = Math.max(1, ...rows.map(({ totals }) => totals.visits));
  const segmentOf = ({ value }: BreakdownRow): Segment => ({ dimension, value });
  const isMoney = rows.some(({ totals }) => hasMoney(totals));
  const columns: readonly Column<BreakdownRow>[] = [
    {
      header: keyNames[dimension],
      sort: ({ value }) => value,
      cell: ({ value, totals, label = valueText(dimension, value) }) => (
        <Name dimension={dimension} value={value} label={label} share={totals.visits / most} />
      ),
    },
    numberColumn(totalWords.visits.label, ({ totals }) => totals.visits, {
      cell: (row) => (
        <Count
          value={row.totals.visits}
          before={row.before.visits}
          to={behind('visits', segmentOf(row))}
        />
      ),
    }),
    ...(isMoney ? moneyColumns : []),
    ...(dimension === 'buyer' ? countsAtBuyer : counts).map((name) =>
      numberColumn<BreakdownRow>(totalWords[name].label, ({ totals }) => totals[name], {
        isMinor: isMoney || (name !== 'completed' && name !== 'delivered'),
        cell: (row) => (
          <>
            <Count value={row.totals[name]} to={behind(name, segmentOf(row))} />
            <span className="cell-share quiet fine">{shareOf(row, name)}</span>
          </>
        ),
      }),
    ),
  ];
  return (
    <DataTable
      columns={columns}
      rows={rows}
      rowKey={({ value }) => value}
      label={`Numbers by ${keyNames[dimension].toLowerCase()}`}
    />
  );
}

function shareOf({ totals }: BreakdownRow, name: TotalName): string {
  const { of: whole } = totalWords[name];
  return whole === undefined ? '' : percent(totals[name], totals[whole]);
}

type NameProps = Segment & { readonly label: string; readonly share: number };

function Name({ dimension, value, label, share }: NameProps) {
  const [, change] = useUrlQuery();
  const filter = dimension === 'survey' ? { survey: value } : { dimension, value };
  return (
    <span className="bar">
      <span className="bar-fill" style={{ width: `${100 * share}%` }} />
      <button
        type="button"
        className="value-name count-link clip"
        title={`Only ${keyNames[dimension].toLowerCase()} ${label}`}
        onClick={() => change({ ...filter, by: undefined })}
      >
        {dimension === 'survey' ? <Code>{label}</Code> : label}
      </button>
    </span>
  );
}
