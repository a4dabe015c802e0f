/** Stores clicks and progress entries in PostgreSQL. */
import type pg from 'pg';
import type { PersonKey } from '../../intake/person-key.ts';
import type { OwnedLead } from '../base/owned-lead.ts';
import type { ProgressStore } from '../visits/save-progress.ts';
import { contactKeys } from './contact-keys.ts';
import { persistently } from './database.ts';
import { storeErrors } from './leads-errors.ts';

/**
 * The first report sets the click. Later reports only fill gaps, which a lead posted before any progress
 * leaves. A click keeps at most 200 parameters. An opt-out, once sent, stays.
 */
const SAVE = `
with own as (
  insert into visits (lead_id, secret_sha256, survey) values ($2, $11, $3)
  on conflict (lead_id) do update set seen_at = now(),
    survey = coalesce(nullif(excluded.survey, ''), visits.survey)
  where visits.secret_sha256 is not distinct from excluded.secret_sha256 and visits.erased_at is null
  returning lead_id
), click as (
  insert into clicks (id, lead_id, survey, landing_page, params, referer, ip, user_agent, sec_gpc)
  select $1, lead_id, $3, $4, $5::jsonb, $6, $7, $8, $9 from own
  on conflict (lead_id, id) do update set
    survey = coalesce(nullif(clicks.survey, ''), excluded.survey),
    landing_page = coalesce(nullif(clicks.landing_page, ''), excluded.landing_page),
    params = case when (select count(*) from jsonb_object_keys(excluded.params || clicks.params)) > 200
      then clicks.params else excluded.params || clicks.params end,
    referer = coalesce(nullif(clicks.referer, ''), excluded.referer),
    sec_gpc = clicks.sec_gpc or excluded.sec_gpc
)
insert into progress (lead_id, seq, survey, step, kind, answers, contact_keys, refused, seconds, at, variants)
select entry.lead_id, seq, survey, step, kind, answers, contact_keys, refused, seconds, at, $12
from jsonb_to_recordset($10::jsonb) as entry(lead_id uuid, seq integer, survey text, step text,
  kind text, answers jsonb, contact_keys text[], refused text, seconds numeric, at timestamptz)
join own on own.lead_id = entry.lead_id
on conflict (lead_id, seq) do nothing
returning seq`;

/**
 * Records that the visit is mirrored, before the mirror gets anything. Not with the opt-out signal, nor for a suppressed
 * person.
 */
const BEGIN_MIRROR = `
with allowed as (
  select v.mirrored_at from visits v where v.lead_id = $1 and v.erased_at is null
    and not exists (select 1 from clicks where lead_id = $1 and sec_gpc)
    and not exists (select 1 from leads where id = $1 and sec_gpc)
    and not exists (select 1 from suppressions where key = any(array(
      select unnest(contact_keys) from progress where lead_id = $1
      union select unnest(array[email_key, phone_key]) from lead_revisions where lead_id = $1)))
), marked as (
  update visits set mirrored_at = now()
  where lead_id = $1 and mirrored_at is null and exists (select 1 from allowed)
)
select 1 from allowed`;

async function mayMirror(pool: pg.Pool, leadId: string): Promise<boolean> {
  const query = { name: 'progress-mirror', text: BEGIN_MIRROR, values: [leadId] };
  const { rowCount } = await pool.query(query);
  return rowCount === 1;
}

const SURVEY_OF = `
select survey from visits
where lead_id = $1 and secret_sha256 is not distinct from $2`;

/** Returns the survey of a saved visit with this id and secret; undefined if there is none. */
export async function surveyOfVisit(
  pool: pg.Pool,
  { leadId, secretSha256 }: OwnedLead,
): Promise<string | undefined> {
  const query = { name: 'survey-of-visit', text: SURVEY_OF, values: [leadId, secretSha256] };
  const { rows } = await pool.query<{ survey: string }>(query);
  return rows[0]?.survey;
}

/** Creates the store of progress. A repeated report of a step changes nothing. */
export function createProgressStore(pool: pg.Pool, personKey: PersonKey): ProgressStore {
  return {
    mayMirror: (leadId) => mayMirror(pool, leadId).catch(() => false),
    save: (click, entries, secretSha256) =>
      storeErrors(async () => {
        const steps = entries.map(({ leadId, ...entry }) => ({
          lead_id: leadId,
          contact_keys: contactKeys(personKey, entry.answers),
          ...entry,
        }));
        const query = {
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
            JSON.stringify(steps),
            secretSha256,
            click.variants,
          ],
        };
        const { rows } = await persistently(() => pool.query<{ seq: number }>(query), {
          idempotent: true,
        });
        return rows.map(({ seq }) => seq);
      }),
  };
}
