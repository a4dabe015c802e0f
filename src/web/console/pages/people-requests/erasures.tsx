import { useState } from 'react';
import {
  ERASE_WORD,
  type ErasureAnswer,
  type ErasureListAnswer,
  type ErasureProof,
} from '../../../../model/messages/console/people-requests.ts';
import type { PersonRequest } from '../../../../model/messages/console/requests.ts';
import { useAction, useApi, useMay } from '../../api.ts';
import { counted } from '../../format.ts';
import { LeadLink, useAddress } from '../../parts/address.tsx';
import { Button, Form, TextInput } from '../../parts/controls.tsx';
import { Card, Problem } from '../../parts/page.tsx';
import { type Column, ListPanel, timeColumn } from '../../parts/table.tsx';
import { PersonForm, Receipts } from './parts.tsx';

/** Erases a person after showing the plan, and lists the proofs of what was erased. */
export function Erasures() {
  const isAdmin = useMay('admin');
  const [{ after }] = useAddress();
  const query = useApi<ErasureListAnswer>('/api/erasures', { after });
  return (
    <>
      {isAdmin ? <EraseCard /> : <p className="quiet">Only an admin can erase a person.</p>}
      <ListPanel
        title="Erased"
        query={query}
        of={({ erasures }) => erasures}
        columns={columns}
        note="No hash of what was erased is kept: it could be tried."
        empty="Nobody was erased yet."
      />
    </>
  );
}

const columns: readonly Column<ErasureProof>[] = [
  { header: 'Lead', cell: ({ leadId }) => <LeadLink id={leadId} /> },
  timeColumn('Erased', ({ at }) => at),
  { header: 'By', cell: ({ actor }) => actor },
  { header: 'Proof', isMinor: true, fold: 'wrap', cell: proofText },
];

function proofText({ isVisit, revisions, deliveries }: ErasureProof): string {
  if (isVisit) return 'A visit without a lead';
  const sent = deliveries.map(({ destination, state, external_id }) =>
    [`${destination}: ${state}`, external_id].filter(Boolean).join(' '),
  );
  return [counted(revisions, 'revision'), ...sent].join(', ');
}

/** Asks for a person, shows what an erasure would take, and erases once the word is typed. */
function EraseCard() {
  const [reason, setReason] = useState('');
  const [word, setWord] = useState('');
  const plan = useAction<PersonRequest, ErasureAnswer>('/api/erasures/plan');
  const erasing = useAction<PersonRequest & { confirm: string }, ErasureAnswer>('/api/erasures');
  const reset = () => {
    setWord('');
    plan.reset();
    erasing.reset();
  };
  const isConfirmed = word.trim().toLowerCase() === ERASE_WORD;
  const shown = erasing.data ?? plan.data;
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
        {shown && <Erasure erasure={shown} isDone={erasing.isSuccess} />}
        {plan.data && !erasing.isSuccess && !isNothing(plan.data) && (
          <Form
            className="row fields"
            onSubmit={() => {
              if (isConfirmed && plan.variables) {
                erasing.mutate({ ...plan.variables, confirm: word });
              }
            }}
          >
            <TextInput label={`Type “${ERASE_WORD}” to confirm`} value={word} onChange={setWord} />
            <Button
              type="submit"
              tone="danger"
              isPending={erasing.isPending}
              isDisabled={!isConfirmed}
            >
              Erase for good
            </Button>
          </Form>
        )}
      </div>
    </Card>
  );
}

function isNothing({ leads, visits, requests }: ErasureAnswer): boolean {
  return leads.length + visits.length + requests === 0;
}

type ErasureProps = { readonly erasure: ErasureAnswer; readonly isDone: boolean };

/** Says what is or would be erased, links the leads, warns of those that stay, and says who has to be told. */
function Erasure({ erasure, isDone }: ErasureProps) {
  const { leads, visits, requests, others, receipts } = erasure;
  if (isNothing(erasure)) return <p role="status">The person was erased already.</p>;
  const asked = requests === 0 ? '' : `, ${counted(requests, 'do-not-sell request')}`;
  const what = `${counted(leads.length, 'lead')}, ${counted(visits.length, 'visit')} without a lead${asked}.`;
  return (
    <div className="stack">
      <p role="status">
        <strong>{isDone ? 'Erased:' : 'Would be erased for good:'}</strong> {what}
        {!isDone && ' Times, states and hashes stay as proof.'}
      </p>
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
    </div>
  );
}
