import type { Command } from 'commander';
import type { UndoneRequests } from '../contract/console/people-requests.ts';
import { OperatorError } from '../server/operators/operator-error.ts';
import {
  type RequestSelection,
  subjectOf,
  suppress,
  undoRequests,
  undoSuppress,
} from '../server/privacy/index.ts';
import { connected, type OperatorDatabase } from './connect.ts';
import { confirm, counted, deliveriesText, operatorName, receiptText } from './operator.ts';
import { withSender } from './options.ts';

type Options = Pick<RequestSelection, 'since' | 'until' | 'address'> & {
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
  withSender(command)
    .option('--dry-run', 'only show what --undo would do to many requests')
    .option('--yes', 'do not ask for confirmation')
    .action((person: string | undefined, options: Options) => {
      const { undo, since, address } = options;
      const isMany = since !== undefined || address !== undefined;
      return connected((database) => {
        if ((person === undefined) !== isMany || (isMany && !undo)) {
          throw new OperatorError(
            'usage',
            'Give either a person, or --undo with --since or --address.',
          );
        }
        if (person === undefined) return undoMany(database, options);
        return undo ? takeOff(database, person) : putOn(database, person);
      });
    });
}

async function putOn(database: OperatorDatabase, person: string): Promise<void> {
  const people = await database.people();
  const { keys, leads, stopped, receipts } = await suppress(people, person, operatorName());
  await database.audit({ action: 'person.suppressed', subject: await subjectOf(people, person) });
  const is = keys === 0 ? 'was on the list already' : 'is now on the suppression list';
  console.log(`The person ${is}: ${counted(leads, 'lead')}, ${deliveriesText(stopped)} stopped.`);
  for (const line of receiptText(receipts, database.timeZone)) console.log(line);
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
async function undoMany(database: OperatorDatabase, options: Options): Promise<void> {
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
