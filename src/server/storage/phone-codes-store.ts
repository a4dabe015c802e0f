/** Phone verification codes in PostgreSQL: sends, tries, and the limits of both. */
import { createHmac, randomUUID } from 'node:crypto';
import type pg from 'pg';
import { SMS_RESEND_COOLDOWN_MS } from '../../contract/phone-code.ts';
import type { PhoneCodePermit, PhoneCodeStore } from '../phone-codes/verify-phone.ts';
import { databaseSecret } from './database-secret.ts';
import { storeErrors } from './leads-errors.ts';

/** The windows of the limits, in minutes. A code is valid for as long as a number's window. */
const NUMBER_MINUTES = 10;
const ADDRESS_MINUTES = 60;
const VISIT_MINUTES = 60;
const EVERYBODY_MINUTES = 60;

const COOLDOWN = `interval '${SMS_RESEND_COOLDOWN_MS} milliseconds'`;
const ago = (minutes: number) => `now() - interval '${minutes} minutes'`;

/**
 * Returns SQL that counts one more event for `key`. It returns no row if the window already has `most`
 * events, and counts nothing unless `after` has a row. The row lock makes concurrent statements count one
 * after the other.
 *
 * With `alone`, it also counts nothing while the previous event is running, until `END` or the cooldown is
 * over.
 */
function counted(
  name: string,
  {
    after,
    key,
    most,
    minutes,
    alone = false,
  }: { after: string; key: string; most: string; minutes: number; alone?: boolean },
): string {
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

/** SQL: the state of a visit's codes for one number. */
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
 * Counts a send against all limits and permits it, in one statement. The number's limit is counted
 * after the visitor's own limits, so that a refused visitor uses up no send of the number's owner.
 * The order is fixed to prevent deadlocks. $1: lead. $2: hash of the secret. $3: key of the number.
 * $4: id. $5: survey. $6: key of the address. $7 to $10: the limits per address, visit and number,
 * and overall.
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
  minutes: ADDRESS_MINUTES,
})}, ${counted('by_visit', {
  after: 'by_address',
  key: `'sends ' || $1::uuid::text`,
  most: '$8::integer',
  minutes: VISIT_MINUTES,
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
  minutes: EVERYBODY_MINUTES,
})}, permitted as (
  insert into phone_codes (id, lead_id, kind, number_key) select $4, $1, 'send', $3 from by_everybody
  returning id
)
${RESULT}`;

/** Finds whether a refused send only met one that is still running. $1: number. $2: limit per number. */
const IS_BUSY = `
select 1 from phone_code_limits where key = 'sends ' || $1::text and busy_until > now() and $2::integer > (
  select count(*) from unnest(times) as t where t > ${ago(NUMBER_MINUTES)})`;
/** Ends the reservation of a number. $1: number. */
const FREE = `
update phone_code_limits set busy_until = clock_timestamp() where key = 'sends ' || $1::text`;

/**
 * Counts and permits a try, for a visit that was sent a code. The service counts tries by number, so they are
 * shared out: one is reserved for each other visit that has a code and has not tried, and for each send that may
 * still come. A stranger's wrong tries thus never lock out the number's owner.
 * $1 to $4 as above. $5 and $6: limits per visit and number. $7: sends per number.
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
  minutes: VISIT_MINUTES,
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

/** Deletes visits' codes, and the counts of the visits and their numbers. $1: visits. */
export const FORGET_CODES: readonly string[] = [
  `delete from phone_code_limits where key in (
     select kind || subject from (values ('sends '), ('tries ')) as kinds (kind), (
       select number_key from phone_codes where lead_id = any($1::uuid[])
       union select lead_id::text from unnest($1::uuid[]) as visits (lead_id)) as subjects (subject))`,
  'delete from phone_codes where lead_id = any($1::uuid[])',
];

type PermitRow = Record<
  | ('is_own' | 'is_approved' | 'is_recent' | 'is_alive')
  | ('has_room' | 'is_number_free' | 'is_permitted'),
  boolean
>;

/** Returns the value that replaces a number or an address in the tables. */
type KeyOf = (kind: 'number' | 'address', value: string) => string;

export function createPhoneCodeStore(pool: pg.Pool): PhoneCodeStore {
  const secret = databaseSecret(pool);
  const keys = async (): Promise<KeyOf> => {
    const known = await secret();
    return (kind, value) =>
      createHmac('sha256', known).update(`${kind}:${value}`).digest('base64url');
  };

  async function permit(
    statement: { name: string; text: string; values: unknown[] },
    id: string,
  ): Promise<PermitRow & { readonly permit: PhoneCodePermit | undefined }> {
    const { rows } = await pool.query<PermitRow>(statement);
    const row = rows[0] as PermitRow;
    const found = row.is_permitted
      ? { id }
      : !row.is_own
        ? 'not_yours'
        : row.is_approved
          ? 'approved'
          : undefined;
    return { ...row, permit: found };
  }

  return {
    permitSend: ({ leadId, secretSha256, survey }, digits, networkKey, limits) =>
      storeErrors(async () => {
        const id = randomUUID();
        const keyOf = await keys();
        const number = keyOf('number', digits);
        const address = keyOf('address', networkKey);
        const { sendsPerAddress, sendsPerVisit, sendsPerNumber, sends } = limits;
        const most = [sendsPerAddress, sendsPerVisit, sendsPerNumber, sends];
        const values = [leadId, secretSha256, number, id, survey, address, ...most];
        const done = await permit({ name: 'phone-code-send', text: PERMIT_SEND, values }, id);
        if (done.permit) return done.permit;
        if (done.is_recent) return 'recent';
        if (done.is_number_free) await pool.query(FREE, [number]);
        if (done.is_number_free || !done.has_room) return 'over';
        const { rowCount } = await pool.query(IS_BUSY, [number, sendsPerNumber]);
        return rowCount ? 'recent' : 'over';
      }),
    permitCheck: ({ leadId, secretSha256 }, digits, limits) =>
      storeErrors(async () => {
        const id = randomUUID();
        const number = (await keys())('number', digits);
        const most = [limits.triesPerVisit, limits.triesPerNumber, limits.sendsPerNumber];
        const values = [leadId, secretSha256, number, id, ...most];
        const done = await permit({ name: 'phone-code-check', text: PERMIT_CHECK, values }, id);
        return done.permit ?? (done.is_alive ? 'over' : 'none');
      }),
    end: (id, outcome) =>
      storeErrors(async () => {
        await pool.query({ name: 'phone-code-end', text: END, values: [id, outcome] });
      }),
    verifiedNumbers: ({ leadId, secretSha256 }) =>
      storeErrors(async () => {
        const { rows } = await pool.query<{ number_key: string; verified_at: Date }>({
          name: 'phone-code-verified',
          text: VERIFIED,
          values: [leadId, secretSha256],
        });
        if (rows.length === 0) return () => undefined;
        const keyOf = await keys();
        const times = new Map(rows.map((row) => [row.number_key, row.verified_at.toISOString()]));
        return (digits: string) => times.get(keyOf('number', digits));
      }),
  };
}
