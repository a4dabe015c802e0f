/** Exports leads, oldest first, as CSV or as one JSON array. */
import type { Kysely } from 'kysely';
import type { ExportColumnsAnswer } from '../../contract/console/leads.ts';
import { fieldsWhere, leadFieldNames } from '../../domain/lead-fields.ts';
import type { Schema } from '../storage/schema.ts';
import { csvRecord } from './csv.ts';
import { escapeControls } from './escape-controls.ts';
import {
  deliveryName,
  type LeadSelection,
  type ListedLead,
  leadPortions,
  listedJson,
  type ReadOptions,
} from './selection.ts';

export type ExportFormat = 'csv' | 'json';

/**
 * Streams the export of a selection, so that it never has to fit in memory: a text of whole rows for each portion. It
 * contains personal data. The columns of CSV are always the same; fields that the specification does not know are
 * JSON in the last one.
 *
 * @param options.after the text goes on behind the row of this lead
 * @param options.exported is called with each portion before its text is yielded
 */
export async function* exportText(
  db: Kysely<Schema>,
  selection: LeadSelection,
  format: ExportFormat,
  options: ReadOptions & { exported?(leads: readonly ListedLead[]): void } = {},
): AsyncGenerator<string> {
  async function* told() {
    for await (const leads of leadPortions(db, selection, options)) {
      options.exported?.(leads);
      yield leads;
    }
  }
  const isBegun = options.after !== undefined;
  if (format === 'json') yield* jsonOf(told(), listedJson, isBegun);
  else yield* csvOf(told(), allColumns(), isBegun);
}

/** Returns the line with which every export begins. */
export function exportHead(format: ExportFormat): string {
  return format === 'json' ? '[\n' : csvRecord(allColumns());
}

function allColumns(): string[] {
  return [...exportColumns.about, ...exportColumns.fields, OTHER_FIELDS];
}

/**
 * Streams chosen columns of leads. It contains personal data. Control characters are escaped, because visitors write
 * the texts and somebody may print the file on a terminal.
 * @param columns names of `exportColumns`
 */
export async function* exportColumnsText(
  portions: AsyncIterable<readonly ListedLead[]>,
  columns: readonly string[],
  format: ExportFormat,
): AsyncGenerator<string> {
  const object = (lead: ListedLead) =>
    Object.fromEntries(
      columns.map((name) => [
        name,
        ABOUT.get(name)?.(lead) ?? lead.fields[name] ?? lead.click?.[name] ?? null,
      ]),
    );
  for await (const text of format === 'csv' ? csvOf(portions, columns) : jsonOf(portions, object)) {
    yield escapeControls(text);
  }
}

async function* jsonOf(
  portions: AsyncIterable<readonly ListedLead[]>,
  object: (lead: ListedLead) => Record<string, unknown>,
  isBegun = false,
): AsyncGenerator<string> {
  let start = isBegun ? ',\n' : '[\n';
  for await (const leads of portions) {
    yield start + leads.map((lead) => JSON.stringify(object(lead))).join(',\n');
    start = ',\n';
  }
  yield start === '[\n' ? '[]\n' : '\n]\n';
}

/** Fields that only the click has, because they never go out. Its parameters have the same names. */
const clickFields = fieldsWhere(({ from, goesOut }) => from === 'click' && goesOut === 'never');

/** The CSV columns before the lead's own fields. A field of the same name is left out. */
const about: Readonly<Record<string, (lead: ListedLead) => string>> = {
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
  fbc: (lead) => fieldText(lead.click?._fbc),
  fbp: (lead) => fieldText(lead.click?._fbp),
  external_ids: (lead) =>
    lead.deliveries
      .filter((delivery) => delivery.external_id !== null)
      .map(({ destination, external_id }) => `${destination} ${external_id}`)
      .join('; '),
};

const ABOUT = new Map(Object.entries(about));
const OTHER_FIELDS = 'other_fields';

/** The columns that the console's export offers. */
export const exportColumns: ExportColumnsAnswer = {
  about: [...ABOUT.keys()],
  fields: leadFieldNames.filter((name) => !ABOUT.has(name)),
};

async function* csvOf(
  portions: AsyncIterable<readonly ListedLead[]>,
  columns: readonly string[],
  isBegun = false,
): AsyncGenerator<string> {
  if (!isBegun) yield csvRecord(columns);
  const cells = cellsOf(columns);
  for await (const leads of portions) {
    yield leads.map((lead) => csvRecord(cells(lead))).join('');
  }
}

/** Returns a function that writes a lead's cells. It goes through the lead's own fields: most columns are empty. */
function cellsOf(columns: readonly string[]): (lead: ListedLead) => string[] {
  const place = new Map(columns.map((name, at) => [name, at]));
  const others = place.get(OTHER_FIELDS);
  const ofClick = clickFields.flatMap((name) => {
    const at = place.get(name);
    return at === undefined ? [] : [{ at, name }];
  });
  const known = columns.flatMap((name, at) => {
    const value = ABOUT.get(name);
    return value === undefined ? [] : [{ at, value }];
  });
  for (const name of [...ABOUT.keys(), OTHER_FIELDS]) place.delete(name);
  return (lead) => {
    const cells: string[] = new Array(columns.length).fill('');
    for (const { at, value } of known) cells[at] = value(lead);
    for (const { at, name } of ofClick) cells[at] = fieldText(lead.click?.[name]);
    let left: Record<string, unknown> | undefined;
    // `Object.entries` makes an array per field.
    for (const name in lead.fields) {
      const value = lead.fields[name];
      const at = place.get(name);
      if (at !== undefined) cells[at] = fieldText(value);
      else if (others !== undefined) left = { ...left, [name]: value };
    }
    if (others !== undefined && left !== undefined) cells[others] = JSON.stringify(left);
    return cells;
  };
}

function fieldText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
