/** Stores clicks and progress entries in PostgreSQL. */
import type pg from 'pg';
import type { PersonKey } from '../../model/lead/person-key.ts';
import { contactKeys } from '../platform/database/contact-keys.ts';
import { persistently } from '../platform/database/database.ts';
import { storeErrors } from '../platform/database/database-error.ts';
import type { OwnedLead } from '../platform/owned-lead.ts';

/** The click that began a visit. */
export type ClickRecord = {
  /** 32 hexadecimal digits, or the click tracker's transaction id. */
  readonly id: string;
  readonly leadId: string;
  readonly survey: string;
  readonly landingPage: string;
  readonly params: Readonly<Record<string, string>>;
  readonly referer: string;
  readonly ip: string;
  readonly userAgent: string;
  readonly secGpc: boolean;
  /** The browser's experiment variants (`assignmentText`), stored with each step of the report. */
  readonly variants: string;
};

/** One event of a visit. */
export type ProgressRecord = {
  readonly leadId: string;
  readonly seq: number;
  readonly survey: string;
  readonly step: string;
  readonly kind: string;
  readonly answers: Readonly<Record<string, string>>;
  /** The refused fields, with commas between them; null unless the kind is `refused`. */
  readonly refused: string | null;
  readonly seconds: number | null;
  readonly at: string | null;
};

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

/** Records that the visit is mirrored, before the mirror gets anything. */
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

export type ProgressStore = ReturnType<typeof createProgressStore>;

/** Creates the store of progress. A repeated report of a step changes nothing. */
export function createProgressStore(pool: pg.Pool, personKey: PersonKey) {
  return {
    /**
     * Writes the click and every new entry, identified by lead and seq. Writes nothing if the lead has another
     * secret or was erased.
     * @returns the seqs of the written entries
     * @throws StoreUnavailableError
     */
    save: (
      click: ClickRecord,
      entries: readonly ProgressRecord[],
      secretSha256: string | null,
    ): Promise<readonly number[]> =>
      storeErrors(async () => {
        const steps = entries.map(({ leadId, ...entry }) => ({
          lead_id: leadId,
          contact_keys: contactKeys(personKey, entry.answers),
          ...entry,
        }));
        const { id, leadId, survey, landingPage, params, referer, ip, userAgent, secGpc } = click;
        const values = [
          ...[id, leadId, survey, landingPage, JSON.stringify(params), referer, ip, userAgent],
          ...[secGpc, JSON.stringify(steps), secretSha256, click.variants],
        ];
        const query = { name: 'leads-progress', text: SAVE, values };
        const { rows } = await persistently(() => pool.query<{ seq: number }>(query), {
          idempotent: true,
        });
        return rows.map(({ seq }) => seq);
      }),
    /**
     * Returns whether the mirror may get this visit's progress, and records it if so. It may not with the opt-out
     * signal, for a person on the suppression list, or if the store fails. Never throws.
     */
    async mayMirror(leadId: string): Promise<boolean> {
      const query = { name: 'progress-mirror', text: BEGIN_MIRROR, values: [leadId] };
      const { rowCount } = await pool.query(query).catch(() => ({ rowCount: 0 }));
      return rowCount === 1;
    },
  };
}
