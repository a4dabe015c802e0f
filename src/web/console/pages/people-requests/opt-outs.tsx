import { useState } from 'react';
import {
  type OptOutAnswer,
  type OptOutListAnswer,
  type OptOutScope,
  optOutOutcomes,
  type UndoneRequests,
} from '../../../../model/messages/console/people-requests.ts';
import { useAction, useApi, useMay } from '../../api.ts';
import { count, counted, day } from '../../format.ts';
import { useAddress } from '../../parts/address.tsx';
import { Button, type Item, Select } from '../../parts/controls.tsx';
import { ActionDialog, Dialog } from '../../parts/dialog.tsx';
import { type Column, ListPanel, timeColumn } from '../../parts/table.tsx';
import { Ago, Badge, Code, Facts, StateBadge } from '../../parts/values.tsx';
import { Receipts } from './parts.tsx';

const filters: readonly Item[] = [
  { id: '', label: 'All requests' },
  ...optOutOutcomes.map((id) => ({ id, label: `Only ${id}` })),
];

type RequestProps = { readonly request: OptOutAnswer };
type Acting = RequestProps & { readonly action: Action };

/** Lists do-not-sell requests with what was done, and honours, dismisses or undoes them. */
export function OptOuts() {
  const [{ outcome = '', after }, change] = useAddress();
  const query = useApi<OptOutListAnswer>('/api/opt-outs', { outcome, after });
  const [shown, setShown] = useState<OptOutAnswer>();
  const [acting, setActing] = useState<Acting>();
  return (
    <>
      <ListPanel
        title="Do-not-sell requests"
        query={query}
        of={({ requests }) => requests}
        columns={columns}
        onRow={setShown}
        actions={
          <Select
            label="Outcome"
            items={filters}
            value={outcome}
            onChange={(id) => change({ outcome: id, after: undefined })}
          />
        }
        note="California wants a request honoured within 15 business days (11 CCR § 7026(f)). Most are honoured at once; those of an address that sends many wait for you."
        empty="No request here. Visitors send them with the page “Do not sell my personal information”."
      />
      {shown && (
        <Dialog title={`Request ${shown.reference}`} onClose={() => setShown(undefined)}>
          <Details
            request={shown}
            onAct={(action) => {
              setShown(undefined);
              setActing({ action, request: shown });
            }}
          />
        </Dialog>
      )}
      {acting && <Act {...acting} onClose={() => setActing(undefined)} />}
    </>
  );
}

const columns: readonly Column<OptOutAnswer>[] = [
  { header: 'Reference', cell: ({ reference }) => <Code>{reference}</Code> },
  timeColumn('Received', ({ receivedAt }) => receivedAt, { isMinor: true }),
  { header: 'Outcome', cell: ({ outcome }) => <StateBadge state={outcome} /> },
  { header: 'Due', fold: 'wrap', cell: (request) => <Due request={request} /> },
  { header: 'What was done', cell: doneText, isMinor: true },
  { header: 'State', cell: ({ usState }) => usState || '–', isMinor: true },
  {
    header: 'Same sender',
    align: 'end',
    cell: ({ ofSameSender }) => count(ofSameSender),
    isMinor: true,
  },
];

function doneText({ outcome, leads, stopped }: OptOutAnswer): string {
  if (outcome === 'waiting' || outcome === 'dismissed') return 'Nothing';
  return `${counted(leads, 'lead')} found, ${counted(stopped, 'delivery', 'deliveries')} stopped`;
}

function Due({ request: { daysLeft, dueBy } }: RequestProps) {
  if (daysLeft === null) return <span className="quiet">{day(dueBy)}</span>;
  const days = counted(Math.abs(daysLeft), 'business day');
  return (
    <span title={day(dueBy)}>
      {daysLeft < 0 ? <Badge tone="bad">{days} late</Badge> : `${days} left`}
    </span>
  );
}

function Details({ request, onAct }: RequestProps & { readonly onAct: (action: Action) => void }) {
  const isOperator = useMay('operator');
  return (
    <>
      <Facts
        of={{
          Received: (
            <>
              <Ago at={request.receivedAt} />
              {request.hasSignal && ', with the browser’s opt-out signal'}
            </>
          ),
          Due: day(request.dueBy),
          Outcome: (
            <>
              <StateBadge state={request.outcome} /> {doneText(request)}
            </>
          ),
          Sender: `${counted(request.ofSameSender, 'request')} within a day`,
        }}
      />
      {request.outcome === 'honoured' && <Receipts receipts={request.receipts} />}
      <footer className="dialog-foot row">
        {isOperator &&
          actionsOf[request.outcome].map((action) => (
            <Button key={action} tone={words[action].tone} onPress={() => onAct(action)}>
              {words[action].label}…
            </Button>
          ))}
      </footer>
    </>
  );
}

type Action = 'honour' | 'dismiss' | 'undo';
const actionsOf: Readonly<Record<OptOutAnswer['outcome'], readonly Action[]>> = {
  waiting: ['honour', 'dismiss'],
  honoured: ['undo'],
  dismissed: [],
  undone: [],
};
type Words = {
  readonly label: string;
  readonly tone: 'primary' | 'danger';
  readonly means: string;
};
const words: Readonly<Record<Action, Words>> = {
  honour: {
    label: 'Honour',
    tone: 'primary',
    means: 'The person is put on the suppression list and their open deliveries are stopped.',
  },
  dismiss: {
    label: 'Dismiss',
    tone: 'danger',
    means:
      'The request is closed for good, and nothing is stopped. Dismiss only what is no real request.',
  },
  undo: {
    label: 'Undo',
    tone: 'danger',
    means:
      'The person leaves the list unless somebody else asked for it, and stopped deliveries resume. They cannot be called back.',
  },
};

function Act({ action, request, onClose }: Acting & { readonly onClose: () => void }) {
  const { id, reference, ofSameSender } = request;
  const [scope, setScope] = useState<OptOutScope>('one');
  const path = `/api/opt-outs/${id}/${action}`;
  const send = useAction<{ reason: string; scope: OptOutScope }>(path);
  const plan = useAction<{ scope: OptOutScope }, UndoneRequests>(`${path}-plan`);
  const { label, tone, means } = words[action];
  return (
    <ActionDialog
      title={`${label} request ${reference}`}
      onClose={onClose}
      means={means}
      confirmLabel={label}
      tone={tone}
      onConfirm={(reason) => send.mutateAsync({ reason, scope })}
    >
      {ofSameSender > 1 && (
        <Select
          label="Which"
          isLabelShown
          items={[
            { id: 'one', label: 'Only this request' },
            { id: 'sender', label: `All ${count(ofSameSender)} of its sender within a day` },
          ]}
          value={scope}
          onChange={(next) => {
            setScope(next as OptOutScope);
            plan.reset();
          }}
        />
      )}
      {action === 'undo' && (
        <div className="row">
          <Button onPress={() => plan.mutate({ scope })}>What would happen?</Button>
          <span role="status">{plan.data ? planText(plan.data) : plan.error?.message}</span>
        </div>
      )}
    </ActionDialog>
  );
}

function planText({ requests, keys, kept, deliveries }: UndoneRequests): string {
  const entries = counted(keys, 'entry leaves', 'entries leave');
  const resumed = counted(deliveries, 'delivery resumes', 'deliveries resume');
  return `${counted(requests, 'request')}: ${entries} the list, ${count(kept)} stay, ${resumed}.`;
}
