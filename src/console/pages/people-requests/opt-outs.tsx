import { useMemo, useState } from 'react';
import {
  type OptOutAnswer,
  type OptOutChange,
  type OptOutListAnswer,
  type OptOutScope,
  optOutOutcomes,
} from '../../../contract/console/people-requests.ts';
import { apiPost, useAction, useApi, useMay } from '../../api.ts';
import { count, day } from '../../format.ts';
import { Button, type Item, Select } from '../../parts/controls.tsx';
import { ActionDialog, Dialog } from '../../parts/dialog.tsx';
import { Panel } from '../../parts/page.tsx';
import { type Column, DataTable } from '../../parts/table.tsx';
import { Ago, Code, StateBadge } from '../../parts/values.tsx';
import { counted, Pages, Receipts, useAddress } from './parts.tsx';

const filters: readonly Item[] = [
  { id: '', label: 'All requests' },
  ...optOutOutcomes.map((id) => ({ id, label: `Only ${id}` })),
];

/** Lists do-not-sell requests with what was done, and honours, dismisses or undoes them. */
export function OptOuts() {
  const { outcome = '', after, go } = useAddress();
  const query = useApi<OptOutListAnswer>('/api/opt-outs', { outcome, after });
  const [shown, setShown] = useState<OptOutAnswer>();
  const [acting, setActing] = useState<Acting>();
  const isOperator = useMay('operator');
  const columns = useMemo(
    () => (isOperator ? [...facts, actionsColumn(setActing)] : facts),
    [isOperator],
  );
  return (
    <div className="requests">
      <Panel
        title="Do-not-sell requests"
        query={query}
        actions={
          <Select
            label="Outcome"
            items={filters}
            value={outcome}
            onChange={(id) => go({ outcome: id === '' ? undefined : id, after: undefined })}
          />
        }
        isEmpty={({ requests }) => requests.length === 0}
        empty="No request here. Visitors send them with the page “Do not sell my personal information”."
      >
        {({ requests, next }) => (
          <>
            <p className="requests-note quiet">
              California wants a request honoured within 15 business days (11 CCR § 7026(f)). Most
              are honoured at once; those of an address that sends many wait for you.
            </p>
            <DataTable
              columns={columns}
              rows={requests}
              rowKey={({ id }) => id}
              onRow={setShown}
              label="Requests"
            />
            <Pages next={next} />
            <Dialog
              title={`Request ${shown?.reference ?? ''}`}
              isOpen={shown !== undefined}
              onClose={() => setShown(undefined)}
            >
              {shown && <Details request={shown} />}
              {shown && isOperator && (
                <footer className="dialog-foot">
                  {actionsOf[shown.outcome].map((action) => (
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
              )}
            </Dialog>
            {acting && <Act {...acting} onClose={() => setActing(undefined)} />}
          </>
        )}
      </Panel>
    </div>
  );
}

const facts: readonly Column<OptOutAnswer>[] = [
  { id: 'reference', header: 'Reference', cell: ({ reference }) => <Code>{reference}</Code> },
  {
    id: 'at',
    header: 'Received',
    cell: ({ receivedAt }) => <Ago at={receivedAt} />,
    isMinor: true,
  },
  { id: 'outcome', header: 'Outcome', cell: ({ outcome }) => <StateBadge state={outcome} /> },
  { id: 'due', header: 'Due', cell: (request) => <Due request={request} /> },
  { id: 'done', header: 'What was done', cell: doneText, isMinor: true },
  { id: 'state', header: 'State', cell: ({ usState }) => usState || '–', isMinor: true },
  {
    id: 'sender',
    header: 'Of its sender',
    align: 'end',
    cell: ({ ofSameSender }) => count(ofSameSender),
    isMinor: true,
  },
];

function doneText({ outcome, leads, stopped }: OptOutAnswer): string {
  if (outcome === 'waiting' || outcome === 'dismissed') return 'Nothing';
  return `${counted(leads, 'lead')} found, ${counted(stopped, 'delivery', 'deliveries')} stopped`;
}

function Due({ request: { daysLeft, dueBy } }: { readonly request: OptOutAnswer }) {
  if (daysLeft === null) return <span className="quiet">{day(dueBy)}</span>;
  const text =
    daysLeft < 0
      ? `${counted(-daysLeft, 'business day')} late`
      : `${counted(daysLeft, 'business day')} left`;
  return (
    <span title={day(dueBy)} className={daysLeft < 0 ? 'requests-due overdue' : 'requests-due'}>
      {text}
    </span>
  );
}

function Details({ request }: { readonly request: OptOutAnswer }) {
  return (
    <div className="request-details">
      <dl>
        <dt>Received</dt>
        <dd>
          <Ago at={request.receivedAt} />
          {request.hasSignal && ', with the browser’s opt-out signal'}
        </dd>
        <dt>Due</dt>
        <dd>{day(request.dueBy)}</dd>
        <dt>Outcome</dt>
        <dd>
          <StateBadge state={request.outcome} /> {doneText(request)}
        </dd>
        <dt>Sender</dt>
        <dd>{counted(request.ofSameSender, 'request')} within a day</dd>
      </dl>
      {request.outcome === 'honoured' && <Receipts receipts={request.receipts} />}
    </div>
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

type Acting = { readonly action: Action; readonly request: OptOutAnswer };

function actionsColumn(act: (acting: Acting) => void): Column<OptOutAnswer> {
  return {
    id: 'actions',
    header: 'Actions',
    isHeaderHidden: true,
    align: 'end',
    // On a phone they stand in the request's details.
    isMinor: true,
    cell: (request) => (
      <span className="requests-row requests-actions">
        {request.outcome === 'waiting' &&
          actionsOf.waiting.map((action) => (
            <Button key={action} onPress={() => act({ action, request })}>
              {words[action].label}
            </Button>
          ))}
      </span>
    ),
  };
}

function Act({ action, request, onClose }: Acting & { readonly onClose: () => void }) {
  const { id, ofSameSender } = request;
  const [scope, setScope] = useState<OptOutScope>('one');
  const [plan, setPlan] = useState('');
  const path = `/api/opt-outs/${id}/${action}`;
  const send = useAction<{ reason: string; scope: OptOutScope }, OptOutChange>(path);
  const { label, means } = words[action];
  const scopes: readonly Item[] = [
    { id: 'one', label: 'Only this request' },
    { id: 'sender', label: `All ${count(ofSameSender)} of its sender within a day` },
  ];
  const look = async () => {
    try {
      setPlan(planText(await apiPost<OptOutChange>(`${path}-plan`, { scope })));
    } catch (error) {
      setPlan(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <ActionDialog
      title={`${label} request ${request.reference}`}
      isOpen
      onClose={onClose}
      means={<p>{means}</p>}
      confirmLabel={label}
      tone={action === 'honour' ? 'primary' : 'danger'}
      onConfirm={(reason) => send.mutateAsync({ reason, scope })}
    >
      {ofSameSender > 1 && (
        <Select
          label="Which"
          isLabelShown
          items={scopes}
          value={scope}
          onChange={(next) => {
            setScope(next as OptOutScope);
            setPlan('');
          }}
        />
      )}
      {action === 'undo' && (
        <div className="requests-row">
          <Button onPress={() => void look()}>What would happen?</Button>
          <span role="status">{plan}</span>
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
