/** The commands about persons: `leads suppress` and `leads erase`. */
import { type Command, Option } from 'commander';
import { REVOCATION_SOURCES, type RevocationSource } from '../model/messages/vocabulary.ts';
import { counted } from '../server/insight/index.ts';
import { addAuditEntry } from '../server/people/index.ts';
import {
  type Erasure,
  erase,
  findErasure,
  subjectOf,
  suppress,
  undoSuppress,
} from '../server/privacy/index.ts';
import { connected, type OperatorDatabase } from './connect.ts';
import { confirm, deliveriesText, operatorName, printReceipts } from './terminal.ts';

/** Adds `leads suppress`: adds a person to the suppression list, or removes the person. */
export function addSuppress(program: Command): void {
  program
    .command('suppress')
    .description('Puts a person on the suppression list: none of their leads is sent any more.')
    .argument('<person>', 'e-mail address, phone number, or lead id')
    .option('--undo', 'take the person off the list')
    .addOption(
      new Option('--source <source>', 'how the person said it')
        .choices(Object.keys(REVOCATION_SOURCES))
        .default('operator'),
    )
    .action((person: string, { undo, source }: { source: RevocationSource; undo?: true }) =>
      connected((database) => (undo ? takeOff(database, person) : putOn(database, person, source))),
    );
}

async function putOn(database: OperatorDatabase, person: string, source: RevocationSource) {
  const people = await database.people();
  const by = { actor: operatorName(), source };
  const { keys, leads, stopped, receipts } = await suppress(people, person, by);
  await database.audit({ action: 'person.suppressed', subject: await subjectOf(people, person) });
  const is = keys === 0 ? 'was on the list already' : 'is now on the suppression list';
  console.log(`The person ${is}: ${counted(leads, 'lead')}, ${deliveriesText(stopped)} stopped.`);
  printReceipts(receipts, database.settings.operatorsTimeZone);
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
  await confirm(yes, `Erase ${erasedText(found)}, for good?`);
  const subject = await subjectOf(people, person);
  const actor = operatorName();
  const detail = { by: 'command line' };
  const erased = await erase(people, person, actor, undefined, (client) =>
    addAuditEntry(client, { actor, action: 'person.erased', subject, detail }),
  );
  console.log(`Erased: ${erasedText(erased)}.`);
  for (const lead of erased.leads) console.log(`  lead ${lead}`);
  printReceipts(erased.receipts, database.settings.operatorsTimeZone);
  if (erased.others.length === 0) return;
  console.log('Not erased, though with the same e-mail address or phone number:');
  for (const lead of erased.others) console.log(`  lead ${lead}`);
}

function erasedText({ leads, visits, requests }: Erasure): string {
  const asked = requests === 0 ? '' : `, ${counted(requests, 'do-not-sell request')}`;
  return `${counted(leads.length, 'lead')}, ${counted(visits.length, 'visit')} without a lead${asked}`;
}
