import {
  type OutcomeAnswer,
  type OutcomeImport,
  type OutcomeList,
  type OutcomeListAnswer,
  outcomeLists,
  type ReturnDecision,
  type ReturnTerms,
} from '../../../../model/messages/console/returns.ts';
import { apiPost, useApi, useMay } from '../../api.ts';
import { capital, count, counted, dollars, leadName, NONE, percent } from '../../format.ts';
import { Go, LeadLink, useUrlQuery } from '../../parts/address.tsx';
import { Select } from '../../parts/controls.tsx';
import { ActionDialog } from '../../parts/dialog.tsx';
import { FileImport } from '../../parts/file-import.tsx';
import {
  actionsColumn,
  type Column,
  dollarsColumn,
  ListPanel,
  timeColumn,
} from '../../parts/table.tsx';
import { Badge, Code, StateBadge } from '../../parts/values.tsx';
import { codeText, valueText } from '../../parts/words.ts';
import { useBuyerField } from './list.tsx';

const shows: Readonly<Record<OutcomeList, { label: string; empty: string }>> = {
  open: {
    label: 'Waiting for you',
    empty:
      'No return waits for you. Buyers report leads at POST /outcomes (setting OUTCOME_SECRETS), or you import their file below.',
  },
  decided: { label: 'Decided', empty: 'No return was decided yet.' },
  unknown: { label: 'Unknown leads', empty: 'Every report names a lead that its buyer got.' },
};

/** Shows the leads that buyers return, and reports about unknown leads. */
export function Returns() {
  const [{ show = '', after }, change] = useUrlQuery();
  const list = outcomeLists.find((each) => each === show) ?? 'open';
  const query = useApi<OutcomeListAnswer>('/api/outcomes', { list, after });
  return (
    <>
      <ListPanel
        title="Returns"
        query={query}
        of={({ outcomes }) => outcomes}
        columns={columnsOf[list]}
        actions={
          <>
            {list === 'open' && <AcceptAll of={query.data?.outcomes ?? []} />}
            <Select
              label="Which"
              items={outcomeLists.map((id) => ({ id, label: shows[id].label }))}
              value={list}
              onChange={(id) => change({ show: id, after: undefined })}
            />
          </>
        }
        note={
          list === 'unknown' ? (
            'These reports name leads that we did not send to the buyer. Each report is matched again every minute for a week.'
          ) : (
            <>
              <Go to="/?by=source&metric=returned">Which sources</Go> brought the leads that you
              took back.
            </>
          )
        }
        empty={shows[list].empty}
      />
      {useMay('operator') && <ImportCard />}
    </>
  );
}

const usual: readonly Column<OutcomeAnswer>[] = [
  {
    header: 'Reason',
    cell: (row) => (
      <>
        {capital(codeText(row.reason))}
        <div className="on-phone quiet fine">
          <LeadLink id={row.leadId} />
          <p>{`${row.buyer}, ${dollars(row.amount)}`}</p>
          <Terms {...row} />
        </div>
      </>
    ),
  },
  { header: 'Buyer', fold: 'clip', isMinor: true, cell: ({ buyer }) => buyer },
  { header: 'Lead', isMinor: true, cell: ({ leadId }) => <LeadLink id={leadId} /> },
  { header: 'Terms', isMinor: true, cell: (row) => <Terms {...row} /> },
  dollarsColumn('Sale', ({ amount }) => amount, { isMinor: true }),
  {
    header: 'Source',
    isMinor: true,
    fold: 'wrap',
    cell: ({ source, affiliate }) =>
      valueText('source', source) + (affiliate && ` · affiliate ${affiliate}`),
  },
  timeColumn('Returned', ({ reportedAt }) => reportedAt, { isMinor: true }),
];
const columnsOf: Readonly<Record<OutcomeList, readonly Column<OutcomeAnswer>[]>> = {
  open: [...usual, actionsColumn((row) => <Decide {...row} />)],
  decided: [
    ...usual.filter(({ header }) => header !== 'Terms'),
    { header: 'Decision', cell: ({ decision }) => <StateBadge state={decision ?? ''} /> },
    { header: 'Because', fold: 'wrap', isMinor: true, cell: (row) => row.decisionReason },
    { header: 'By', isMinor: true, cell: ({ decidedBy }) => decidedBy },
  ],
  unknown: [
    { header: 'Their lead', fold: 'clip', cell: ({ reference }) => <Code>{reference}</Code> },
    { header: 'Buyer', fold: 'clip', isMinor: true, cell: ({ buyer }) => buyer },
    {
      header: 'Reported',
      cell: ({ kind, reason }) => capital(codeText([kind, reason].filter(Boolean).join(': '))),
    },
    timeColumn('Received', ({ reportedAt }) => reportedAt),
  ],
};

