/** Exports the money ledger as CSV, so that a spreadsheet can compute the console's totals. */
import { addDays, type CalendarDate, formatIso, parseIso } from '../../model/fields/dates.ts';
import type { Period } from '../../model/messages/console/numbers.ts';
import type { Queryable } from '../platform/database/database.ts';
import { midnight } from '../platform/time-format.ts';
import { checkPeriod } from './overview.ts';
import { cellText, csvRecord, escapeControls } from './safe-text.ts';

/** SQL: the entries of visits that began on a day ($1), and of costs without a visit. */
const ENTRIES = `
with visit as materialized (
  select * from visit_summaries
  where began_at >= ${midnight('$1', '$2')} and began_at < ${midnight('$1', '$2', 1)} and not is_test
), entry as (
  select m.*, began_at, survey, v.source as visit_source, campaign, sub_ids, affiliate, us_state, language, device, code,
    variants
  from visit v join money_entries m on m.lead_id = v.lead_id
  union all
  select m.*, at, about->>'survey', about->>'source', about->>'campaign', array_remove(array[about->>'sub'], null),
    about->>'affiliate', '', '', '', '', '{}'
  from money_entries m
  where lead_id is null and at >= ${midnight('$1', '$2')} and at < ${midnight('$1', '$2', 1)}
)
select key, kind,
  case when destination is null then 'cost' else 'revenue' end as counts_as,
  amount::text as amount, currency, at, began_at as visit_began_at, lead_id, delivery_id,
  coalesce(destination, min(destination) filter (where kind = 'sale') over (partition by lead_id)) as buyer,
  survey, visit_source as source, campaign, array_to_string(sub_ids, ' ') as sub, affiliate, us_state as state, language,
  device, code, array_to_string(variants, ' ') as variant, source as origin, reason, actor
from entry order by began_at, key`;

/**
 * Yields the ledger of the visits that began in a period, as CSV. Holds no personal data.
 * @throws OperatorError if the period is invalid
 */
export async function* exportLedger(
  client: Queryable,
  asked: { readonly period: Period; readonly timeZone: string },
): AsyncGenerator<string> {
  const { from, to } = checkPeriod(asked.period);
  const first = parseIso(from) as CalendarDate;
  for (let days = 0; ; days += 1) {
    const day = formatIso(addDays(first, days));
    if (day > to) return;
    const { rows, fields } = await client.query<object>(ENTRIES, [day, asked.timeZone]);
    if (days === 0) yield csvRecord(fields.map(({ name }) => name));
    for (const row of rows) yield escapeControls(csvRecord(Object.values(row).map(cellText)));
  }
}
