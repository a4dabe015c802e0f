/** `leads resend`, `release`, `suppress` and `erase`: what they do, said in the terminal. */
import { userInfo } from 'node:os';
import process from 'node:process';
import { createInterface } from 'node:readline/promises';
import { type Erasure, erase, findErasure } from '../server/operators/erase.ts';
import { OperatorError } from '../server/operators/operator-error.ts';
import type { People } from '../server/operators/person.ts';
import type { Receipt } from '../server/operators/receipts.ts';
import { type BULK_HOLDS, release, releaseAll } from '../server/operators/release.ts';
import {
  planResend,
  type ResendPlan,
  type ResendSelection,
  resend,
  resendAll,
} from '../server/operators/resend.ts';
import { findLead, type LeadSelection } from '../server/operators/selection.ts';
import { suppress, undoSuppress } from '../server/operators/suppress.ts';
import type { Connection } from './connect.ts';
import { plain } from './terminal.ts';
import { clockIn } from './times.ts';

/** `3 leads` */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Sends one lead again, or all deliveries of a state. */
export async function resendCommand(
  connection: Connection,
  id: string | undefined,
  options: {
    destination?: string | undefined;
    force?: true | undefined;
    state?: ResendSelection['state'] | undefined;
    message?: string | undefined;
    yes?: true | undefined;
    selection: LeadSelection;
  },
): Promise<void> {
  const { destination, force = false, state, message, yes = false, selection } = options;
  const actor = operatorName();
  const when =
    connection.serverIsRunning === false ? 'when the server runs' : 'by the running server';
  if ((id === undefined) === (state === undefined)) {
    throw new OperatorError('usage', 'Say which lead, or --state, and not both.');
  }
  if (state !== undefined) {
    const chosen = { state, selection, destination, message };
    // A destination has judged these: somebody looks at what goes before it goes.
    if (state === 'rejected' && !(await isPlanTaken(connection, chosen, yes))) return;
    const { resent, passedOver } = await resendAll(connection, chosen, actor);
    const were = resent === 1 ? 'was' : 'were';
    const sent = `${counted(resent, 'delivery', 'deliveries')} ${were} ${state}, now sent ${when}.`;
    console.log(resent === 0 ? 'Nothing is sent again.' : sent);
    if (passedOver > 0) {
      console.error(
        `${passedOver} passed over: held, erased, asked not to be contacted, or had by the destination.`,
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

const PLAN_LINES = 20;

/** Shows what would be sent again, and returns whether it is to be. */
async function isPlanTaken(
  { db }: Connection,
  chosen: ResendSelection,
  isConfirmed: boolean,
): Promise<boolean> {
  const plan = await planResend(db, chosen);
  const total = plan.reduce((sum, { deliveries }) => sum + deliveries, 0);
  console.log(`${counted(total, 'delivery is', 'deliveries are')} ${chosen.state}:`);
  for (const each of plan.slice(0, PLAN_LINES)) console.log(planLine(each));
  if (plan.length > PLAN_LINES) console.log(`  and ${plan.length - PLAN_LINES} answers more`);
  if (isConfirmed || total === 0) return true;
  console.log('Nothing was sent again. Narrow it down with --message, then say --yes.');
  return false;
}

function planLine({ destination, message, deliveries }: ResendPlan): string {
  // An answer of the other side: no control characters into the terminal.
  const said = (message ?? 'no answer kept').replace(/\p{Cc}/gu, ' ').slice(0, 120);
  return `  ${deliveries} of ${destination}: ${said}`;
}

/** Takes back the hold of one lead, or of all that are held for the same reason. */
export async function releaseCommand(
  connection: Connection,
  id: string | undefined,
  options: {
    hold?: (typeof BULK_HOLDS)[number];
    revision?: number;
    selection: LeadSelection;
  },
): Promise<void> {
  const { hold, revision: looked, selection } = options;
  const { pool } = connection;
  if ((id === undefined) === (hold === undefined)) {
    throw new OperatorError('usage', 'Say which lead, or --hold, and not both.');
  }
  if (hold !== undefined && looked !== undefined) {
    throw new OperatorError('usage', '--revision is of one lead.');
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
  const done = await release(pool, lead.id, operatorName(), looked);
  console.log(
    `Lead ${lead.id} is not held any more (revision ${done.revision}, held for ` +
      `${done.reasons.join(', ')}); ${goNow(done.deliveries)}.`,
  );
}

function goNow(deliveries: number): string {
  return `${counted(deliveries, 'delivery', 'deliveries')} ${deliveries === 1 ? 'goes' : 'go'} now`;
}

/** Puts a person on the list of those of whom nothing is sent, or takes one off. */
export async function suppressCommand(
  connection: Connection,
  person: string,
  options: { undo?: true | undefined },
): Promise<void> {
  const people = await peopleOf(connection);
  if (options.undo) {
    const keys = await undoSuppress(people, person, operatorName());
    console.log(
      keys === 0
        ? 'The person was not on the list.'
        : 'The person is off the list. Stopped deliveries stay so until they are sent again.',
    );
    return;
  }
  const { keys, leads, stopped, receipts } = await suppress(people, person, operatorName());
  console.log(
    `${keys === 0 ? 'The person was on the list already' : 'Nothing is sent of this person any more'}: ` +
      `${counted(leads, 'lead')}, ${counted(stopped, 'delivery', 'deliveries')} stopped.`,
  );
  tellReceipts(receipts, connection.timeZone);
}

/** Erases a person, after a question on the terminal. */
export async function eraseCommand(
  connection: Connection,
  person: string,
  options: { yes?: true },
): Promise<void> {
  const people = await peopleOf(connection);
  const found = await findErasure(people, person);
  if (found.leads.length + found.visits.length + found.requests === 0) {
    console.log('It was erased already.');
    return;
  }
  const question = `Erase ${whatOf(found)}, for good?`;
  if (!options.yes && !(await isConfirmed(question, 'Erasing cannot be undone'))) {
    throw new OperatorError('refused', 'Nothing was erased.');
  }
  const erased = await erase(people, person, operatorName());
  console.log(`Erased: ${whatOf(erased)}.`);
  for (const lead of erased.leads) console.log(`  lead ${lead}`);
  tellReceipts(erased.receipts, connection.timeZone);
  if (erased.others.length === 0) return;
  console.log('Not erased, though with the same e-mail address or phone number:');
  for (const lead of erased.others) console.log(`  lead ${lead}`);
}

function whatOf({ leads, visits, requests }: Erasure): string {
  const asked = requests === 0 ? '' : `, ${counted(requests, 'do-not-sell request')}`;
  return `${counted(leads.length, 'lead')}, ${counted(visits.length, 'visit')} without a lead${asked}`;
}

async function peopleOf({ pool, openPersonKeys }: Connection): Promise<People> {
  return { pool, personKey: await openPersonKeys() };
}

/**
 * Asks on the terminal.
 * @param reason why it has to be confirmed
 */
export async function isConfirmed(question: string, reason: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new OperatorError('usage', `${reason}: say --yes where nobody can be asked.`);
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${question} Type "yes": `);
    return answer.trim().toLowerCase() === 'yes';
  } finally {
    terminal.close();
  }
}

function tellReceipts(receipts: readonly Receipt[], timeZone: string): void {
  for (const line of receiptLines(receipts, timeZone)) console.log(line);
}

/** Returns who has to be told of a person's wish, and who received something that names nobody. */
export function receiptLines(receipts: readonly Receipt[], timeZone: string): string[] {
  const clock = clockIn(timeZone);
  const told = receipts.filter(({ is_personal }) => is_personal);
  const line = ({ destination, state, at, lead_id, external_id }: Receipt) => {
    const what =
      state === 'delivered' ? 'got' : state === 'sending' ? 'is being sent' : 'may have got';
    const id = external_id === null ? '' : ` as ${plain(external_id)}`;
    const name = destination === 'save_data' ? 'the progress mirror (SAVE_DATA_URL)' : destination;
    const { date, time, zone } = clock(at);
    return `  ${name} ${what} lead ${lead_id} on ${date} ${time} ${zone}${id}`;
  };
  // One that has to be told may have got events without a person as well.
  const names = new Set(told.map(({ destination }) => destination));
  const others = receipts.map(({ destination }) => destination).filter((name) => !names.has(name));
  return [
    ...(told.length === 0 ? [] : ['These received personal data, and have to be told:']),
    ...told.map(line),
    ...(others.length === 0
      ? []
      : [
          `These received no personal data, only ids or a zip code: ${[...new Set(others)].join(', ')}.`,
        ]),
  ];
}

/** Returns the name under which changes are written down. */
export function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'an operator'; // A user id without a name, as containers have them.
  }
}
