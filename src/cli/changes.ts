/** `leads resend`, `release`, `suppress` and `erase`: what they do, said in the terminal. */
import { userInfo } from 'node:os';
import process from 'node:process';
import { createInterface } from 'node:readline/promises';
import { type Erasure, erase, findErasure } from '../server/operators/erase.ts';
import { OperatorError } from '../server/operators/operator-error.ts';
import type { Receipt } from '../server/operators/person.ts';
import { type BULK_HOLDS, release, releaseAll } from '../server/operators/release.ts';
import { type BULK_STATES, resend, resendAll } from '../server/operators/resend.ts';
import { findLead, type LeadSelection } from '../server/operators/selection.ts';
import { suppress, undoSuppress } from '../server/operators/suppress.ts';
import type { Connection } from './connect.ts';
import { plain } from './terminal.ts';

/** `3 leads` */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Sends one lead again, or all deliveries of a state. */
export async function resendCommand(
  connection: Connection,
  id: string | undefined,
  options: {
    destination?: string;
    force?: true;
    state?: (typeof BULK_STATES)[number];
    selection: LeadSelection;
  },
): Promise<void> {
  const { destination, force = false, state, selection } = options;
  const actor = operatorName();
  const when =
    connection.serverIsRunning === false ? 'when the server runs' : 'by the running server';
  if ((id === undefined) === (state === undefined)) {
    throw new OperatorError('usage', 'Say which lead, or --state, and not both.');
  }
  if (state !== undefined) {
    const { resent, passedOver } = await resendAll(connection, state, {
      selection,
      destination,
      actor,
    });
    const were = resent === 1 ? 'was' : 'were';
    console.log(`${counted(resent, 'delivery', 'deliveries')} ${were} ${state}, now sent ${when}.`);
    if (passedOver > 0) {
      console.error(
        `${passedOver} passed over: held, erased, asked not to be contacted, or taken before.`,
      );
    }
    return;
  }
  const lead = await findLead(connection.pool, id ?? '');
  const result = await resend(connection.pool, lead.id, { destination, force, actor });
  if (result.warning !== undefined) console.error(result.warning);
  console.log(
    `Lead ${lead.id} was ${result.from} and is sent to ${result.destination} again, ${when}.`,
  );
}

/** Takes back the hold of one lead, or of all that are held for the same reason. */
export async function releaseCommand(
  connection: Connection,
  id: string | undefined,
  options: { hold?: (typeof BULK_HOLDS)[number]; selection: LeadSelection },
): Promise<void> {
  const { hold, selection } = options;
  const { pool } = connection;
  if ((id === undefined) === (hold === undefined)) {
    throw new OperatorError('usage', 'Say which lead, or --hold, and not both.');
  }
  if (hold !== undefined) {
    const actor = operatorName();
    const { released, deliveries, passedOver } = await releaseAll(connection, hold, {
      selection,
      actor,
    });
    const are = released === 1 ? 'is' : 'are';
    console.log(`${counted(released, 'lead')} ${are} not held any more; ${goNow(deliveries)}.`);
    if (passedOver > 0) {
      console.error(`${passedOver} passed over: held for more, or asked not to be contacted.`);
    }
    return;
  }
  const lead = await findLead(pool, id ?? '');
  const deliveries = await release(pool, lead.id, operatorName());
  console.log(`Lead ${lead.id} is not held any more; ${goNow(deliveries)}.`);
}

function goNow(deliveries: number): string {
  return `${counted(deliveries, 'delivery', 'deliveries')} ${deliveries === 1 ? 'goes' : 'go'} now`;
}

/** Puts a person on the list of those of whom nothing is sent, or takes one off. */
export async function suppressCommand(
  { pool }: Connection,
  person: string,
  options: { undo?: true },
): Promise<void> {
  if (options.undo) {
    const keys = await undoSuppress(pool, person, operatorName());
    console.log(
      keys === 0
        ? 'The person was not on the list.'
        : 'The person is off the list. Stopped deliveries stay so until they are sent again.',
    );
    return;
  }
  const { keys, leads, stopped, receipts } = await suppress(pool, person, operatorName());
  console.log(
    `${keys === 0 ? 'The person was on the list already' : 'Nothing is sent of this person any more'}: ` +
      `${counted(leads, 'lead')}, ${counted(stopped, 'delivery', 'deliveries')} stopped.`,
  );
  tellReceipts(receipts);
}

/** Erases a person, after a question on the terminal. */
export async function eraseCommand(
  { pool }: Connection,
  person: string,
  options: { yes?: true },
): Promise<void> {
  const found = await findErasure(pool, person);
  if (found.leads.length + found.visits.length + found.requests === 0) {
    console.log('It was erased already.');
    return;
  }
  if (!options.yes && !(await isConfirmed(found))) {
    throw new OperatorError('refused', 'Nothing was erased.');
  }
  const erased = await erase(pool, person, operatorName());
  console.log(`Erased: ${whatOf(erased)}.`);
  for (const lead of erased.leads) console.log(`  lead ${lead}`);
  tellReceipts(erased.receipts);
  if (erased.others.length === 0) return;
  console.log('Not erased, though with the same e-mail address or phone number:');
  for (const lead of erased.others) console.log(`  lead ${lead}`);
}

function whatOf({ leads, visits, requests }: Erasure): string {
  const asked = requests === 0 ? '' : `, ${counted(requests, 'do-not-sell request')}`;
  return `${counted(leads.length, 'lead')}, ${counted(visits.length, 'visit')} without a lead${asked}`;
}

async function isConfirmed(found: Erasure): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new OperatorError(
      'usage',
      'Erasing cannot be undone: say --yes where nobody can be asked.',
    );
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`Erase ${whatOf(found)}, for good? Type "yes": `);
    return answer.trim().toLowerCase() === 'yes';
  } finally {
    terminal.close();
  }
}

function tellReceipts(receipts: readonly Receipt[]): void {
  if (receipts.length === 0) return;
  console.log('Buyers who have to be told:');
  for (const { destination, state, at, lead_id, external_id } of receipts) {
    const what =
      state === 'delivered' ? 'got' : state === 'sending' ? 'is being sent' : 'may have got';
    const id = external_id === null ? '' : ` as ${plain(external_id)}`;
    console.log(`  ${destination} ${what} lead ${lead_id} on ${at.toISOString()}${id}`);
  }
}

function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'an operator'; // A user id without a name, as containers have them.
  }
}
