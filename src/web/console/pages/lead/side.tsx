import { useState } from 'react';
import type {
  LeadAction,
  LeadActionAnswer,
  LeadAnswer,
  LeadDelivery,
} from '../../../../model/messages/console/leads.ts';
import { actionReasons } from '../../../../model/messages/vocabulary.ts';
import { addressOf, apiPost, saveFile, useAction, useMay } from '../../api.ts';
import { capital, counted, dollars } from '../../format.ts';
import { Go } from '../../parts/address.tsx';
import { Button } from '../../parts/controls.tsx';
import { ActionDialog } from '../../parts/dialog.tsx';
import { Fields } from '../../parts/fields.tsx';
import { Card, Empty, Problem } from '../../parts/page.tsx';
import { Ago, Badge, StateBadge, useNow } from '../../parts/values.tsx';
import { codeText, reasonItems } from '../../parts/words.ts';
import type { Opening } from './opened.ts';

type SideProps = { readonly data: LeadAnswer; readonly path: string; readonly opening: Opening };

export function Side({ data, path, opening }: SideProps) {
  return (
    <>
      <MoneyCard {...data} path={path} />
      <Deliveries {...data} path={path} />
      <Pack data={data} path={path} opening={opening} />
      <Actions data={data} path={path} />
    </>
  );
}

