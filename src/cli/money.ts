/** The command `leads import`: reads files about money. */
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { isBuyer } from '../server/delivery/destinations/index.ts';
import { listenersOf } from '../server/delivery/index.ts';
import { counted } from '../server/insight/index.ts';
import { importCosts, importOutcomes } from '../server/money/index.ts';
import { refused, usage } from '../server/platform/operator-error.ts';
import { connected, type OperatorDatabase } from './connect.ts';
import { operatorName } from './terminal.ts';

/** Adds `leads import costs` and `leads import outcomes`. */
export function addImport(program: Command): void {
  const command = program.command('import').description('Imports a CSV file about money.');
  command
    .command('costs')
    .description('Imports what sources cost on whole days. A row again adds only its difference.')
    .argument('<file>', 'CSV with day, source, cost, and campaign, affiliate, sub or survey')
    .option('--dry-run', 'only print what would be imported')
    .action((file: string, options: { readonly dryRun?: true }) =>
      connected((database) => runCosts(database, file, options)),
    );
  command
    .command('outcomes')
    .description('Imports what a buyer reports about its leads: its first line names the columns.')
    .argument('<file>', 'CSV with lead_id or external_id, outcome, reason, amount, at')
    .requiredOption('--buyer <name>', 'the destination that the report is from, such as ingest')
    .option('--dry-run', 'only print what would be stored')
    .action((file: string, options: OutcomeOptions) =>
      connected((database) => runOutcomes(database, file, options)),
    );
}

async function runCosts(
  { pool, settings, audit }: OperatorDatabase,
  file: string,
  { dryRun: isDryRun = false }: { readonly dryRun?: boolean },
): Promise<void> {
  const { rows, added, ...found } = await importCosts(pool, await readText(file), {
    timeZone: settings.operatorsTimeZone,
    surveys: settings.surveys.map(({ path }) => path),
    actor: operatorName(),
    now: new Date(),
    isDryRun,
  });
  for (const { line, day, of, cost, before, visits } of rows) {
    const was = before === 0 ? '' : ` (was ${before.toFixed(2)})`;
    const sharers = visits === 0 ? 'no visit' : counted(visits, 'visit');
    console.log(`Line ${line}: ${day} ${of.join(' ')}  $${cost.toFixed(2)}${was}, ${sharers}`);
  }
  checkRefused(found.refused, (lines) => `Nothing was imported: correct ${lines}.`);
  if (!isDryRun) {
    const detail = { rows: rows.length, added };
    await audit({ action: 'costs.imported', subject: 'the costs of days', detail });
  }
  console.log(`The costs ${isDryRun ? 'would change' : 'changed'} by $${added.toFixed(2)}.`);
}

type OutcomeOptions = { readonly buyer: string; readonly dryRun?: boolean };

async function runOutcomes(
  { pool, settings, audit }: OperatorDatabase,
  file: string,
  { buyer: destination, dryRun: isDryRun = false }: OutcomeOptions,
): Promise<void> {
  const buyers = settings.destinations.map(({ definition }) => definition.name).filter(isBuyer);
  if (!buyers.includes(destination)) throw usage(`--buyer must be one of ${buyers.join(', ')}.`);
  const csv = await readText(file);
  if (!isDryRun) await audit({ action: 'outcomes.imported', subject: destination });
  const listeners = listenersOf(settings.destinations);
  const by = { destination, isDryRun, actor: operatorName(), listeners };
  const { stored, repeated, unknown, ...found } = await importOutcomes(pool, csv, by);
  console.log(
    `${counted(stored, 'outcome')} ${isDryRun ? 'would be stored' : 'stored'}, ` +
      `${unknown} of them about unknown leads; ${repeated} were stored already.`,
  );
  checkRefused(found.refused, (lines) => `${lines} refused; the others count.`);
}

/** Reads a file as text. @throws OperatorError if there is no such file */
async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw usage(`${file} cannot be read (${error.code}).`);
  });
}

/** Prints the lines that were not imported. @throws OperatorError if there are any */
function checkRefused(
  lines: readonly { readonly line: number; readonly reason: string }[],
  says: (lines: string) => string,
): void {
  for (const { line, reason } of lines) console.error(`Line ${line}: ${reason}`);
  if (lines.length > 0) throw refused(says(counted(lines.length, 'line')));
}
