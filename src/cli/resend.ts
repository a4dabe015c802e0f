import { type Command, Option } from 'commander';
import { OperatorError } from '../server/operators/operator-error.ts';
import {
  BULK_STATES,
  planResend,
  type ResendSelection,
  resend,
  resendAll,
} from '../server/operators/resend.ts';
import { findLead, type LeadSelection } from '../server/operators/selection.ts';
import { connected, type OperatorDatabase } from './connect.ts';
import { showProgress } from './long-work.ts';
import { counted, deliveriesText, operatorName } from './operator.ts';
import { withSelection } from './options.ts';

type Options = LeadSelection & {
  destination?: string;
  force?: true;
  state?: ResendSelection['state'];
  message?: string;
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
    .option('--message <text>', 'only deliveries whose last answer contains this text: "1002"')
    .option('--yes', 'resend rejected deliveries; without it only the plan is shown');
  withSelection(command).action((id: string | undefined, options: Options) =>
    connected(
      async (database) => {
        const { state, destination, force = false, message, yes, ...selection } = options;
        if ((id === undefined) === (state === undefined)) {
          throw new OperatorError('usage', 'Give either a lead id or --state.');
        }
        if (state !== undefined) {
          return resendMany(database, { state, selection, destination, message }, yes);
        }
        const lead = await findLead(database.pool, id ?? '');
        const actor = operatorName();
        const result = await resend(database.pool, lead.id, { destination, force, actor });
        const detail = { destination: result.destination, force };
        await database.audit({ action: 'lead.resent', subject: lead.id, detail });
        if (result.warning !== undefined) console.error(result.warning);
        console.log(
          `Lead ${lead.id} was ${result.from} and is sent to ${result.destination} again, ${when(database)}.`,
        );
      },
      { isInPortions: true },
    ),
  );
}

async function resendMany(
  database: OperatorDatabase,
  chosen: ResendSelection,
  isConfirmed = false,
): Promise<void> {
  // The destination rejected these leads, so an operator must confirm the plan first.
  if (chosen.state === 'rejected' && !(await isPlanTaken(database, chosen, isConfirmed))) return;
  // Before the work: an interrupted one is in the log too.
  const detail = { destination: chosen.destination ?? 'all' };
  await database.audit({ action: 'leads.resent', subject: chosen.state, detail });
  const progress = showProgress('deliveries');
  const work = { ...database, onPortion: progress.add };
  const { resent, passedOver } = await resendAll(work, chosen, operatorName());
  progress.end();
  const were = `${resent === 1 ? 'was' : 'were'} ${chosen.state}`;
  console.log(
    resent === 0
      ? 'There is nothing to resend.'
      : `${deliveriesText(resent)} ${were}, now sent ${when(database)}.`,
  );
  if (passedOver === 0) return;
  console.error(`${passedOver} skipped: held, erased, suppressed, or already at the destination.`);
}

function when({ serverIsRunning }: OperatorDatabase): string {
  return serverIsRunning === false ? 'when the server runs' : 'by the running server';
}

const PLAN_LINES = 20;

/** Shows what would be resent, and returns whether the operator confirmed it. */
async function isPlanTaken(
  { db }: OperatorDatabase,
  chosen: ResendSelection,
  isConfirmed: boolean,
): Promise<boolean> {
  const plan = await planResend(db, chosen);
  const total = plan.reduce((sum, { deliveries }) => sum + deliveries, 0);
  console.log(`${counted(total, 'delivery is', 'deliveries are')} ${chosen.state}:`);
  for (const { destination, message, deliveries } of plan.slice(0, PLAN_LINES)) {
    // The message comes from the destination and may contain control characters.
    const said = (message ?? 'no answer kept').replace(/\p{Cc}/gu, ' ').slice(0, 120);
    console.log(`  ${deliveries} of ${destination}: ${said}`);
  }
  if (plan.length > PLAN_LINES) console.log(`  and ${plan.length - PLAN_LINES} more answers`);
  if (isConfirmed || total === 0) return true;
  console.log('Nothing was resent. Narrow the selection with --message, then confirm with --yes.');
  return false;
}
