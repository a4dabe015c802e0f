import { type Command, Option } from 'commander';
import { OperatorError } from '../server/operators/operator-error.ts';
import {
  BULK_HOLDS,
  dismiss,
  readReleasable,
  release,
  releaseAll,
  releaseRefusal,
} from '../server/operators/release.ts';
import { findLead, type LeadSelection } from '../server/operators/selection.ts';
import { holdClause } from '../server/operators/story-words.ts';
import { connected } from './connect.ts';
import { showProgress } from './long-work.ts';
import { confirm, counted, deliveriesText, operatorName } from './operator.ts';
import { wholeNumber, withSelection } from './options.ts';

type Options = LeadSelection & {
  hold?: (typeof BULK_HOLDS)[number];
  revision?: number;
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
    .option('--yes', 'do not ask for confirmation');
  withSelection(command).action((id: string | undefined, options: Options) =>
    connected(
      async (database) => {
        const { hold, revision: reviewed, yes, ...selection } = options;
        const actor = operatorName();
        if ((id === undefined) === (hold === undefined)) {
          throw new OperatorError('usage', 'Give either a lead id or --hold.');
        }
        if (hold !== undefined) {
          if (reviewed !== undefined)
            throw new OperatorError('usage', '--revision needs a lead id.');
          await confirm(yes, {
            ...ASKED,
            question: `Release every lead held only because ${holdClause([hold])}?`,
          });
          // Before the work: an interrupted one is in the log too.
          await database.audit({ action: 'leads.released', subject: hold });
          const progress = showProgress('leads');
          const work = { ...database, onPortion: progress.add };
          const done = await releaseAll(work, hold, { selection, actor });
          progress.end();
          console.log(
            `Released ${counted(done.released, 'lead')}; ${deliveriesText(done.deliveries)} queued.`,
          );
          if (done.passedOver === 0) return;
          console.error(`${done.passedOver} skipped: held for further reasons, or suppressed.`);
          return;
        }
        const lead = await findLead(database.pool, id ?? '');
        const [held] = await readReleasable(database.pool, [lead.id], { locks: false });
        const refusal = held && releaseRefusal(held);
        if (refusal !== undefined) throw refusal;
        const holds = holdClause(held?.reasons ?? []);
        if (held?.state === 'held') {
          const question = `Lead ${lead.id} is held because ${holds}. Release it?`;
          await confirm(yes, { ...ASKED, question });
        }
        // Only what was asked about is released.
        const looked = reviewed ?? held?.revision;
        const done = await release(database.pool, lead.id, actor, looked);
        const { revision, reasons } = done;
        const detail = { revision, reasons };
        await database.audit({ action: 'lead.released', subject: lead.id, detail });
        console.log(
          `Released lead ${lead.id} although ${holds}; ${deliveriesText(done.deliveries)} queued.`,
        );
      },
      { isInPortions: true },
    ),
  );
}

const ASKED = { why: 'What was sent cannot be called back', refusal: 'Nothing was released.' };

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
