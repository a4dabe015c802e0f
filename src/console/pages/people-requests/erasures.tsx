import { useState } from 'react';
import {
  ERASE_WORD,
  type ErasureAnswer,
  type ErasureListAnswer,
  type ErasureProof,
} from '../../../contract/console/people-requests.ts';
import type { PersonRequest } from '../../../contract/console/requests.ts';
import { useAction, useApi, useMay } from '../../api.ts';
import { LeadLink, Pages, useAddress } from '../../parts/address.tsx';
import { Button, Form, TextInput } from '../../parts/controls.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Card, Panel, Problem } from '../../parts/page.tsx';
import { type Column, DataTable, timeColumn } from '../../parts/table.tsx';
import { Ago, Code } from '../../parts/values.tsx';
import { counted, PersonForm, Receipts } from './parts.tsx';

/** Erases a person after showing the plan, and lists the proofs of what was erased. */
export function Erasures() {
  const isAdmin = useMay('admin');
  return (
    <>
      {isAdmin ? <EraseCard /> : <p className="quiet">Only an admin can erase a person.</p>}
      <Proofs />
    </>
  );
}

function EraseCard() {
  const [reason, setReason] = useState('');
  const plan = useAction<PersonRequest, ErasureAnswer>('/api/erasures/plan');
  const erasing = useAction<PersonRequest & { confirm: string }, ErasureAnswer>('/api/erasures');
  const reset = () => {
    plan.reset();
    erasing.reset();
  };
  return (
    <Card title="Erase a person">
      <div className="body stack">
        <PersonForm
          description="An address or number finds every lead and visit that ever contained it; a lead id only that lead."
          submitLabel="Show what would be erased"
          isPending={plan.isPending}
          onChange={reset}
          onSubmit={(person) => reason.trim() !== '' && plan.mutate({ person, reason })}
        >
          <TextInput
            label="Reason"
            description="The audit log keeps it until the person is erased."
            value={reason}
            onChange={(text) => {
              setReason(text);
              reset();
            }}
            isRequired
          />
        </PersonForm>
        <Problem of={plan.error ?? erasing.error} />
        {erasing.data ? (
          <div className="stack" role="status">
            <p>
              <strong>Erased:</strong> {whatOf(erasing.data)}, <Ago at={erasing.data.erasedAt} />.
            </p>
            <About erasure={erasing.data} />
          </div>
        ) : (
          plan.data && (
            <Plan
              plan={plan.data}
              isPending={erasing.isPending}
              onErase={(confirm) =>
                plan.variables && erasing.mutate({ ...plan.variables, confirm })
              }
            />
          )
        )}
      </div>
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
  const isConfirmed = word.trim().toLowerCase() === ERASE_WORD;
  const isNothing = plan.leads.length + plan.visits.length + plan.requests === 0;
  if (isNothing) return <p role="status">The person was erased already.</p>;
  return (
    <Form
      className="stack"
      onSubmit={() => {
        if (isConfirmed) onErase(word);
      }}
    >
      <p role="status">
        <strong>Would be erased for good:</strong> {whatOf(plan)}. Times, states and hashes stay as
        proof.
      </p>
      <About erasure={plan} />
      <div className="row fields">
        <TextInput label={`Type “${ERASE_WORD}” to confirm`} value={word} onChange={setWord} />
        <Button type="submit" tone="danger" isPending={isPending} isDisabled={!isConfirmed}>
          Erase for good
        </Button>
      </div>
    </Form>
  );
}

function whatOf({ leads, visits, requests }: ErasureAnswer): string {
  const asked = requests === 0 ? '' : `, ${counted(requests, 'do-not-sell request')}`;
  return `${counted(leads.length, 'lead')}, ${counted(visits.length, 'visit')} without a lead${asked}`;
}

/** Links the leads, warns of those that stay, and says who has to be told. */
function About({ erasure }: { readonly erasure: ErasureAnswer }) {
  const { leads, others, receipts } = erasure;
  return (
    <>
      <p className="row">
        {leads.map((id) => (
          <LeadLink key={id} id={id} />
        ))}
      </p>
      {others.length > 0 && (
        <div className="warning">
          Not erased, though with the same address or number:{' '}
          {others.map((id) => (
            <LeadLink key={id} id={id} />
          ))}
        </div>
      )}
      <Receipts receipts={receipts} />
    </>
  );
}

const columns: readonly Column<ErasureProof>[] = [
  { header: 'Lead', cell: ({ leadId }) => <LeadLink id={leadId} /> },
  timeColumn('Erased', ({ at }) => at),
  { header: 'By', cell: ({ actor }) => actor },
  {
    header: 'Proof',
    isMinor: true,
    cell: ({ isVisit, revisions, deliveries }) =>
      isVisit
        ? 'A visit without a lead'
        : `${counted(revisions, 'revision')}, ${counted(deliveries.length, 'delivery', 'deliveries')}`,
  },
];

function Proofs() {
  const [{ after }] = useAddress();
  const query = useApi<ErasureListAnswer>('/api/erasures', { after });
  const [shown, setShown] = useState<ErasureProof>();
  return (
    <Panel title="Erased" query={query} empty="Nobody was erased yet.">
      {({ erasures, next }) => (
        <>
          <DataTable columns={columns} rows={erasures} onRow={setShown} label="Erased" />
          <Pages next={next} />
          {shown && (
            <Dialog title="Proof of an erasure" isOpen onClose={() => setShown(undefined)}>
              <Proof proof={shown} />
            </Dialog>
          )}
        </>
      )}
    </Panel>
  );
}

function Proof({ proof }: { readonly proof: ErasureProof }) {
  return (
    <div className="dialog-form">
      <p>
        Lead <Code>{proof.leadId}</Code> was erased by {proof.actor} <Ago at={proof.at} />.
        {proof.revisions > 0 &&
          ` It had ${counted(proof.revisions, 'revision')}. No hash of them is kept: it could be tried.`}
      </p>
      <ul>
        {proof.deliveries.map(({ destination, state, externalId }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the events of one destination have no id here
          <li key={index}>
            {destination}: {state} {externalId !== null && <Code>{externalId}</Code>}
          </li>
        ))}
      </ul>
    </div>
  );
}
