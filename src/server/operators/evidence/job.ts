/** Keeps the log: appends, signs a head every hour, tells heads, and checks the log every night. */
import { appendFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '../../../postgres/logger.ts';
import type { Alerts } from '../../base/alerts.ts';
import { inTransaction, type Queryable } from '../../storage/database.ts';
import { cleanDatabaseError } from '../../storage/database-error.ts';
import { checkLog } from './check.ts';
import {
  type KeySettings,
  openSigningKey,
  readKeys,
  type SigningKey,
  UnusableKeyError,
} from './keys.ts';
import { appendPending, signHead } from './log.ts';

/** The appending rests this many times as long as it worked, so it costs at most 3 % of a processor. */
const REST = 30;
const LEAST_REST_MS = 1_000;
const REST_AFTER_ERROR_MS = 10_000;
/** A process that looks each minute still signs one every hour. */
const HEAD_EVERY_MINUTES = 58;
const LOOK_EVERY_MS = 60_000;

export type EvidenceJobOptions = {
  readonly pool: pg.Pool;
  readonly settings: KeySettings;
  /** The origin of the site, which is the name of the log. */
  readonly origin: string;
  readonly log: Logger;
  readonly alert: Alerts;
  /** Sends a head to the operator's own place. @throws if it did not arrive */
  readonly tell?:
    | ((head: { readonly jws: string; readonly at: Date }) => Promise<void>)
    | undefined;
  /** A file to which each head is added as a line. */
  readonly headsFile?: string | undefined;
};

/** Starts the job. Any number of processes may: one of them does each piece of work. */
export function startEvidence(options: EvidenceJobOptions): {
  /** Stops the job and waits for the current piece of work. */
  stop(): Promise<void>;
} {
  const { pool, log } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const rest = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
  const working = (async () => {
    let lookedAtMs = Number.NEGATIVE_INFINITY;
    const knownKeys = new Set<string>();
    while (!signal.aborted) {
      const startedMs = performance.now();
      let restMs = LEAST_REST_MS;
      try {
        await appendPending(pool);
        restMs = Math.max(restMs, (performance.now() - startedMs) * REST);
        if (startedMs - lookedAtMs >= LOOK_EVERY_MS) {
          lookedAtMs = startedMs;
          await look(options, knownKeys);
        }
      } catch (error) {
        restMs = REST_AFTER_ERROR_MS;
        log.warn(
          { err: cleanDatabaseError(error) },
          'The log of evidence waits; it is tried again',
        );
      }
      await rest(restMs);
    }
  })();
  return {
    stop() {
      stopping.abort();
      return working;
    },
  };
}

/** Signs, tells and checks what is due. */
async function look(options: EvidenceJobOptions, knownKeys: Set<string>): Promise<void> {
  const { pool, settings, origin, log, alert } = options;
  // Makes and publishes the key at the first start, and follows a rotation.
  const key = await openSigningKey(pool, settings).catch((error: unknown) => {
    if (error instanceof UnusableKeyError) alert(error.message);
    throw error;
  });
  await watchKeys(options, key, knownKeys);
  await signHead(pool, key, origin, HEAD_EVERY_MINUTES);
  await tellHeads(options);
  const behind = await pool.query(
    `select 1 from evidence_pending where at < now() - interval '1 hour' limit 1`,
  );
  if (behind.rows.length > 0) {
    alert('The log of evidence is an hour behind: see the warnings in the server log');
  }
  if (!(await takeNight(pool))) return;
  const found = await checkLog(pool);
  if (found.length === 0) log.info('The log of evidence is consistent');
  else {
    log.error({ found }, 'The log of evidence is damaged, or was rewritten');
    alert(
      'The log of evidence is damaged, or was rewritten: packs may not verify. See docs/evidence.md, "Alerts"',
      { findings: found.length, first: found[0] ?? '' },
    );
  }
}

/** Alerts if a key was added: because one was lost, rotated or forged. Adds all to the known ones. */
async function watchKeys(
  { pool, alert }: EvidenceJobOptions,
  own: SigningKey,
  known: Set<string>,
): Promise<void> {
  const kids = (await readKeys(pool)).keys.map(({ kid }) => kid);
  const isFirstLook = known.size === 0;
  for (const kid of kids) {
    const isAdded = isFirstLook ? own.isNew && own.kid === kid && kids.length > 1 : !known.has(kid);
    if (isAdded) {
      alert('A key that signs evidence was added. See docs/evidence.md, "Alerts"', { key: kid });
    }
    known.add(kid);
  }
}

/** Claims tonight's check: only one process gets it. */
async function takeNight(client: Queryable): Promise<boolean> {
  const { rows } = await client.query(
    `insert into chores (name, last_run_at) values ('evidence', now())
     on conflict (name) do update set last_run_at = now()
     where chores.last_run_at < date_trunc('day', now())
     returning name`,
  );
  return rows.length > 0;
}

const HEADS_AT_ONCE = 50;
/** A head that nobody got for this long is alerted: until then a rewritten log may go unseen. */
const UNTOLD_MS = 3_600_000;
const UNTOLD =
  'Heads of the log of evidence have not arrived for an hour at EVIDENCE_HEADS_URL or EVIDENCE_HEADS_FILE: see the warnings in the server log';

/** Sends heads to the operator's own place, each at least once. */
async function tellHeads({ pool, tell, headsFile, log, alert }: EvidenceJobOptions): Promise<void> {
  if (!tell && headsFile === undefined) return;
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ at: Date; jws: string }>(
      `select at, jws from evidence_heads where told_at is null order by at limit ${HEADS_AT_ONCE}
       for update skip locked`,
    );
    for (const head of rows) {
      try {
        await tell?.(head);
        if (headsFile !== undefined) await appendFile(headsFile, `${head.jws}\n`);
      } catch (error) {
        log.warn({ err: error }, 'A head of the log could not be told; it is tried again');
        if (head.at.getTime() < Date.now() - UNTOLD_MS) alert(UNTOLD);
        return;
      }
      await client.query('update evidence_heads set told_at = now() where at = $1', [head.at]);
    }
  });
}
