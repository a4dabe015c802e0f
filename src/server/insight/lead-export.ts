/** Exports leads as CSV or JSON, oldest first. */

import { fieldsWhere, leadFieldNames } from '../../model/fields/lead-fields.ts';
import type { LeadFilter } from '../../model/messages/console/leads.ts';
import { deliveryName, nextAttemptAt } from '../leads/index.ts';
import type { LeadListContext } from './lead-filter.ts';
import { type ListedLead, type ListPlace, readLeads } from './lead-list.ts';
import { cellText, csvRecord, escapeControls } from './safe-text.ts';

export type ExportFormat = 'csv' | 'json';

const PORTION = 1_000;

/** Yields leads, oldest first, with one SQL statement for each portion. */
async function* leadPortions(context: LeadListContext, filter: LeadFilter) {
  let after: ListPlace | undefined;
  for (;;) {
    const part = { after, direction: 'newer', limit: PORTION } as const;
    const leads: ListedLead[] = await readLeads(context, filter, part);
    if (leads.length > 0) yield leads;
    if (leads.length < PORTION) return;
    after = leads.at(-1);
  }
}

/** Streams an export of leads. The caller must first write the audit log. */
export async function* exportText(
  context: LeadListContext,
  filter: LeadFilter,
  format: ExportFormat,
): AsyncGenerator<string> {
  let start = format === 'csv' ? csvRecord(exportColumns) : '[\n';
  for await (const leads of leadPortions(context, filter)) {
    const rows =
      format === 'csv'
        ? leads.map((lead) => csvRecord(cellsOf(lead))).join('')
        : leads.map((lead) => JSON.stringify(listedJson(lead))).join(',\n');
    yield start + escapeControls(rows);
    start = format === 'csv' ? '' : ',\n';
  }
  if (format === 'csv') yield start;
  else yield start === '[\n' ? '[]\n' : '\n]\n';
}

/** The columns that CSV exports and JSON exports have in common. */
const LEAD_COLUMNS = [
  ...(['submitted_at', 'survey', 'flow', 'language', 'state', 'revision', 'is_test'] as const),
  ...(['qualified', 'dq_reason', 'lead_is_qualified', 'do_not_send_to_dq', 'variants'] as const),
];

/** Returns a lead as an object, without the lead's history. */
function listedJson(lead: ListedLead): Record<string, unknown> {
  return {
    lead_id: lead.id,
    received_at: lead.created_at,
    ...Object.fromEntries(LEAD_COLUMNS.map((name) => [name, lead[name]])),
    problems: lead.problems,
    fields: lead.fields,
    click: lead.click,
    deliveries: lead.deliveries.map((delivery) => ({
      destination: deliveryName(delivery),
      state: delivery.state,
      attempts: delivery.attempts,
      next_attempt_at: nextAttemptAt(delivery),
      finished_at: delivery.finished_at,
      external_id: delivery.external_id,
      message: delivery.last_message,
      end_reason: delivery.end_reason,
    })),
  };
}

const columnOf = (name: (typeof LEAD_COLUMNS)[number]) => (lead: ListedLead) => {
  const value = lead[name];
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : value;
};

const about: Readonly<Record<string, (lead: ListedLead) => unknown>> = {
  lead_id: (lead) => lead.id,
  received_at: (lead) => lead.created_at,
  ...Object.fromEntries(
    LEAD_COLUMNS.map((name) => [name === 'state' ? 'lead_state' : name, columnOf(name)]),
  ),
  deliveries: (lead) =>
    lead.deliveries.map((delivery) => `${deliveryName(delivery)} ${delivery.state}`).join('; '),
  fbc: (lead) => lead.click?._fbc,
  fbp: (lead) => lead.click?._fbp,
  external_ids: (lead) =>
    lead.deliveries
      .filter((delivery) => delivery.external_id !== null)
      .map(({ destination, external_id }) => `${destination} ${external_id}`)
      .join('; '),
};

/** Lead fields that an export contains only as parameters of the ad click. */
const CLICK_FIELDS: ReadonlySet<string> = new Set(
  fieldsWhere(({ from, goesOut }) => from === 'click' && goesOut === 'never'),
);
const OTHER_FIELDS = 'other_fields';
const OWN_FIELDS = leadFieldNames.filter((name) => !Object.hasOwn(about, name));
const OWN_COLUMNS: ReadonlySet<string> = new Set(OWN_FIELDS);

export const exportColumns = [...Object.keys(about), ...OWN_FIELDS, OTHER_FIELDS];

/** Returns the CSV cells of a lead. */
function cellsOf(lead: ListedLead): string[] {
  return exportColumns.map((column) => {
    if (column === OTHER_FIELDS) {
      const others = Object.entries(lead.fields).filter(([name]) => !OWN_COLUMNS.has(name));
      return others.length === 0 ? '' : JSON.stringify(Object.fromEntries(others));
    }
    const aboutLead = about[column];
    if (aboutLead) return cellText(aboutLead(lead));
    const ofClick = CLICK_FIELDS.has(column) ? lead.click?.[column] : undefined;
    return cellText(lead.fields[column] ?? ofClick);
  });
}
