import { useState } from 'react';
import type {
  Comparison,
  Statement,
  StatementRequest,
  StatementsAnswer,
} from '../../../../model/messages/console/statements.ts';
import { apiPost, useApi, useMay } from '../../api.ts';
import { count, counted, dollars } from '../../format.ts';
import { Go, useGo, useUrlQuery } from '../../parts/address.tsx';
import { Select, TextInput } from '../../parts/controls.tsx';
import { FileImport, RefusedLines } from '../../parts/file-import.tsx';
import { type Column, DataTable, ListPanel, numberColumn, timeColumn } from '../../parts/table.tsx';
import { Badge, Code, Facts } from '../../parts/values.tsx';
import { differenceColumns, keyOf, periodOf, StatementDetails } from './statement.tsx';

const pathOf = (id: string) => `/buyers?tab=statements&statement=${id}`;

const tones = { open: 'bad', disputed: 'warning', explained: 'good' } as const;
const columns: readonly Column<Statement>[] = [
  { header: 'Period', cell: (one) => <Go to={pathOf(one.id)}>{periodOf(one)}</Go> },
  numberColumn('Our ledger', ({ ours }) => ours, { cell: ({ ours }) => dollars(ours, true) }),
  numberColumn('Statement', ({ theirs }) => theirs, {
    cell: ({ theirs }) => dollars(theirs, true),
  }),
  { header: 'Differences', cell: Differences },
  timeColumn('Compared', ({ createdAt }) => createdAt, { isMinor: true }),
];

/** Shows the most urgent state of the differences. */
function Differences({ sums }: Statement) {
  const urgency = Object.keys(tones);
  const [first] = sums.toSorted((a, b) => urgency.indexOf(a.state) - urgency.indexOf(b.state));
  if (!first) return <Badge tone="good">none</Badge>;
  return (
    <Badge tone={tones[first.state]}>
      {count(first.differences)} {first.state}
    </Badge>
  );
}

/** Compares the statements of buyers with our ledger, and lists the comparisons. */
export function Statements() {
  const [{ statement: id }] = useUrlQuery();
  const go = useGo();
  const query = useApi<StatementsAnswer>('/api/statements');
  const isOperator = useMay('operator');
  const { buyers = [], statements } = query.data ?? {};
  const titleOf = ({ destination }: Statement) =>
    buyers.find((one) => one.id === destination)?.label ?? destination;
  const shown = statements?.find((one) => one.id === id);
  if (shown) return <StatementDetails statement={shown} title={titleOf(shown)} />;
  return (
    <>
      {isOperator && <Compare buyers={buyers} />}
      <ListPanel
        title="Statements"
        query={query}
        of={(answer) => answer.statements}
        columns={[{ header: 'Buyer', fold: 'clip', cell: titleOf }, ...columns]}
        onRow={(one) => go(pathOf(one.id))}
        empty="No statement was compared yet. Ask a buyer for the CSV of a month, and compare it above."
      />
    </>
  );
}

function Compare({ buyers }: Pick<StatementsAnswer, 'buyers'>) {
  const go = useGo();
  const [form, setForm] = useState({ destination: '', firstDay: '', lastDay: '' });
  const destination = form.destination || (buyers[0]?.id ?? '');
  const field = (name: keyof typeof form, forget: () => void) => ({
    value: form[name],
    onChange: (value: string) => {
      setForm({ ...form, [name]: value });
      forget();
    },
  });
  return (
    <FileImport<Comparison>
      title="Compare a statement"
      about="A CSV whose first line names the columns: the lead’s id (ours or theirs), and where there are price, status and date. Without days, the period is that of the lines’ dates."
      inputs={(forget) => (
        <>
          <Select
            label="Buyer"
            isLabelShown
            items={buyers}
            {...field('destination', forget)}
            value={destination}
          />
          <TextInput label="First day" type="date" {...field('firstDay', forget)} />
          <TextInput label="Last day" type="date" {...field('lastDay', forget)} />
        </>
      )}
      tryLabel="Compare without storing"
      storeLabel={() => 'Store the comparison'}
      onSend={async (file) => {
        const days = Object.entries(form).filter(([name, text]) => name !== 'destination' && text);
        const body: StatementRequest = { ...Object.fromEntries(days), destination, ...file };
        const done = await apiPost<Comparison>('/api/statements', body);
        if (done.id !== undefined) go(pathOf(done.id));
        return done;
      }}
    >
      {(comparison) => <Compared of={comparison} />}
    </FileImport>
  );
}

const columnNames = {
  lead: 'Lead',
  other: 'Other id',
  price: 'Price',
  state: 'Status',
  date: 'Day',
};

function Compared({ of }: { readonly of: Comparison }) {
  const { columns: taken, refused, unknownWords, differences, found } = of;
  const heads = Object.entries(taken).map(([name, head]) => [
    `${columnNames[name as keyof typeof columnNames]} is`,
    <Code key={name}>{head}</Code>,
  ]);
  const missing = [!taken.price && 'prices', !taken.state && 'states'].filter(Boolean);
  return (
    <div className="stack" role="status">
      <Facts isWide of={Object.fromEntries(heads)} />
      <p>
        <strong>{counted(found, 'difference')}</strong> from {periodOf(of)}:{' '}
        {counted(of.agree, 'lead agrees', 'leads agree')}. For these leads, our ledger says{' '}
        {dollars(of.ours, true)}, the statement {dollars(of.theirs, true)}.
        {missing.length > 0 && ` The file has no ${missing.join(' and no ')} to compare.`}
        {unknownWords.length > 0 &&
          ` These words name no state that we have, so only the price is compared: “${unknownWords.join('”, “')}”.`}
      </p>
      <RefusedLines label={`${counted(refused.length, 'line')} left out`} lines={refused} />
      {found > 0 && (
        <DataTable
          label="First differences"
          columns={differenceColumns}
          rows={differences.slice(0, 10)}
          rowKey={keyOf}
        />
      )}
    </div>
  );
}
