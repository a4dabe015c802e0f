/** The command `leads import`: reads files about money. */
import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { BadLine } from '../model/messages/console/people-requests.ts';
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
    .description(
      'Imports what sources cost on whole days. A repeated row adds only its difference.',
    )
    .argument('<file>', 'CSV with day, source, cost, and campaign, affiliate, sub or survey')
    .option('--dry-run', 'only print what would be imported')
    .action((file: string, { dryRun = false }: Options) =>
      connected((database) => runCosts(database, file, dryRun)),
    );
  command
    .command('outcomes')
    .description(
      'Imports outcomes that a buyer reports. The first line of the file names the columns.',
    )
    .argument('<file>', 'CSV with lead_id or external_id, outcome, reason, amount, at')
    .requiredOption('--buyer <name>', 'the destination of the buyer, such as ingest')
    .option('--dry-run', 'only print what would be stored')
    .action((file: string, { buyer = '', dryRun = false }: Options) =>
      connected((database) => runOutcomes(database, file, buyer, dryRun)),
    );
}

type Options = { readonly buyer?: string; readonly dryRun?: boolean };

async function runCosts(
  { pool, settings, audit }: OperatorDatabase,
  file: string,
  isDryRun: boolean,
): Promise<void> {
  const {
    rows,
    added,
    refused: wrong,
  } = await importCosts(pool, await readFile(file, 'utf8'), {
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
  checkRefused(wrong, 'Nothing was imported: correct');
  if (!isDryRun) {
    const detail = { rows: rows.length, added };
    await audit({ action: 'costs.imported', subject: 'the costs of days', detail });
  }
  console.log(`The costs ${isDryRun ? 'would change' : 'changed'} by $${added.toFixed(2)}.`);
}

async function runOutcomes(
  { pool, settings, audit }: OperatorDatabase,
  file: string,
  destination: string,
  isDryRun: boolean,
): Promise<void> {
  const buyers = settings.destinations.map(({ definition }) => definition.name).filter(isBuyer);
  if (!buyers.includes(destination)) throw usage(`--buyer must be one of ${buyers.join(', ')}.`);
  const csv = await readFile(file, 'utf8');
  if (!isDryRun) await audit({ action: 'outcomes.imported', subject: destination });
  const listeners = listenersOf(settings.destinations);
  const by = { destination, isDryRun, actor: operatorName(), listeners };
  const { stored, repeated, unknown, refused: wrong } = await importOutcomes(pool, csv, by);
  console.log(
    `${counted(stored, 'outcome')} ${isDryRun ? 'would be stored' : 'stored'}, ` +
      `${unknown} of them about unknown leads; ${repeated} were stored already.`,
  );
  checkRefused(wrong, 'The other lines are valid: correct');
}

/** Prints the lines that were not imported. @throws OperatorError if there are any */
function checkRefused(lines: readonly BadLine[], says: string): void {
  for (const { line, reason } of lines) console.error(`Line ${line}: ${reason}`);
  if (lines.length > 0) throw refused(`${says} ${counted(lines.length, 'line')}.`);
}
