import { useState } from 'react';
import {
  MOST_IMPORT_LINES,
  type Revocation,
  type SuppressionChange,
  type SuppressionEntry,
  type SuppressionImport,
  type SuppressionListAnswer,
  type SuppressionLookup,
} from '../../../../model/messages/console/people-requests.ts';
import type { PersonRequest } from '../../../../model/messages/console/requests.ts';
import {
  actionReasons,
  openReasons,
  REVOCATION_SOURCES,
} from '../../../../model/messages/vocabulary.ts';
import { apiPost, useAction, useApi, useMay } from '../../api.ts';
import { capital, count, counted, day } from '../../format.ts';
import { LeadLink, useUrlQuery } from '../../parts/address.tsx';
import { Button, Select } from '../../parts/controls.tsx';
import { ActionDialog } from '../../parts/dialog.tsx';
import { FileImport } from '../../parts/file-import.tsx';
import { Card, Problem } from '../../parts/page.tsx';
import {
  actionsColumn,
  type Column,
  DataTable,
  ListPanel,
  timeColumn,
} from '../../parts/table.tsx';
import { Code } from '../../parts/values.tsx';
import { reasonItems } from '../../parts/words.ts';
import { PersonForm, Receipts } from './person.tsx';

const columns: readonly Column<SuppressionEntry>[] = [
  { header: 'Key', cell: ({ keyStart }) => <Code>{keyStart}…</Code> },
  { header: 'Of', cell: ({ kind }) => (kind === 'email' ? 'E-mail address' : 'Phone number') },
  { header: 'Revoked', cell: ({ source }) => capital(REVOCATION_SOURCES[source]) },
  timeColumn('Added', ({ at }) => at),
  { header: 'By', cell: ({ actor }) => actor },
];

const keyOf = ({ keyStart }: SuppressionEntry) => keyStart;

/** Shows the suppression list, and adds and removes persons. */
export function Suppressions() {
  const [{ after }] = useUrlQuery();
  return (
    <>
      {useMay('operator') && (
        <div className="beside">
          <PersonCard />
          <ImportCard />
        </div>
      )}
      <ListPanel
        title="Newest entries"
        query={useApi<SuppressionListAnswer>('/api/suppressions', { after })}
        of={({ entries }) => entries}
        columns={columns}
        rowKey={keyOf}
        note="A person is stored as a keyed hash, which nobody can turn back into an address or number."
        empty="The list is empty. Persons are added here, by a do-not-sell request, or on a lead's page."
      />
    </>
  );
}

const lookUpReasons = reasonItems(openReasons).filter(({ id }) => id !== 'other');

function PersonCard() {
  const [reason, setReason] = useState('visitor_request');
  const lookUp = useAction<PersonRequest, SuppressionLookup>('/api/suppressions/look-up');
  const [answer, setAnswer] = useState<SuppressionLookup & { readonly person: string }>();
  const find = (person: string) =>
    lookUp.mutateAsync({ person, reason }).then(
      (data) => setAnswer({ ...data, person }),
      () => undefined, // The card shows the error.
    );
  return (
    <Card title="Is a person on the list?">
      <div className="body stack">
        <PersonForm
          description="A lead id stands for all its addresses and numbers. The log stores only a key."
          submitLabel="Look up"
          isPending={lookUp.isPending}
          onChange={() => setAnswer(undefined)}
          onSubmit={find}
        >
          <Select
            label="Reason"
            isLabelShown
            items={lookUpReasons}
            value={reason}
            onChange={setReason}
          />
        </PersonForm>
        <Problem of={lookUp.error} />
        {answer && <Person {...answer} onChanged={() => find(answer.person)} />}
      </div>
    </Card>
  );
}

type PersonProps = SuppressionLookup & {
  readonly person: string;
  /** Looks the person up again. */
  readonly onChanged: () => Promise<void>;
};

