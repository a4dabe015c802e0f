import { useEffect, useRef, useState } from 'react';
import type {
  ExportColumnsAnswer,
  LeadCountAnswer,
  LeadExportRequest,
  LeadFilter,
} from '../../../contract/console/leads.ts';
import { useApi } from '../../api.ts';
import { count, dayOf } from '../../format.ts';
import { announce } from '../../parts/announce.ts';
import { Button, Select, TextInput } from '../../parts/controls.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { useTimeZone } from '../../parts/values.tsx';
import { countText } from './count-text.ts';
import { type ExportProgress, saveFile, streamExport } from './export-stream.ts';

type ExportDialogProps = {
  readonly filter: LeadFilter;
  readonly matching: LeadCountAnswer | undefined;
};

type ExportState =
  | { readonly step: 'asking'; readonly error: string }
  | { readonly step: 'running'; readonly progress: ExportProgress }
  | { readonly step: 'done'; readonly text: string };

const formats = [
  { id: 'csv', label: 'CSV', note: 'For spreadsheets' },
  { id: 'json', label: 'JSON', note: 'One array, for programs' },
];
const extents = [
  { id: 'all', label: 'Everything', note: 'All fields and what happened to the lead' },
  { id: 'chosen', label: 'Chosen columns' },
];

/** The columns that are chosen until others are. */
const usualColumns: ReadonlySet<string> = new Set([
  ...['lead_id', 'received_at', 'survey', 'lead_state', 'qualified', 'dq_reason', 'deliveries'],
  ...['first_name', 'last_name', 'phone', 'email'],
]);

/** Exports the leads of a filter as a file. Needs a reason, shows the progress, and can be cancelled. */
export function ExportDialog({ filter, matching }: ExportDialogProps) {
  return (
    <Dialog
      title={`Export ${countText(matching)}`}
      trigger={<Button icon="download">Export</Button>}
    >
      {(close) => <ExportForm filter={filter} matching={matching} close={close} />}
    </Dialog>
  );
}

function ExportForm({
  filter,
  matching,
  close,
}: ExportDialogProps & { readonly close: () => void }) {
  const columns = useApi<ExportColumnsAnswer>('/api/export-columns', {}, { staleTime: 3_600_000 });
  const timeZone = useTimeZone();
  const [format, setFormat] = useState('csv');
  const [extent, setExtent] = useState('all');
  const [chosen, setChosen] = useState(usualColumns);
  const [reason, setReason] = useState('');
  const [state, setState] = useState<ExportState>({ step: 'asking', error: '' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const all = [...(columns.data?.about ?? []), ...(columns.data?.fields ?? [])];
  const wanted = extent === 'all' ? all : all.filter((name) => chosen.has(name));
  const start = async () => {
    const stop = new AbortController();
    running.current = stop;
    const request = { format, filter, columns: wanted, reason: reason.trim() };
    setState({ step: 'running', progress: { leads: 0, bytes: 0 } });
    try {
      const { file, leads } = await streamExport(
        request as LeadExportRequest,
        stop.signal,
        (progress) => setState({ step: 'running', progress }),
      );
      const name = `leads-${dayOf(Date.now(), timeZone)}.${format}`;
      saveFile(file, name);
      const text = `${count(leads)} ${leads === 1 ? 'lead' : 'leads'} in ${name}.`;
      setState({ step: 'done', text });
      announce(text);
    } catch (error) {
      if (stop.signal.aborted) setState({ step: 'asking', error: 'Cancelled. Nothing was saved.' });
      else setState({ step: 'asking', error: (error as Error).message });
    }
  };
  if (state.step === 'running') {
    return (
      <Running
        progress={state.progress}
        matching={matching}
        onCancel={() => running.current?.abort()}
      />
    );
  }
  if (state.step === 'done') {
    return (
      <div className="dialog-form">
        <p role="status">{state.text}</p>
        <p className="quiet">
          The file holds personal data. Keep it safe, and delete it when you are done.
        </p>
        <footer className="dialog-foot">
          <Button tone="primary" onPress={close}>
            Close
          </Button>
        </footer>
      </div>
    );
  }
  const isReady = wanted.length > 0 && reason.trim() !== '';
  return (
    <form
      className="dialog-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) void start();
      }}
    >
      <p className="dialog-means">
        The file holds names, phone numbers and addresses in full. Your export, its reason and the
        number of leads go into the audit log.
      </p>
      <Select label="Format" isLabelShown items={formats} value={format} onChange={setFormat} />
      <Select label="Columns" isLabelShown items={extents} value={extent} onChange={setExtent} />
      {extent === 'chosen' && columns.data && (
        <ColumnBoxes columns={columns.data} chosen={chosen} onChange={setChosen} />
      )}
      <TextInput
        label="Reason"
        description="It is kept in the audit log. Do not write personal data."
        value={reason}
        onChange={setReason}
        lines={2}
      />
      {(state.error !== '' || columns.error) && (
        <p className="dialog-error" role="alert">
          {state.error || columns.error?.detail}
        </p>
      )}
      <footer className="dialog-foot">
        <Button onPress={close}>Cancel</Button>
        <Button tone="primary" type="submit" isDisabled={!isReady}>
          Export
        </Button>
      </footer>
    </form>
  );
}

type RunningProps = {
  readonly progress: ExportProgress;
  readonly matching: LeadCountAnswer | undefined;
  readonly onCancel: () => void;
};

function Running({ progress, matching, onCancel }: RunningProps) {
  const { leads, bytes } = progress;
  const of = matching?.isExact ? matching.count : undefined;
  return (
    <div className="dialog-form">
      <progress
        className="leads-progress"
        aria-label="Export"
        {...(of !== undefined && { value: Math.min(leads, of), max: Math.max(of, 1) })}
      />
      <p>
        {count(leads)} {of !== undefined && `of ${count(of)} `}leads,{' '}
        {(bytes / 1_000_000).toFixed(1)} MB
      </p>
      <footer className="dialog-foot">
        <Button onPress={onCancel}>Cancel the export</Button>
      </footer>
    </div>
  );
}

type ColumnBoxesProps = {
  readonly columns: ExportColumnsAnswer;
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
};

function ColumnBoxes({ columns, chosen, onChange }: ColumnBoxesProps) {
  const groups = [
    { title: 'About the lead', names: columns.about },
    { title: 'Fields', names: columns.fields },
  ];
  const toggle = (name: string) => {
    const next = new Set(chosen);
    if (!next.delete(name)) next.add(name);
    onChange(next);
  };
  return (
    <div className="leads-export-columns">
      {groups.map(({ title, names }) => (
        <fieldset key={title}>
          <legend>{title}</legend>
          {names.map((name) => (
            <label key={name}>
              <input type="checkbox" checked={chosen.has(name)} onChange={() => toggle(name)} />
              {name}
            </label>
          ))}
        </fieldset>
      ))}
    </div>
  );
}
