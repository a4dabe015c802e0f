/** Tells recipients of a lead that its person revoked consent, and waits for their confirmations. */
import { calendarDate, formatIso } from '../../model/fields/dates.ts';
import type {
  Revocation,
  RevocationsAnswer,
} from '../../model/messages/console/people-requests.ts';
import type { RevocationSource } from '../../model/messages/vocabulary.ts';
import { addBusinessDays } from '../../model/rules/business-days.ts';
import { destinations } from '../delivery/destinations/index.ts';
import { isRevocation, planRevocationEvents, stopRevocationEvents } from '../delivery/index.ts';
import { isOnList } from '../platform/database/contact-keys.ts';
import type { Queryable } from '../platform/database/database.ts';
import { refused } from '../platform/operator-error.ts';
import type { RevocationSettings } from './person.ts';
import type { Receipt } from './receipts.ts';

/** The business days in which a revocation must be honored (47 CFR 64.1200(a)(10)). */
const CONFIRM_BUSINESS_DAYS = 10;

const leadDestinations = new Set(destinations.map(({ name }) => name));
/** The destinations that may call the person, and therefore must confirm. */
const buyers = new Set(
  destinations.filter((each) => !each.buysNothing && !each.events).map(({ name }) => name),
);

/** Returns the event listeners that are told of revocations. */
function listenersOf({ destinations: all }: Pick<RevocationSettings, 'destinations'>): string[] {
  return all.flatMap(({ definition, values }) =>
    values && definition.events?.(values).includes('consent.revoked') ? [definition.name] : [],
  );
}

/** Plans events and deadlines for the recipients of a person's leads. Repeats change nothing. */
export async function planRevocations(
  client: Queryable,
  receipts: readonly Receipt[],
  { source, revokedAt }: { readonly source: RevocationSource; readonly revokedAt: Date },
  settings: RevocationSettings,
): Promise<void> {
  const received = receipts.filter(
    ({ destination, is_personal }) => is_personal && leadDestinations.has(destination),
  );
  const today = calendarDate(revokedAt, settings.operatorsTimeZone);
  const confirmBy = formatIso(addBusinessDays(today, CONFIRM_BUSINESS_DAYS));
  const open = received.filter(({ destination }) => buyers.has(destination));
  await client.query(
    `insert into revocations (lead_id, destination, source, revoked_at, confirm_by)
     select distinct lead_id, destination, $2, $3::timestamptz, $4::date
     from jsonb_to_recordset($1::jsonb) as r(lead_id uuid, destination text)
     on conflict (lead_id, destination) do nothing`,
    [JSON.stringify(open), source, revokedAt, confirmBy],
  );
  const events = [...Map.groupBy(received, ({ lead_id }) => lead_id)].map(([leadId, some]) => {
    // A listener may have received several events of a lead: the last one counts.
    const last = new Map(some.map((receipt) => [receipt.destination, receipt]));
    const recipients = [...last.values()].map(({ destination, external_id, state, at }) => ({
      destination,
      external_id,
      state,
      at: at.toISOString(),
    }));
    const facts = { source, revoked_at: revokedAt.toISOString(), confirm_by: confirmBy };
    return { leadId, event: { type: 'consent.revoked', ...facts, recipients } as const };
  });
  await planRevocationEvents(client, listenersOf(settings), events);
}

/** Closes the revocations of persons who are no longer on the suppression list. */
export async function closeRevocations(
  client: Queryable,
  leadIds: readonly string[],
): Promise<void> {
  await client.query(
    `delete from revocations r where lead_id = any($1::uuid[]) and not ${isOnList('r.lead_id')}`,
    [leadIds],
  );
  await stopRevocationEvents(client, leadIds);
}

const LIST = `
select lead_id as "leadId", r.destination, source, revoked_at as "revokedAt", confirm_by::text as "confirmBy",
  (select external_id from deliveries d where d.lead_id = r.lead_id and d.destination = r.destination
    and d.event_key = '') as "externalId",
  (select max(finished_at) from deliveries d where d.lead_id = r.lead_id and ${isRevocation('d')}
    and d.created_at >= r.created_at and d.state = 'delivered') as "toldAt",
  concat_ws('~', confirm_by, lead_id, destination) as place
from revocations r
where confirmed_at is null and (confirm_by, lead_id, destination)
  > (split_part($1, '~', 1)::date, split_part($1, '~', 2)::uuid, split_part($1, '~', 3))
order by confirm_by, lead_id, destination limit $2`;
const FIRST_PLACE = '-infinity~00000000-0000-0000-0000-000000000000~';

/** Lists the recipients that have not confirmed a revocation, the earliest deadline first. */
export async function listRevocations(
  client: Queryable,
  { after = FIRST_PLACE, limit }: { readonly after?: string | undefined; readonly limit: number },
  settings: Pick<RevocationSettings, 'destinations'>,
): Promise<RevocationsAnswer<Date>> {
  type Row = Revocation<Date> & { readonly place: string };
  const { rows } = await client.query<Row>(LIST, [after, limit + 1]);
  const next = rows.length > limit ? (rows[limit - 1]?.place ?? null) : null;
  const revocations = rows.slice(0, limit).map(({ place: _, ...each }) => each);
  return { revocations, next, hasListener: listenersOf(settings).length > 0 };
}

/** More missing confirmations are not counted. */
const MOST_COUNTED = 10_000;

/** Counts the missing confirmations, and returns the earliest deadline (`YYYY-MM-DD`). */
export async function countRevocations(
  client: Queryable,
): Promise<{ readonly open: number; readonly confirmBy: string | null }> {
  const { rows } = await client.query<{ open: number; confirmBy: string | null }>(
    `select count(*)::integer as open, min(confirm_by)::text as "confirmBy"
     from (select confirm_by from revocations where confirmed_at is null order by confirm_by
       limit ${MOST_COUNTED}) as missing`,
  );
  return rows[0] ?? { open: 0, confirmBy: null };
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
