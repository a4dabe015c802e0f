import { useRef, useState } from 'react';
import {
  type ImportRequest,
  MOST_IMPORT_LENGTH,
  MOST_IMPORT_LINES,
  type SuppressionImport,
  type SuppressionImportEntry,
} from '../../../contract/console/people-requests.ts';
import { useAction, useApi } from '../../api.ts';
import { count } from '../../format.ts';
import { Button } from '../../parts/controls.tsx';
import { ActionDialog } from '../../parts/dialog.tsx';
import { Card } from '../../parts/page.tsx';
import { Ago } from '../../parts/values.tsx';
import { counted } from './parts.tsx';

/** The refused lines that are shown; all are in the download. */
const SHOWN_REFUSALS = 8;

/** Imports a CSV into the list and says what became of each line. */
export function Import() {
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File>();
  const send = useAction<ImportRequest, SuppressionImport>('/api/suppressions/import');
  return (
    <Card title="Import a list">
      <p className="requests-note">
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
      <Button onPress={() => input.current?.click()}>Choose a file…</Button>
      <ActionDialog
        title={`Import ${file?.name ?? ''}`}
        isOpen={file !== undefined}
        onClose={() => setFile(undefined)}
        means={
          <p>
            Every person in the file is put on the list, and their open deliveries are stopped.
            Importing the same file again changes nothing.
          </p>
        }
        confirmLabel="Import"
        onConfirm={async (reason) => {
          if ((file?.size ?? 0) > MOST_IMPORT_LENGTH)
            throw new Error('The file is larger than 6 MB: split it.');
          await send.mutateAsync({ csv: (await file?.text()) ?? '', reason });
        }}
      />
      {send.data && <Imported done={send.data} />}
      <RecentImports />
    </Card>
  );
}

function Imported({ done }: { readonly done: SuppressionImport }) {
  const { added, known, refused } = done;
  return (
    <div className="requests-found" role="status">
      <p>
        <strong>{count(added)} added</strong>, {count(known)} were on the list already.
        {refused.length > 0 && ` ${counted(refused.length, 'line')} refused:`}
      </p>
      <ul>
        {refused.slice(0, SHOWN_REFUSALS).map(({ line, reason }) => (
          <li key={line}>
            Line {count(line)}: {reason}
          </li>
        ))}
      </ul>
      {refused.length > SHOWN_REFUSALS && (
        <Button icon="download" onPress={() => download(refused)}>
          All refused lines
        </Button>
      )}
    </div>
  );
}

/** Saves the refused lines as a file. They repeat nothing of the import. */
function download(refused: SuppressionImport['refused']): void {
  const lines = refused.map(({ line, reason }) => `${line},"${reason.replaceAll('"', '""')}"\r\n`);
  const url = URL.createObjectURL(new Blob(['line,reason\r\n', ...lines], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'refused-lines.csv';
  link.click();
  URL.revokeObjectURL(url);
}

function RecentImports() {
  const { data = [] } = useApi<readonly SuppressionImportEntry[]>('/api/suppressions/imports');
  if (data.length === 0) return null;
  return (
    <ul className="imports">
      {data.map((one) => (
        <li key={one.id}>
          <Ago at={one.at} /> by {one.actor}: {count(one.added)} added, {count(one.known)} known,{' '}
          {count(one.refused)} refused
        </li>
      ))}
    </ul>
  );
}
