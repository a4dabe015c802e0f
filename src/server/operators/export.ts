/** Exports leads, oldest first, as CSV or as one JSON array. */
import { type Kysely, sql } from 'kysely';
import type { ExportColumnsAnswer } from '../../contract/console/leads.ts';
import { leadFieldNames } from '../../domain/lead-fields.ts';
import type { Schema } from '../storage/schema.ts';
import { csvRecord } from './csv.ts';
import { escapeControls } from './escape-controls.ts';
import {
  deliveryName,
  eachLead,
  type LeadSelection,
  type ListedLead,
  listedJson,
  selected,
} from './selection.ts';

export type ExportFormat = 'csv' | 'json';

/** Streams the export of a selection, so that it never has to fit in memory. It contains personal data. */
export async function* exportText(
  db: Kysely<Schema>,
  selection: LeadSelection,
  format: ExportFormat,
): AsyncGenerator<string> {
  const leads = eachLead(db, selection);
  if (format === 'json') yield* jsonOf(leads, listedJson);
  else yield* csvOf(leads, [...Object.keys(ABOUT), ...(await fieldNames(db, selection))]);
}

/**
 * Streams chosen columns of leads. It contains personal data. Control characters are escaped, because visitors write
 * the texts and somebody may print the file on a terminal.
 * @param columns names of `exportColumns`
 */
export async function* exportColumnsText(
  leads: AsyncIterable<ListedLead>,
  columns: readonly string[],
  format: ExportFormat,
): AsyncGenerator<string> {
  const object = (lead: ListedLead) =>
    Object.fromEntries(
      columns.map((name) => [name, aboutText(name, lead) ?? lead.fields[name] ?? null]),
    );
  for await (const text of format === 'csv' ? csvOf(leads, columns) : jsonOf(leads, object)) {
    yield escapeControls(text);
  }
}

async function* jsonOf(
  leads: AsyncIterable<ListedLead>,
  object: (lead: ListedLead) => Record<string, unknown>,
): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const lead of leads) {
    yield `${separator}${JSON.stringify(object(lead))}`;
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

/** The CSV columns before the lead's own fields. A field of the same name is left out. */
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
  variants: (lead) => lead.variants,
  deliveries: (lead) =>
    lead.deliveries.map((delivery) => `${deliveryName(delivery)} ${delivery.state}`).join('; '),
  external_ids: (lead) =>
    lead.deliveries
      .filter((delivery) => delivery.external_id !== null)
      .map(({ destination, external_id }) => `${destination} ${external_id}`)
      .join('; '),
};

/** The columns that the console's export offers. */
export const exportColumns: ExportColumnsAnswer = {
  about: Object.keys(ABOUT),
  fields: leadFieldNames.filter((name) => !Object.hasOwn(ABOUT, name)),
};

async function* csvOf(
  leads: AsyncIterable<ListedLead>,
  columns: readonly string[],
): AsyncGenerator<string> {
  yield csvRecord(columns);
  for await (const lead of leads) {
    yield csvRecord(columns.map((name) => aboutText(name, lead) ?? fieldText(lead.fields[name])));
  }
}

/** Returns the text of a column of `ABOUT`; undefined: it is a field, whose name a visitor may have chosen. */
function aboutText(column: string, lead: ListedLead): string | undefined {
  return Object.hasOwn(ABOUT, column) ? ABOUT[column]?.(lead) : undefined;
}

/** Returns the names of all fields that occur in the selected leads, in the order of the specification. */
async function fieldNames(db: Kysely<Schema>, selection: LeadSelection): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct json_object_keys(newest.fields) as name
    from leads join lead_revisions newest
      on newest.lead_id = leads.id and newest.revision = leads.revision
    where ${selected(selection)}`.execute(db);
  const present = new Set(rows.map((row) => row.name));
  const known = leadFieldNames.filter((name) => present.has(name)) as string[];
  const others = [...present].filter((name) => !known.includes(name)).sort();
  return [...known, ...others].filter((name) => !Object.hasOwn(ABOUT, name));
}

function fieldText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
