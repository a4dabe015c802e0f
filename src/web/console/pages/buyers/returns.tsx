import { type ReactNode, useState } from 'react';
import type { BuyersAnswer } from '../../../../model/messages/console/buyers.ts';
import { MOST_IMPORT_LENGTH } from '../../../../model/messages/console/people-requests.ts';
import type {
  OutcomeImport,
  OutcomesRequest,
  ReturnAnswer,
  ReturnDecision,
  ReturnListAnswer,
  SourceReturns,
  UnknownOutcome,
  UnknownOutcomesAnswer,
} from '../../../../model/messages/console/returns.ts';
import { RETURN_REASONS } from '../../../../model/messages/money.ts';
import { apiPost, useAction, useApi, useMay } from '../../api.ts';
import { capital, count, counted, dollars, leadName, NONE, percent } from '../../format.ts';
import { Go, LeadLink, useUrlQuery } from '../../parts/address.tsx';
import { Button, Select, TextInput } from '../../parts/controls.tsx';
import { ActionDialog } from '../../parts/dialog.tsx';
import { Card, Problem } from '../../parts/page.tsx';
import { PeriodPicker, usePeriod } from '../../parts/period.tsx';
import {
  actionsColumn,
  type Column,
  ListPanel,
  numberColumn,
  timeColumn,
} from '../../parts/table.tsx';
import { Ago, Badge, Code, Facts, StateBadge } from '../../parts/values.tsx';
import { codeText, valueText } from '../../parts/words.ts';

const shows = { open: 'Waiting for you', decided: 'Decided', unknown: 'Unknown leads' } as const;
type Show = keyof typeof shows;

/** Shows the leads that buyers return, their sources, and messages about unknown leads. */
export function Returns() {
  const [{ show = '' }, change] = useUrlQuery();
  const shown: Show = Object.hasOwn(shows, show) ? (show as Show) : 'open';
  const picker = (
    <Select
      label="Which returns"
      items={Object.entries(shows).map(([id, label]) => ({ id, label }))}
      value={shown}
      onChange={(id) => change({ show: id, source: undefined, after: undefined })}
    />
  );
  return (
    <>
      {shown === 'unknown' ? <Unknown picker={picker} /> : <Desk list={shown} picker={picker} />}
      <Sources />
      {useMay('operator') && <ImportCard />}
    </>
  );
}

const usual: readonly Column<ReturnAnswer>[] = [
  { header: 'Buyer', fold: 'clip', isMinor: true, cell: ({ buyer }) => buyer },
  { header: 'Lead', isMinor: true, cell: ({ leadId }) => <LeadLink id={leadId} /> },
  {
    header: 'Reason',
    cell: ({ reason }) => <span title={RETURN_REASONS[reason]}>{capital(codeText(reason))}</span>,
  },
  { header: 'Terms', fold: 'wrap', cell: (row) => <Terms {...row} /> },
  numberColumn('Sale', ({ amount }) => amount, {
    isMinor: true,
    cell: ({ amount }) => dollars(amount),
  }),
  { header: 'Source', isMinor: true, cell: sourceText },
  timeColumn('Returned', ({ returnedAt }) => returnedAt, { isMinor: true }),
];
const columnsOf: Readonly<Record<'open' | 'decided', readonly Column<ReturnAnswer>[]>> = {
  open: [...usual, { ...actionsColumn((row) => <Decide {...row} />), isMinor: true }],
  decided: [
    ...usual.filter(({ header }) => header !== 'Terms'),
    { header: 'Decision', cell: ({ decision }) => <StateBadge state={decision ?? ''} /> },
  ],
};

type DeskProps = { readonly list: 'open' | 'decided'; readonly picker: ReactNode };

function Desk({ list, picker }: DeskProps) {
  const [{ after, source }] = useUrlQuery();
  const [opened, setOpened] = useState('');
  return (
    <ListPanel
      title="Returns"
      query={useApi<ReturnListAnswer>('/api/returns', { list, source, after })}
      of={({ returns }) => returns}
      columns={columnsOf[list]}
      onRow={({ id }) => setOpened(id === opened ? '' : id)}
      below={(row) => row.id === opened && <Details {...row} />}
      actions={picker}
      note={source !== undefined && `Only leads of the source ${valueText('source', source)}.`}
      empty={
        list === 'open'
          ? 'No return waits for you. Buyers report leads at POST /outcomes (setting OUTCOME_SECRETS), or you import their file below.'
          : 'No return was decided yet.'
      }
    />
  );
}

