/** Codes by SMS in PostgreSQL: what was sent and tried, and the limits of both. */
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import type pg from 'pg';
import { SMS_RESEND_COOLDOWN_MS } from '../../domain/thresholds.ts';
import type { PhoneCodeClaim, PhoneCodeStore } from '../leads/ports.ts';
import { storeErrors } from './leads-errors.ts';

/** How far back sends and tries count, in minutes. A code lives as long as a number's window. */
const NUMBER_MINUTES = 10;
const ADDRESS_MINUTES = 60;
const VISIT_MINUTES = 60;
const EVERYBODY_MINUTES = 60;

const ago = (minutes: number) => `now() - interval '${minutes} minutes'`;

/**
 * Counts one more of `key`, unless there are `most` in its window already: then it has no row. The row of
 * the key is locked by it until the commit, so that of many statements, in whatever process, each sees
 * what the one before has counted. Nothing is counted without a row of `after`.
 */
function counted(
  name: string,
  { after, key, most, minutes }: { after: string; key: string; most: string; minutes: number },
): string {
  const recent = `select t from unnest(phone_code_limits.times) as t where t > ${ago(minutes)}`;
  return `${name} as (
  insert into phone_code_limits (key, times, last_at)
  select ${key}, array[now()], now() from ${after}
  on conflict (key) do update
  set times = array_append(array(${recent}), now()), last_at = now()
  where (select count(*) from (${recent}) as within_window) < ${most}
  returning key
)`;
}

/** What is known of a visit's codes for one number. */
const KNOWN = `known as (
  select coalesce(bool_or(outcome = 'approved'), false) as is_approved,
    coalesce(bool_or(kind = 'send' and outcome = 'sent'
      and at > now() - interval '${SMS_RESEND_COOLDOWN_MS} milliseconds'), false) as is_recent,
    coalesce(bool_or(kind = 'send' and outcome = 'sent' and at > ${ago(NUMBER_MINUTES)}), false)
      as is_alive
  from phone_codes where lead_id = $1 and number_key = $3
)`;

const RESULT = `select exists (select 1 from own) as is_own, is_approved, is_recent, is_alive,
  exists (select 1 from claimed) as is_claimed
from known`;

/**
 * Claims and counts a send in one statement. The number comes last, so that who is over a limit of their
 * own takes nothing away from whoever has the number, and after it everybody together; and always in this
 * order, so that no two statements wait for each other.
 * $1: lead. $2: hash of the secret. $3: key of the number. $4: id. $5: survey. $6: key of the address.
 * $7 to $10: how many by address, visit and number, and of everybody together.
 */
const CLAIM_SEND = `
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
})}, ${counted('by_everybody', {
  after: 'by_number',
  key: `'sends of everybody'`,
  most: '$10::integer',
  minutes: EVERYBODY_MINUTES,
})}, claimed as (
  insert into phone_codes (id, lead_id, kind, number_key) select $4, $1, 'send', $3 from by_everybody
  returning id
)
${RESULT}`;

/**
 * Claims and counts a try, which only a visit has that was sent a code: nobody uses up the tries of a
 * number that is not theirs. $1 to $4 as above. $5 and $6: how many by visit and number.
 */
const CLAIM_CHECK = `
with own as (
  select lead_id from visits
  where lead_id = $1 and secret_sha256 is not distinct from $2 and erased_at is null
), ${KNOWN}, wanted as (
  select 1 from own, known where is_alive and not is_approved
), ${counted('by_visit', {
  after: 'wanted',
  key: `'tries ' || $1::uuid::text`,
  most: '$5::integer',
  minutes: VISIT_MINUTES,
})}, ${counted('by_number', {
  after: 'by_visit',
  key: `'tries ' || $3::text`,
  most: '$6::integer',
  minutes: NUMBER_MINUTES,
})}, claimed as (
  insert into phone_codes (id, lead_id, kind, number_key) select $4, $1, 'check', $3 from by_number
  returning id
)
${RESULT}`;

const END = 'update phone_codes set outcome = $2, ended_at = now() where id = $1';

const VERIFIED = `
select number_key, min(ended_at) as verified_at from phone_codes
where lead_id = $1 and outcome = 'approved' and exists (select 1 from visits
  where visits.lead_id = $1 and secret_sha256 is not distinct from $2 and erased_at is null)
group by number_key`;

const MAKE_SECRET = `
insert into phone_code_secret (id, secret) values (1, $1) on conflict (id) do nothing`;

/** $1: visits. Their codes, and what was counted of their numbers and of themselves. */
export const FORGET_CODES: readonly string[] = [
  `delete from phone_code_limits where key in (
     select kind || subject from (values ('sends '), ('tries ')) as kinds (kind), (
       select number_key from phone_codes where lead_id = any($1::uuid[])
       union select lead_id::text from unnest($1::uuid[]) as visits (lead_id)) as subjects (subject))`,
  'delete from phone_codes where lead_id = any($1::uuid[])',
];

type Claimed = Record<'is_own' | 'is_approved' | 'is_recent' | 'is_alive' | 'is_claimed', boolean>;

/** What stands for a number or an address in the tables. */
type KeyOf = (kind: 'number' | 'address', value: string) => string;

export function createPhoneCodeStore(pool: pg.Pool): PhoneCodeStore {
  let secret: Promise<string> | undefined;
  const keys = async (): Promise<KeyOf> => {
    secret ??= readSecret(pool).catch((error: unknown) => {
      secret = undefined;
      throw error;
    });
    const known = await secret;
    return (kind, value) =>
      createHmac('sha256', known).update(`${kind}:${value}`).digest('base64url');
  };

  async function claim(
    statement: { name: string; text: string; values: unknown[] },
    id: string,
  ): Promise<Claimed & { readonly claim: PhoneCodeClaim | undefined }> {
    const { rows } = await pool.query<Claimed>(statement);
    const row = rows[0] as Claimed;
    const found = row.is_claimed
      ? { id }
      : !row.is_own
        ? 'not_yours'
        : row.is_approved
          ? 'approved'
          : undefined;
    return { ...row, claim: found };
  }

  return {
    claimSend: ({ leadId, secretSha256, survey }, digits, addressKey, limits) =>
      storeErrors(async () => {
        const id = randomUUID();
        const keyOf = await keys();
        const number = keyOf('number', digits);
        const address = keyOf('address', addressKey);
        const { sendsPerAddress, sendsPerVisit, sendsPerNumber, sends } = limits;
        const most = [sendsPerAddress, sendsPerVisit, sendsPerNumber, sends];
        const values = [leadId, secretSha256, number, id, survey, address, ...most];
        const done = await claim({ name: 'phone-code-send', text: CLAIM_SEND, values }, id);
        return done.claim ?? (done.is_recent ? 'recent' : 'over');
      }),
    claimCheck: ({ leadId, secretSha256 }, digits, limits) =>
      storeErrors(async () => {
        const id = randomUUID();
        const number = (await keys())('number', digits);
        const most = [limits.triesPerVisit, limits.triesPerNumber];
        const values = [leadId, secretSha256, number, id, ...most];
        const done = await claim({ name: 'phone-code-check', text: CLAIM_CHECK, values }, id);
        return done.claim ?? (done.is_alive ? 'over' : 'none');
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

/** The random key that the servers share, for what only they may derive; made where there is none yet. */
export async function readSecret(pool: pg.Pool): Promise<string> {
  await pool.query(MAKE_SECRET, [randomBytes(32).toString('base64url')]);
  const { rows } = await pool.query<{ secret: string }>('select secret from phone_code_secret');
  return (rows[0] as { secret: string }).secret;
}
