import { useRef, useState } from 'react';
import {
  MOST_IMPORT_LENGTH,
  MOST_IMPORT_LINES,
  type SuppressionImport,
  type SuppressionImportEntry,
} from '../../../contract/console/people-requests.ts';
import type { ImportRequest } from '../../../contract/console/requests.ts';
import { useAction, useApi } from '../../api.ts';
import { count, counted } from '../../format.ts';
import { Button, TextInput } from '../../parts/controls.tsx';
import { ActionDialog } from '../../parts/dialog.tsx';
import { Card } from '../../parts/page.tsx';
import { Ago } from '../../parts/values.tsx';

/** Imports a CSV into the list and says what became of each line. */
export function Import() {
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
