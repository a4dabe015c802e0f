/** Clicks and steps in PostgreSQL. */
import type pg from 'pg';
import type { ProgressStore } from '../leads/ports.ts';
import { inTransaction } from './database.ts';
import { storeErrors } from './leads-errors.ts';

/**
 * The click of the first report stays as it is, but for what was not known then: a lead that was
 * posted before any progress has made a click of the little that it knew.
 */
const SAVE = `
with click as (
  insert into clicks (id, lead_id, survey, landing_page, params, referer, ip, user_agent, sec_gpc)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  on conflict (id) do update set
    lead_id = coalesce(clicks.lead_id, excluded.lead_id),
    survey = coalesce(nullif(clicks.survey, ''), excluded.survey),
    landing_page = coalesce(nullif(clicks.landing_page, ''), excluded.landing_page),
    params = excluded.params || clicks.params,
    referer = coalesce(nullif(clicks.referer, ''), excluded.referer)
  where clicks.lead_id is null or clicks.lead_id = excluded.lead_id
)
insert into progress (lead_id, seq, survey, step, kind, answers, seconds, at)
select lead_id, seq, survey, step, kind, answers, seconds, at
from jsonb_to_recordset($10::jsonb) as entry(lead_id uuid, seq integer, survey text, step text,
  kind text, answers jsonb, seconds numeric, at timestamptz)
on conflict (lead_id, seq) do nothing`;

/** A step that is there already is left as it is: the same report came twice. */
export function createProgressStore(pool: pg.Pool): ProgressStore {
  return {
    save: (click, entries) =>
      storeErrors(() =>
        inTransaction(
          pool,
          async (client) => {
            await client.query({
              name: 'leads-progress',
              text: SAVE,
              values: [
                click.id,
                click.leadId,
                click.survey,
                click.landingPage,
                JSON.stringify(click.params),
                click.referer,
                click.ip,
                click.userAgent,
                click.secGpc,
                JSON.stringify(
                  entries.map(({ leadId, ...entry }) => ({ lead_id: leadId, ...entry })),
                ),
              ],
            });
          },
          { idempotent: true },
        ),
      ),
  };
}