function sourceText({ source, affiliate }: ReturnAnswer): string {
  const by = affiliate === '' ? '' : ` · affiliate ${affiliate}`;
  return valueText('source', source) + by;
}

/** Shows whether a return is within the buyer's terms, and which ones it breaks. */
function Terms({ terms }: ReturnAnswer) {
  if (terms === null) return <span className="quiet">{NONE}</span>;
  const { isReasonAccepted, days, mostDays, percent: share, mostPercent } = terms;
  const age = `day ${count(days)} of ${count(mostDays)}`;
  const part = `${percent(share, 100)} of ${percent(mostPercent, 100, 0)}`;
  const broken = [
    ...(isReasonAccepted ? [] : ['reason not accepted']),
    ...(days <= mostDays ? [] : [age]),
    ...(share <= mostPercent ? [] : [part]),
  ];
  if (broken.length > 0) {
    return broken.map((text) => [
      <Badge key={text} tone="warning">
        {text}
      </Badge>,
      ' ',
    ]);
  }
  return (
    <>
      <Badge tone="good">within</Badge>{' '}
      <span className="quiet fine">
        {age}, {part}
      </span>
    </>
  );
}

function Details(row: ReturnAnswer) {
  const { buyer, amount, deliveredAt, returnedAt, decision, decidedAt } = row;
  return (
    <div className="stack">
      <Facts
        isWide
        of={{
          Lead: <LeadLink id={row.leadId} />,
          Buyer: buyer,
          Sale: dollars(amount),
          Source: sourceText(row),
          Delivered: deliveredAt && <Ago at={deliveredAt} />,
          Returned: <Ago at={returnedAt} />,
          Terms: <Terms {...row} />,
          Decided: decision && <Ago at={decidedAt} />,
          By: row.decidedBy,
          Because: row.decisionReason,
        }}
      />
      <div>{decision === null && <Decide {...row} />}</div>
    </div>
  );
}

function Decide({ id, buyer, amount, leadId }: ReturnAnswer) {
  const words = {
    accepted: {
      label: 'Accept',
      means: `${buyer} gets ${dollars(amount)} back. The ledger keeps the sale and this entry, and nobody can undo it.`,
    },
    refused: { label: 'Refuse', means: 'The sale stays. Tell the buyer why.' },
  };
  if (!useMay('operator')) return null;
  return (['accepted', 'refused'] satisfies ReturnDecision[]).map((decision) => [
    <ActionDialog
      key={decision}
      title={`${words[decision].label} the return of ${leadName(leadId)}`}
      means={words[decision].means}
      confirmLabel={words[decision].label}
      trigger={<Button>{words[decision].label}…</Button>}
      onConfirm={(reason) => apiPost('/api/returns/decide', { id, decision, reason })}
    />,
    ' ',
  ]);
}

const unknownColumns: readonly Column<UnknownOutcome>[] = [
  { header: 'Buyer', cell: ({ buyer }) => buyer },
  { header: 'Their lead', fold: 'clip', cell: ({ reference }) => <Code>{reference}</Code> },
  {
    header: 'Reported',
    cell: ({ kind, reason }) => capital(codeText([kind, reason].filter(Boolean).join(': '))),
  },
  timeColumn('Received', ({ receivedAt }) => receivedAt),
];

function Unknown({ picker }: { readonly picker: ReactNode }) {
  const [{ after }] = useUrlQuery();
  return (
    <ListPanel
      title="Reports about unknown leads"
      query={useApi<UnknownOutcomesAnswer>('/api/outcomes/unknown', { after })}
      of={({ outcomes }) => outcomes}
      columns={unknownColumns}
      actions={picker}
      note="We sent this buyer no such lead. Each is tried again every minute, and counts once a delivery has its id."
      empty="Every report names a lead that its buyer got."
    />
  );
}

