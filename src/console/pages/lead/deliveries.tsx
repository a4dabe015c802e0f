import type { LeadActionAnswer, LeadDelivery } from '../../../contract/console/leads.ts';
import { actionReasons } from '../../../contract/console/leads.ts';
import { useAction, useMay } from '../../api.ts';
import { announce } from '../../parts/announce.ts';
import { Button } from '../../parts/controls.tsx';
import { ActionDialog } from '../../parts/dialog.tsx';
import { Card, Empty } from '../../parts/page.tsx';
import { StateBadge } from '../../parts/values.tsx';
import { AttemptsLine } from './attempts-line.tsx';
import { reasonItems } from './words.ts';

type DeliveriesProps = { readonly deliveries: readonly LeadDelivery[]; readonly path: string };

/** Shows each delivery: how it stands, why, its attempts on one line, and the resend. */
export function Deliveries({ deliveries, path }: DeliveriesProps) {
  const ofLead = deliveries.filter(({ event }) => event === '');
  const events = deliveries.filter(({ event }) => event !== '');
  return (
    <Card title="Deliveries" className="lead-card">
      {ofLead.length === 0 && <Empty>No destination takes this lead.</Empty>}
      <ul className="deliveries">
        {ofLead.map((delivery) => (
          <Delivery key={delivery.id} delivery={delivery} path={path} />
        ))}
      </ul>
      {events.length > 0 && (
        <details className="delivery-events">
          <summary>
            {events.length} {events.length === 1 ? 'event' : 'events'} to webhooks
          </summary>
          <ul className="deliveries">
            {events.map((delivery) => (
              <Delivery key={delivery.id} delivery={delivery} path={path} />
            ))}
          </ul>
        </details>
      )}
    </Card>
  );
}

function Delivery({ delivery, path }: { readonly delivery: LeadDelivery; readonly path: string }) {
  const { title, state, whyNot, log } = delivery;
  return (
    <li className="delivery">
      <div className="delivery-head">
        <span className="delivery-name">{title}</span>
        <StateBadge state={state} />
      </div>
      {whyNot !== '' && <p className="delivery-why">{whyNot}</p>}
      {(log.length > 1 || delivery.dueAt !== null) && <AttemptsLine delivery={delivery} />}
      <Resend delivery={delivery} path={path} />
    </li>
  );
}

/** Sends a delivery again. If the destination has or may have the lead, the warning is said first. */
function Resend({ delivery, path }: { readonly delivery: LeadDelivery; readonly path: string }) {
  const { id, title, canResend, needsForce, resendMeans } = delivery;
  const mayAct = useMay('operator');
  const resend = useAction<object, LeadActionAnswer>(`${path}/resend`);
  if (!mayAct || !canResend) return null;
  return (
    <ActionDialog
      title={`Resend to ${title}`}
      means={resendMeans}
      reasons={reasonItems(actionReasons.resend)}
      confirmLabel={needsForce ? 'Send it all the same' : 'Resend'}
      tone={needsForce ? 'danger' : 'primary'}
      trigger={<Button>Resend…</Button>}
      onConfirm={async (reason) => {
        const { done } = await resend.mutateAsync({ reason, deliveryId: id, force: needsForce });
        announce(done.join(' '));
      }}
    />
  );
}
