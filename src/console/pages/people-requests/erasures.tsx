import { useState } from 'react';
import {
  ERASE_WORD,
  type ErasureAnswer,
  type ErasureListAnswer,
  type ErasureProof,
  type PersonRequest,
} from '../../../contract/console/people-requests.ts';
import { useAction, useApi, useMay } from '../../api.ts';
import { Button, TextInput } from '../../parts/controls.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Card, Panel } from '../../parts/page.tsx';
import { type Column, DataTable } from '../../parts/table.tsx';
import { Ago, Code } from '../../parts/values.tsx';
import { counted, LeadLink, Pages, Receipts, useAddress } from './parts.tsx';

/** Erases a person after showing the plan, and lists the proofs of what was erased. */
export function Erasures() {
  const isAdmin = useMay('admin');
  return (
    <div className="requests">
      {isAdmin ? (
        <EraseCard />
      ) : (
        <p className="requests-note quiet">Only an admin can erase a person.</p>
      )}
      <Proofs />
    </div>
  );
}

function EraseCard() {
  const [person, setPerson] = useState('');
  const [reason, setReason] = useState('');
  const plan = useAction<PersonRequest, ErasureAnswer>('/api/erasures/plan');
  const erasing = useAction<PersonRequest & { confirm: string }, ErasureAnswer>('/api/erasures');
  const change = (set: (text: string) => void) => (text: string) => {
    set(text);
    plan.reset();
    erasing.reset();
  };
  const isReady = person.trim() !== '' && reason.trim() !== '';
  const error = plan.error ?? erasing.error;
  return (
    <Card title="Erase a person">
      <form
        className="requests-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) plan.mutate({ person, reason });
        }}
      >
        <TextInput
          label="E-mail address, phone number or lead id"
          value={person}
          onChange={change(setPerson)}
          description="An address or number finds every lead and visit that ever contained it; a lead id only that lead."
        />
        <TextInput
          label="Reason"
          value={reason}
          onChange={change(setReason)}
          description="The audit log keeps it until the person is erased."
        />
        <div className="requests-row">
          <Button type="submit" isDisabled={!isReady} isPending={plan.isPending}>
            Show what would be erased
          </Button>
        </div>
      </form>
      {error && (
        <p className="dialog-error" role="alert">
          {error.detail}
        </p>
      )}
      {erasing.data ? (
        <Erased erasure={erasing.data} />
      ) : (
        plan.data && (
          <Plan
            plan={plan.data}
            isPending={erasing.isPending}
            onErase={(confirm) => erasing.mutate({ person, reason, confirm })}
          />
        )
      )}
    </Card>
  );
}

type PlanProps = {
  readonly plan: ErasureAnswer;
  readonly isPending: boolean;
  readonly onErase: (confirm: string) => void;
};

function Plan({ plan, isPending, onErase }: PlanProps) {
  const [word, setWord] = useState('');
  const isNothing = plan.leads.length + plan.visits.length + plan.requests === 0;
  if (isNothing) return <p role="status">The person was erased already.</p>;
  return (
    <form
      className="requests-found"
      onSubmit={(event) => {
        event.preventDefault();
        if (word.trim().toLowerCase() === ERASE_WORD) onErase(word);
      }}
    >
      <p role="status">
        <strong>Would be erased for good:</strong> {whatOf(plan)}. Times, states and hashes stay as
        proof.
      </p>
      <Leads erasure={plan} />
      <Receipts receipts={plan.receipts} />
      <TextInput label={`Type “${ERASE_WORD}” to confirm`} value={word} onChange={setWord} />
      <div className="requests-row">
        <Button
          type="submit"
          tone="danger"
          isPending={isPending}
          isDisabled={word.trim().toLowerCase() !== ERASE_WORD}
        >
          Erase for good
        </Button>
      </div>
    </form>
  );
}

function whatOf({ leads, visits, requests }: ErasureAnswer): string {
  const asked = requests === 0 ? '' : `, ${counted(requests, 'do-not-sell request')}`;
  return `${counted(leads.length, 'lead')}, ${counted(visits.length, 'visit')} without a lead${asked}`;
}

function Leads({ erasure: { leads, others } }: { readonly erasure: ErasureAnswer }) {
  return (
    <>
      <ul className="lead-ids">
        {leads.map((id) => (
          <li key={id}>
            <LeadLink id={id} />
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <div className="requests-warning">
          Not erased, though with the same address or number:{' '}
          {others.map((id) => (
            <LeadLink key={id} id={id} />
          ))}
        </div>
      )}
    </>
  );
}

function Erased({ erasure }: { readonly erasure: ErasureAnswer }) {
  return (
    <div className="requests-found" role="status">
      <p>
        <strong>Erased:</strong> {whatOf(erasure)}, <Ago at={erasure.erasedAt} />.
      </p>
      <Leads erasure={erasure} />
      <Receipts receipts={erasure.receipts} />
    </div>
  );
}

const columns: readonly Column<ErasureProof>[] = [
  { id: 'lead', header: 'Lead', cell: ({ leadId }) => <LeadLink id={leadId} /> },
  { id: 'at', header: 'Erased', cell: ({ at }) => <Ago at={at} /> },
  { id: 'actor', header: 'By', cell: ({ actor }) => actor },
  {
    id: 'proof',
    header: 'Proof',
    cell: ({ isVisit, revisions, deliveries }) =>
      isVisit
        ? 'A visit without a lead'
        : `${counted(revisions, 'revision')}, ${counted(deliveries.length, 'delivery', 'deliveries')}`,
    isMinor: true,
  },
];

function Proofs() {
  const { after } = useAddress();
  const query = useApi<ErasureListAnswer>('/api/erasures', { after });
  const [shown, setShown] = useState<ErasureProof>();
  return (
    <Panel
      title="Erased"
      query={query}
      isEmpty={({ erasures }) => erasures.length === 0}
      empty="Nobody was erased yet."
    >
      {({ erasures, next }) => (
        <>
          <DataTable
            columns={columns}
            rows={erasures}
            rowKey={({ id }) => id}
            onRow={setShown}
            label="Erased"
          />
          <Pages next={next} />
          <Dialog
            title="Proof of an erasure"
            isOpen={shown !== undefined}
            onClose={() => setShown(undefined)}
          >
            {shown && <Proof proof={shown} />}
          </Dialog>
        </>
      )}
    </Panel>
  );
}

function Proof({ proof }: { readonly proof: ErasureProof }) {
  return (
    <div className="request-details">
      <p>
        Lead <Code>{proof.leadId}</Code> was erased by {proof.actor} <Ago at={proof.at} />.
      </p>
      {proof.revisions > 0 && (
        <p>
          It had {counted(proof.revisions, 'revision')}. No hash of them is kept: it could be tried.
        </p>
      )}
      {proof.deliveries.length > 0 && <h3>Deliveries</h3>}
      <ul>
        {proof.deliveries.map(({ destination, state, externalId }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the events of one destination have no id here
          <li key={index}>
            {destination}: {state}
            {externalId !== null && (
              <>
                {' '}
                as <Code>{externalId}</Code>
              </>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