const sourceColumns: readonly Column<SourceReturns>[] = [
  { header: 'Source', sort: ({ source }) => source, cell: sourceLink },
  numberColumn('Delivered', ({ delivered }) => delivered, { isMinor: true }),
  numberColumn('Returned', ({ returned }) => returned),
  numberColumn('Share', ({ returned, delivered }) => returned / Math.max(1, delivered), {
    cell: ({ returned, delivered }) => percent(returned, delivered),
  }),
  numberColumn('Accepted', ({ accepted }) => accepted, { isMinor: true }),
  numberColumn('Taken back', ({ credited }) => credited, {
    cell: ({ credited }) => dollars(credited),
  }),
  { header: 'Mostly', isMinor: true, cell: ({ reason }) => reason && capital(codeText(reason)) },
];

function sourceLink({ source, accepted }: SourceReturns) {
  const label = source === '' ? 'direct' : source;
  if (source === 'other') return 'other, each with few';
  const show = accepted > 0 ? 'decided' : 'open';
  return <Go to={`/buyers?tab=returns&show=${show}&source=${source}`}>{label}</Go>;
}

function Sources() {
  const { from, to } = usePeriod();
  return (
    <ListPanel
      title="Returned leads by source"
      query={useApi<readonly SourceReturns[]>('/api/returns/sources', { from, to })}
      columns={sourceColumns}
      rowKey={({ source }) => source}
      actions={<PeriodPicker />}
      empty="No lead of these days’ visits was returned."
    />
  );
}

function ImportCard() {
  const { from, to } = usePeriod();
  const { buyers = [], others = [] } = useApi<BuyersAnswer>('/api/buyers', { from, to }).data ?? {};
  const items = [
    ...buyers.map(({ destination: id, terms: { name } }) => ({ id, label: name })),
    ...others.map(({ destination: id, title }) => ({ id, label: title })),
  ];
  const [destination, setDestination] = useState('');
  const [file, setFile] = useState<File>();
  const buyer = destination || (items[0]?.id ?? '');
  const send = useAction(async (isDryRun: boolean) => {
    if (!file) throw new Error('Choose a file.');
    if (file.size > MOST_IMPORT_LENGTH) throw new Error('The file is larger than 6 MB: split it.');
    const body: OutcomesRequest = { destination: buyer, csv: await file.text(), isDryRun };
    return apiPost<OutcomeImport>('/api/outcomes/import', body);
  });
  const isChecked = send.isSuccess && send.variables;
  return (
    <Card title="Import a buyer’s report">
      <div className="body stack">
        <p>
          A CSV whose first line names the columns: <code>lead_id</code> (ours) or{' '}
          <code>external_id</code> (theirs), <code>outcome</code>, and where they apply{' '}
          <code>reason</code>, <code>amount</code>, <code>at</code>. Importing a row again changes
          nothing.
        </p>
        <div className="row fields">
          <Select
            label="Buyer"
            isLabelShown
            items={items}
            value={buyer}
            onChange={(id) => {
              setDestination(id);
              send.reset();
            }}
          />
          <input
            type="file"
            accept=".csv,.txt,text/csv,text/plain"
            aria-label="CSV file"
            onChange={({ target }) => {
              setFile(target.files?.[0]);
              send.reset();
            }}
          />
          <Button isPending={send.isPending} onPress={() => send.mutate(true)}>
            Try without storing
          </Button>
          {isChecked && send.data.stored > 0 && (
            <Button tone="primary" isPending={send.isPending} onPress={() => send.mutate(false)}>
              Import {counted(send.data.stored, 'outcome')}
            </Button>
          )}
        </div>
        <Problem of={send.error} />
        {send.data && <Imported isDryRun={isChecked} of={send.data} />}
      </div>
    </Card>
  );
}

type ImportedProps = { readonly isDryRun: boolean; readonly of: OutcomeImport };

function Imported({ isDryRun, of: { stored, repeated, unknown, refused } }: ImportedProps) {
  return (
    <>
      <p role="status">
        <strong>{isDryRun ? `${count(stored)} would be stored` : `${count(stored)} stored`}</strong>
        , {count(unknown)} of them about unknown leads. {count(repeated)} were there already,{' '}
        {counted(refused.length, 'line')} refused.
      </p>
      {refused.length > 0 && (
        <TextInput
          label="Refused lines"
          lines={Math.min(8, refused.length + 1)}
          value={refused.map(({ line, reason }) => `Line ${line}: ${reason}`).join('\n')}
        />
      )}
    </>
  );
}
