/** Permits the sending and checking of phone verification codes, and counts both. */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { SMS_RESEND_COOLDOWN_MS } from '../../model/messages/phone-code.ts';
import { storeErrors } from '../platform/database/database-error.ts';
import type { KeyedDigest } from '../platform/database/database-secret.ts';
import type { OwnedLead } from '../platform/owned-lead.ts';

/** The outcome of sending a code. `blocked`: the service refuses the phone number. */
export type CodeSendOutcome = 'sent' | 'too_many' | 'blocked' | 'failed';
/** The outcome of checking a code. `expired`: the code is too old, used, or was never sent. */
export type CheckOutcome = 'approved' | 'wrong' | 'expired' | 'too_many' | 'failed';

/** Maximum numbers of sent codes and of typed codes (docs/specification.md#sms-verification). */
export type PhoneCodeLimits = {
  readonly sendsPerNumber: number;
  readonly sendsPerAddress: number;
  readonly sendsPerVisit: number;
  /** Maximum number of codes that are sent to all visitors in an hour. */
  readonly sends: number;
  readonly triesPerNumber: number;
  readonly triesPerVisit: number;
};

/**
 * A permit to send or check a code, or the reason for a refusal.
 * - an `id`: permitted; pass the outcome to `end`
 * - `recent`: a code was just sent to this number, possibly for another visit
 * - `none`: this visit has no valid code for this number
 * - `not_yours`: the visit has another secret or was erased
 */
export type PhoneCodePermit =
  | { readonly id: string }
  | 'approved'
  | 'recent'
  | 'none'
  | 'over'
  | 'not_yours';

/** Returns the time (ISO 8601) at which a visit verified a ten-digit phone number, or undefined. */
export type VerifiedNumbers = (digits: string) => string | undefined;

/** Number of minutes for which a code is valid. */
const NUMBER_MINUTES = 10;
const HOUR_MINUTES = 60;

const COOLDOWN = `interval '${SMS_RESEND_COOLDOWN_MS} milliseconds'`;
const ago = (minutes: number) => `now() - interval '${minutes} minutes'`;

type Counted = { after: string; key: string; most: string; minutes: number; alone?: boolean };

/** Returns SQL that counts one event under `key`, if the limit is not reached. */
function counted(name: string, { after, key, most, minutes, alone = false }: Counted): string {
  const recent = `select t from unnest(phone_code_limits.times) as t where t > ${ago(minutes)}`;
  const busyUntil = alone ? `now() + ${COOLDOWN}` : 'null::timestamptz';
  return `${name} as (
  insert into phone_code_limits (key, times, last_at, busy_until)
  select ${key}, array[now()], now(), ${busyUntil} from ${after}
  on conflict (key) do update
  set times = array_append(array(${recent}), now()), last_at = now(), busy_until = excluded.busy_until
  where coalesce(phone_code_limits.busy_until <= now(), true)
    and (select count(*) from (${recent}) as within_window) < ${most}
  returning key
)`;
}

/** SQL: reads whether the visit has a recent, a valid or an approved code for a phone number. */
const KNOWN = `known as (
  select coalesce(bool_or(outcome = 'approved'), false) as is_approved,
    coalesce(bool_or(kind = 'send' and coalesce(outcome, 'sent') = 'sent'
      and at > now() - ${COOLDOWN}), false) as is_recent,
    coalesce(bool_or(kind = 'send' and outcome = 'sent' and at > ${ago(NUMBER_MINUTES)}), false)
      as is_alive
  from phone_codes where lead_id = $1 and number_key = $3
)`;

const RESULT = `select exists (select 1 from own) as is_own, is_approved, is_recent, is_alive,
  exists (select 1 from by_visit) as has_room, exists (select 1 from by_number) as is_number_free,
  exists (select 1 from permitted) as is_permitted
from known`;

/**
 * SQL: permits sending a code, and counts the code against all limits. The fixed order of the
 * limits prevents deadlocks.
 */
const PERMIT_SEND = `
with own as (
  insert into visits (lead_id, secret_sha256, survey) values ($1, $2, $5)
  on conflict (lead_id) do update set seen_at = now()
  where visits.secret_sha256 is not distinct from excluded.secret_sha256
    and visits.erased_at is null
  returning lead_id
), ${KNOWN}, wanted as (
  select 1 from own, known where not is_approved and not is_recent
), ${counted('by_address', {
  after: 'wanted',
  key: `'sends ' || $6::text`,
  most: '$7::integer',
  minutes: HOUR_MINUTES,
})}, ${counted('by_visit', {
  after: 'by_address',
  key: `'sends ' || $1::uuid::text`,
  most: '$8::integer',
  minutes: HOUR_MINUTES,
})}, ${counted('by_number', {
  after: 'by_visit',
  key: `'sends ' || $3::text`,
  most: '$9::integer',
  minutes: NUMBER_MINUTES,
  alone: true,
})}, ${counted('by_everybody', {
  after: 'by_number',
  key: `'sends of everybody'`,
  most: '$10::integer',
  minutes: HOUR_MINUTES,
})}, permitted as (
  insert into phone_codes (id, lead_id, kind, number_key) select $4, $1, 'send', $3 from by_everybody
  returning id
)
${RESULT}`;

/** SQL: returns a row if a code is being sent to the phone number. */
const IS_BUSY = `
select 1 from phone_code_limits where key = 'sends ' || $1::text and busy_until > now() and $2::integer > (
  select count(*) from unnest(times) as t where t > ${ago(NUMBER_MINUTES)})`;
