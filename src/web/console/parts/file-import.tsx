import { type ReactNode, useState } from 'react';
import {
  type BadLine,
  MOST_IMPORT_LENGTH,
} from '../../../model/messages/console/people-requests.ts';
import { apiPost, useAction } from '../api.ts';
import { counted } from '../format.ts';
import { Button, Form, TextInput } from './controls.tsx';
import { type FieldSet, Fields } from './fields.tsx';
import { Card, focused, Problem } from './page.tsx';

type Tried = { readonly refused: readonly BadLine[] };

type FileImportProps<Answer extends Tried> = {
  readonly title: string;
  /** The columns of the file. */
  readonly about: ReactNode;
  /** The path that takes the file. */
  readonly path: string;
  /** Inputs for the values that go with the file. */
  readonly fields?: FieldSet;
  /** Returns the label of the button that stores a tried file. Undefined: it cannot be stored. */
  readonly storeLabel: (tried: Answer) => string | undefined;
  readonly onStored?: (answer: Answer) => void;
  /** Says in words what would be stored, or was stored. */
  readonly children: (answer: Answer, isDryRun: boolean) => ReactNode;
  readonly table?: (answer: Answer) => ReactNode;
};

/** Sends a CSV file: first as a try without storing, then to store it. */
export function FileImport<Answer extends Tried>(props: FileImportProps<Answer>) {
  const { title, about, path, fields = {}, storeLabel, onStored, children, table } = props;
  const [file, setFile] = useState<File>();
  const [changed, setChanged] = useState({});
  const first = Object.entries(fields).map(([key, { choices = {} }]) => [
    key,
    Object.keys(choices)[0],
  ]);
  const values = { ...Object.fromEntries(first), ...changed };
  const asked = JSON.stringify([file?.name, file?.lastModified, values]);
  const send = useAction(async (by: { readonly isDryRun: boolean; readonly asked: string }) => {
    if (!file) throw new Error('Choose a file.');
    if (file.size > MOST_IMPORT_LENGTH) throw new Error('The file is larger than 6 MB: split it.');
    const given = { csv: await file.text(), fileName: file.name };
    return apiPost<Answer>(path, { ...values, ...given, isDryRun: by.isDryRun });
  });
  const { data, error, isPending, variables } = send;
  const isDryRun = variables?.isDryRun ?? true;
  // Another file or value makes the answer out of date.
  const answer = variables?.asked === asked ? data : undefined;
  const label = answer && isDryRun ? storeLabel(answer) : undefined;
  return (
    <Card title={title}>
      <Form
        className="body stack"
        isPending={isPending}
        onSubmit={() => send.mutate({ isDryRun: true, asked })}
      >
        <p>{about}</p>
        {first.length > 0 && (
          <Fields
            of={fields}
            values={values}
            onChange={(part) => setChanged({ ...changed, ...part })}
          />
        )}
        <div className="row">
          <input
            type="file"
            accept=".csv,.txt,text/csv,text/plain"
            aria-label="CSV file"
            required
            onChange={({ target }) => setFile(target.files?.[0])}
          />
          <Button type="submit" isPending={isPending}>
            Try without storing
          </Button>
          {label && (
            <Button
              tone="primary"
              isPending={isPending}
              onPress={() => send.mutate({ isDryRun: false, asked }, { onSuccess: onStored })}
            >
              {label}
            </Button>
          )}
        </div>
        {variables?.asked === asked && <Problem of={error} />}
      </Form>
      {answer && (
        <div
          className="body stack"
          role="status"
          tabIndex={-1}
          ref={isDryRun ? undefined : focused}
        >
          {children(answer, isDryRun)}
          <RefusedLines lines={answer.refused} />
        </div>
      )}
      {answer && table?.(answer)}
    </Card>
  );
}

/** Lists the lines of a file that were not read. */
function RefusedLines({ lines }: { readonly lines: readonly BadLine[] }) {
  if (lines.length === 0) return null;
  return (
    <TextInput
      label={`${counted(lines.length, 'line')} to correct`}
      lines={Math.min(8, lines.length + 1)}
      value={lines.map(({ line, reason }) => `Line ${line}: ${reason}`).join('\n')}
    />
  );
}
