import { useRef, useState } from 'react';
import {
  MOST_IMPORT_LENGTH,
  MOST_IMPORT_LINES,
  type SuppressionChange,
  type SuppressionEntry,
  type SuppressionImport,
  type SuppressionImportEntry,
  type SuppressionListAnswer,
  type SuppressionLookup,
} from '../../../../model/messages/console/people-requests.ts';
import type { ImportRequest, PersonRequest } from '../../../../model/messages/console/requests.ts';
import { useAction, useApi, useMay } from '../../api.ts';
import { count, counted } from '../../format.ts';
import { useAddress } from '../../parts/address.tsx';
import { Button, type Item, Select, TextInput } from '../../parts/controls.tsx';
import { ActionDialog } from '../../parts/dialog.tsx';
import { Card, Problem } from '../../parts/page.tsx';
import { type Column, ListPanel, timeColumn } from '../../parts/table.tsx';
import { Ago, Code } from '../../parts/values.tsx';
import { PersonForm, Receipts } from './parts.tsx';

const lookUpReasons: readonly Item[] = [
  { id: 'person_asked', label: 'The person asked' },
  { id: 'buyer_asked', label: 'A buyer asked' },
  { id: 'quality_check', label: 'Quality check' },
];
const addReasons: readonly Item[] = [
  { id: 'person_asked', label: 'The person asked not to be contacted' },
  { id: 'buyer_asked', label: 'A buyer asked' },
  { id: 'legal_risk', label: 'Legal risk' },
  { id: 'other', label: 'Another reason' },
];
const removeReasons: readonly Item[] = [
  { id: 'person_consented', label: 'The person has consented again' },
  { id: 'mistake', label: 'The entry was a mistake' },
  { id: 'other', label: 'Another reason' },
];

/** Looks up, adds and removes persons, imports lists, and shows the newest entries. */
export function Suppressions() {
  const isOperator = useMay('operator');
  const [{ after }] = useAddress();
  const query = useApi<SuppressionListAnswer>('/api/suppressions', { after });
  return (
    <>
      {isOperator && (
        <div className="columns">
          <PersonCard />
          <Import />
        </div>
      )}
      <ListPanel
        title="Newest entries"
        query={query}
        of={({ entries }) => entries}
        columns={columns}
        rowKey={({ keyStart }) => keyStart}
        note="A person is kept as a keyed hash, which nobody can turn back into an address or number."
        empty="Nobody is on the list. Persons are added here, by a do-not-sell request, or with a lead's “Suppress”."
      />
    </>
  );
}

function PersonCard() {
  const [reason, setReason] = useState('person_asked');
  const lookUp = useAction<PersonRequest, SuppressionLookup>('/api/suppressions/look-up');
  // Stays while a change is looked up again, so that what the change did stays to be read.
  const [found, setFound] = useState<SuppressionLookup & { readonly person: string }>();
  const find = (person: string) =>
    lookUp.mutate({ person, reason }, { onSuccess: (answer) => setFound({ ...answer, person }) });
  return (
    <Card title="Is a person on the list?">
      <div className="body stack">
        <PersonForm
          description="A lead stands for every address and number of it. The log keeps only a key."
          submitLabel="Look up"
          isPending={lookUp.isPending}
          onChange={() => setFound(undefined)}
          onSubmit={(person) => {
            setFound(undefined);
            find(person);
          }}
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
        {found && (
          <Found person={found.person} found={found} onChanged={() => find(found.person)} />
        )}
      </div>
    </Card>
  );
}

type FoundProps = {
  readonly person: string;
  readonly found: SuppressionLookup;
  readonly onChanged: () => void;
};

