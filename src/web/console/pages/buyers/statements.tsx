import {
  type Comparison,
  type Difference,
  type DifferenceState,
  differenceStates,
  type Statement,
} from '../../../../model/messages/console/statements.ts';
import { apiPost, saveFile, useApi, useMay } from '../../api.ts';
import { capital, count, counted, day, dollars, NONE } from '../../format.ts';
import { Go, LeadLink, useGo, useUrlQuery } from '../../parts/address.tsx';
import { ActionButton, ActionDialog } from '../../parts/dialog.tsx';
import type { FieldSet } from '../../parts/fields.tsx';
import { FileImport } from '../../parts/file-import.tsx';
import { Card, focused } from '../../parts/page.tsx';
import {
  actionsColumn,
  type Column,
  DataTable,
  dollarsColumn,
  ListPanel,
  stateColumn,
  timeColumn,
} from '../../parts/table.tsx';
import { Code, Facts, StateBadge } from '../../parts/values.tsx';
import { codeText } from '../../parts/words.ts';
import { useBuyerField } from './list.tsx';

const pathOf = (id: string) => `/buyers?tab=statements&statement=${id}`;
const periodOf = ({ firstDay, lastDay }: Pick<Statement, 'firstDay' | 'lastDay'>) =>
  `${day(firstDay)} to ${day(lastDay)}, ${lastDay.slice(0, 4)}`;

/** Compares the statements of buyers with our ledger, and lists the comparisons. */
export function Statements() {
  const [{ statement: id }] = useUrlQuery();
  const go = useGo();
  const query = useApi<readonly Statement[]>('/api/statements');
  const isOperator = useMay('operator');
  const shown = query.data?.find((one) => one.id === id);
  if (shown) return <Details of={shown} />;
  return (
    <>
      {isOperator && <Compare />}
      <ListPanel
        title="Statements"
        query={query}
        columns={columns}
        onRow={(one) => go(pathOf(one.id))}
        empty="No statement was compared yet. Ask a buyer for the CSV of a month, and compare it above."
      />
    </>
  );
}

const columns: readonly Column<Statement>[] = [
  { header: 'Buyer', fold: 'clip', cell: ({ buyer }) => buyer },
  { header: 'Period', cell: (one) => <Go to={pathOf(one.id)}>{periodOf(one)}</Go> },
  dollarsColumn('Our ledger', ({ ours }) => ours, { isMinor: true }),
  dollarsColumn('Statement', ({ theirs }) => theirs, { isMinor: true }),
  {
    header: 'Differences',
    cell: ({ sums: [most] }) =>
      most ? [`${count(most.differences)} `, <StateBadge key="" state={most.state} />] : 'none',
  },
  timeColumn('Compared', ({ createdAt }) => createdAt, { isMinor: true }),
];

function Compare() {
  const go = useGo();
  const fields: FieldSet = {
    destination: useBuyerField(),
    firstDay: { label: 'First day', kind: 'maybe date' },
    lastDay: { label: 'Last day', kind: 'maybe date' },
  };
  return (
    <FileImport<Comparison>
      title="Compare a statement"
      about="A CSV whose first line names the columns: the lead’s id (ours or theirs), and where there are price, status and date. Without days, the period is that of the lines’ dates."
      path="/api/statements"
      fields={fields}
      storeLabel={() => 'Store the comparison'}
      onStored={({ id = '' }) => go(pathOf(id))}
      table={({ differences }) => (
        <DataTable
          label="First differences"
          columns={differenceColumns}
          rows={differences.slice(0, 10)}
          rowKey={keyOf}
        />
      )}
    >
      {(compared) => <Compared {...compared} />}
    </FileImport>
  );
}

const totalsOf = ({ ours, theirs, agree }: Pick<Statement, 'ours' | 'theirs' | 'agree'>) => ({
  'Our ledger': dollars(ours),
  Statement: dollars(theirs),
  Agree: counted(agree, 'lead'),
});

function Compared({ columns: taken, unknownWords, found, ...of }: Comparison) {
  const heads = Object.entries(taken).map(([name, head]) => [
    `${capital(codeText(name))} is`,
    <Code key={name}>{head}</Code>,
  ]);
  return (
    <>
      <Facts isWide of={{ ...totalsOf(of), ...Object.fromEntries(heads) }} />
      <p>
        <strong>{counted(found, 'difference')}</strong> from {periodOf(of)}.
        {unknownWords.length > 0 &&
          ` We do not know these words for a state, so only the price of their lines is compared: “${unknownWords.join('”, “')}”.`}
      </p>
    </>
  );
}

