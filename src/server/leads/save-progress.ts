/** The use case behind `POST /api/save-data`, which stores the ad click and every step. */
import type pg from 'pg';
import { isAskedField } from '../../model/fields/asked-fields.ts';
import { isPersonalParameter } from '../../model/fields/contact-parameters.ts';
import { withoutAdIds } from '../../model/fields/tracking.ts';
import { clickIdOf } from '../../model/fields/tracking-fields.ts';
import { beginning, storableText } from '../../model/lead/body.ts';
import type { Visitor } from '../../model/lead/context.ts';
import type { PersonKey } from '../../model/lead/person-key.ts';
import type { SaveDataAnswer } from '../../model/messages/progress.ts';
import type { Clock } from '../platform/clock.ts';
import { contactKeys } from '../platform/database/contact-keys.ts';
import { persistently } from '../platform/database/database.ts';
import { storeErrors } from '../platform/database/database-error.ts';
import { OverLimitError, StoreUnavailableError } from '../platform/errors.ts';
import { type AddressBytes, bytesOf, LATER_SECONDS, tooManyBytes } from './post-limits.ts';

/** The ad click that began a visit. */
export type ClickRecord = ReturnType<typeof clickRecord>;
/** One event of a visit, such as an answered step. */
export type ProgressRecord = NonNullable<ReturnType<typeof progressEntry>>;

/** Stored progress in the format that the browser sends. */
export type SavedProgress = {
  readonly session: Readonly<Record<string, unknown>>;
  readonly data: readonly Readonly<Record<string, unknown>>[];
};

const TEXT_CHARACTERS = 10_000;
const NAME_CHARACTERS = 100;
const MAX_PARAMETERS = 100;
const MAX_SEQ = 2_147_483_647;
/** Maximum number of seconds on a step that the database column can store. */
const MAX_SECONDS = 99_999_999;

/** Stores a browser's progress (docs/specification.md#saving-progress). @throws OverLimitError */
export type SaveProgress = (
  body: Readonly<Record<string, unknown>>,
  visitor: Visitor,
) => Promise<SaveDataAnswer>;

