/**
 * Caches third parties' answers in memory and in PostgreSQL, which all processes share. Misses are cached briefly, so
 * that a form post needs at most one database read.
 */
import type pg from 'pg';
import { toJson } from '../../model/lead/body.ts';
import { createBatcher } from '../platform/database/batcher.ts';
import { cleanDatabaseError } from '../platform/database/database-error.ts';
import type { KeyedDigest } from '../platform/database/database-secret.ts';
import { inTime } from '../platform/in-time.ts';
import { setLatest } from '../platform/latest.ts';
import type { Logger } from '../platform/postgres/logger.ts';
import type { CheckedService } from './service.ts';

/** Maximum number of answers in memory, about 200 bytes each; the oldest are dropped first. */
const MAX_REMEMBERED = 20_000;
/** Lifetime of a cached miss. It is short, because another process may store the answer meanwhile. */
const UNKNOWN_MS = 30_000;
/** Maximum wait for the database. After it, the caller asks the third party or uses our own check. */
const RECALL_MS = 250;
const MAX_ITEMS = 200;
/** Limit of each queue (reads, writes); further entries are skipped. */
const MAX_PENDING = 5_000;

type Wanted = { readonly service: CheckedService; readonly asked: string };
type Kept = Wanted & { readonly answer: unknown; readonly lifetimeMs: number };

// $1: services. $2: hashes of values.
const RECALL = `
select a.service, a.asked_sha256, a.answer,
  extract(epoch from a.expires_at - now())::float8 * 1000 as left_ms
from unnest($1::text[], $2::text[]) as wanted(service, asked)
join check_answers a on a.service = wanted.service and a.asked_sha256 = wanted.asked
where a.expires_at > now()`;

const KEEP = `
insert into check_answers (service, asked_sha256, answer, expires_at)
select service, asked, answer, now() + "lifetimeMs" * interval '1 millisecond'
from jsonb_to_recordset($1::jsonb)
  as kept(service text, asked text, answer jsonb, "lifetimeMs" double precision)
order by service, asked
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

/** @param lifetimeMs how long an answer may be reused */
export function createCheckAnswers(options: { pool: pg.Pool; log: Logger; lifetimeMs: number }) {
  const { pool, log, lifetimeMs } = options;
  /** The key is a hash of service and value. An undefined `answer` is a cached miss. */
  const remembered = new Map<string, { answer: unknown; untilMs: number }>();

  function remember(asked: string, answer: unknown, untilMs: number): void {
    setLatest(remembered, asked, { answer, untilMs }, MAX_REMEMBERED);
  }

  const reads = createBatcher<Wanted, unknown>({
    async run(wanted) {
      const { rows } = await pool.query<{
        asked_sha256: string;
        answer: unknown;
        left_ms: number;
      }>({
        name: 'check-answers-recall',
        text: RECALL,
        values: [wanted.map(({ service }) => service), wanted.map(({ asked }) => asked)],
      });
      const found = new Map(rows.map((row) => [row.asked_sha256, row]));
      return wanted.map(({ asked }) => {
        const row = found.get(asked);
        remember(asked, row?.answer, Date.now() + (row ? row.left_ms : UNKNOWN_MS));
        return row?.answer;
      });
    },
    key: ({ asked }) => asked,
    maxItems: MAX_ITEMS,
    maxConcurrent: 2,
  });

  const writes = createBatcher<Kept, undefined>({
    async run(kept) {
      await pool.query({ name: 'check-answers-keep', text: KEEP, values: [toJson(kept)] });
      return kept.map(() => undefined);
    },
    key: ({ asked }) => asked,
    maxItems: MAX_ITEMS,
  });

  async function recall(wanted: Wanted): Promise<unknown> {
    const known = remembered.get(wanted.asked);
    if (known && known.untilMs > Date.now()) return known.answer;
    if (reads.pending >= MAX_PENDING) return undefined;
    // After an error or a late answer the check continues without a cached answer.
    return inTime(reads.add(wanted), RECALL_MS);
  }

  return {
    /** Returns the cached answer, or undefined if there is none or the database fails. Never throws. */
    recall: (service: CheckedService, asked: string): Promise<unknown> =>
      recall({ service, asked }),
    /** Recalls several answers at once. The map contains only the answers found. */
    async recallAll(wanted: readonly Wanted[]): Promise<ReadonlyMap<string, unknown>> {
      const answers = await Promise.all(wanted.map(recall));
      const found = wanted.map(({ asked }, index) => [asked, answers[index]] as const);
      return new Map(found.filter(([, answer]) => answer !== undefined));
    },
    /** Stores an answer in memory at once, and in the database in the background. */
    keep(service: CheckedService, asked: string, answer: unknown): void {
      remember(asked, answer, Date.now() + lifetimeMs);
      if (writes.pending >= MAX_PENDING) return;
      writes.add({ service, asked, answer, lifetimeMs }).catch((error: unknown) => {
        log.warn({ err: cleanDatabaseError(error) }, 'Could not store the answer of a service');
      });
    },
    /** Resolves when no write is waiting. */
    drain: () => writes.drain(),
  };
}
