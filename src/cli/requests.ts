import type { Command } from 'commander';
import { OperatorError } from '../server/operators/operator-error.ts';
import { timeFormatter } from '../server/operators/time-format.ts';
import {
  dismissRequests,
  honourRequests,
  type RequestSelection,
  requestPortions,
} from '../server/privacy/index.ts';
import { connected, type OperatorDatabase } from './connect.ts';
import { showProgress } from './long-work.ts';
import { confirm, counted, deliveriesText } from './operator.ts';
import { withSender } from './options.ts';

type Options = Omit<RequestSelection, 'outcome' | 'reference'> & {
  all?: true;
  honor?: true;
  dismiss?: true;
  yes?: true;
};

/** Adds `leads requests`: lists do-not-sell requests, and honours or dismisses them. */
export function addRequests(program: Command): void {
  const command = program
    .command('requests')
    .description(
      'Lists the do-not-sell requests that wait for an operator, as their address sent too many.',
    )
    .argument('[reference]', 'the reference that the visitor was given');
  withSender(command)
    .option('--all', 'list all requests, not only waiting ones')
    .option('--honor', 'put the persons of waiting requests on the suppression list')
    .option('--dismiss', 'close waiting requests without honoring them')
    .option('--yes', 'do not ask for confirmation')
    .action((reference: string | undefined, options: Options) =>
      connected((database) => review(database, reference, options), { isInPortions: true }),
    );
}

async function review(
  { pool, timeZone, signal }: OperatorDatabase,
  reference: string | undefined,
  options: Options,
): Promise<void> {
  const { all, honor, dismiss, yes, ...window } = options;
  const selection: RequestSelection = {
    ...window,
    reference,
    outcome: all ? undefined : 'waiting',
  };
  const clock = timeFormatter(timeZone);
  let [listed, waiting] = [0, 0];
  for await (const portion of requestPortions(pool, selection, signal)) {
    for (const { reference: name, received_at, outcome, ip, ...person } of portion) {
      const who = [person.name, person.email, person.phone].filter(Boolean).join(' · ');
      console.log(`${name}  ${clock(received_at).full}  ${outcome}  ${ip ?? '-'}  ${who}`);
      if (outcome === 'waiting') waiting += 1;
    }
    listed += portion.length;
  }
  if (listed === 0) console.log('No requests.');
  if (!honor && !dismiss) return;
  if (honor && dismiss) throw new OperatorError('usage', 'Give either --honor or --dismiss.');
  await confirm(yes, {
    question: `${honor ? 'Honor' : 'Dismiss'} ${counted(waiting, 'waiting request')}?`,
    why: 'Requests are closed for good',
    refusal: 'Nothing was changed.',
  });
  if (dismiss) {
    console.log(`${counted(await dismissRequests(pool, selection), 'request')} dismissed.`);
    return;
  }
  const progress = showProgress('requests');
  const work = { pool, signal, onPortion: progress.add };
  const { requests, stopped } = await honourRequests(work, selection).finally(progress.end);
  console.log(`${counted(requests, 'request')} honored, ${deliveriesText(stopped)} stopped.`);
}
