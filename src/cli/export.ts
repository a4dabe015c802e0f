import { type Command, Option } from 'commander';
import { type ExportFormat, exportText } from '../server/operators/export.ts';
import type { LeadSelection } from '../server/operators/selection.ts';
import { connected } from './connect.ts';
import { withSelection } from './options.ts';
import { writeText } from './write-text.ts';

type Options = LeadSelection & { format: ExportFormat; output?: string };

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
    .action(({ format, output, ...selection }: Options) =>
      connected(({ db }) => writeText(exportText(db, selection, format), output)),
    );
}
