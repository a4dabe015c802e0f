/** Tells recipients of a lead that its person revoked consent, and waits for their confirmations. */
import { v7 as uuid } from 'uuid';
import { addBusinessDays, calendarDate, formatIso } from '../../model/fields/dates.ts';
import type { Revocation } from '../../model/messages/console/people-requests.ts';
import type { RevocationSource } from '../../model/messages/vocabulary.ts';
import { definitionOf, isBuyer } from '../delivery/destinations/index.ts';
import { isRevocation } from '../delivery/index.ts';
import type { Queryable } from '../platform/database/database.ts';
import { refused } from '../platform/operator-error.ts';
import type { People } from './person.ts';
import type { Receipt } from './receipts.ts';

/** The business days in which a revocation must be honored (47 CFR 64.1200(a)(10)). */
const CONFIRM_BUSINESS_DAYS = 10;

// SQL: stores which buyers must confirm, and plans the events. The key of an event counts how often
// the suppression was undone, because a revocation after that is new.
const PLAN = `
with asked as (
  insert into revocations (lead_id, destination, source, confirm_by)
  select lead_id, destination, $1, $2 from jsonb_to_recordset($3::jsonb) as r(lead_id uuid, destination text)
  on conflict (lead_id, destination) do nothing
)
insert into deliveries (id, lead_id, destination, state, due_at, event_key, event)
select id, lead_id, destination, 'waiting', now(), 'consent.revoked ' || (
    select count(*) from lead_events e
    where e.lead_id = new.lead_id and e.kind = 'suppressed' and e.detail->>'undone' = 'true'), event
from jsonb_to_recordset($4::jsonb) as new(id uuid, lead_id uuid, destination text, event jsonb)
on conflict (lead_id, destination, event_key) do nothing`;

/** How and when a person revoked consent, and the settings that decide who is told until when. */
export type RevokedBy = {
  /** Default: the form of a do-not-sell request, or as the operator's reason says. */
  readonly source?: RevocationSource;
  /** Default: now. */
  readonly revokedAt?: Date;
  readonly settings: People['settings'];
};

/** Plans events and deadlines for the recipients of a person's leads. Repeats change nothing. */
export async function planRevocations(
  client: Queryable,
  receipts: readonly Receipt[],
  { source, revokedAt = new Date(), settings }: RevokedBy & { readonly source: RevocationSource },
): Promise<void> {
  const received = receipts.filter((one) => one.is_personal && definitionOf(one.destination));
  const asked = received.filter(({ destination }) => isBuyer(destination));
  const day = calendarDate(revokedAt, settings.operatorsTimeZone);
  const confirm_by = formatIso(addBusinessDays(day, CONFIRM_BUSINESS_DAYS));
  const about = { type: 'consent.revoked', source, revoked_at: revokedAt, confirm_by };
  const listeners = settings.destinations.flatMap(({ definition, values }) =>
    values && definition.events?.(values).includes('consent.revoked') ? [definition.name] : [],
  );
  const events = [...Map.groupBy(received, ({ lead_id }) => lead_id)].flatMap(([lead_id, all]) => {
    const told = all.map(
      ({ lead_id: _, is_personal: __, ...one }) => [one.destination, one] as const,
    );
    const event = { ...about, recipients: [...new Map(told).values()] };
    return listeners.map((destination) => ({ id: uuid(), lead_id, destination, event }));
  });
  await client.query(PLAN, [source, confirm_by, JSON.stringify(asked), JSON.stringify(events)]);
}

const LIST = `
select lead_id as "leadId", destination, source, confirm_by::text as "confirmBy",
  (select external_id from deliveries d where d.lead_id = r.lead_id and d.destination = r.destination
    and d.event_key = '') as "externalId",
  (select max(finished_at) from deliveries d where d.lead_id = r.lead_id and ${isRevocation('d')}
    and d.created_at >= r.created_at and d.state = 'delivered') as "toldAt"
from revocations r where confirmed_at is null order by confirm_by, lead_id, destination limit 200`;

/** Lists recipients that have not confirmed a revocation, the earliest deadline first. */
export async function listRevocations(client: Queryable) {
  return (await client.query<Omit<Revocation<Date>, 'title'>>(LIST)).rows;
}

/** Notes that a recipient has stopped. @throws OperatorError if no confirmation is missing */
export async function confirmRevocation(
  client: Queryable,
  { leadId, destination }: { readonly leadId: string; readonly destination: string },
  actor: string,
): Promise<void> {
  const { rowCount } = await client.query(
    `update revocations set confirmed_at = now(), confirmed_by = $3
     where lead_id = $1 and destination = $2 and confirmed_at is null`,
    [leadId, destination, actor],
  );
  if (rowCount === 0) throw refused('No confirmation of this recipient is missing for this lead.');
}
