import { randomUUID } from 'node:crypto';
import { type Command, Option } from 'commander';
import { type ExportFormat, exportText } from '../server/operators/lead-list/export.ts';
import { connected, type OperatorDatabase, warnOfUncounted } from './connect.ts';
import { filterOf, type SelectionOptions, withSelection } from './options.ts';
import { Interrupted } from './run.ts';
import { showProgress } from './terminal.ts';
import { writeText } from './write-text.ts';

type Options = SelectionOptions & { format: ExportFormat; output?: string };

/** Adds `leads export`: writes leads as CSV or JSON. */
export function addExport(program: Command): void {
  const command = program
    .command('export')
    .description('Exports leads, oldest first. The file holds personal data: keep it safe.')
    .addOption(
      new Option('--format <format>', 'csv (RFC 4180) or json (one array)')
        .choices(['csv', 'json'])
        .makeOptionMandatory(),
    );
  withSelection(command)
    .option('--output <file>', 'write to a file that only you can read, not to standard output')
    .action((options: Options) =>
      connected((database) => writeLeads(database, options), {
        isReading: true,
        isInPortions: true,
      }),
    );
}

async function writeLeads(database: OperatorDatabase, options: Options): Promise<void> {
  const { leadList, signal, audit } = database;
  const { format, output } = options;
  await warnOfUncounted(database);
  const filter = filterOf(options);
  const detail = { format, filter };
  await audit({ action: 'leads.exported', subject: `export ${randomUUID()}`, detail });
  const progress = showProgress('leads');
  const text = exportText(leadList, filter, {
    format,
    signal,
    exported: ({ length }) => progress.add(length),
  });
  try {
    await writeText(text, output);
  } catch (error) {
    if (error instanceof Interrupted) error.message = 'Interrupted: the export is not whole.';
    throw error;
  } finally {
    progress.end();
  }
}
