/** Keeps the log: appends, signs a head every hour, tells heads, and checks the log every night. */
import { appendFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '../../../postgres/logger.ts';
import type { Alerts } from '../../base/alerts.ts';
import { inTransaction, type Queryable } from '../../storage/database.ts';
import { cleanDatabaseError, isPassingError } from '../../storage/database-error.ts';
import { checkLog } from './check.ts';
import type { Unmade } from './entries.ts';
import {
  type KeySettings,
  openSigningKey,
  readKeys,
  type SigningKey,
  UnusableKeyError,
} from './keys.ts';
import { appendPending, signHead } from './log.ts';
import { DamagedLogError } from './tree.ts';

/** The appending rests this many times as long as it worked, so it costs at most 3 % of a processor. */
const REST = 30;
const LEAST_REST_MS = 1_000;
const REST_AFTER_ERROR_MS = 10_000;
/** A process that looks each minute still signs one every hour. */
const HEAD_EVERY_MINUTES = 58;
const LOOK_EVERY_MS = 60_000;
const DAMAGED =
  'The log of evidence is damaged, or was rewritten: packs may not verify. See docs/evidence.md, "Alerts"';

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
  const { pool } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const rest = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
  const working = (async () => {
    let lookedAtMs = Number.NEGATIVE_INFINITY;
    let said: string | undefined;
    const knownKeys = new Set<string>();
    const unmade = tellUnmade(options);
    while (!signal.aborted) {
      const startedMs = performance.now();
      const failure = await tryTo(options, () => appendPending(pool, { unmade }), said);
      // An alert says it once; later the log is an hour behind.
      said = failure === '' ? said : failure;
      let restMs = Math.max(LEAST_REST_MS, (performance.now() - startedMs) * REST);
      if (failure !== undefined) restMs = REST_AFTER_ERROR_MS;
      if (startedMs - lookedAtMs >= LOOK_EVERY_MS) {
        lookedAtMs = startedMs;
        await look(options, knownKeys);
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

/**
 * Does a piece of work. What fails is logged, and alerted unless it passes by itself.
 *
 * @param said an alert that is not repeated
 * @returns the alert, or an empty text if the failure passes by itself; undefined: it is done
 */
async function tryTo(
  { log, alert }: EvidenceJobOptions,
  work: () => Promise<unknown>,
  said?: string,
): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    const err = cleanDatabaseError(error);
    log.warn({ err }, 'The log of evidence waits; it is tried again');
    if (isPassingError(error)) return '';
    const text = alertOf(error);
    const facts = error instanceof DamagedLogError ? { first: error.message } : undefined;
    if (text !== said) alert(text, facts);
    return text;
  }
}

function alertOf(error: unknown): string {
  if (error instanceof UnusableKeyError) return error.message;
  if (error instanceof DamagedLogError) return DAMAGED;
  return 'The log of evidence cannot go on: see the warnings in the server log';
}

/** Returns what logs and alerts a row that gives no entry. */
function tellUnmade({ log, alert }: EvidenceJobOptions): Unmade {
  return ({ ref, number }, error) => {
    // Its message may have what a visitor typed.
    const name = error instanceof Error ? error.name : 'unknown';
    log.error({ error: name, ref, number }, 'A row gives no entry of evidence');
    alert('A record is set aside: it cannot be logged. See docs/evidence.md, "Alerts"', {
      ref,
      number,
    });
  };
}

/** Signs, tells and checks what is due. Nothing of it keeps the rest from being done. */
async function look(options: EvidenceJobOptions, knownKeys: Set<string>): Promise<void> {
  const { pool, settings, origin, alert } = options;
  await tryTo(options, async () => {
    // Makes and publishes the key at the first start, and follows a rotation.
    const key = await openSigningKey(pool, settings);
    await watchKeys(options, key, knownKeys);
    await signHead(pool, key, origin, HEAD_EVERY_MINUTES);
  });
  await tryTo(options, () => tellHeads(options));
  await tryTo(options, async () => {
    const behind = await pool.query(
      `select 1 from evidence_pending
       where at < now() - interval '1 hour' and set_aside_until is null limit 1`,
    );
    if (behind.rows.length === 0) return;
    alert('The log of evidence is an hour behind: see the warnings in the server log');
  });
  await tryTo(options, () => checkAtNight(options));
}

/** Checks the log once a night. A check that did not end is made again. */
async function checkAtNight({ pool, log, alert }: EvidenceJobOptions): Promise<void> {
  if (!(await beginCheck(pool))) return;
  const found = await checkLog(pool);
  if (found.length === 0) log.info('The log of evidence is consistent');
  else {
    log.error({ found }, 'The log of evidence is damaged, or was rewritten');
    alert(DAMAGED, { findings: found.length, first: found[0] ?? '' });
  }
  await pool.query(
    `insert into chores (name, last_run_at)
     select 'evidence', last_run_at from chores where name = 'evidence-check'
     on conflict (name) do update set last_run_at = excluded.last_run_at`,
  );
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

/** Claims tonight's check unless it is done: only one process gets it. A claim is good for two hours. */
async function beginCheck(client: Queryable): Promise<boolean> {
  const { rows } = await client.query(
    `insert into chores (name, last_run_at)
     select 'evidence-check', now() where not exists (
       select 1 from chores where name = 'evidence' and last_run_at::date = current_date)
     on conflict (name) do update set last_run_at = now()
     where chores.last_run_at < now() - interval '2 hours' or chores.last_run_at > now()
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
