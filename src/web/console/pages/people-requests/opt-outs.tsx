import { useState } from 'react';
import {
  type OptOutAnswer,
  type OptOutListAnswer,
  type OptOutScope,
  optOutOutcomes,
} from '../../../../model/messages/console/people-requests.ts';
import { apiPost, useApi, useMay } from '../../api.ts';
import { count, counted, day, NONE } from '../../format.ts';
import { useUrlQuery } from '../../parts/address.tsx';
import { Button, Select } from '../../parts/controls.tsx';
import { ActionDialog } from '../../parts/dialog.tsx';
import { type Column, ListPanel, numberColumn, timeColumn } from '../../parts/table.tsx';
import { Badge, Code, Facts, StateBadge } from '../../parts/values.tsx';
import { Receipts } from './person.tsx';

type RequestProps = { readonly request: OptOutAnswer };

const columns: readonly Column<OptOutAnswer>[] = [
  { header: 'Reference', cell: ({ reference }) => <Code>{reference}</Code> },
  timeColumn('Received', ({ receivedAt }) => receivedAt, { isMinor: true }),
  { header: 'Outcome', cell: ({ outcome }) => <StateBadge state={outcome} /> },
  {
    header: 'Due',
    cell: ({ isLate, dueBy }) => (isLate ? <Badge tone="bad">{day(dueBy)}</Badge> : day(dueBy)),
  },
  { header: 'Done', cell: doneText, isMinor: true },
  { header: 'State', cell: ({ usState }) => usState || NONE, isMinor: true },
  numberColumn('Same sender', ({ ofSameSender }) => ofSameSender, { isMinor: true }),
];

/** Lists the do-not-sell requests, which operators may honour or dismiss. */
export function OptOuts() {
  const [{ outcome = '', after }, change] = useUrlQuery();
  const [shown, setShown] = useState('');
  return (
    <ListPanel
      title="Do-not-sell requests"
      query={useApi<OptOutListAnswer>('/api/opt-outs', { outcome, after })}
      of={({ requests }) => requests}
      columns={columns}
      onRow={({ id }) => setShown(id === shown ? '' : id)}
      below={(request) => request.id === shown && <Details request={request} />}
      actions={
        <Select
          label="Outcome"
          items={[
            { id: '', label: 'All requests' },
            ...optOutOutcomes.map((id) => ({ id, label: `Only ${id}` })),
          ]}
          value={outcome}
          onChange={(id) => change({ outcome: id, after: undefined })}
        />
      }
      note="California requires an answer within 15 business days (11 CCR § 7026(f)). Most requests are honoured at once. Requests of a sender with many wait for you."
      empty="No request here. Visitors send them with the page “Do not sell my personal information”."
    />
  );
}

function doneText({ outcome, leads, stopped }: OptOutAnswer): string {
  if (outcome === 'waiting' || outcome === 'dismissed') return 'Nothing';
  return `${counted(leads, 'lead')} matched, ${counted(stopped, 'delivery', 'deliveries')} stopped`;
}

function Details({ request }: RequestProps) {
  const { outcome, hasSignal, receipts } = request;
  const isOperator = useMay('operator');
  return (
    <div className="stack">
      <Facts
        isWide
        of={{
          Done: doneText(request),
          Signal: hasSignal && 'sent with the browser’s opt-out signal',
        }}
      />
      {outcome === 'honoured' && <Receipts receipts={receipts} />}
      <div className="row">
        {isOperator &&
          actionsOf[outcome].map((action) => (
            <Act key={action} action={action} request={request} />
          ))}
      </div>
    </div>
  );
}

const actionsOf: Readonly<Record<OptOutAnswer['outcome'], readonly Action[]>> = {
  waiting: ['honour', 'dismiss'],
  honoured: ['undo'],
  dismissed: [],
  undone: [],
};
type Action = keyof typeof words;
const words = {
  honour: {
    label: 'Honour',
    means: 'The person is put on the suppression list and their open deliveries are stopped.',
  },
  dismiss: {
    label: 'Dismiss',
    means:
      'The request is closed for good, and no delivery is stopped. Dismiss only what is not a real request.',
  },
  undo: {
    label: 'Undo',
    means:
      'The person leaves the list unless another request or an operator put them there, and stopped deliveries resume. Nobody can recall them.',
  },
} as const;

function Act({ action, request }: RequestProps & { readonly action: Action }) {
  const { id, reference, ofSameSender } = request;
  const [scope, setScope] = useState<OptOutScope>('one');
  const path = `/api/opt-outs/${id}/${action}`;
  const { label, means } = words[action];
  return (
    <ActionDialog
      title={`${label} request ${reference}`}
      trigger={<Button>{label}…</Button>}
      means={means}
      confirmLabel={label}
      tone={action === 'honour' ? 'primary' : 'danger'}
      onConfirm={(reason) => apiPost(path, { reason, scope })}
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
          onChange={(next) => setScope(next as OptOutScope)}
        />
      )}
    </ActionDialog>
  );
}
