import { useState } from 'react';
import type {
  LeadAction,
  LeadActionAnswer,
  LeadAnswer,
  LeadDelivery,
} from '../../../../model/messages/console/leads.ts';
import { actionReasons } from '../../../../model/messages/vocabulary.ts';
import { addressOf, apiPost, saveFile, useMay } from '../../api.ts';
import { capital, counted, dollars } from '../../format.ts';
import { Go } from '../../parts/address.tsx';
import { ActionButton, ActionDialog } from '../../parts/dialog.tsx';
import { Fields } from '../../parts/fields.tsx';
import { Card, Empty } from '../../parts/page.tsx';
import { Ago, Badge, StateBadge, useNow } from '../../parts/values.tsx';
import { codeText, reasonItems } from '../../parts/words.ts';
import type { Opening } from './opened.ts';

type SideProps = { readonly data: LeadAnswer; readonly path: string; readonly opening: Opening };

export function Side({ data, path, opening }: SideProps) {
  return (
    <>
      {data.lead.state !== 'erased' && <MoneyCard {...data} path={path} />}
      <Deliveries {...data} path={path} />
      <Pack {...data} path={path} opening={opening} />
      <Actions data={data} path={path} />
    </>
  );
}

/** Shows what a lead cost and brought, with the entries of the ledger. */
function MoneyCard({
  lead,
  money,
  ...adjust
}: DeliveriesProps & Pick<LeadAnswer, 'lead' | 'money'>) {
  const actions = useMay('operator') && !lead.isTest && <Adjust {...adjust} />;
  if (money === null) {
    return (
      <Card title="Money" actions={actions}>
        <p className="body quiet">
          {lead.isTest
            ? 'None: this lead is a test.'
            : 'None: the visit has no cost, and no buyer with a price took the lead.'}
        </p>
      </Card>
    );
  }
  const { entries, revenue, cost, margin } = money;
  return (
    <Card title="Money" actions={actions}>
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
      confirmLabel="Adjust"
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

/** Returns a function that acts on a lead, and a status text about the last action. */
function useAct(path: string) {
  const [done, setDone] = useState('');
  const act = async (action: string, body: object) => {
    const answer = await apiPost<LeadActionAnswer>(`${path}/${action}`, body);
    setDone(answer.done.join(' '));
  };
  const status = (
    <div role="status">{done !== '' && <p className="body quiet small">{done}</p>}</div>
  );
  return [act, status] as const;
}

type DeliveriesProps = Pick<LeadAnswer, 'deliveries' | 'notOffered'> & { readonly path: string };

function Deliveries({ deliveries, notOffered, path }: DeliveriesProps) {
  const [act, status] = useAct(path);
  const ofLead = deliveries.filter(({ event }) => event === '');
  const events = deliveries.filter(({ event }) => event !== '');
  const list = (shown: readonly LeadDelivery[]) => (
    <ul className="lines">
      {shown.map((delivery) => (
        <Delivery key={delivery.id} {...delivery} onResend={(body) => act('resend', body)} />
      ))}
    </ul>
  );
  return (
    <Card title="Deliveries">
      {status}
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

type DeliveryProps = LeadDelivery & { readonly onResend: (body: object) => Promise<void> };

function Delivery({ onResend, ...delivery }: DeliveryProps) {
  const { id, destination, title, hasTerms, state, whyNot, dueAt, needsForce } = delivery;
  const now = useNow();
  const mayResend = useMay('operator') && delivery.canResend;
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
      {mayResend && (
        <ActionDialog
          title={`Resend to ${title}`}
          means={delivery.resendMeans}
          reasons={reasonItems(actionReasons.resend)}
          confirmLabel="Resend"
          tone={needsForce ? 'danger' : 'primary'}
          onConfirm={(reason) => onResend({ reason, deliveryId: id, force: needsForce })}
        />
      )}
    </li>
  );
}

function Pack({ evidence, path, opening }: Omit<SideProps, 'data'> & Pick<LeadAnswer, 'evidence'>) {
  const mayOpen = useMay('operator');
  if (evidence === undefined) return null;
  const { text, isReady, recipients } = evidence;
  const { answer, reason } = opening;
  const packs = isReady && mayOpen && answer ? [undefined, ...recipients] : [];
  return (
    <Card title="Evidence">
      <div className="body stack">
        <p>{text}</p>
        {isReady && mayOpen && !answer && (
          <p className="quiet">Open the contact details to download an evidence pack.</p>
        )}
        {packs.map((recipient) => (
          <ActionButton
            icon="download"
            key={recipient ?? ''}
            onAction={() => saveFile(`${path}/evidence`, { reason, recipient })}
          >
            Pack for {recipient ?? 'us'}
          </ActionButton>
        ))}
      </div>
    </Card>
  );
}

const actionTitles: Readonly<Record<LeadAction['action'], readonly [string, string]>> = {
  release: ['Release', 'Release this lead'],
  dismiss: ['Dismiss', 'Dismiss this lead'],
  suppress: ['Do not contact', 'Put this person on the suppression list'],
  erase: ['Erase', 'Erase this lead, for good'],
};

/** Offers the possible actions, and says why the others are impossible. */
function Actions({ data, path }: Pick<SideProps, 'data' | 'path'>) {
  const [act, status] = useAct(path);
  const { revision } = data.lead;
  const refused = Object.groupBy(data.actions, ({ refusal }) => refusal);
  return (
    <Card title="Actions">
      <div className="body stack">
        <div className="row">
          {data.actions.map(({ action, means, refusal }) => {
            const [label, title] = actionTitles[action];
            if (refusal !== '') return null;
            return (
              <ActionDialog
                key={action}
                title={title}
                means={means}
                reasons={reasonItems(actionReasons[action])}
                confirmLabel={label}
                tone={action === 'release' ? 'primary' : 'danger'}
                onConfirm={(reason) => act(action, { reason, revision })}
              />
            );
          })}
        </div>
        {Object.entries(refused).map(([refusal, actions = []]) => {
          const names = actions.map(({ action }) => actionTitles[action][0]).join(', ');
          return refusal && <p className="quiet small" key={refusal}>{`${names}: ${refusal}`}</p>;
        })}
      </div>
      {status}
    </Card>
  );
}
