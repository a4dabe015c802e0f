/** Reads the values that a filter of the list of leads can have, for its menu. */
import { type RawBuilder, sql } from 'kysely';
import {
  type LeadValuesAnswer,
  NO_VALUE,
  type SuggestedKey,
} from '../../../contract/console/leads.ts';
import { briefly, type LeadListContext } from './list.ts';

const NEWEST = 20_000;
const MOST_VALUES = 100;

const values: Readonly<Record<SuggestedKey, RawBuilder<unknown>>> = {
  survey: sql`survey`,
  source: sql`source`,
  campaign: sql`campaign`,
  sub: sql`unnest(sub_ids)`,
  affiliate: sql`affiliate`,
  state: sql`us_state`,
  language: sql`language`,
  reason: sql`reason`,
  code: sql`code`,
  hold: sql`unnest(holds)`,
  variant: sql`unnest(variants)`,
  destination: sql`split_part(unnest(deliveries), ':', 1)`,
};
/** Keys whose empty value can be filtered for. */
const CAN_BE_NONE: readonly SuggestedKey[] = ['source', 'campaign', 'affiliate', 'state'];

/** Returns the values of a key among the newest leads, the most frequent first. */
export function leadValues(context: LeadListContext, key: SuggestedKey): Promise<LeadValuesAnswer> {
  return briefly(context.db, async (database) => {
    const { rows } = await sql<{ value: string; leads: number }>`
      select value, count(*)::integer as leads from (
        select ${values[key]} as value from (
          select * from visit_summaries where received_at is not null
          order by received_at desc, lead_id desc limit ${NEWEST}
        ) newest
      ) every_value
      where value <> '' or ${CAN_BE_NONE.includes(key)}::boolean
      group by value order by leads desc, value limit ${MOST_VALUES}`.execute(database);
    return {
      values: rows.map(({ value, leads }) => ({ value: value === '' ? NO_VALUE : value, leads })),
      of: NEWEST,
    };
  });
}
