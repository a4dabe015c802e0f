/** Stops and resumes the deliveries of suppressed persons. */
import { chooseAgain } from '../leads/index.ts';
import { isOnList } from '../platform/database/contact-keys.ts';
import type { Queryable } from '../platform/database/database.ts';
import { buysLeads, destinations } from './destinations/index.ts';

const PROOF = destinations
  .filter((each) => each.storesProof)
  .map(({ name }) => `'${name}'`)
  .join();

/** Returns an SQL condition: true if a delivery tells an event listener of a revocation. */
export const isRevocation = (delivery: string) => `${delivery}.event_key like 'consent.revoked%'`;

/**
 * Returns an SQL condition: true if a delivery stores the proof of consent for a sold lead. Without `offset 0`, PostgreSQL
 * could read all deliveries to buyers at once.
 */
export const isProofOfSale = (delivery: string) => `(${delivery}.destination in (${PROOF})
  and exists (select 1 from deliveries sold where sold.lead_id = ${delivery}.lead_id
    and ${buysLeads('sold.destination')} and (sold.may_have_arrived or sold.state in ('delivered', 'sending')) offset 0))`;

/** Stops open deliveries, except those that are being sent, prove a sale or tell of a revocation. */
export async function suppressDeliveries(
  client: Queryable,
  leadIds: readonly string[],
): Promise<{ id: string; lead_id: string; destination: string }[]> {
  const { rows } = await client.query<{ id: string; lead_id: string; destination: string }>(
    `update deliveries d set state = 'suppressed', end_reason = 'listed', due_at = null, lease_owner = null,
       finished_at = now(), last_message = null, is_unrouted = false,
       chosen_at = case when may_have_arrived then chosen_at end
     where lead_id = any($1::uuid[]) and state in ('waiting', 'retrying', 'held')
       and not ${isProofOfSale('d')} and not ${isRevocation('d')}
     returning id, lead_id, destination`,
    [leadIds],
  );
  return rows;
}

/** SQL: true if only the suppression list stopped delivery `d` of lead `l`. */
const RESUMABLE = `(l.erased_at is null and d.state = 'suppressed' and d.end_reason = 'listed'
  and not d.may_have_arrived)`;

/** Resumes deliveries of persons who are no longer suppressed. */
export async function resumeSuppressed(
  client: Queryable,
  leadIds: readonly string[],
): Promise<{ lead_id: string; destination: string }[]> {
  const { rows } = await client.query<{ lead_id: string; destination: string }>(
    `update deliveries d set state = case when l.state = 'accepted' then 'waiting' else 'held' end,
       due_at = case when l.state = 'accepted' then now() end, end_reason = null,
       first_due_at = null, finished_at = null, attempts_before_round = attempts, account = null,
       payload_version = null, revision = case when d.event is not null then d.revision end,
       ${chooseAgain('d')}
     from leads l
     where d.lead_id = any($1::uuid[]) and l.id = d.lead_id and ${RESUMABLE}
       and not ${isOnList('d.lead_id')}
     returning d.lead_id, d.destination`,
    [leadIds],
  );
  return rows;
}
