/** `leads resend`: starts a new round of attempts for one delivery. */
import { userInfo } from 'node:os';
import type pg from 'pg';
import { RESEND_NOTE } from '../server/delivery/ledger.ts';
import { inTransaction } from '../server/storage/database.ts';
import type { Queue } from '../server/storage/queue.ts';
import type { DeliveryRow } from '../server/storage/schema.ts';
import { CliError } from './cli-error.ts';

type Resendable = DeliveryRow & { lease_is_live: boolean; lead_is_held: boolean };

export type ResendResult = {
  destination: string;
  /** What it was before. */
  from: DeliveryRow['state'];
  /** A sentence about what may come of it, where something may. */
  warning?: string;
};

/**
 * Resets a delivery to waiting, writes down who asked for it and when (a row among the attempts), and
 * makes its job, in one transaction.
 *
 * @param options.destination needed only where the lead has several.
 * @param options.force also where the destination took the lead, may have taken it, or the lead is held.
 * @throws CliError with the reason when it may not be sent again.
 */
export async function resendLead(
  pool: pg.Pool,
  queue: Pick<Queue, 'sendInTransaction'>,
  leadId: string,
  options: { destination?: string; force: boolean; operator?: string },
): Promise<ResendResult> {
  const { destination, force, operator = operatorName() } = options;
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<Resendable>(
      `select deliveries.*, coalesce(lease_until > now(), false) as lease_is_live,
         leads.state = 'held' as lead_is_held
       from deliveries join leads on leads.id = lead_id
       where lead_id = $1 order by destination for update`,
      [leadId],
    );
    const delivery = choose(rows, destination);
    const warning = permit(delivery, force);
    await client.query(
      `update deliveries
       set state = 'waiting', attempts = attempts + 1, next_attempt_at = null, lease_owner = null,
         lease_until = null, finished_at = null, last_message = $2
       where id = $1`,
      [delivery.id, `Sent again by ${operator}`],
    );
    await client.query(
      `insert into delivery_attempts
         (delivery_id, attempt, started_at, ended_at, outcome, error, duration_ms)
       values ($1, $2, now(), now(), $3, $4, 0)`,
      [
        delivery.id,
        delivery.attempts + 1,
        RESEND_NOTE,
        `Sent again by ${operator}${force ? ', forced' : ''}; it was ${delivery.state}`,
      ],
    );
    // Released: with nothing held back any more, nobody has to look at it again.
    await client.query(
      `update leads set state = 'accepted' where id = $1 and state = 'held'
         and not exists (select 1 from deliveries where lead_id = $1 and state = 'held')`,
      [leadId],
    );
    await queue.sendInTransaction(client, delivery.id);
    return {
      destination: delivery.destination,
      from: delivery.state,
      ...(warning === undefined ? {} : { warning }),
    };
  });
}

function choose<Row extends DeliveryRow>(
  rows: readonly Row[],
  destination: string | undefined,
): Row {
  const names = rows.map((row) => row.destination).join(', ');
  if (rows.length === 0)
    throw new CliError('The lead has no destination: there is nothing to send.');
  const found =
    destination === undefined && rows.length === 1
      ? rows[0]
      : rows.find((row) => row.destination === destination);
  if (found !== undefined) return found;
  throw new CliError(
    destination === undefined
      ? `The lead has several destinations (${names}): say which with --destination.`
      : `The lead has no destination "${destination}"; it has: ${names}.`,
  );
}

/** @returns what may come of it; @throws CliError when it may not be. */
function permit(delivery: Resendable, force: boolean): string | undefined {
  const { state, destination, finished_at, external_id } = delivery;
  const when = finished_at === null ? '' : ` on ${finished_at.toISOString()}`;
  const id = external_id === null ? '' : ` as ${external_id}`;
  const forced = (reason: string, consequence: string): string => {
    if (force) return `${reason} ${consequence}`;
    throw new CliError(`${reason} ${consequence} Use --force to send it all the same.`);
  };
  if (delivery.lead_is_held) {
    return forced('The lead is held for review.', 'Sending it releases it to the destination.');
  }
  switch (state) {
    case 'sending':
      if (delivery.lease_is_live)
        throw new CliError('It is being sent right now: look again in a minute.');
      return undefined;
    case 'delivered':
      return forced(
        `${destination} took this lead${when}${id}.`,
        'A second send can make it a duplicate there, or be paid for twice.',
      );
    case 'uncertain':
      return forced(
        `${destination} may have taken this lead${when}, and would not recognise it.`,
        'A second send can make it two there.',
      );
    case 'no_destination':
      return `The lead came when ${destination} was not configured: if it still is not, the lead waits until it is.`;
    case 'held':
      return forced('The lead is held for review.', 'Sending it releases it to the destination.');
    default:
      return undefined;
  }
}

function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'an operator'; // A user id without a name, as containers have them.
  }
}
