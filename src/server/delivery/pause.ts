/** Pauses and resumes a destination, for all processes (docs/specification.md#health-of-destinations). */

import type { Queryable } from '../platform/database/database.ts';
import { notFound, refused } from '../platform/operator-error.ts';
import { pauseDeliveries, resumeDeliveries } from './destination-health.ts';
import type { DestinationDefinition } from './destinations/destination.ts';
import { destinations } from './destinations/index.ts';

/**
 * Pauses a destination. Sends in progress end; nothing else is sent to it until a person resumes it.
 *
 * @throws OperatorError when there is no such destination, or an operator has paused it already.
 */
export async function pauseDestination(
  client: Queryable,
  destination: string,
  { operator, reason }: { readonly operator: string; readonly reason: string },
): Promise<void> {
  requireDestination(destination);
  if (await pauseDeliveries(client, destination, reason, operator)) return;
  throw refused(`Deliveries to ${destination} are paused already.`);
}

/**
 * Resumes a destination: its waiting deliveries are sent at once. If it was paused because it refuses our
 * account and still does, its next answer pauses it again.
 *
 * @returns which certificates expired meanwhile, in a sentence; empty if none has
 * @throws OperatorError when there is no such destination, or it is not paused.
 */
export async function resumeDestination(client: Queryable, destination: string): Promise<string> {
  const definition = requireDestination(destination);
  const lost = await readLost(client, definition);
  const seconds = await resumeDeliveries(client, destination, 'operator');
  if (seconds !== undefined) return lost;
  throw refused(`Deliveries to ${destination} are not paused.`);
}

/** Names at most so many leads. */
const MOST_NAMED = 20;

/** Returns which waiting certificates have expired, in a sentence; empty if none has. */
export async function readLost(
  client: Queryable,
  { name, proofExpiresHours }: DestinationDefinition,
): Promise<string> {
  if (proofExpiresHours === undefined) return '';
  const { rows } = await client.query<{ id: string }>(
    `select lead_id as id from deliveries where destination = $1 and state in ('waiting', 'retrying')
       and created_at < now() - $2::int * interval '1 hour' order by created_at`,
    [name, proofExpiresHours],
  );
  if (rows.length === 0) return '';
  const named = rows.slice(0, MOST_NAMED).map(({ id }) => id);
  const others = rows.length > MOST_NAMED ? ` and ${rows.length - MOST_NAMED} more` : '';
  const are =
    rows.length === 1 ? 'certificate has expired and is' : 'certificates have expired and are';
  return `${rows.length} ${are} lost: of lead ${named.join(', ')}${others}.`;
}

function requireDestination(destination: string): DestinationDefinition {
  const found = destinations.find(({ name }) => name === destination);
  if (found !== undefined) return found;
  const names = destinations.map(({ name }) => name);
  throw notFound(
    `There is no destination "${destination.slice(0, 40)}". The destinations are ${names.join(', ')}.`,
  );
}
