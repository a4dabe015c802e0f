/** Tells recipients of a lead that its person revoked consent, and waits for their confirmations. */
import { v7 as uuid } from 'uuid';
import { calendarDate, formatIso } from '../../model/fields/dates.ts';
import type {
  Revocation,
  RevocationsAnswer,
} from '../../model/messages/console/people-requests.ts';
import type { RevocationSource } from '../../model/messages/vocabulary.ts';
import { addBusinessDays } from '../../model/rules/business-days.ts';
import { buyers } from '../delivery/destinations/index.ts';
import { isRevocation } from '../delivery/index.ts';
import { isOnList } from '../platform/database/contact-keys.ts';
import type { Queryable } from '../platform/database/database.ts';
import { refused } from '../platform/operator-error.ts';
import type { RevocationSettings } from './person.ts';

/** The business days in which a revocation must be honored (47 CFR 64.1200(a)(10)). */
const CONFIRM_BUSINESS_DAYS = 10;

// SQL: stores the missing confirmations, and plans an event for each lead that somebody received.
// The key counts how often the suppression was undone, because a revocation after that is new.
const PLAN = `
with received as (
  select distinct on (lead_id, destination) lead_id, destination, external_id, state,
    to_char(coalesce(finished_at, created_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
  from deliveries
  where lead_id = any($1::uuid[]) and (state in ('delivered', 'sending') or may_have_arrived)
    and event_key not like 'delivery.%' and event_key not like 'consent.%'
  order by lead_id, destination, created_at desc
), asked as (
  insert into revocations (lead_id, destination, source, revoked_at, confirm_by)
  select lead_id, destination, $2::jsonb->>'source', ($2::jsonb->>'revoked_at')::timestamptz,
    ($2::jsonb->>'confirm_by')::date
  from received where destination = any($3::text[])
  on conflict (lead_id, destination) do nothing
)
insert into deliveries (id, lead_id, destination, state, due_at, event_key, event)
select new.id, lead_id, new.destination, 'waiting', now(), 'consent.revoked ' || (
    select count(*) from lead_events e
    where e.lead_id = new.lead_id and e.kind = 'suppressed' and e.detail->>'undone' = 'true'),
  $2::jsonb || jsonb_build_object('recipients', recipients)
from jsonb_to_recordset($4::jsonb) as new(id uuid, lead_id uuid, destination text)
join (select lead_id, jsonb_agg(to_jsonb(received) - 'lead_id' order by at) as recipients
  from received group by lead_id) as told using (lead_id)
on conflict (lead_id, destination, event_key) do nothing`;

/** Returns the event listeners that are told of revocations. */
function listenersOf(settings: Pick<RevocationSettings, 'destinations'>): string[] {
  return settings.destinations.flatMap(({ definition, values }) =>
    values && definition.events?.(values).includes('consent.revoked') ? [definition.name] : [],
  );
}

/** Plans events and deadlines for the recipients of a person's leads. Repeats change nothing. */
export async function planRevocations(
  client: Queryable,
  leads: readonly string[],
  { source, revokedAt }: { readonly source: RevocationSource; readonly revokedAt: Date },
  settings: RevocationSettings,
): Promise<void> {
  const day = calendarDate(revokedAt, settings.operatorsTimeZone);
  const confirm_by = formatIso(addBusinessDays(day, CONFIRM_BUSINESS_DAYS));
  const about = { type: 'consent.revoked', source, revoked_at: revokedAt, confirm_by };
  const events = leads.flatMap((lead_id) =>
    listenersOf(settings).map((destination) => ({ id: uuid(), lead_id, destination })),
  );
  // Buyers may call the person, and therefore must confirm.
  const names = buyers.map(({ name }) => name);
  await client.query(PLAN, [leads, JSON.stringify(about), names, JSON.stringify(events)]);
}

/** Closes the revocations of persons who are no longer on the suppression list. */
export async function closeRevocations(client: Queryable, leads: readonly string[]): Promise<void> {
  await client.query(
    `delete from revocations r where lead_id = any($1::uuid[]) and not ${isOnList('r.lead_id')}`,
    [leads],
  );
  await client.query(
    `update deliveries d set state = 'suppressed', end_reason = 'undone', due_at = null, finished_at = now()
     where lead_id = any($1::uuid[]) and state in ('waiting', 'retrying') and ${isRevocation('d')}
       and not ${isOnList('d.lead_id')}`,
    [leads],
  );
}

const LIST = `
select lead_id as "leadId", destination, source, revoked_at as "revokedAt", confirm_by::text as "confirmBy",
  (select external_id from deliveries d where d.lead_id = r.lead_id and d.destination = r.destination
    and d.event_key = '') as "externalId",
  (select max(finished_at) from deliveries d where d.lead_id = r.lead_id and ${isRevocation('d')}
    and d.created_at >= r.created_at and d.state = 'delivered') as "toldAt"
from revocations r where confirmed_at is null order by confirm_by, lead_id, destination limit 200`;

/** Lists recipients that have not confirmed a revocation, the earliest deadline first. */
export async function listRevocations(
  client: Queryable,
  settings: Pick<RevocationSettings, 'destinations'>,
): Promise<RevocationsAnswer<Date>> {
  const { rows } = await client.query<Revocation<Date>>(LIST);
  return { revocations: rows, hasListener: listenersOf(settings).length > 0 };
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
