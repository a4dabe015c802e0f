/** Gives the same lead id to both posts if a form is posted twice. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Clock } from '../platform/clock.ts';
import { persistently } from '../platform/database/database.ts';
import { storeErrors } from '../platform/database/database-error.ts';
import type { KeyedDigest } from '../platform/database/database-secret.ts';
import { StoreUnavailableError } from '../platform/errors.ts';

type FormLead = { readonly leadId: string; readonly secret: string };

/** Length of a time slot. Equal forms in the same slot or in adjacent slots get one lead id. */
const SAME_FORM_MS = 10 * 60 * 1000;

/** Returns the lead id and secret of a form, for the current and for the previous time slot. */
export function leadsOfForm(
  digest: KeyedDigest,
  purpose: string,
  now: Clock,
  textAt: (slot: number) => string,
): FormLead[] {
  const slot = Math.floor(now().getTime() / SAME_FORM_MS);
  return [slot, slot - 1].map((each) => leadOfDigest(digest(purpose, textAt(each))));
}

/** Makes a lead id and a secret from a hash. */
export function leadOfDigest(digest: string): FormLead {
  const [a, b, c, d, e] = [
    [0, 8],
    [8, 12],
    [13, 16],
    [17, 20],
    [20, 32],
  ].map(([from, to]) => digest.slice(from, to));
  return { leadId: `${a}-${b}-8${c}-8${d}-${e}`, secret: digest.slice(32) };
}

/** Duration of a lease. The process that holds the lease renews it regularly. */
const LEASE_MS = 30_000;
const MOST_TRIES = 320;
const RETRY_MS = 100;

/** SQL: takes a lease. Unlike a lock, a lease works with a connection pooler. */
const TAKE = `
insert into form_locks (key, holder, until) values ($1, $2, now() + $3 * interval '1 millisecond')
on conflict (key) do update set holder = excluded.holder, until = excluded.until
where form_locks.until < now() or form_locks.holder = excluded.holder`;

const RENEW = `
update form_locks set until = now() + $3 * interval '1 millisecond' where key = $1 and holder = $2`;

/** SQL: deletes this process's lease and expired leases. */
const GIVE_BACK = `
delete from form_locks where key = $1 and holder = $2 or key in (
  select key from form_locks where until < now() - interval '1 minute' for update skip locked)`;

/** Runs `work` when all earlier work with the same key has ended. @throws StoreUnavailableError */
export type FormTurns = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/** Creates a `FormTurns` with leases in PostgreSQL, which all processes share. */
export function createFormTurns(
  pool: pg.Pool,
  wait: (ms: number) => Promise<unknown> = pause,
  leaseMs = LEASE_MS,
): FormTurns {
  const running = new Map<string, Promise<unknown>>();

  async function take(key: string, holder: string): Promise<void> {
    const query = { name: 'form-lock-take', text: TAKE, values: [key, holder, leaseMs] };
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const { rowCount } = await persistently(() => pool.query(query), { idempotent: true });
      if (rowCount === 1) return;
      await wait(RETRY_MS);
    }
    throw new StoreUnavailableError('The previous form of this visit is still being processed');
  }

  async function withLease<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const holder = randomUUID();
    await storeErrors(() => take(key, holder));
    const renewal = { name: 'form-lock-renew', text: RENEW, values: [key, holder, leaseMs] };
    const renewing = setInterval(() => {
      // Ignores a failed renewal of the lease, because the next renewal may succeed.
      pool.query(renewal).catch(() => undefined);
    }, leaseMs / 3);
    try {
      return await work();
    } finally {
      clearInterval(renewing);
      // Ignores a failed deletion of the lease, because the lease expires anyway.
      await pool
        .query({ name: 'form-lock-give-back', text: GIVE_BACK, values: [key, holder] })
        .catch(() => undefined);
    }
  }

  return async (key, work) => {
    const before = running.get(key) ?? Promise.resolve();
    const next = () => withLease(key, work);
    const mine = before.then(next, next);
    running.set(key, mine);
    try {
      return await mine;
    } finally {
      if (running.get(key) === mine) running.delete(key);
    }
  };
}
