/** `leads requests`, and `leads suppress --undo` for many requests. */
import { OperatorError } from '../server/operators/operator-error.ts';
import {
  dismissRequests,
  honourRequests,
  listRequests,
  type RequestSelection,
  type UndoneRequests,
  undoRequests,
} from '../server/operators/opt-out-review.ts';
import { counted, isConfirmed, operatorName } from './changes.ts';
import type { Connection } from './connect.ts';
import { clockIn } from './times.ts';

export type RequestsOptions = Omit<RequestSelection, 'outcome' | 'reference'> & {
  readonly all?: true | undefined;
  readonly honor?: true | undefined;
  readonly dismiss?: true | undefined;
  readonly yes?: true | undefined;
};

/** Lists do-not-sell requests, by default the waiting ones, and honours or dismisses them on request. */
export async function requestsCommand(
  { pool, timeZone }: Connection,
  reference: string | undefined,
  options: RequestsOptions,
): Promise<void> {
  const { all, honor, dismiss, yes, ...window } = options;
  const selection: RequestSelection = {
    ...window,
    reference,
    outcome: all ? undefined : 'waiting',
  };
  const found = await listRequests(pool, selection);
  const clock = clockIn(timeZone);
  for (const { reference: name, received_at, outcome, ip, ...person } of found) {
    const who = [person.name, person.email, person.phone].filter(Boolean).join(' · ');
    const { date, time, zone } = clock(received_at);
    console.log(`${name}  ${date} ${time} ${zone}  ${outcome}  ${ip ?? '-'}  ${who}`);
  }
  if (found.length === 0) console.log('No requests.');
  if (!honor && !dismiss) return;
  if (honor && dismiss) throw new OperatorError('usage', 'Give either --honor or --dismiss.');
  const waiting = counted(
    found.filter(({ outcome }) => outcome === 'waiting').length,
    'waiting request',
  );
  const question = `${honor ? 'Honor' : 'Dismiss'} ${waiting}?`;
  if (!yes && !(await isConfirmed(question, 'Requests are closed for good'))) {
    throw new OperatorError('refused', 'Nothing was changed.');
  }
  if (dismiss) {
    console.log(`${counted(await dismissRequests(pool, selection), 'request')} dismissed.`);
    return;
  }
  const { requests, stopped } = await honourRequests(pool, selection);
  console.log(
    `${counted(requests, 'request')} honored, ${counted(stopped, 'delivery', 'deliveries')} stopped.`,
  );
}

/** Undoes the requests of a period or an address, after showing the effect. */
export async function undoManyCommand(
  { pool }: Connection,
  window: Pick<RequestSelection, 'since' | 'until' | 'address'>,
  options: { yes?: true | undefined; dryRun?: true | undefined },
): Promise<void> {
  const actor = operatorName();
  const plan = await undoRequests(pool, window, { actor, isDryRun: true });
  if (options.dryRun) {
    console.log(`Would be undone: ${undoneText(plan)}.`);
    return;
  }
  const question = `Undo ${undoneText(plan)}?`;
  if (!options.yes && !(await isConfirmed(question, 'Resumed deliveries cannot be called back'))) {
    throw new OperatorError('refused', 'Nothing was changed.');
  }
  const done = await undoRequests(pool, window, { actor, isDryRun: false });
  console.log(`Undone: ${undoneText(done)}.`);
}

function undoneText({ requests, keys, kept, deliveries }: UndoneRequests): string {
  return (
    `${counted(requests, 'do-not-sell request')}, ${counted(keys, 'list entry', 'list entries')} ` +
    `(${kept} stay for other reasons), ${counted(deliveries, 'resumed delivery', 'resumed deliveries')}`
  );
}
