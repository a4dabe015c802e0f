/** The commands about deliveries: resend, release, dismiss, pause and resume. */
import { type Command, Option } from 'commander';
import type { PlanRequest } from '../model/messages/console/requests.ts';
import type { Plan } from '../model/messages/console/work.ts';
import { holdClause } from '../model/messages/vocabulary.ts';
import { destinations } from '../server/delivery/destinations/index.ts';
import {
  BULK_HOLDS,
  BULK_STATES,
  dismiss,
  pauseDestination,
  readReleasable,
  release,
  releaseRefusal,
  resend,
  resumeDestination,
} from '../server/delivery/index.ts';
import { cancelPlan, counted, makePlan, startPlan } from '../server/insight/index.ts';
import { findLead } from '../server/leads/index.ts';
import { refused, usage } from '../server/platform/operator-error.ts';
import { connected, type OperatorDatabase, warnOfUncounted } from './connect.ts';
import { filterOf, type SelectionOptions, withSelection } from './options.ts';
import { confirm, deliveriesText, operatorName } from './terminal.ts';

type BulkOptions = SelectionOptions & { reason?: string; yes?: true };

/** Adds options to a command that acts on one lead or on many leads. */
function withBulk<Options extends BulkOptions>(
  command: Command,
  selector: 'state' | 'hold',
  act: (database: OperatorDatabase, id: string | undefined, options: Options) => Promise<void>,
): void {
  command
    .option('--reason <text>', 'why, for other operators')
    .option('--yes', 'do not ask for confirmation');
  withSelection(command).action((id: string | undefined, options: Options) =>
    connected(async (database) => {
      const isMany = selector in options;
      if (isMany === (id === undefined)) return act(database, id, options);
      throw usage(`Give either a lead id or --${selector}.`);
    }),
  );
}

type ResendOptions = BulkOptions & {
  destination?: string;
  force?: true;
  state?: (typeof BULK_STATES)[number];
  code?: string;
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
    .option('--code <code>', 'only leads that the buyer rejected with this code: 1002');
  withBulk<ResendOptions>(command, 'state', (database, id, options) =>
    id === undefined
      ? startAsPlan(database, resendPlan(options), options.yes)
      : resendOne(database, id, options),
  );
}

async function resendOne(
  database: OperatorDatabase,
  id: string,
  { destination, reason, ...options }: ResendOptions,
): Promise<void> {
  const lead = await findLead(database.pool, id);
  const [actor, force] = [operatorName(), options.force === true];
  const act = { destination, force, actor, reason };
  const result = await resend(database.pool, lead.id, act, database.settings);
  const detail = { destination: result.destination, force };
  await database.audit({ action: 'lead.resent', subject: lead.id, detail });
  if (result.warning !== undefined) console.error(result.warning);
  console.log(`Lead ${lead.id} was ${result.from} and is sent to ${result.destination} again.`);
}

function resendPlan(options: ResendOptions): PlanRequest {
  const { state = 'dead', destination, code, reason, ...selection } = options;
  const plan = { action: 'resend', reason: reason ?? `resend --state ${state}` } as const;
  const isListener = destinations.some(({ name, events }) => name === destination && events);
  if (destination !== undefined && isListener) {
    if (state !== 'dead' || selection.until || selection.survey || code) {
      throw usage(`Events to ${destination} are selected by --state dead and --since only.`);
    }
    return { ...plan, recover: { destination, since: selection.since ?? '1970-01-01' } };
  }
  const only = { ...(destination && { destination }), ...(code && { code }) };
  return { ...plan, filter: { ...filterOf(selection), delivery: state, ...only } };
}

type ReleaseOptions = BulkOptions & { hold?: (typeof BULK_HOLDS)[number] };

/** Adds `leads release`: releases one held lead, or all leads that are held for the same reason. */
export function addRelease(program: Command): void {
  const command = program
    .command('release')
    .description('Releases a held lead to its destinations, or many with --hold.')
    .argument('[id]', 'lead id, or its beginning')
    .addOption(
      new Option('--hold <reason>', 'release every lead held for this reason only').choices(
        BULK_HOLDS,
      ),
    );
  withBulk<ReleaseOptions>(command, 'hold', async (database, id, options) => {
    const { hold = '', yes, reason = `release --hold ${hold}`, ...selection } = options;
    if (id !== undefined) return releaseOne(database, id, options);
    const filter = { ...filterOf(selection), lead: 'held', hold };
    return startAsPlan(database, { action: 'release', reason, filter }, yes);
  });
}

