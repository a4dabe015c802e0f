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
import { LeadLink, useUrlQuery } from '../../parts/address.tsx';
import { Button, Form, TextInput } from '../../parts/controls.tsx';
import { Card, focused, Problem } from '../../parts/page.tsx';
import { type Column, ListPanel, timeColumn } from '../../parts/table.tsx';
import { codeText } from '../../parts/words.ts';
import { PersonForm, Receipts } from './person.tsx';

const columns: readonly Column<ErasureProof>[] = [
  { header: 'Lead', cell: ({ leadId }) => <LeadLink id={leadId} /> },
  timeColumn('Erased', ({ at }) => at),
  { header: 'By', cell: ({ actor }) => actor },
  { header: 'Proof', isMinor: true, fold: 'wrap', cell: proofText },
];

function proofText({ isVisit, revisions, deliveries }: ErasureProof): string {
  if (isVisit) return 'A visit without a lead';
  const sent = deliveries.map(({ destination, state, external_id }) =>
    [`${destination}: ${codeText(state)}`, external_id].filter(Boolean).join(' '),
  );
  return [counted(revisions, 'revision'), ...sent].join(', ');
}

/** Erases persons, and lists the past erasures. */
export function Erasures() {
  const [{ after }] = useUrlQuery();
  return (
    <>
      {useMay('admin') ? <EraseCard /> : <p className="quiet">Only an admin can erase a person.</p>}
      <ListPanel
        title="Erased"
        query={useApi<ErasureListAnswer>('/api/erasures', { after })}
        of={({ erasures }) => erasures}
        columns={columns}
        note="We store no hash of erased values, because others could guess the values."
        empty="No person was erased yet."
      />
    </>
  );
}

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
  const shown = erasing.data ?? plan.data;
  const canErase = plan.data && !erasing.isSuccess && !isNothing(plan.data);
  return (
    <Card title="Erase a person">
      <div className="body stack">
        <PersonForm
          description="An address or number matches every lead and visit that ever contained it. A lead id matches only that lead. The audit log stores the reason until the person is erased."
          submitLabel="Show what would be erased"
          isPending={plan.isPending}
          onChange={reset}
          onSubmit={(person) => plan.mutate({ person, reason })}
        >
          <TextInput
            label="Reason"
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
        {canErase && (
          <Form
            className="row fields"
            isPending={erasing.isPending}
            onSubmit={() => {
              if (plan.variables) erasing.mutate({ ...plan.variables, confirm: word });
            }}
          >
            <TextInput label={`Type “${ERASE_WORD}” to confirm`} value={word} onChange={setWord} />
            <Button
              type="submit"
              tone="danger"
              isPending={erasing.isPending}
              isDisabled={word.trim().toLowerCase() !== ERASE_WORD}
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

function Erasure({ erasure, isDone }: ErasureProps) {
  const { leads, visits, requests, others, receipts } = erasure;
  if (isNothing(erasure)) return <p role="status">The person was erased already.</p>;
  return (
    <div className="stack">
      <p role="status" tabIndex={-1} ref={isDone ? focused : undefined}>
        <strong>{isDone ? 'Erased:' : 'Would be erased for good:'}</strong>{' '}
        {counted(leads.length, 'lead')}, {counted(visits.length, 'visit')} without a lead,{' '}
        {counted(requests, 'do-not-sell request')}.
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
