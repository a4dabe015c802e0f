import { type ReactNode, useState } from 'react';
import { MOST_IMPORT_LENGTH } from '../../../model/messages/console/people-requests.ts';
import { useAction } from '../api.ts';
import { Button, TextInput } from './controls.tsx';
import { Card, Problem } from './page.tsx';

type SentFile = { readonly csv: string; readonly fileName: string; readonly isDryRun: boolean };

type FileImportProps<Answer> = {
  readonly title: string;
  /** The columns of the file. */
  readonly about: ReactNode;
  /** Further inputs. An input calls `forget` when it changes, because the try is out of date. */
  readonly inputs?: (forget: () => void) => ReactNode;
  readonly tryLabel?: string;
  /** Returns the label of the button that stores a tried file. Undefined: it cannot be stored. */
  readonly storeLabel: (tried: Answer) => string | undefined;
  readonly onSend: (file: SentFile) => Promise<Answer>;
  readonly children: (answer: Answer, isDryRun: boolean) => ReactNode;
};

/** Sends a CSV file: first as a try without storing, then to store it. */
export function FileImport<Answer>(props: FileImportProps<Answer>) {
  const { title, about, inputs, tryLabel = 'Try without storing', storeLabel, onSend } = props;
  const [file, setFile] = useState<File>();
  const send = useAction(async (isDryRun: boolean) => {
    if (!file) throw new Error('Choose a file.');
    if (file.size > MOST_IMPORT_LENGTH) throw new Error('The file is larger than 6 MB: split it.');
    return onSend({ csv: await file.text(), fileName: file.name, isDryRun });
  });
  const { data, variables: isDryRun = true, isPending } = send;
  const label = data && isDryRun ? storeLabel(data) : undefined;
  return (
    <Card title={title}>
      <div className="body stack">
        <p>{about}</p>
        <div className="row fields">
          {inputs?.(send.reset)}
          <input
            type="file"
            accept=".csv,.txt,text/csv,text/plain"
            aria-label="CSV file"
            onChange={({ target }) => {
              setFile(target.files?.[0]);
              send.reset();
            }}
          />
          <Button isPending={isPending} onPress={() => send.mutate(true)}>
            {tryLabel}
          </Button>
          {label && (
            <Button tone="primary" isPending={isPending} onPress={() => send.mutate(false)}>
              {label}
            </Button>
          )}
        </div>
        <Problem of={send.error} />
        {data && props.children(data, isDryRun)}
      </div>
    </Card>
  );
}

type RefusedLinesProps = {
  readonly label?: string;
  readonly lines: readonly { readonly line: number; readonly reason: string }[];
};

export function RefusedLines({ label = 'Refused lines', lines }: RefusedLinesProps) {
  if (lines.length === 0) return null;
  const value = lines.map(({ line, reason }) => `Line ${line}: ${reason}`).join('\n');
  return <TextInput label={label} lines={Math.min(8, lines.length + 1)} value={value} />;
}
