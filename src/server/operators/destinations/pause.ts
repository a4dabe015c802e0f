/** Pauses and resumes a destination, for all processes (docs/specification.md#health-of-destinations). */
import { pauseByOperator, resumeByOperator } from '../../delivery/destination-health.ts';
import { destinations } from '../../destinations/index.ts';
import type { Queryable } from '../../storage/database.ts';
import { OperatorError, refused } from '../operator-error.ts';

/**
 * Pauses a destination. Sends in progress end; nothing else is sent to it until a person resumes it.
 *
 * @throws OperatorError when there is no such destination, or an operator has paused it already.
 */
export async function pauseDestination(
  client: Queryable,
  destination: string,
  by: { readonly operator: string; readonly reason: string },
): Promise<void> {
  requireDestination(destination);
  if (await pauseByOperator(client, destination, by)) return;
  throw refused(`Deliveries to ${destination} are paused already.`);
}

/**
 * Resumes a destination: its waiting deliveries are sent at once. If it was paused because it refuses our
 * account and still does, its next answer pauses it again.
 *
 * @throws OperatorError when there is no such destination, or it is not paused.
 */
export async function resumeDestination(client: Queryable, destination: string): Promise<void> {
  requireDestination(destination);
  if (await resumeByOperator(client, destination)) return;
  throw refused(`Deliveries to ${destination} are not paused.`);
}

function requireDestination(destination: string): void {
  const names = destinations.map(({ name }) => name);
  if (names.includes(destination)) return;
  throw new OperatorError(
    'not_found',
    `There is no destination "${destination.slice(0, 40)}". The destinations are ${names.join(', ')}.`,
  );
}
