import { type Command, Option } from 'commander';
import { type ExportFormat, exportText } from '../server/operators/export.ts';
import {
  estimateLeads,
  type LeadSelection,
  type ListedLead,
} from '../server/operators/selection.ts';
import { connected, type OperatorDatabase } from './connect.ts';
import { Interrupted, showProgress } from './long-work.ts';
import { counted } from './operator.ts';
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
    .action((options: Options) => connected((database) => writeLeads(database, options), MODE));
}

const MODE = { isReading: true, isInPortions: true } as const;

async function writeLeads(
  { db, signal }: OperatorDatabase,
  { format, output, ...selection }: Options,
): Promise<void> {
  const progress = showProgress('leads');
  progress.add(0, await estimateLeads(db, selection));
  let last: ListedLead | undefined;
  const exported = (leads: readonly ListedLead[]) => {
    progress.add(leads.length);
    last = leads.at(-1);
  };
  try {
    await writeText(exportText(db, selection, format, { signal, exported }), output);
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    progress.end();
    const where = output === undefined ? 'The export' : `${output}.incomplete`;
    const since =
      last && ` --since ${last.created_at.toISOString()} gets the others (and this one).`;
    error.message =
      `Interrupted: ${where} is incomplete. It ends after ${counted(progress.rows, 'whole row')}` +
      (last === undefined ? '.' : `, with lead ${last.id}.${since}`);
    throw error;
  }
  progress.end();
}