/** Shows what a lead cost and brought, with the entries of the ledger. */
function MoneyCard({ money, ...adjust }: DeliveriesProps & Pick<LeadAnswer, 'money'>) {
  const mayAdjust = useMay('operator');
  if (money === null) return null;
  const { entries, revenue, cost, margin } = money;
  return (
    <Card title="Money" actions={mayAdjust && <Adjust {...adjust} />}>
      <div className="body">
        <p className="figure">{dollars(margin)}</p>
        <p className="quiet small">
          margin: {dollars(revenue)} revenue, {dollars(cost)} cost
        </p>
      </div>
      <ul className="lines small">
        {entries.map(({ id, kind, amount, at, buyer, source, reason }) => (
          <li key={id}>
            <div className="row spread">
              <strong>{capital(kind)}</strong>
              <span className="count">{dollars(amount)}</span>
            </div>
            <p className="quiet">
              {[buyer, `by ${source}`, codeText(reason)].filter(Boolean).join(' · ')} ·{' '}
              <Ago at={at} />
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Lets an operator correct what a lead brought or cost. */
function Adjust({ deliveries, path }: DeliveriesProps) {
  const sold = deliveries.filter(({ event, state }) => event === '' && state === 'delivered');
  const ofBuyers = sold.flatMap(({ id, title }) => [
    [`+1 ${id}`, `${title} pays more`],
    [`-1 ${id}`, `${title} pays less`],
  ]);
  const ofCost = { '-1': 'The lead cost more', '+1': 'The lead cost less' };
  const choices = { ...Object.fromEntries(ofBuyers), ...ofCost };
  // The key stays until the entry is made, so that a second try does not enter it twice.
  const fresh = () => ({ key: crypto.randomUUID(), change: ofBuyers[0]?.[0] ?? '-1', amount: 0 });
  const [form, setForm] = useState(fresh);
  const enter = async (reason: string) => {
    const [sign, deliveryId] = form.change.split(' ');
    const amount = Number(sign) * form.amount;
    await apiPost(`${path}/adjust`, { key: form.key, amount, deliveryId, reason });
    setForm(fresh());
  };
  return (
    <ActionDialog
      title="Adjust the money of this lead"
      means="Adds an entry to the ledger. It stays; enter the opposite to undo it."
      reasons={reasonItems(actionReasons.adjust)}
      confirmLabel="Enter it"
      trigger={<Button>Adjust…</Button>}
      onConfirm={enter}
    >
      <Fields
        of={{
          change: { label: 'What changes', kind: 'one', choices },
          amount: { label: 'By US dollars', kind: 'money' },
        }}
        values={form}
        onChange={(part) => setForm({ ...form, ...part })}
      />
    </ActionDialog>
  );
}

type DeliveriesProps = Pick<LeadAnswer, 'deliveries' | 'notOffered'> & { readonly path: string };

function Deliveries({ deliveries, notOffered, path }: DeliveriesProps) {
  const ofLead = deliveries.filter(({ event }) => event === '');
  const events = deliveries.filter(({ event }) => event !== '');
  const list = (shown: readonly LeadDelivery[]) => (
    <ul className="lines">
      {shown.map((delivery) => (
        <Delivery key={delivery.id} delivery={delivery} path={path} />
      ))}
    </ul>
  );
  return (
    <Card title="Deliveries">
      {ofLead.length === 0 && <Empty>No destination takes this lead.</Empty>}
      {list(ofLead)}
      {notOffered.length > 0 && (
        <p className="body quiet small">
          Never offered to {notOffered.join(', ')}: its destination does not take such leads, or it
          was set up later.
        </p>
      )}
      {events.length > 0 && (
        <details className="body">
          <summary>{counted(events.length, 'event')} to your systems and ad platforms</summary>
          {list(events)}
        </details>
      )}
    </Card>
  );
}

type DeliveryProps = { readonly delivery: LeadDelivery; readonly path: string };

function Delivery({ delivery, path }: DeliveryProps) {
  const { destination, title, hasTerms, state, whyNot, dueAt } = delivery;
  const now = useNow();
  return (
    <li>
      <div className="row spread">
        <strong>
          {hasTerms ? <Go to={addressOf('/buyers', { buyer: destination })}>{title}</Go> : title}
        </strong>
        <StateBadge state={state} />
      </div>
      {whyNot !== '' && <p className="quiet small">{whyNot}</p>}
      {dueAt !== null && (
        <Badge tone="accent">
          Next attempt {Date.parse(dueAt) > now ? <Ago at={dueAt} /> : 'due now'}
        </Badge>
      )}
      <Resend delivery={delivery} path={path} />
    </li>
  );
}

function Resend({ delivery, path }: DeliveryProps) {
  const { id, title, canResend, needsForce, resendMeans } = delivery;
  const mayAct = useMay('operator');
  const resend = useAction<object, LeadActionAnswer>(`${path}/resend`);
  if (!mayAct || !canResend) return null;
  return (
    <div>
      <ActionDialog
        title={`Resend to ${title}`}
        means={resendMeans}
        reasons={reasonItems(actionReasons.resend)}
        confirmLabel={needsForce ? 'Send it all the same' : 'Resend'}
        tone={needsForce ? 'danger' : 'primary'}
        trigger={<Button>Resend…</Button>}
        onConfirm={(reason) => resend.mutateAsync({ reason, deliveryId: id, force: needsForce })}
      />
      <p role="status" className="quiet small">
        {resend.data?.done.join(' ')}
      </p>
    </div>
  );
}

function Pack({ data, path, opening }: SideProps) {
  const mayOpen = useMay('operator');
  const pack = useAction((recipient: string | undefined) =>
    saveFile(`${path}/evidence`, { reason: opening.reason, recipient }),
  );
  if (data.evidence === undefined) return null;
  const { text, isReady, recipients } = data.evidence;
  return (
    <Card title="Evidence">
      <div className="body stack">
        <p>{text}</p>
        {isReady && mayOpen && opening.answer === undefined && (
          <p className="quiet">Open the contact details to download an evidence pack.</p>
        )}
        {isReady && mayOpen && opening.answer !== undefined && (
          <div className="row">
            {[undefined, ...recipients].map((recipient) => (
              <Button
                icon="download"
                key={recipient ?? ''}
                onPress={() => pack.mutate(recipient)}
                isPending={pack.isPending && pack.variables === recipient}
              >
                Pack for {recipient ?? 'us'}
              </Button>
            ))}
          </div>
        )}
        <Problem of={pack.error} />
      </div>
    </Card>
  );
}

const actionLabels: Readonly<
  Record<LeadAction['action'], readonly [label: string, title: string]>
> = {
  release: ['Release', 'Release this lead'],
  dismiss: ['Dismiss', 'Dismiss this lead'],
  suppress: ['Do not contact', 'Put this person on the do-not-contact list'],
  erase: ['Erase', 'Erase this lead, for good'],
};

function Actions({ data, path }: Pick<SideProps, 'data' | 'path'>) {
  const act = useAction(({ action, body }: { action: string; body: object }) =>
    apiPost<LeadActionAnswer>(`${path}/${action}`, body),
  );
  const possibleFirst = data.actions.toSorted(
    (one, other) => Number(one.refusal !== '') - Number(other.refusal !== ''),
  );
  return (
    <Card title="Actions">
      <ul className="lines">
        {possibleFirst.map(({ action, means, refusal }) => {
          const [label, title] = actionLabels[action];
          const isReview = action === 'release' || action === 'dismiss';
          return (
            <li key={action}>
              {refusal === '' ? (
                <ActionDialog
                  title={title}
                  means={means}
                  reasons={reasonItems(actionReasons[action])}
                  confirmLabel={label}
                  tone={action === 'release' ? 'primary' : 'danger'}
                  trigger={<Button>{label}…</Button>}
                  onConfirm={(reason) => {
                    const { revision } = data.lead;
                    const body = isReview ? { reason, revision } : { reason };
                    return act.mutateAsync({ action, body });
                  }}
                />
              ) : (
                <Button isDisabled>{label}</Button>
              )}
              <p className="quiet small">{refusal}</p>
            </li>
          );
        })}
      </ul>
      <div role="status">{act.data && <p className="body">{act.data.done.join(' ')}</p>}</div>
    </Card>
  );
}
