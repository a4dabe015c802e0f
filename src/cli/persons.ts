/** The commands about persons: the suppression list, and erasure. */
import { createReadStream } from 'node:fs';
import type { Command } from 'commander';
import type { UndoneRequests } from '../model/messages/console/people-requests.ts';
import { counted } from '../server/insight/index.ts';
import { addAuditEntry } from '../server/people/index.ts';
import { OperatorError } from '../server/platform/operator-error.ts';
import {
  type Erasure,
  erase,
  findErasure,
  importSuppressions,
  type RequestSelection,
  subjectOf,
  suppress,
  undoRequests,
  undoSuppress,
} from '../server/privacy/index.ts';
import { connected, type OperatorDatabase } from './connect.ts';
import { withPeriod } from './options.ts';
import { confirm, deliveriesText, operatorName, printReceipts, showProgress } from './terminal.ts';

type SuppressOptions = Pick<RequestSelection, 'since' | 'until' | 'address'> & {
  undo?: true;
  dryRun?: true;
  yes?: true;
};

/** Adds `leads suppress`: puts a person on the suppression list or takes them off, or undoes many requests. */
export function addSuppress(program: Command): void {
  const command = program
    .command('suppress')
    .description('Puts a person on the suppression list: none of their leads is sent any more.')
    .argument('[person]', 'e-mail address, phone number, or lead id')
    .option(
      '--undo',
      'take the person off the list; or undo many requests, with --since or --address',
    );
  withPeriod(command)
    .option('--address <address>', 'requests from this IP address, or IPv6 /48 network')
    .option('--dry-run', 'only show what --undo would do to many requests')
    .option('--yes', 'do not ask for confirmation')
    .action((person: string | undefined, options: SuppressOptions) =>
      connected((database) => {
        const { undo, since, address } = options;
        const isMany = since !== undefined || address !== undefined;
        if ((person === undefined) !== isMany || (isMany && !undo)) {
          throw new OperatorError(
            'usage',
            'Give either a person, or --undo with --since or --address.',
          );
        }
        if (person === undefined) return undoMany(database, options);
        return undo ? takeOff(database, person) : putOn(database, person);
      }),
    );
}

async function putOn(database: OperatorDatabase, person: string): Promise<void> {
  const people = await database.people();
  const { keys, leads, stopped, receipts } = await suppress(people, person, operatorName());
  await database.audit({ action: 'person.suppressed', subject: await subjectOf(people, person) });
  const is = keys === 0 ? 'was on the list already' : 'is now on the suppression list';
  console.log(`The person ${is}: ${counted(leads, 'lead')}, ${deliveriesText(stopped)} stopped.`);
  printReceipts(receipts, database.timeZone);
}

async function takeOff(database: OperatorDatabase, person: string): Promise<void> {
  const people = await database.people();
  const { keys, deliveries } = await undoSuppress(people, person, operatorName());
  const subject = await subjectOf(people, person);
  await database.audit({ action: 'person.unsuppressed', subject, detail: { keys, deliveries } });
  console.log(
    keys === 0
      ? 'The person was not on the list.'
      : `The person is off the list. ${deliveriesText(deliveries)} that it had stopped resumed.`,
  );
}

/** Undoes the requests of a period or an address, after showing the effect. */
async function undoMany(database: OperatorDatabase, options: SuppressOptions): Promise<void> {
  const { since, until, address, dryRun, yes } = options;
  const undo = (isDryRun: boolean) => {
    const how = { actor: operatorName(), isDryRun };
    return undoRequests(database.pool, { since, until, address }, how);
  };
  const plan = await undo(true);
  if (dryRun) {
    console.log(`Would be undone: ${undoneText(plan)}.`);
    return;
  }
  await confirm(yes, {
    question: `Undo ${undoneText(plan)}?`,
    why: 'Resumed deliveries cannot be called back',
    refusal: 'Nothing was changed.',
  });
  const undone = await undo(false);
  await database.audit({ action: 'opt_out.undone', subject: 'requests', detail: { ...undone } });
  console.log(`Undone: ${undoneText(undone)}.`);
}

function undoneText({ requests, keys, kept, deliveries }: UndoneRequests): string {
  return (
    `${counted(requests, 'do-not-sell request')}, ${counted(keys, 'list entry', 'list entries')} ` +
    `(${kept} stay for other reasons), ${counted(deliveries, 'resumed delivery', 'resumed deliveries')}`
  );
}

/** The first refused lines that are named. */
const NAMED_LINES = 20;

/** Adds `leads import`: puts the persons of a CSV on the suppression list. */
export function addImport(program: Command): void {
  program
    .command('import')
    .description('Puts the persons of a CSV on the suppression list: addresses, numbers, keys.')
    .argument('<file>', 'one person a line')
    .action((file: string) =>
      connected((database) => importFile(database, file), { isInPortions: true }),
    );
}

async function importFile({ people, signal }: OperatorDatabase, file: string): Promise<void> {
  const source = createReadStream(file);
  const opened = new Promise((resolve, reject) =>
    source.once('open', resolve).once('error', reject),
  );
  await opened.catch(({ code }: NodeJS.ErrnoException) => {
    throw new OperatorError('refused', `${file} cannot be read (${code}).`);
  });
  const progress = showProgress('persons');
  const work = { signal, onPortion: progress.add };
  const done = await importSuppressions(await people(), source, operatorName(), work);
  progress.end();
  const { added, known, refused } = done;
  console.log(`${counted(added, 'person', 'persons')} added, ${known} on the list already.`);
  for (const { line, reason } of refused.slice(0, NAMED_LINES)) {
    console.error(`line ${line}: ${reason}`);
  }
  const others = refused.length - NAMED_LINES;
  if (others > 0) console.error(`and ${counted(others, 'more refused line')}`);
  signal.throwIfAborted();
}

/** Adds `leads erase`: erases a person, after asking for confirmation. */
export function addErase(program: Command): void {
  program
    .command('erase')
    .description("Erases a person's data and keeps the proof of what was done.")
    .argument('<person>', 'e-mail address, phone number, or lead id')
    .option('--yes', 'do not ask for confirmation')
    .action((person: string, { yes }: { yes?: true }) =>
      connected((database) => erasePerson(database, person, yes)),
    );
}

async function erasePerson(
  database: OperatorDatabase,
  person: string,
  yes: true | undefined,
): Promise<void> {
  const people = await database.people();
  const found = await findErasure(people, person);
  if (found.leads.length + found.visits.length + found.requests === 0) {
    console.log('The person was erased already.');
    return;
  }
  await confirm(yes, {
    question: `Erase ${erasedText(found)}, for good?`,
    why: 'Erasing cannot be undone',
    refusal: 'Nothing was erased.',
  });
  const subject = await subjectOf(people, person);
  const actor = operatorName();
  const detail = { by: 'command line' };
  const erased = await erase(people, person, actor, undefined, (client) =>
    addAuditEntry(client, { actor, action: 'person.erased', subject, detail }),
  );
  console.log(`Erased: ${erasedText(erased)}.`);
  for (const lead of erased.leads) console.log(`  lead ${lead}`);
  printReceipts(erased.receipts, database.timeZone);
  if (erased.others.length === 0) return;
  console.log('Not erased, though with the same e-mail address or phone number:');
  for (const lead of erased.others) console.log(`  lead ${lead}`);
}

function erasedText({ leads, visits, requests }: Erasure): string {
  const asked = requests === 0 ? '' : `, ${counted(requests, 'do-not-sell request')}`;
  return `${counted(leads.length, 'lead')}, ${counted(visits.length, 'visit')} without a lead${asked}`;
}
