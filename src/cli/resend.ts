import { type Command, Option } from 'commander';
import type { PlanRequest } from '../contract/console/requests.ts';
import { findLead } from '../server/operators/find-lead.ts';
import { OperatorError } from '../server/operators/operator-error.ts';
import { BULK_STATES, resend } from '../server/operators/resend.ts';
import { connected, destinationSettings, type OperatorDatabase } from './connect.ts';
import { operatorName } from './operator.ts';
import { filterOf, type SelectionOptions, withSelection } from './options.ts';
import { runAsPlan } from './plans.ts';

type Options = SelectionOptions & {
  destination?: string;
  force?: true;
  state?: (typeof BULK_STATES)[number];
  code?: string;
  reason?: string;
  yes?: true;
};

/** Adds `leads resend`: sends one lead again, or all deliveries in a state. */
export function addResend(program: Command): void {
  const command = program
    .command('resend')
    .description('Resends a lead with a new round of attempts, or many with --state.')
    .argument('[id]', 'lead id, or its beginning')
    .option(
      '--destination <name>',
      'destination, if the lead has several; name an event in full: "webhook lead.accepted"',
    )
    .option(
      '--force',
      'resend even if the destination has or may have the lead, or the lead is held for review',
    )
    .addOption(
      new Option('--state <state>', 'resend every delivery in this state').choices(BULK_STATES),
    )
    .option('--code <code>', 'only leads that the buyer rejected with this code: 1002')
    .option('--reason <text>', 'why, for other operators')
    .option('--yes', 'do not ask for confirmation');
  withSelection(command).action((id: string | undefined, options: Options) =>
    connected(
      async (database) => {
        if ((id === undefined) === (options.state === undefined)) {
          throw new OperatorError('usage', 'Give either a lead id or --state.');
        }
        if (id === undefined) return runAsPlan(database, planOf(options), options.yes);
        return resendOne(database, id, options);
      },
      { isInPortions: true },
    ),
  );
}

async function resendOne(
  database: OperatorDatabase,
  id: string,
  { destination, reason, ...options }: Options,
): Promise<void> {
  const lead = await findLead(database.pool, id);
  const [actor, force] = [operatorName(), options.force === true];
  const result = await resend(database.pool, lead.id, { destination, force, actor, reason });
  const detail = { destination: result.destination, force };
  await database.audit({ action: 'lead.resent', subject: lead.id, detail });
  if (result.warning !== undefined) console.error(result.warning);
  const when =
    database.serverIsRunning === false ? 'when the server runs' : 'by the running server';
  console.log(
    `Lead ${lead.id} was ${result.from} and is sent to ${result.destination} again, ${when}.`,
  );
}

/** Returns the plan of a resend of many. Events are no part of a lead's list: all that were given up are recovered. */
function planOf({ state = 'dead', destination, code, reason, ...selection }: Options): PlanRequest {
  const plan = { action: 'resend', reason: reason ?? `resend --state ${state}` } as const;
  const isListener = destinationSettings().some(
    ({ definition: { name, events } }) => name === destination && events !== undefined,
  );
  if (destination === undefined || !isListener) {
    const only = { ...(destination && { destination }), ...(code && { code }) };
    return { ...plan, filter: { ...filterOf(selection), delivery: state, ...only } };
  }
  const { since = new Date(0), until, survey } = selection;
  if (state !== 'dead' || (until ?? survey ?? code) !== undefined) {
    const message = `Events to ${destination} are selected by --state dead and --since only.`;
    throw new OperatorError('usage', message);
  }
  return { ...plan, recover: { destination, since: since.toISOString() } };
}
