/** Exports the leads of a selection, oldest first, as CSV or as one JSON array. */
import { type Kysely, sql } from 'kysely';
import { leadFieldNames } from '../../domain/lead-fields.ts';
import type { Schema } from '../storage/schema.ts';
import { csvRecord } from './csv.ts';
import {
  deliveryName,
  eachLead,
  type LeadSelection,
  type ListedLead,
  listedJson,
  selected,
} from './selection.ts';

export type ExportFormat = 'csv' | 'json';

/** Streams the export, so that it never has to fit in memory. It contains personal data. */
export function exportText(
  db: Kysely<Schema>,
  selection: LeadSelection,
  format: ExportFormat,
): AsyncGenerator<string> {
  return format === 'csv' ? csvOf(db, selection) : jsonOf(db, selection);
}

async function* jsonOf(db: Kysely<Schema>, selection: LeadSelection): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const lead of eachLead(db, selection)) {
    yield `${separator}${JSON.stringify(listedJson(lead))}`;
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

async function* csvOf(db: Kysely<Schema>, selection: LeadSelection): AsyncGenerator<string> {
  const fields = await fieldNames(db, selection);
  yield csvRecord([...Object.keys(ABOUT), ...fields]);
  for await (const lead of eachLead(db, selection)) {
    const about = Object.values(ABOUT).map((value) => value(lead));
    yield csvRecord([...about, ...fields.map((name) => fieldText(lead.fields[name]))]);
  }
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
