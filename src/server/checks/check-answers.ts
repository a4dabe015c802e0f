/** Caches third parties' answers in PostgreSQL, which all processes share. */
import type pg from 'pg';
import { cleanDatabaseError } from '../platform/database/database-error.ts';
import type { KeyedDigest } from '../platform/database/database-secret.ts';
import { inTime } from '../platform/in-time.ts';
import type { Logger } from '../platform/postgres/logger.ts';
import type { CheckedService } from './service.ts';

const LONGEST_WAIT_MS = 250;

const RECALL = `
select answer from check_answers where service = $1 and asked_sha256 = $2 and expires_at > now()`;

const STORE = `
insert into check_answers (service, asked_sha256, answer, expires_at)
values ($1, $2, $3::jsonb, now() + $4::float8 * interval '1 millisecond')
on conflict (service, asked_sha256) do update set answer = excluded.answer,
  expires_at = excluded.expires_at`;

const COUNT_BLOCKED = `
insert into blocked_emails as stored (key, times, at) values ($1, 1, now())
on conflict (key) do update set times = stored.times + 1, at = now()
returning times`;

/** Returns a function that counts how often a visitor entered the same blocked e-mail address. */
export function createBlockedEmails(pool: pg.Pool, digest: KeyedDigest) {
  return async (entered: string): Promise<number> => {
    const key = digest('blocked email', entered);
    const { rows } = await pool.query<{ times: number }>(COUNT_BLOCKED, [key]);
    return rows[0]?.times ?? 0;
  };
}

export type CheckAnswers = ReturnType<typeof createCheckAnswers>;

/** Creates the cache, whose functions never throw errors. */
export function createCheckAnswers(options: { pool: pg.Pool; log: Logger; lifetimeMs: number }) {
  const { pool, log, lifetimeMs } = options;
  return {
    /** Returns the cached answer about the value `asked`; undefined if no answer is cached. */
    async recall(service: CheckedService, asked: string): Promise<unknown> {
      const query = { name: 'check-answers-recall', text: RECALL, values: [service, asked] };
      const found = await inTime(pool.query<{ answer: unknown }>(query), LONGEST_WAIT_MS);
      return found?.rows[0]?.answer;
    },
    /** Stores an answer in the cache. */
    async store(service: CheckedService, asked: string, answer: unknown): Promise<void> {
      const values = [service, asked, JSON.stringify(answer), lifetimeMs];
      const stored = pool
        .query({ name: 'check-answers-store', text: STORE, values })
        .catch((error: unknown) => {
          log.warn({ err: cleanDatabaseError(error) }, 'Could not store the answer of a service');
        });
      await inTime(stored, LONGEST_WAIT_MS);
    },
  };
}
