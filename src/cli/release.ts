import { type Command, Option } from 'commander';
import { holdClause } from '../contract/vocabulary.ts';
import { findLead } from '../server/operators/find-lead.ts';
import { OperatorError } from '../server/operators/operator-error.ts';
import {
  BULK_HOLDS,
  dismiss,
  readReleasable,
  release,
  releaseRefusal,
} from '../server/operators/release.ts';
import { connected, type OperatorDatabase } from './connect.ts';
import { confirm, deliveriesText, operatorName } from './operator.ts';
import { filterOf, type SelectionOptions, wholeNumber, withSelection } from './options.ts';
import { runAsPlan } from './plans.ts';

type Options = SelectionOptions & {
  hold?: (typeof BULK_HOLDS)[number];
  revision?: number;
  reason?: string;
  yes?: true;
};

/** Adds `leads release`: releases one lead, or all leads that are held for the same reason. */
export function addRelease(program: Command): void {
  const command = program
    .command('release')
    .description('Releases a held lead to its destinations, or many with --hold.')
    .argument('[id]', 'lead id, or its beginning')
    .addOption(
      new Option('--hold <reason>', 'release every lead held for this reason only').choices(
        BULK_HOLDS,
      ),
    )
    .option(
      '--revision <number>',
      'the revision that you reviewed; refused if there is a newer one',
      wholeNumber,
    )
    .option('--reason <text>', 'why, for other operators')
    .option('--yes', 'do not ask for confirmation');
  withSelection(command).action((id: string | undefined, options: Options) =>
    connected(
      async (database) => {
        const { hold, revision, yes, reason = `release --hold ${hold}`, ...selection } = options;
        if ((id === undefined) === (hold === undefined)) {
          throw new OperatorError('usage', 'Give either a lead id or --hold.');
        }
        if (id !== undefined) return releaseOne(database, id, options);
        if (revision !== undefined) throw new OperatorError('usage', '--revision needs a lead id.');
        const filter = { ...filterOf(selection), lead: 'held', hold: hold ?? '' };
        return runAsPlan(database, { action: 'release', reason, filter }, yes);
      },
      { isInPortions: true },
    ),
  );
}

async function releaseOne(
  { pool, audit }: OperatorDatabase,
  prefix: string,
  { revision: reviewed, reason, yes }: Options,
): Promise<void> {
  const { id } = await findLead(pool, prefix);
  const [held] = await readReleasable(pool, [id], { locks: false });
  const refusal = held && releaseRefusal(held);
  if (refusal !== undefined) throw refusal;
  const holds = holdClause(held?.reasons ?? []);
  if (held?.state === 'held') {
    await confirm(yes, {
      question: `Lead ${id} is held because ${holds}. Release it?`,
      why: 'What was sent cannot be called back',
      refusal: 'Nothing was released.',
    });
  }
  // Only what was asked about is released.
  const looked = reviewed ?? held?.revision;
  const { revision, reasons, deliveries } = await release(pool, id, operatorName(), looked, reason);
  await audit({ action: 'lead.released', subject: id, reason, detail: { revision, reasons } });
  console.log(`Released lead ${id} although ${holds}; ${deliveriesText(deliveries)} queued.`);
}

/** Adds `leads dismiss`: closes a held lead without sending it. */
export function addDismiss(program: Command): void {
  program
    .command('dismiss')
    .description('Closes a held lead without sending it.')
    .argument('<id>', 'lead id, or its beginning')
    .requiredOption('--reason <text>', 'why, for other operators')
    .action((id: string, { reason }: { reason: string }) =>
      connected(async ({ pool, audit }) => {
        const lead = await findLead(pool, id);
        const { reasons } = await dismiss(pool, lead.id, { actor: operatorName(), reason });
        await audit({ action: 'lead.dismissed', subject: lead.id, reason });
        console.log(`Dismissed lead ${lead.id}, held because ${holdClause(reasons)}.`);
      }),
    );
}
