import type { Command } from 'commander';
import { addAuditEntry } from '../server/operators/access/audit.ts';
import { type Erasure, erase, findErasure, subjectOf } from '../server/privacy/index.ts';
import { connected } from './connect.ts';
import { confirm, counted, operatorName, receiptText } from './operator.ts';

/** Adds `leads erase`: erases a person, after asking for confirmation. */
export function addErase(program: Command): void {
  program
    .command('erase')
    .description("Erases a person's data and keeps the proof of what was done.")
    .argument('<person>', 'e-mail address, phone number, or lead id')
    .option('--yes', 'do not ask for confirmation')
    .action((person: string, { yes }: { yes?: true }) =>
      connected(async (database) => {
        const people = await database.people();
        const found = await findErasure(people, person);
        if (found.leads.length + found.visits.length + found.requests === 0) {
          console.log('The person was erased already.');
          return;
        }
        await confirm(yes, {
          question: `Erase ${whatOf(found)}, for good?`,
          why: 'Erasing cannot be undone',
          refusal: 'Nothing was erased.',
        });
        const subject = await subjectOf(people, person);
        const actor = operatorName();
        const detail = { by: 'command line' };
        const erased = await erase(people, person, actor, undefined, (client) =>
          addAuditEntry(client, { actor, action: 'person.erased', subject, detail }),
        );
        console.log(`Erased: ${whatOf(erased)}.`);
        for (const lead of erased.leads) console.log(`  lead ${lead}`);
        for (const line of receiptText(erased.receipts, database.timeZone)) console.log(line);
        if (erased.others.length === 0) return;
        console.log('Not erased, though with the same e-mail address or phone number:');
        for (const lead of erased.others) console.log(`  lead ${lead}`);
      }),
    );
}

function whatOf({ leads, visits, requests }: Erasure): string {
  const asked = requests === 0 ? '' : `, ${counted(requests, 'do-not-sell request')}`;
  return `${counted(leads.length, 'lead')}, ${counted(visits.length, 'visit')} without a lead${asked}`;
}