function Person({ person, entries, unlisted, leads, onChanged }: PersonProps) {
  const add = useAction<PersonRequest, SuppressionChange>('/api/suppressions/add');
  const isListed = entries.length > 0;
  const held = counted(leads, 'lead');
  const listed = unlisted > 0 ? 'Partly on the list.' : 'On the list.';
  return (
    <div className="stack" role="status">
      <p>
        <strong>{isListed ? listed : 'Not on the list.'}</strong> We store {held} of this person.
      </p>
      {isListed && <DataTable label="Entries" columns={columns} rows={entries} rowKey={keyOf} />}
      {add.data && (
        <>
          <p>{counted(add.data.stopped, 'delivery', 'deliveries')} stopped.</p>
          <Receipts receipts={add.data.receipts} />
        </>
      )}
      <div className="row">
        {unlisted > 0 && (
          <ActionDialog
            title="Put the person on the list"
            means={`No lead of this person is sent from now on: neither the ${held} we store nor any later one. Open deliveries are stopped. Buyers that received a lead must stop within 10 business days: see Revocations.`}
            reasons={reasonItems(actionReasons.suppress)}
            confirmLabel="Put on the list"
            trigger={<Button>Put on the list</Button>}
            onConfirm={(reason) => add.mutateAsync({ person, reason }).then(onChanged)}
          />
        )}
        {isListed && (
          <ActionDialog
            title="Take the person off the list"
            means="Leads of this person are sent again: later ones, and those that the list stopped. Nobody can recall them."
            reasons={reasonItems(actionReasons.unsuppress)}
            confirmLabel="Take off the list"
            tone="danger"
            trigger={<Button tone="danger">Take off the list</Button>}
            onConfirm={(reason) =>
              apiPost('/api/suppressions/remove', { person, reason }).then(onChanged)
            }
          />
        )}
      </div>
    </div>
  );
}

function ImportCard() {
  return (
    <FileImport<SuppressionImport>
      title="Import a list"
      about={
        <>
          A CSV with one person in a line: an e-mail address, an American phone number, or a key of
          this product with <code>email</code> or <code>phone</code> beside it. At most{' '}
          {count(MOST_IMPORT_LINES)} lines. Open deliveries of these persons are stopped.
        </>
      }
      path="/api/suppressions/import"
      fields={{ reason: { label: 'Reason' } }}
      storeLabel={() => 'Put them on the list'}
    >
      {({ added, known, refused }, isDryRun) => (
        <p>
          <strong>
            {count(added)} {isDryRun ? 'would be added' : 'added'}
          </strong>
          , {count(known)} were on the list already, {counted(refused.length, 'line')} refused.
        </p>
      )}
    </FileImport>
  );
}

const revocationColumns: readonly Column<Revocation>[] = [
  { header: 'Confirm by', cell: ({ confirmBy }) => day(confirmBy) },
  {
    header: 'Recipient and lead',
    fold: 'wrap',
    cell: ({ title, leadId }) => [`${title} `, <LeadLink key={leadId} id={leadId} />],
  },
  { header: 'Their id', cell: ({ externalId }) => externalId, isMinor: true },
  { header: 'How', cell: ({ source }) => capital(REVOCATION_SOURCES[source]), isMinor: true },
  timeColumn('Your system told', ({ toldAt }) => toldAt, { isMinor: true }),
  actionsColumn((one) => <Confirm {...one} />),
];

/** Lists who must still confirm that they stopped calling a person who revoked consent. */
export function Revocations() {
  return (
    <ListPanel
      title="Waiting for a confirmation"
      query={useApi<readonly Revocation[]>('/api/revocations')}
      columns={revocationColumns}
      rowKey={({ leadId, destination }) => `${leadId} ${destination}`}
      note="A recipient must stop calls and texts within 10 business days (47 CFR 64.1200(a)(10)). Without a webhook (WEBHOOK_URL) you must tell each recipient by hand."
      empty="Every recipient has confirmed."
    />
  );
}

function Confirm({ title, leadId, destination }: Revocation) {
  if (!useMay('operator')) return null;
  return (
    <ActionDialog
      title={`${title} has stopped`}
      means="Notes that the recipient confirmed that it no longer calls or texts this person."
      reasons={reasonItems(actionReasons.confirm)}
      confirmLabel="Confirmed"
      trigger={<Button>Confirmed…</Button>}
      onConfirm={(reason) => apiPost('/api/revocations/confirm', { leadId, destination, reason })}
    />
  );
}