/** The columns that describe a difference. */
const differenceColumns: readonly Column<Difference>[] = [
  {
    header: 'Lead',
    cell: ({ leadId, reference, kind, ours, theirs, state }) => (
      <>
        {leadId ? (
          <LeadLink id={leadId} />
        ) : (
          <span className="wrap">
            <Code>{reference}</Code>
          </span>
        )}
        <div className="on-phone quiet fine">
          <p>{`${capital(codeText(kind))}: ${ours || NONE} / ${theirs || NONE}`}</p>
          <StateBadge state={state} />
        </div>
      </>
    ),
  },
  {
    header: 'Difference',
    isMinor: true,
    sort: ({ kind }) => kind,
    cell: ({ kind }) => codeText(kind),
  },
  { header: 'Our ledger', isMinor: true, cell: ({ ours }) => ours || NONE },
  { header: 'Statement', isMinor: true, cell: ({ theirs }) => theirs || NONE },
  dollarsColumn('Apart', ({ amount }) => amount, { isMinor: true }),
];
const keyOf = ({ number }: Difference) => String(number);

/** Shows a statement with its differences, and explains or disputes them. */
function Details({ of }: { readonly of: Statement }) {
  const { id, buyer, lines, fileName, sums } = of;
  const isOperator = useMay('operator');
  const query = useApi<readonly Difference[]>(`/api/statements/${id}`);
  const found = sums.reduce((sum, { differences }) => sum + differences, 0);
  const states = sums.map(({ state, differences, amount }) => [
    capital(state),
    `${dollars(amount)} in ${counted(differences, 'lead')}`,
  ]);
  const file = { File: `${fileName}, ${counted(lines, 'line')}` };
  const has = (wanted: DifferenceState) => sums.some(({ state }) => state === wanted);
  return (
    <div tabIndex={-1} ref={focused}>
      <Card
        title={`${buyer}, ${periodOf(of)}`}
        actions={<Go to="/buyers?tab=statements">All statements</Go>}
      >
        <div className="body">
          <Facts isWide of={{ ...totalsOf(of), ...Object.fromEntries(states), ...file }} />
        </div>
      </Card>
      <ListPanel
        title="Differences"
        actions={
          isOperator && (
            <>
              {has('open') && <Decide statement={id} state="open" />}
              {has('disputed') && (
                <ActionButton
                  icon="download"
                  onAction={() => saveFile(`/api/statements/${id}/disputes`, {})}
                >
                  Export disputes
                </ActionButton>
              )}
            </>
          )
        }
        query={query}
        note={
          query.data &&
          query.data.length < found &&
          `The ${count(query.data.length)} with the largest amounts are listed, open ones first.`
        }
        columns={[
          ...differenceColumns,
          stateColumn({ isMinor: true }),
          { header: 'Note', fold: 'wrap', isMinor: true, cell: ({ note }) => note },
          actionsColumn<Difference>((row) => isOperator && <Decide statement={id} {...row} />),
        ]}
        rowKey={keyOf}
        empty="The statement and our ledger agree."
      />
    </div>
  );
}

const decisions: Readonly<Record<DifferenceState, { label: string; means: string }>> = {
  explained: { label: 'Explain', means: 'The difference is settled. Write what explains it.' },
  disputed: {
    label: 'Dispute',
    means: 'The buyer is asked about it: export the disputes. Write what you ask for.',
  },
  open: { label: 'Reopen', means: 'The difference waits for you again. Write why.' },
};

type DecideProps = Pick<Difference, 'state'> & {
  readonly statement: string;
  /** Undefined: all open differences. */
  readonly number?: number;
};

/** Offers the decisions about a difference. */
function Decide({ statement, state, number }: DecideProps) {
  return differenceStates
    .filter((to) => to !== state)
    .map((to) => {
      const { label, means } = decisions[to];
      return (
        <ActionDialog
          key={to}
          title={`${label} ${number === undefined ? 'all open differences' : 'the difference'}`}
          means={means}
          storedIn="It is stored with the difference, and goes into an export of disputes."
          confirmLabel={number === undefined ? `${label} all open` : label}
          onConfirm={(reason) =>
            apiPost(`/api/statements/${statement}/decide`, { number, state: to, reason })
          }
        />
      );
    });
}