/** SQL: lets the next code be sent to a phone number. */
const FREE = `
update phone_code_limits set busy_until = clock_timestamp() where key = 'sends ' || $1::text`;

/**
 * SQL: permits and counts a check of a typed code. Checks by other visitors cannot lock out the
 * owner of the phone number.
 */
const PERMIT_CHECK = `
with own as (
  select lead_id from visits
  where lead_id = $1 and secret_sha256 is not distinct from $2 and erased_at is null
), ${KNOWN}, wanted as (
  select 1 from own, known where is_alive and not is_approved
), others as (
  select lead_id, count(*) filter (where kind = 'send') as sends, bool_or(kind = 'check') as has_tried
  from phone_codes
  where number_key = $3 and at > ${ago(NUMBER_MINUTES)} and (kind = 'check' or outcome = 'sent')
  group by lead_id
), shared as (
  select greatest(1, $6::integer - greatest(0, $7::integer - coalesce(sum(sends), 0))
    - count(*) filter (where lead_id <> $1 and not has_tried)) as most
  from others
), ${counted('by_visit', {
  after: 'wanted',
  key: `'tries ' || $1::uuid::text`,
  most: '$5::integer',
  minutes: HOUR_MINUTES,
})}, ${counted('by_number', {
  after: 'by_visit',
  key: `'tries ' || $3::text`,
  most: '(select most from shared)',
  minutes: NUMBER_MINUTES,
})}, permitted as (
  insert into phone_codes (id, lead_id, kind, number_key) select $4, $1, 'check', $3 from by_number
  returning id
)
${RESULT}`;

const END = `
with ended as (
  update phone_codes set outcome = $2, ended_at = now() where id = $1 returning kind, number_key
)
update phone_code_limits set busy_until = clock_timestamp() from ended
where ended.kind = 'send' and key = 'sends ' || ended.number_key`;

const VERIFIED = `
select number_key, min(ended_at) as verified_at from phone_codes
where lead_id = $1 and outcome = 'approved' and exists (select 1 from visits
  where visits.lead_id = $1 and secret_sha256 is not distinct from $2 and erased_at is null)
group by number_key`;

type PermitRow = Record<
  | ('is_own' | 'is_approved' | 'is_recent' | 'is_alive')
  | ('has_room' | 'is_number_free' | 'is_permitted'),
  boolean
>;

/** The store that permits and counts the sending and checking of codes. */
export type PhoneCodeStore = ReturnType<typeof createPhoneCodeStore>;

/** Creates the store, whose functions throw StoreUnavailableError on database failures. */
export function createPhoneCodeStore(pool: pg.Pool, digest: KeyedDigest) {
  async function permit(name: string, text: string, id: string, values: unknown[]) {
    const { rows } = await pool.query<PermitRow>({ name, text, values });
    const row = rows[0] as PermitRow;
    const refusal = row.is_approved ? 'approved' : undefined;
    const known: PhoneCodePermit | undefined = row.is_own ? refusal : 'not_yours';
    return { ...row, permit: row.is_permitted ? { id } : known };
  }

  return {
    permitSend: (
      { leadId, secretSha256, survey }: OwnedLead & { readonly survey: string },
      digits: string,
      networkKey: string,
      limits: PhoneCodeLimits,
    ): Promise<PhoneCodePermit> =>
      storeErrors(async () => {
        const id = randomUUID();
        const number = digest('number', digits);
        const address = digest('address', networkKey);
        const { sendsPerAddress, sendsPerVisit, sendsPerNumber, sends } = limits;
        const most = [sendsPerAddress, sendsPerVisit, sendsPerNumber, sends];
        const values = [leadId, secretSha256, number, id, survey, address, ...most];
        const done = await permit('phone-code-send', PERMIT_SEND, id, values);
        if (done.permit) return done.permit;
        if (done.is_recent) return 'recent';
        if (done.is_number_free) await pool.query(FREE, [number]);
        if (done.is_number_free || !done.has_room) return 'over';
        const { rowCount } = await pool.query(IS_BUSY, [number, sendsPerNumber]);
        return rowCount ? 'recent' : 'over';
      }),
    permitCheck: (
      { leadId, secretSha256 }: OwnedLead,
      digits: string,
      limits: PhoneCodeLimits,
    ): Promise<PhoneCodePermit> =>
      storeErrors(async () => {
        const id = randomUUID();
        const number = digest('number', digits);
        const most = [limits.triesPerVisit, limits.triesPerNumber, limits.sendsPerNumber];
        const values = [leadId, secretSha256, number, id, ...most];
        const done = await permit('phone-code-check', PERMIT_CHECK, id, values);
        return done.permit ?? (done.is_alive ? 'over' : 'none');
      }),
    /** Records the outcome of sending or checking a code. */
    end: (id: string, outcome: CodeSendOutcome | CheckOutcome): Promise<void> =>
      storeErrors(async () => {
        await pool.query({ name: 'phone-code-end', text: END, values: [id, outcome] });
      }),
    /** Returns the phone numbers that this visit verified. */
    verifiedNumbers: ({ leadId, secretSha256 }: OwnedLead): Promise<VerifiedNumbers> =>
      storeErrors(async () => {
        const { rows } = await pool.query<{ number_key: string; verified_at: Date }>({
          name: 'phone-code-verified',
          text: VERIFIED,
          values: [leadId, secretSha256],
        });
        if (rows.length === 0) return () => undefined;
        const times = new Map(rows.map((row) => [row.number_key, row.verified_at.toISOString()]));
        return (digits: string) => times.get(digest('number', digits));
      }),
  };
}
