import { createReadStream } from 'node:fs';
import type { Command } from 'commander';
import { OperatorError } from '../server/operators/operator-error.ts';
import { importSuppressions } from '../server/privacy/index.ts';
import { connected } from './connect.ts';
import { showProgress } from './long-work.ts';
import { counted, operatorName } from './operator.ts';

/** The first refused lines that are named. */
const NAMED_LINES = 20;

/** Adds `leads import`: puts the persons of a CSV on the suppression list. */
export function addImport(program: Command): void {
  program
    .command('import')
    .description('Puts the persons of a CSV on the suppression list: addresses, numbers, keys.')
    .argument('<file>', 'one person a line')
    .action((file: string) =>
      connected(
        async ({ people, signal }) => {
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
          console.log(
            `${counted(added, 'person', 'persons')} added, ${known} on the list already.`,
          );
          for (const { line, reason } of refused.slice(0, NAMED_LINES)) {
            console.error(`line ${line}: ${reason}`);
          }
          const others = refused.length - NAMED_LINES;
          if (others > 0) console.error(`and ${counted(others, 'more refused line')}`);
          signal.throwIfAborted();
        },
        { isInPortions: true },
      ),
    );
}
