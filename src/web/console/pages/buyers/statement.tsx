import type {
  Difference,
  DifferenceKind,
  DifferenceState,
  Statement,
} from '../../../../model/messages/console/statements.ts';
import { apiPost, saveFile, useApi, useMay } from '../../api.ts';
import { capital, count, counted, day, dollars, NONE } from '../../format.ts';
import { Go, LeadLink } from '../../parts/address.tsx';
import { Button } from '../../parts/controls.tsx';
import { ActionButton, ActionDialog } from '../../parts/dialog.tsx';
import { Card } from '../../parts/page.tsx';
import {
  actionsColumn,
  type Column,
  ListPanel,
  numberColumn,
  stateColumn,
} from '../../parts/table.tsx';
import { Code, Facts, StateBadge } from '../../parts/values.tsx';

const kinds: Readonly<Record<DifferenceKind, string>> = {
  missing_here: 'We do not have it',
  missing_there: 'They do not have it',
  price: 'Another price',
  state: 'Another state',
  twice: 'Listed twice',
};

/** The columns that describe a difference. */
export const differenceColumns: readonly Column<Difference>[] = [
  {
    header: 'Lead',
    cell: ({ leadId, reference }) =>
      leadId === null ? <Code>{reference}</Code> : <LeadLink id={leadId} />,
  },
  { header: 'Difference', sort: ({ kind }) => kind, cell: ({ kind }) => kinds[kind] },
  { header: 'Our ledger', cell: ({ ours }) => ours || NONE },
  { header: 'Statement', cell: ({ theirs }) => theirs || NONE },
  numberColumn('Apart', ({ amount }) => amount, { cell: ({ amount }) => dollars(amount, true) }),
];

export const keyOf = ({ number }: Difference) => String(number);
export const periodOf = ({ firstDay, lastDay }: Pick<Statement, 'firstDay' | 'lastDay'>) =>
  `${day(firstDay)} to ${day(lastDay)}, ${lastDay.slice(0, 4)}`;

const nextStates: Readonly<Record<DifferenceState, readonly DifferenceState[]>> = {
  open: ['explained', 'disputed'],
  explained: ['open'],
  disputed: ['explained', 'open'],
};
const decisions = {
  explained: { label: 'Explain', means: 'The difference is settled. Write what explains it.' },
  disputed: {
    label: 'Dispute',
    means: 'The buyer is asked about it: export the disputes. Write what you ask for.',
  },
  open: { label: 'Reopen', means: 'The difference waits for you again. Write why.' },
} as const;

type DecideProps = {
  readonly statement: string;
  readonly to: DifferenceState;
  /** Undefined: all open differences. */
  readonly number?: number;
};

function Decide({ statement, to, number }: DecideProps) {
  const { label, means } = decisions[to];
  const what = number === undefined ? `${label} all open` : label;
  return (
    <ActionDialog
      title={number === undefined ? what : `${label} the difference`}
      means={means}
      confirmLabel={label}
      trigger={<Button>{what}…</Button>}
      onConfirm={(reason) =>
        apiPost(`/api/statements/${statement}/decide`, { number, state: to, reason })
      }
    />
  );
}

type StatementProps = { readonly statement: Statement; readonly title: string };

/** Shows a statement with its differences, and explains or disputes them. */
export function StatementDetails({ statement, title }: StatementProps) {
  const { id } = statement;
  const isOperator = useMay('operator');
  const query = useApi<readonly Difference[]>(`/api/statements/${id}`);
  const found = statement.sums.reduce((sum, { differences }) => sum + differences, 0);
  const decide = ({ number, state }: Difference) => (
    <span className="row">
      {nextStates[state].map((to) => (
        <Decide key={to} statement={id} to={to} number={number} />
      ))}
    </span>
  );
  return (
    <>
      <Card
        title={`${title}, ${periodOf(statement)}`}
        actions={<Go to="/buyers?tab=statements">All statements</Go>}
      >
        <div className="body">
          <Sums of={statement} />
        </div>
      </Card>
      <ListPanel
        title="Differences"
        actions={isOperator && <Actions of={statement} />}
        query={query}
        note={
          query.data &&
          query.data.length < found &&
          `The ${count(query.data.length)} with the largest amounts are listed, open ones first.`
        }
        columns={[
          ...differenceColumns,
          stateColumn({ cell: Decided }),
          ...(isOperator ? [actionsColumn(decide)] : []),
        ]}
        rowKey={keyOf}
        empty="The statement and our ledger agree."
      />
    </>
  );
}

function Decided({ state, note }: Difference) {
  return (
    <span className="wrap">
      <StateBadge state={state} /> <span className="quiet">{note}</span>
    </span>
  );
}

function Sums({ of }: { readonly of: Statement }) {
  const { ours, theirs, agree, lines, fileName, sums } = of;
  const states = sums.map(({ state, differences, amount }) => [
    capital(state),
    `${dollars(amount, true)} in ${counted(differences, 'lead')}`,
  ]);
  const facts = {
    'Our ledger': dollars(ours, true),
    Statement: dollars(theirs, true),
    Agree: counted(agree, 'lead'),
    ...Object.fromEntries(states),
    File: `${fileName}, ${counted(lines, 'line')}`,
  };
  return <Facts isWide of={facts} />;
}

function Actions({ of: { id, sums } }: { readonly of: Statement }) {
  const has = (state: DifferenceState) => sums.some((one) => one.state === state);
  return (
    <>
      {has('open') && <Decide statement={id} to="explained" />}
      {has('open') && <Decide statement={id} to="disputed" />}
      {has('disputed') && (
        <ActionButton
          icon="download"
          onAction={() => saveFile(`/api/statements/${id}/disputes`, {})}
        >
          Export disputes
        </ActionButton>
      )}
    </>
  );
}