function Found({ person, found, onChanged }: FoundProps) {
  const add = useAction<PersonRequest, SuppressionChange>('/api/suppressions/add');
  const remove = useAction<PersonRequest>('/api/suppressions/remove');
  const leads = counted(found.leads, 'lead');
  const isListed = found.entries.length > 0;
  const change =
    ({ mutateAsync }: Pick<typeof add | typeof remove, 'mutateAsync'>) =>
    async (reason: string) => {
      await mutateAsync({ person, reason });
      onChanged();
    };
  return (
    <div className="stack" role="status">
      <p>
        <strong>{isListed ? 'On the list.' : 'Not on the list.'}</strong> We hold {leads} of this
        person.
      </p>
      <ul>
        {found.entries.map((entry) => (
          <li key={entry.keyStart}>
            <Code>{entry.keyStart}…</Code> {nameOf(entry)}, by {entry.actor} <Ago at={entry.at} />
          </li>
        ))}
      </ul>
      {add.data && (
        <>
          <p>{counted(add.data.stopped, 'delivery', 'deliveries')} stopped.</p>
          <Receipts receipts={add.data.receipts} />
        </>
      )}
      <div className="row">
        <ActionDialog
          title="Put the person on the list"
          means={`Nothing of this person is sent from now on: ${leads} we hold, and every later one. Open deliveries are stopped. What a buyer has received stays there.`}
          reasons={addReasons}
          confirmLabel="Put on the list"
          trigger={<Button>Put on the list</Button>}
          onConfirm={change(add)}
        />
        {isListed && (
          <ActionDialog
            title="Take the person off the list"
            means="Leads of this person are sent again: later ones, and those that the list stopped. What was sent cannot be called back."
            reasons={removeReasons}
            confirmLabel="Take off the list"
            tone="danger"
            trigger={<Button tone="danger">Take off the list</Button>}
            onConfirm={change(remove)}
          />
        )}
      </div>
    </div>
  );
}

function nameOf({ kind }: SuppressionEntry): string {
  return kind === 'email' ? 'E-mail address' : 'Phone number';
}

const columns: readonly Column<SuppressionEntry>[] = [
  { header: 'Key', cell: ({ keyStart }) => <Code>{keyStart}…</Code> },
  { header: 'Of', cell: nameOf },
  timeColumn('Added', ({ at }) => at),
  { header: 'By', cell: ({ actor }) => actor },
];

/** Imports a CSV into the list and says what became of each line. */
function Import() {
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File>();
  const send = useAction<ImportRequest, SuppressionImport>('/api/suppressions/import');
  const { data: imports = [] } = useApi<readonly SuppressionImportEntry[]>(
    '/api/suppressions/imports',
  );
  return (
    <Card title="Import a list">
      <div className="body stack">
        <p>
          A CSV with one person in a line: an e-mail address, an American phone number, or a key of
          this product with <code>email</code> or <code>phone</code> beside it. At most{' '}
          {count(MOST_IMPORT_LINES)} lines.
        </p>
        <input
          ref={input}
          className="visually-hidden"
          type="file"
          accept=".csv,.txt,text/csv,text/plain"
          aria-label="CSV file"
          tabIndex={-1}
          onChange={(event) => {
            setFile(event.target.files?.[0]);
            event.target.value = '';
          }}
        />
        <div>
          <Button onPress={() => input.current?.click()}>Choose a file…</Button>
        </div>
        {file && (
          <ActionDialog
            title={`Import ${file.name}`}
            onClose={() => setFile(undefined)}
            means="Every person in the file is put on the list, and their open deliveries are stopped. Importing the same file again changes nothing."
            confirmLabel="Import"
            onConfirm={async (reason) => {
              if (file.size > MOST_IMPORT_LENGTH) {
                throw new Error('The file is larger than 6 MB: split it.');
              }
              await send.mutateAsync({ csv: await file.text(), reason });
            }}
          />
        )}
        {send.data && <Imported done={send.data} />}
        <ul className="quiet small">
          {imports.map((one) => (
            <li key={one.id}>
              <Ago at={one.at} /> by {one.actor}: {count(one.added)} added, {count(one.known)}{' '}
              known, {count(one.refused)} refused
            </li>
          ))}
        </ul>
      </div>
    </Card>
  );
}

function Imported({ done: { added, known, refused } }: { readonly done: SuppressionImport }) {
  return (
    <div className="stack" role="status">
      <p>
        <strong>{count(added)} added</strong>, {count(known)} were on the list already.
        {refused.length > 0 && ` ${counted(refused.length, 'line')} refused.`}
      </p>
      {refused.length > 0 && (
        <TextInput
          label="Refused lines"
          lines={8}
          value={refused.map(({ line, reason }) => `Line ${line}: ${reason}`).join('\n')}
        />
      )}
    </div>
  );
}
