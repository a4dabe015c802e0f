/** `leads export`: every lead of a selection, oldest first, as CSV or as one JSON array. */
import { open, rename, rm } from 'node:fs/promises';
import process from 'node:process';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Kysely, sql } from 'kysely';
import { leadFieldNames } from '../domain/lead/lead-fields.ts';
import type { Schema } from '../server/storage/schema.ts';
import { CliError } from './cli-error.ts';
import { csvRecord } from './csv.ts';
import { eachLead, type LeadSelection, type ListedLead } from './lead-selection.ts';
import { listedJson } from './list-leads.ts';

export type ExportFormat = 'csv' | 'json';

/**
 * Writes the export to a file (in one step, readable by its owner only: it is full of personal data)
 * or to standard output.
 */
export async function exportLeads(
  db: Kysely<Schema>,
  selection: LeadSelection,
  options: { format: ExportFormat; output?: string },
): Promise<void> {
  const { format, output } = options;
  const text = format === 'csv' ? csvOf(db, selection) : jsonOf(db, selection);
  if (output === undefined) {
    await write(text, process.stdout, false);
    return;
  }
  const unfinished = `${output}.${process.pid}.part`;
  try {
    const file = await open(unfinished, 'wx', 0o600);
    await write(text, file.createWriteStream(), true);
    await rename(unfinished, output);
  } catch (error) {
    await rm(unfinished, { force: true });
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall !== undefined) throw new CliError(`${output} cannot be written (${code}).`);
    throw error;
  }
}

async function write(text: AsyncIterable<string>, to: Writable, end: boolean): Promise<void> {
  try {
    await pipeline(Readable.from(text), to, { end });
  } catch (error) {
    // The reader of a pipe has seen enough (`| head`).
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}

async function* jsonOf(db: Kysely<Schema>, selection: LeadSelection): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const lead of eachLead(db, selection)) {
    yield `${separator}${JSON.stringify(listedJson(lead))}`;
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

/** What is known about a lead beside its fields; a field of the same name is not repeated. */
const ABOUT: Readonly<Record<string, (lead: ListedLead) => string>> = {
  lead_id: (lead) => lead.id,
  received_at: (lead) => lead.created_at.toISOString(),
  submitted_at: (lead) => lead.submitted_at?.toISOString() ?? '',
  survey: (lead) => lead.survey,
  flow: (lead) => lead.flow,
  language: (lead) => lead.language,
  lead_state: (lead) => lead.state,
  revision: (lead) => String(lead.revision),
  is_test: (lead) => (lead.is_test ? 'yes' : 'no'),
  qualified: (lead) => (lead.qualified ? 'yes' : 'no'),
  dq_reason: (lead) => lead.dq_reason,
  lead_is_qualified: (lead) => (lead.lead_is_qualified ? 'yes' : 'no'),
  do_not_send_to_dq: (lead) => lead.do_not_send_to_dq,
  deliveries: (lead) =>
    lead.deliveries.map(({ destination, state }) => `${destination} ${state}`).join('; '),
  external_ids: (lead) =>
    lead.deliveries
      .filter((delivery) => delivery.external_id !== null)
      .map(({ destination, external_id }) => `${destination} ${external_id}`)
      .join('; '),
};

async function* csvOf(db: Kysely<Schema>, selection: LeadSelection): AsyncGenerator<string> {
  const fields = await fieldNames(db, selection);
  yield csvRecord([...Object.keys(ABOUT), ...fields]);
  for await (const lead of eachLead(db, selection)) {
    const about = Object.values(ABOUT).map((value) => value(lead));
    yield csvRecord([...about, ...fields.map((name) => fieldText(lead.fields[name]))]);
  }
}

/** Columns for every field that any of the leads has, in the order of the specification. */
async function fieldNames(db: Kysely<Schema>, { since, until }: LeadSelection): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct jsonb_object_keys(fields) as name from leads
    where created_at >= ${since ?? '-infinity'}::timestamptz
      and created_at < ${until ?? 'infinity'}::timestamptz`.execute(db);
  const present = new Set(rows.map((row) => row.name));
  const known = leadFieldNames.filter((name) => present.has(name)) as string[];
  const others = [...present].filter((name) => !known.includes(name)).sort();
  return [...known, ...others].filter((name) => !Object.hasOwn(ABOUT, name));
}

function fieldText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