/** Returns the terms that a return breaks. */
function brokenTerms(terms: ReturnTerms): string[] {
  const { isReasonAccepted, days, mostDays, percent: share, mostPercent } = terms;
  return [
    ...(isReasonAccepted ? [] : ['wrong reason']),
    ...(days <= mostDays ? [] : ['too late']),
    ...(share <= mostPercent ? [] : ['too many']),
  ];
}

/** Shows how a return compares with the buyer's terms. */
function Terms({ terms }: OutcomeAnswer) {
  if (terms === null) return <span className="quiet">{NONE}</span>;
  const { days, mostDays, percent: share, mostPercent } = terms;
  const broken = brokenTerms(terms);
  return (
    <Badge tone={broken.length === 0 ? 'good' : 'warning'}>
      {`${broken.join(', ') || 'within'}: day ${count(days)} of ${count(mostDays)}, `}
      {percent(share, 100)} of {percent(mostPercent, 100, 0)}
    </Badge>
  );
}

const decide = (
  { id, leadId }: OutcomeAnswer,
  decision: ReturnDecision['decision'],
  reason: string,
) => apiPost('/api/returns/decide', { id, leadId, decision, reason });

/** Accepts the listed returns that break no terms. */
function AcceptAll({ of }: { readonly of: readonly OutcomeAnswer[] }) {
  const within = of.filter(({ terms }) => terms && brokenTerms(terms).length === 0);
  if (!useMay('operator') || within.length < 2) return null;
  const sum = within.reduce((all, { amount }) => all + amount, 0);
  return (
    <ActionDialog
      title={`Accept ${counted(within.length, 'return')}`}
      means={`These are the listed returns within their terms. Their buyers get ${dollars(sum)} back, and nobody can undo it.`}
      confirmLabel="Accept all within terms"
      onConfirm={async (reason) => {
        for (const row of within) await decide(row, 'accepted', reason);
      }}
    />
  );
}

function Decide(row: OutcomeAnswer) {
  const { buyer, amount, leadId } = row;
  const back = `${buyer} gets ${dollars(amount)} back. The ledger keeps the sale and this entry, and nobody can undo it.`;
  const decisions = [
    ['accepted', 'Accept', back],
    ['refused', 'Refuse', 'The sale stays. Tell the buyer why.'],
  ] as const;
  if (!useMay('operator')) return null;
  return decisions.map(([decision, label, means]) => (
    <ActionDialog
      key={decision}
      title={`${label} the return of ${leadName(leadId)}`}
      means={means}
      confirmLabel={label}
      onConfirm={(reason) => decide(row, decision, reason)}
    >
      <p>
        Terms: <Terms {...row} />
      </p>
    </ActionDialog>
  ));
}

function ImportCard() {
  const destination = useBuyerField();
  return (
    <FileImport<OutcomeImport>
      title="Import a buyer’s report"
      about={
        <>
          A CSV whose first line names the columns: <code>lead_id</code> (ours) or{' '}
          <code>external_id</code> (theirs), <code>outcome</code>, and optionally{' '}
          <code>reason</code>, <code>amount</code>, <code>at</code>. A repeated row changes nothing.
        </>
      }
      path="/api/outcomes/import"
      fields={{ destination }}
      storeLabel={({ stored }) => (stored > 0 ? `Import ${counted(stored, 'outcome')}` : undefined)}
    >
      {({ stored, repeated, unknown, refused }, isDryRun) => (
        <p>
          <strong>
            {count(stored)} {isDryRun ? 'would be stored' : 'stored'}
          </strong>
          , {count(unknown)} of them about unknown leads. {count(repeated)} were stored already,{' '}
          {counted(refused.length, 'line')} refused.
        </p>
      )}
    </FileImport>
  );
}
