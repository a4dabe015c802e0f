/** Exports the leads of a filter. */
import type { LeadExportRequest, LeadFilter } from '../../../contract/console/leads.ts';
import { persistently } from '../../storage/database.ts';
import { exportColumns, exportColumnsText } from '../export.ts';
import { OperatorError } from '../operator-error.ts';
import { type ListedLead, leadsById } from '../selection.ts';
import { briefly, type LeadListContext } from './list.ts';
import { findPlaces, type ListPlace } from './places.ts';

/** Leads that are found by one statement, and leads that are read by one. */
const FOUND = 5_000;
const READ = 500;

/** Yields every lead of a filter in portions, oldest first. No transaction stays open meanwhile. */
export async function* leadPortionsOf(
  context: LeadListContext,
  filter: LeadFilter,
): AsyncGenerator<readonly ListedLead[]> {
  let after: ListPlace | undefined;
  for (;;) {
    const page = { after, direction: 'newer', limit: FOUND } as const;
    const places: ListPlace[] = await briefly(context.db, (database) =>
      findPlaces(database, context, filter, page),
    );
    for (let at = 0; at < places.length; at += READ) {
      const ids = places.slice(at, at + READ).map(({ leadId }) => leadId);
      yield await persistently(() => leadsById(context.db, ids), { idempotent: true });
    }
    after = places.at(-1);
    if (places.length < FOUND) return;
  }
}

/** Returns the columns of an export in the order asked for. @throws OperatorError `usage` */
export function readColumns(columns: readonly string[]): readonly string[] {
  const known: readonly string[] = [...exportColumns.about, ...exportColumns.fields];
  const unknown = columns.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new OperatorError('usage', 'The export has an unknown column.');
  if (columns.length === 0) throw new OperatorError('usage', 'Choose at least one column.');
  return [...new Set(columns)];
}

/**
 * Streams an export. It contains personal data: write the audit log first.
 * @param request.columns as `readColumns` returns them
 * @param ended is called when the stream ends or is cancelled, with the number of leads that were read for it
 */
export async function* exportLeads(
  context: LeadListContext,
  { filter, columns, format }: Omit<LeadExportRequest, 'reason'>,
  ended: (leads: number, isComplete: boolean) => Promise<void>,
): AsyncGenerator<string> {
  let leads = 0;
  let isComplete = false;
  async function* counted() {
    for await (const portion of leadPortionsOf(context, filter)) {
      leads += portion.length;
      yield portion;
    }
  }
  try {
    yield* exportColumnsText(counted(), columns, format);
    isComplete = true;
  } finally {
    await ended(leads, isComplete);
  }
}
