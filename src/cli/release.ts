import { type Command, Option } from 'commander';
import { OperatorError } from '../server/operators/operator-error.ts';
import { BULK_HOLDS, release, releaseAll } from '../server/operators/release.ts';
import { findLead, type LeadSelection } from '../server/operators/selection.ts';
import { connected } from './connect.ts';
import { showProgress } from './long-work.ts';
import { counted, deliveriesText, operatorName } from './operator.ts';
import { wholeNumber, withSelection } from './options.ts';

type Options = LeadSelection & { hold?: (typeof BULK_HOLDS)[number]; revision?: number };

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
    );
  withSelection(command).action((id: string | undefined, options: Options) =>
    connected(
      async (database) => {
        const { hold, revision: reviewed, ...selection } = options;
        const actor = operatorName();
        if ((id === undefined) === (hold === undefined)) {
          throw new OperatorError('usage', 'Give either a lead id or --hold.');
        }
        if (hold !== undefined) {
          if (reviewed !== undefined)
            throw new OperatorError('usage', '--revision needs a lead id.');
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
        const done = await release(database.pool, lead.id, actor, reviewed);
        const about = `revision ${done.revision}, held for ${done.reasons.join(', ')}`;
        console.log(
          `Released lead ${lead.id} (${about}); ${deliveriesText(done.deliveries)} queued.`,
        );
      },
      { isInPortions: true },
    ),
  );
}