async function releaseOne(
  { pool, audit, settings }: OperatorDatabase,
  prefix: string,
  { reason, yes }: ReleaseOptions,
): Promise<void> {
  const { id } = await findLead(pool, prefix);
  const [held] = await readReleasable(pool, [id], { locks: false, rules: settings });
  const refusal = held && releaseRefusal(held);
  if (refusal !== undefined) throw refused(refusal);
  const holds = holdClause(held?.reasons ?? []);
  await confirm(yes, `Lead ${id} is held because ${holds}. Release it?`);
  const by = { actor: operatorName(), reason, revision: held?.revision };
  const { revision, reasons, deliveries } = await release(pool, id, by, settings);
  await audit({ action: 'lead.released', subject: id, reason, detail: { revision, reasons } });
  console.log(`Released lead ${id} although ${holds}; ${deliveriesText(deliveries)} queued.`);
}

/** Adds `leads dismiss`: closes a held lead without sending the lead. */
export function addDismiss(program: Command): void {
  program
    .command('dismiss')
    .description('Closes a held lead without sending it.')
    .argument('<id>', 'lead id, or its beginning')
    .requiredOption('--reason <text>', 'why, for other operators')
    .action((id: string, { reason }: { reason: string }) =>
      connected(async ({ pool, audit, settings }) => {
        const lead = await findLead(pool, id);
        const by = { actor: operatorName(), reason };
        const { reasons } = await dismiss(pool, lead.id, by, settings);
        await audit({ action: 'lead.dismissed', subject: lead.id, reason });
        console.log(`Dismissed lead ${lead.id}, held because ${holdClause(reasons)}.`);
      }),
    );
}

/** Shows a bulk plan, asks for confirmation and starts the plan. */
async function startAsPlan(
  database: OperatorDatabase,
  request: PlanRequest,
  yes: true | undefined,
): Promise<void> {
  const { pool, leadList } = database;
  await warnOfUncounted(database);
  const plan = await makePlan(leadList, request, operatorName());
  const { id, action, reason, counts, buyers, refusals } = plan;
  const sends = buyers.map(({ destination, deliveries }) => `${deliveries} to ${destination}`);
  const to = sends.length === 0 ? '' : `: ${sends.join(', ')}`;
  const work = `${action} ${itemsText(plan, counts.due)}`;
  console.log(counts.due === 0 ? 'There is nothing to do.' : `The plan is to ${work}${to}.`);
  for (const { text, items } of refusals)
    console.log(`${itemsText(plan, items)} left out: ${text}`);
  if (counts.due === 0) return void (await cancelPlan(pool, id));
  await confirm(yes, `Start to ${work}?`).catch(async (error: unknown) => {
    await cancelPlan(pool, id);
    throw error;
  });
  const entry = { action: 'plan.started', subject: id, reason };
  await database.audit({ ...entry, detail: { action, ...counts } });
  await startPlan(pool, id, operatorName());
  console.log(
    `Plan ${id} is started: the server runs it. The console's page Plans has its result.`,
  );
}

function itemsText({ action }: Plan, count: number): string {
  return action === 'resend' ? deliveriesText(count) : counted(count, 'lead');
}

/** Adds `leads pause` and `leads resume`, which stop and resume deliveries to a destination. */
export function addPause(program: Command): void {
  program
    .command('pause')
    .description('Pauses a destination: its leads wait until it is resumed.')
    .argument('<destination>', 'its name, such as ingest')
    .requiredOption('--reason <text>', 'why, for other operators')
    .action((destination: string, { reason }: { reason: string }) =>
      connected(async ({ pool, audit }) => {
        await pauseDestination(pool, destination, { operator: operatorName(), reason });
        await audit({ action: 'destination.paused', subject: destination, reason });
        console.log(`Deliveries to ${destination} are paused. "resume ${destination}" sends them.`);
      }),
    );
  program
    .command('resume')
    .description('Resumes a paused destination: its waiting leads are sent.')
    .argument('<destination>', 'its name, such as ingest')
    .action((destination: string) =>
      connected(async ({ pool, audit }) => {
        await resumeDestination(pool, destination);
        await audit({ action: 'destination.resumed', subject: destination });
        console.log(`Deliveries to ${destination} have resumed.`);
      }),
    );
}
