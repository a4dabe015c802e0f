import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { type ExportFormat, exportHead, exportText } from '../server/operators/export.ts';
import { OperatorError } from '../server/operators/operator-error.ts';
import {
  estimateLeads,
  findPlace,
  type LeadSelection,
  type ListedLead,
} from '../server/operators/selection.ts';
import { connected, type OperatorDatabase } from './connect.ts';
import { Interrupted, showProgress } from './long-work.ts';
import { counted } from './operator.ts';
import { withSelection } from './options.ts';
import { continueText, writeText } from './write-text.ts';

type Options = LeadSelection & { format: ExportFormat; output?: string; continue?: true };

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
    .option(
      '--continue',
      'go on with an interrupted export, <file>.incomplete; give all other options as before',
    )
    .action((options: Options) => connected((database) => writeLeads(database, options), MODE));
}

const MODE = { isReading: true, isInPortions: true } as const;

async function writeLeads(
  { pool, db, signal, audit }: OperatorDatabase,
  { format, output, continue: goesOn, ...selection }: Options,
): Promise<void> {
  const rest = goesOn && (await findRest(db, format, output));
  const after = rest?.after;
  const progress = showProgress('leads');
  const since = after?.created_at ?? selection.since;
  progress.add(0, await estimateLeads({ pool, db }, { ...selection, since }));
  let last: ListedLead | undefined;
  const exported = (leads: readonly ListedLead[]) => {
    progress.add(leads.length);
    last = leads.at(-1);
  };
  const filter = Object.fromEntries(
    Object.entries(selection).map(([name, value]) => [name, String(value)]),
  );
  const detail = { format, filter, continues: rest !== undefined };
  await audit({ action: 'leads.exported', subject: `export ${randomUUID()}`, detail });
  const text = exportText(db, selection, format, { signal, after, exported });
  try {
    if (rest) await continueText(text, rest.output, rest.end);
    else await writeText(text, output);
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    progress.end();
    const rows = `${counted(progress.rows, 'whole row')} ${progress.rows === 1 ? 'was' : 'were'} written`;
    const to = last === undefined ? '' : `, up to lead ${last.id}`;
    const where = output === undefined ? 'The export' : `${output}.incomplete`;
    error.message = `Interrupted: ${where} is incomplete. ${rows}${to}.`;
    if (output !== undefined) error.message += ' The same with --continue gets the others.';
    else if (last !== undefined)
      error.message += ` --since ${last.created_at.toISOString()} gets the others (and this one).`;
    throw error;
  }
  progress.end();
}

/** Finds where an interrupted export goes on. @throws OperatorError when it cannot */
async function findRest(
  db: OperatorDatabase['db'],
  format: ExportFormat,
  output: string | undefined,
) {
  if (output === undefined) throw new OperatorError('usage', '--continue needs --output.');
  const file = `${output}.incomplete`;
  const { end, leadId } = await readEnd(file, format).catch((error: NodeJS.ErrnoException) => {
    if (error.syscall === undefined) throw error;
    const why = error.code === 'ENOENT' ? 'There is no' : `${error.code}: cannot read`;
    throw new OperatorError('refused', `${why} ${file}: leave out --continue to begin anew.`);
  });
  const after = leadId === undefined ? undefined : await findPlace(db, leadId);
  if (leadId !== undefined && after === undefined) {
    const why = `${file} ends with lead ${leadId}, which this database does not have`;
    throw new OperatorError('refused', `${why}: leave out --continue to begin anew.`);
  }
  return { output, end, after };
}

const [QUOTE, LINE_FEED] = [0x22, 0x0a];

/**
 * Finds the last whole row of an incomplete export: its lead, and where it ends. A killed process may have left a part
 * of another one behind it. In CSV a row may have line breaks in quotes, so the file is read from its beginning.
 */
async function readEnd(
  file: string,
  format: ExportFormat,
): Promise<{ end: number; leadId?: string }> {
  const isCsv = format === 'csv';
  let [headEnd, size, isQuoted] = [0, 0, false];
  /** Where the last lines begin. */
  const starts = [0];
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) {
    const bytes = chunk as Buffer;
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if (byte === QUOTE) isQuoted = isCsv && !isQuoted;
      if (byte !== LINE_FEED || isQuoted) continue;
      starts.push(size + at + 1);
      if (starts.length === 2) headEnd = size + at + 1;
      if (starts.length > 3) starts.shift();
    }
    size += bytes.length;
  }
  const handle = await open(file);
  try {
    const read = async (from: number, to: number) =>
      (await handle.read(Buffer.alloc(to - from), 0, to - from, from)).buffer.toString();
    if ((await read(0, headEnd)) !== exportHead(format)) {
      const why = `${file} is no ${format} export of this version`;
      throw new OperatorError('refused', `${why}: leave out --continue to begin anew.`);
    }
    // The last line of JSON may be a whole row, without its comma. That of CSV never is: a row has a line end.
    const ends = isCsv ? starts : [...starts, size];
    for (let line = ends.length - 1; line > 0; line -= 1) {
      const [from = 0, to = 0] = [ends[line - 1], ends[line]];
      if (from < headEnd) break;
      const row = (await read(from, to)).replace(isCsv ? '' : /,?\n$/, '');
      const leadId = isCsv ? /^[\da-f-]{36}(?=,)/.exec(row)?.[0] : leadOf(row);
      if (leadId !== undefined) return { end: from + Buffer.byteLength(row), leadId };
    }
    return { end: 0 };
  } finally {
    await handle.close();
  }
}

function leadOf(row: string): string | undefined {
  try {
    return (JSON.parse(row) as { lead_id?: string }).lead_id;
  } catch {
    return undefined;
  }
}
