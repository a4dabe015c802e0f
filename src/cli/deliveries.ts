/** The commands about one lead's deliveries: resend, release and dismiss. Plans act on many leads. */
import type { Command } from 'commander';
import { holdClause } from '../model/messages/vocabulary.ts';
import {
  dismiss,
  readReleasable,
  release,
  releaseRefusal,
  resend,
} from '../server/delivery/index.ts';
import { findLead } from '../server/leads/index.ts';
import { refused } from '../server/platform/operator-error.ts';
import { connected, type OperatorDatabase } from './connect.ts';
import { confirm, deliveriesText, operatorName } from './terminal.ts';

type ResendOptions = { destination?: string; force?: true; reason?: string };

/** Adds `leads resend`: sends one lead again. */
export function addResend(program: Command): void {
  program
    .command('resend')
    .description('Resends a lead with a new round of attempts. For many leads, use the console.')
    .argument('<id>', 'lead id, or its beginning')
    .option(
      '--destination <name>',
      'destination, if the lead has several; name an event in full: "webhook lead.accepted"',
    )
    .option(
      '--force',
      'resend even if the destination has or may have the lead, or the lead is held for review',
    )
    .option('--reason <text>', 'why, for other operators')
    .action((id: string, options: ResendOptions) =>
      connected((database) => resendOne(database, id, options)),
    );
}

async function resendOne(
  { pool, settings, audit }: OperatorDatabase,
  id: string,
  { destination, reason, ...options }: ResendOptions,
): Promise<void> {
  const lead = await findLead(pool, id);
  const force = options.force === true;
  const act = { destination, force, actor: operatorName(), reason };
  const result = await resend(pool, lead.id, act, settings);
  const detail = { destination: result.destination, force };
  await audit({ action: 'lead.resent', subject: lead.id, detail });
  if (result.warning !== undefined) console.error(result.warning);
  console.log(`Lead ${lead.id} was ${result.from} and is sent to ${result.destination} again.`);
}

type ReleaseOptions = { reason?: string; yes?: true };

/** Adds `leads release`: releases one held lead. */
export function addRelease(program: Command): void {
  program
    .command('release')
    .description('Releases a held lead to its destinations. For many leads, use the console.')
    .argument('<id>', 'lead id, or its beginning')
    .option('--reason <text>', 'why, for other operators')
    .option('--yes', 'do not ask for confirmation')
    .action((id: string, options: ReleaseOptions) =>
      connected((database) => releaseOne(database, id, options)),
    );
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
