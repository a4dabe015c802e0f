import { useState } from 'react';
import {
  type OptOutAnswer,
  type OptOutChange,
  type OptOutListAnswer,
  type OptOutScope,
  optOutOutcomes,
} from '../../../contract/console/people-requests.ts';
import { useAction, useApi, useMay } from '../../api.ts';
import { count, day } from '../../format.ts';
import { Pages, useAddress } from '../../parts/address.tsx';
import { Button, type Item, Select } from '../../parts/controls.tsx';
import { ActionDialog, Dialog } from '../../parts/dialog.tsx';
import { Panel } from '../../parts/page.tsx';
import { type Column, DataTable, timeColumn } from '../../parts/table.tsx';
import { Ago, Code, Facts, StateBadge } from '../../parts/values.tsx';
import { counted, Receipts } from './parts.tsx';

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
  const isOperator = useMay('operator');
  return (
    <Panel
      title="Do-not-sell requests"
      query={query}
      actions={
        <Select
          label="Outcome"
          items={filters}
          value={outcome}
          onChange={(id) => change({ outcome: id, after: undefined })}
        />
      }
      empty="No request here. Visitors send them with the page “Do not sell my personal information”."
    >
      {({ requests, next }) => (
        <>
          <p className="body quiet">
            California wants a request honoured within 15 business days (11 CCR § 7026(f)). Most are
            honoured at once; those of an address that sends many wait for you.
          </p>
          <DataTable columns={facts} rows={requests} onRow={setShown} label="Requests" />
          <Pages next={next} />
          {shown && (
            <Dialog title={`Request ${shown.reference}`} isOpen onClose={() => setShown(undefined)}>
              <div className="dialog-form">
                <Details request={shown} />
                <footer className="dialog-foot row">
                  {isOperator &&
                    actionsOf[shown.outcome].map((action) => (
                      <Button
                        key={action}
                        tone={action === 'honour' ? 'primary' : 'danger'}
                        onPress={() => {
                          setShown(undefined);
                          setActing({ action, request: shown });
                        }}
                      >
                        {words[action].label}…
                      </Button>
                    ))}
                </footer>
              </div>
            </Dialog>
          )}
          {acting && <Act {...acting} onClose={() => setActing(undefined)} />}
        </>
      )}
    </Panel>
  );
}

const facts: readonly Column<OptOutAnswer>[] = [
  { header: 'Reference', cell: ({ reference }) => <Code>{reference}</Code> },
  timeColumn('Received', ({ receivedAt }) => receivedAt, { isMinor: true }),
  { header: 'Outcome', cell: ({ outcome }) => <StateBadge state={outcome} /> },
  { header: 'Due', cell: (request) => <Due request={request} /> },
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
    <span title={day(dueBy)} className="wrap">
      {daysLeft < 0 ? (
        <strong className="badge" data-tone="bad">{`${days} late`}</strong>
      ) : (
        `${days} left`
      )}
    </span>
  );
}

function Details({ request }: RequestProps) {
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
const words: Readonly<Record<Action, { label: string; means: string }>> = {
  honour: {
    label: 'Honour',
    means: 'The person is put on the suppression list and their open deliveries are stopped.',
  },
  dismiss: {
    label: 'Dismiss',
    means:
      'The request is closed for good, and nothing is stopped. Dismiss only what is no real request.',
  },
  undo: {
    label: 'Undo',
    means:
      'The person leaves the list unless somebody else asked for it, and stopped deliveries resume. They cannot be called back.',
  },
};

function Act({ action, request, onClose }: Acting & { readonly onClose: () => void }) {
  const { id, ofSameSender } = request;
  const [scope, setScope] = useState<OptOutScope>('one');
  const path = `/api/opt-outs/${id}/${action}`;
  const send = useAction<{ reason: string; scope: OptOutScope }, OptOutChange>(path);
  const plan = useAction<{ scope: OptOutScope }, OptOutChange>(`${path}-plan`);
  const { label, means } = words[action];
  return (
    <ActionDialog
      title={`${label} request ${request.reference}`}
      isOpen
      onClose={onClose}
      means={means}
      confirmLabel={label}
      tone={action === 'honour' ? 'primary' : 'danger'}
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

function planText({ requests, removed, kept, deliveries }: OptOutChange): string {
  const entries = counted(removed, 'entry leaves', 'entries leave');
  const resumed = counted(deliveries, 'delivery resumes', 'deliveries resume');
  return `${counted(requests, 'request')}: ${entries} the list, ${count(kept)} stay, ${resumed}.`;
}