/** Creates the use case that stores progress. */
export function createSaveProgress(options: {
  readonly store: ProgressStore;
  readonly mirror?: ((saved: SavedProgress) => void) | undefined;
  readonly addressBytes: AddressBytes;
  readonly stepsPerVisit: number;
  tooManySteps(): void;
  readonly now: Clock;
}): SaveProgress {
  const { store, mirror, addressBytes, stepsPerVisit, tooManySteps, now } = options;

  return async (body, visitor) => {
    if (!(await addressBytes.take(visitor.networkKey, bytesOf(body)))) throw tooManyBytes(now);
    const session = record(body.session);
    const leadId = String(session.lead_id).toLowerCase();
    const survey = text(session.survey, NAME_CHARACTERS);
    const data = Array.isArray(body.data) ? body.data : [];
    const entries = new Map<number, ProgressRecord>();
    for (const given of data) {
      const entry = progressEntry(record(given), leadId, survey);
      if (entry && !entries.has(entry.seq)) entries.set(entry.seq, entry);
    }
    const within = [...entries.values()].filter(({ seq }) => seq <= stepsPerVisit);
    try {
      const click = clickRecord(session, leadId, survey, visitor);
      const written = await store.save(click, within, visitor.secretSha256);
      const data = written.flatMap((seq) => wireEntry(entries.get(seq)));
      if (mirror && data.length > 0 && (await store.mayMirror(leadId))) {
        mirror({ session: sessionOf(click), data });
      }
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      return { userBackupStatus: false, userProgressionStatus: false };
    }
    if (within.length < entries.size) {
      tooManySteps();
      throw new OverLimitError('too_many_steps', LATER_SECONDS);
    }
    return { userBackupStatus: true, userProgressionStatus: true };
  };
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

function text(value: unknown, longest: number): string {
  return typeof value === 'string' ? beginning(storableText(value), longest) : '';
}

function texts(value: unknown): Record<string, string> {
  const given = Object.entries(record(value)).filter(([, each]) => typeof each === 'string');
  return Object.fromEntries(
    given
      .slice(0, MAX_PARAMETERS)
      .map(([name, each]) => [text(name, NAME_CHARACTERS), text(each, TEXT_CHARACTERS)]),
  );
}

/** Returns the parameters of the ad click, without personal data. */
function clickParams(given: unknown, { secGpc, adCookies }: Visitor): Record<string, string> {
  const params = Object.fromEntries(
    Object.entries(texts(given)).filter(([name]) => !isPersonalParameter(name)),
  );
  return secGpc ? withoutAdIds(params) : { ...params, ...adCookies };
}

function clickRecord(
  session: Readonly<Record<string, unknown>>,
  leadId: string,
  survey: string,
  visitor: Visitor,
) {
  return {
    /** The id of the ad click: 32 hexadecimal digits, or the click tracker's transaction id. */
    id: clickIdOf({ ef_transaction_id: text(session.click_id, NAME_CHARACTERS) }, leadId),
    leadId,
    survey,
    landingPage: text(session.landing_page, 2000),
    params: clickParams(session.params, visitor),
    referer: text(session.referer, 2000),
    ip: visitor.address,
    userAgent: visitor.userAgent,
    secGpc: visitor.secGpc,
    /** The browser's experiment variants, stored with every step. */
    variants: visitor.variants ?? '',
  };
}

/** Returns an ad click in the format that the browser sends. */
function sessionOf(click: ClickRecord): SavedProgress['session'] {
  const { id, leadId, survey, landingPage, params, referer } = click;
  return {
    lead_id: leadId,
    survey,
    click_id: id,
    landing_page: withoutQuery(landingPage),
    params,
    referer: withoutQuery(referer),
  };
}

function withoutQuery(address: string): string {
  const url = URL.parse(address);
  return url === null ? '' : url.origin + url.pathname;
}

/** The kinds of events that are used only for our own statistics. */
const ownKinds = ['refused', 'failed'];

function wireEntry(entry: ProgressRecord | undefined): SavedProgress['data'] {
  if (entry === undefined || ownKinds.includes(entry.kind)) return [];
  const { leadId: _, survey: __, refused: ___, seconds, at, ...rest } = entry;
  return [{ ...rest, ...(seconds === null ? {} : { seconds }), ...(at === null ? {} : { at }) }];
}

/** Returns the names of the refused fields, separated by commas. */
function refusedFields(given: unknown): string {
  const names = Array.isArray(given) ? given.slice(0, MAX_PARAMETERS) : [];
  return [
    ...new Set(names.filter((name) => typeof name === 'string' && isAskedField(name))),
  ].join();
}

function progressEntry(given: Readonly<Record<string, unknown>>, leadId: string, survey: string) {
  const { seq, seconds, at } = given;
  if (typeof seq !== 'number' || !Number.isInteger(seq) || seq < 1 || seq > MAX_SEQ) {
    return undefined;
  }
  const step = text(given.step, NAME_CHARACTERS);
  const kind = text(given.kind, NAME_CHARACTERS);
  if (step === '' || kind === '') return undefined;
  const answers = Object.fromEntries(
    Object.entries(texts(given.answers)).filter(([name]) => isAskedField(name)),
  );
  const time = typeof at === 'string' ? new Date(at) : new Date(Number.NaN);
  const isLikely = time.getUTCFullYear() >= 2000 && time.getUTCFullYear() <= 2200;
  return {
    leadId,
    seq,
    survey,
    step,
    kind,
    answers,
    refused: kind === 'refused' ? refusedFields(given.refused) : null,
    seconds: typeof seconds === 'number' && seconds >= 0 && seconds <= MAX_SECONDS ? seconds : null,
    at: isLikely ? time.toISOString() : null,
  };
}

/** SQL: stores the ad click. If the click is already stored, adds only its missing values. */
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

/** SQL: records that the visit is copied to `SAVE_DATA_URL`, if copying is allowed. */
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

type ProgressStore = ReturnType<typeof createProgressStore>;

/** Creates the store of progress. */
export function createProgressStore(pool: pg.Pool, personKey: PersonKey) {
  return {
    /** Stores the ad click and the new steps. @throws StoreUnavailableError */
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
    /** Returns whether the visit's progress may be copied to `SAVE_DATA_URL`. */
    async mayMirror(leadId: string): Promise<boolean> {
      const query = { name: 'progress-mirror', text: BEGIN_MIRROR, values: [leadId] };
      const { rowCount } = await pool.query(query).catch(() => ({ rowCount: 0 }));
      return rowCount === 1;
    },
  };
}
