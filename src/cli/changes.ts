/** `leads resend`, `release`, `suppress` and `erase`: run the operation and print its result. */
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

/** Returns a count with its noun: `1 lead`, `3 leads`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Resends one lead, or all deliveries in a state. */
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
    throw new OperatorError('usage', 'Give either a lead id or --state.');
  }
  if (state !== undefined) {
    const chosen = { state, selection, destination, message };
    // The destination rejected these leads, so an operator must confirm the plan first.
    if (state === 'rejected' && !(await isPlanTaken(connection, chosen, yes))) return;
    const { resent, passedOver } = await resendAll(connection, chosen, actor);
    const were = resent === 1 ? 'was' : 'were';
    const sent = `${counted(resent, 'delivery', 'deliveries')} ${were} ${state}, now sent ${when}.`;
    console.log(resent === 0 ? 'There is nothing to resend.' : sent);
    if (passedOver > 0) {
      console.error(
        `${passedOver} skipped: held, erased, suppressed, or already at the destination.`,
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

/** Shows what would be resent, and returns whether the operator confirmed it. */
async function isPlanTaken(
  { db }: Connection,
  chosen: ResendSelection,
  isConfirmed: boolean,
): Promise<boolean> {
  const plan = await planResend(db, chosen);
  const total = plan.reduce((sum, { deliveries }) => sum + deliveries, 0);
  console.log(`${counted(total, 'delivery is', 'deliveries are')} ${chosen.state}:`);
  for (const each of plan.slice(0, PLAN_LINES)) console.log(planLine(each));
  if (plan.length > PLAN_LINES) console.log(`  and ${plan.length - PLAN_LINES} more answers`);
  if (isConfirmed || total === 0) return true;
  console.log('Nothing was resent. Narrow the selection with --message, then confirm with --yes.');
  return false;
}

function planLine({ destination, message, deliveries }: ResendPlan): string {
  // The message comes from the destination and may contain control characters.
  const said = (message ?? 'no answer kept').replace(/\p{Cc}/gu, ' ').slice(0, 120);
  return `  ${deliveries} of ${destination}: ${said}`;
}

/** Releases one lead, or all leads that are held for the same reason. */
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
    throw new OperatorError('usage', 'Give either a lead id or --hold.');
  }
  if (hold !== undefined && looked !== undefined) {
    throw new OperatorError('usage', '--revision needs a lead id.');
  }
  if (hold !== undefined) {
    const actor = operatorName();
    const { released, deliveries, passedOver } = await releaseAll(connection, hold, {
      selection,
      actor,
    });
    console.log(`Released ${counted(released, 'lead')}; ${queued(deliveries)}.`);
    if (passedOver > 0) {
      console.error(`${passedOver} skipped: held for further reasons, or suppressed.`);
    }
    return;
  }
  const lead = await findLead(pool, id ?? '');
  const done = await release(pool, lead.id, operatorName(), looked);
  console.log(
    `Released lead ${lead.id} (revision ${done.revision}, held for ` +
      `${done.reasons.join(', ')}); ${queued(done.deliveries)}.`,
  );
}

function queued(deliveries: number): string {
  return `${counted(deliveries, 'delivery', 'deliveries')} queued`;
}

/** Puts a person on the suppression list, or takes them off. */
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
        : 'The person is off the list. Stopped deliveries stay stopped until you resend them.',
    );
    return;
  }
  const { keys, leads, stopped, receipts } = await suppress(people, person, operatorName());
  console.log(
    `${keys === 0 ? 'The person was on the list already' : 'The person is now on the suppression list'}: ` +
      `${counted(leads, 'lead')}, ${counted(stopped, 'delivery', 'deliveries')} stopped.`,
  );
  tellReceipts(receipts, connection.timeZone);
}

/** Erases a person, after asking for confirmation. */
export async function eraseCommand(
  connection: Connection,
  person: string,
  options: { yes?: true },
): Promise<void> {
  const people = await peopleOf(connection);
  const found = await findErasure(people, person);
  if (found.leads.length + found.visits.length + found.requests === 0) {
    console.log('The person was erased already.');
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
 * Asks for confirmation on the terminal.
 * @param reason why confirmation is needed
 */
export async function isConfirmed(question: string, reason: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new OperatorError('usage', `${reason}: confirm with --yes, as there is no terminal.`);
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

/** Returns lines that name who must be informed, and who received only data that identifies nobody. */
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
  // A party that received both kinds is listed once, as one to inform.
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

/** Returns the name under which an operator's changes are recorded. */
export function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'an operator'; // Containers often run as a user id without a name.
  }
}
