import { useEffect, useRef, useState } from 'react';
import type { LeadCountAnswer, LeadFilter } from '../../../../model/messages/console/leads.ts';
import type {
  LeadExportRequest,
  PlanRequest,
} from '../../../../model/messages/console/requests.ts';
import type { Plan, PlanAction } from '../../../../model/messages/console/work.ts';
import { saveFile, useAction } from '../../api.ts';
import { count, counted } from '../../format.ts';
import { useGo } from '../../parts/address.tsx';
import { Button, Form, Select } from '../../parts/controls.tsx';
import { ActionDialog, Dialog, ReasonInput } from '../../parts/dialog.tsx';
import { Problem } from '../../parts/page.tsx';
import { countText } from './filters.ts';

/** The chosen leads by id; `all`: all that match the filter, loaded or not. */
export type Selection = ReadonlySet<string> | 'all';

/** A plan takes at most this many chosen leads; more are selected by the filter. */
const MOST_CHOSEN = 1_000;

const actions: Readonly<Record<PlanAction, { readonly label: string; readonly means: string }>> = {
  release: { label: 'Release', means: 'Releasing sends held leads to their buyers.' },
  resend: {
    label: 'Resend',
    means:
      'Resending tries failed deliveries again. A buyer that knows the lead does not get it twice.',
  },
  suppress: {
    label: 'Suppress',
    means: 'Suppressing stops the deliveries of these people, and of their later leads.',
  },
};

type BulkBarProps = {
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
  readonly filter: LeadFilter;
  readonly matching: LeadCountAnswer | undefined;
};

/** Shows how many leads are selected, and prepares a plan for them. */
export function BulkBar({ selection, onSelect, filter, matching }: BulkBarProps) {
  const [action, setAction] = useState<PlanAction>();
  const make = useAction<PlanRequest, Plan>('/api/plans');
  const go = useGo();
  const isAll = selection === 'all';
  if (!isAll && selection.size === 0) return null;
  const leads = isAll ? countText(matching) : counted(selection.size, 'lead');
  const isTooMany = !isAll && selection.size > MOST_CHOSEN;
  return (
    <section className="leads-foot row" aria-label="Selected leads">
      <p>
        <strong>{leads}</strong> selected
        {isTooMany && `: at most ${count(MOST_CHOSEN)} can be chosen one by one`}
      </p>
      {!isAll && (
        <button type="button" className="text-link" onClick={() => onSelect('all')}>
          Select all that match{matching && ` (${countText(matching)})`}
        </button>
      )}
      {(Object.keys(actions) as PlanAction[]).map((each) => (
        <Button key={each} isDisabled={isTooMany} onPress={() => setAction(each)}>
          {actions[each].label}…
        </Button>
      ))}
      <Button onPress={() => onSelect(new Set())}>Clear</Button>
      {action && (
        <ActionDialog
          title={`${actions[action].label} ${leads}`}
          means={`${actions[action].means} Nothing happens yet: the next page shows the exact list and what will happen to each lead, and waits until you start.`}
          confirmLabel="Prepare the plan"
          onClose={() => setAction(undefined)}
          onConfirm={async (reason) => {
            const what = isAll ? { filter } : { leadIds: [...selection] };
            const { id } = await make.mutateAsync({ action, reason, ...what });
            go(`/plans/${id}`);
          }}
        />
      )}
    </section>
  );
}

const formats = [
  { id: 'csv', label: 'CSV', note: 'For spreadsheets' },
  { id: 'json', label: 'JSON', note: 'One array, for programs' },
];
type ExportDialogProps = {
  readonly filter: LeadFilter;
  readonly matching: LeadCountAnswer | undefined;
};

/** Exports the leads of a filter as a file. Needs a reason, and ends when the dialog is closed. */
export function ExportDialog({ filter, matching }: ExportDialogProps) {
  return (
    <Dialog
      title={`Export ${countText(matching)}`}
      trigger={<Button icon="download">Export</Button>}
    >
      {(close) => <ExportForm filter={filter} close={close} />}
    </Dialog>
  );
}

type FormProps = { readonly filter: LeadFilter; readonly close: () => void };

function ExportForm({ filter, close }: FormProps) {
  const [format, setFormat] = useState('csv');
  const [reason, setReason] = useState('');
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const run = useAction((request: LeadExportRequest) => {
    running.current = new AbortController();
    return saveFile('/api/leads/export', request, running.current.signal);
  });
  const isReady = reason.trim() !== '';
  if (run.data !== undefined) {
    return (
      <p role="status">
        Saved as {run.data}. The file holds personal data: keep it safe, and delete it when you are
        done.
      </p>
    );
  }
  return (
    <Form
      onSubmit={() => {
        const request = { format, filter, reason: reason.trim() };
        if (isReady && !run.isPending) run.mutate(request as LeadExportRequest);
      }}
    >
      <p className="quiet">
        The file holds names, phone numbers and addresses in full. Your export, its reason and the
        number of leads go into the audit log.
      </p>
      <Select label="Format" isLabelShown items={formats} value={format} onChange={setFormat} />
      <ReasonInput value={reason} onChange={setReason} />
      {run.isPending && <progress aria-label="Export" />}
      <Problem of={run.error} />
      <footer className="dialog-foot row">
        <Button onPress={close}>Cancel</Button>
        <Button tone="primary" type="submit" isDisabled={!isReady} isPending={run.isPending}>
          Export
        </Button>
      </footer>
    </Form>
  );
}
