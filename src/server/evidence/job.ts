/** Keeps the log: appends, signs a head every hour, sends heads, and checks the log every night. */
import { appendFile } from 'node:fs/promises';
import type { Alerts } from '../platform/alerts.ts';
import type { Jobs, Turn } from '../platform/database/jobs.ts';
import type { Logger } from '../platform/postgres/logger.ts';
import { checkLog } from './check.ts';
import { type KeySettings, NotReadyError, openSigningKey, readKeys } from './keys.ts';
import { APPEND_JOB, appendWithin, signHead, UnmadeEntryError, WAITING } from './log.ts';
import { DamagedLogError } from './tree.ts';

/** The appending rests this many times as long as it worked, so it costs at most 3 % of a processor. */
const REST = 30;
const APPEND_EVERY_MS = 10_000;
/** A process that looks each minute still signs one every hour. */
const HEAD_EVERY_MINUTES = 58;
const LOOK_EVERY_MS = 60_000;
const DAMAGED =
  'The log of evidence is damaged, or was rewritten: packs may not verify. See docs/evidence.md, "Alerts"';
const BEHIND = 'The log of evidence is an hour behind: see the warnings in the server log';
const KEY_ADDED = 'A key that signs evidence was added. See docs/evidence.md, "Alerts"';

export type EvidenceJobOptions = {
  readonly settings: KeySettings;
  /** The origin of the site, which is the name of the log. */
  readonly origin: string;
  readonly log: Logger;
  readonly alert: Alerts;
  /** Sends a head to the operator's own place. @throws if it did not arrive */
  readonly tell?:
    | ((head: { readonly jws: string }, signal: AbortSignal) => Promise<void>)
    | undefined;
  /** A file to which each head is added as a line. */
  readonly headsFile?: string | undefined;
};

/** Starts the jobs: appending, signing and sending of heads, and the nightly check. */
export function startEvidence(jobs: Jobs, options: EvidenceJobOptions): void {
  const { settings, origin, log, alert } = options;
  let knownKeys: readonly string[] | undefined;
  jobs.start({
    name: APPEND_JOB,
    everyMs: APPEND_EVERY_MS,
    restFactor: REST,
    alertOf,
    async run(turn) {
      try {
        const waited = await turn.transaction((client) => appendWithin(client));
        return waited ? 0 : undefined;
      } catch (error) {
        if (!(error instanceof UnmadeEntryError)) throw error;
        await turn.doItems([error.item], String, () => Promise.reject(error));
        return 0;
      }
    },
  });
  jobs.start({
    name: 'evidence-heads',
    everyMs: LOOK_EVERY_MS,
    alertOf,
    async run(turn) {
      const { pool } = turn;
      const late = `select from ${WAITING} and at < now() - interval '1 hour' limit 1`;
      if ((await pool.query(late)).rowCount) alert(BEHIND);
      // Sent first: a key that has ended signs no further head.
      await sendHeads(turn, options);
      // Makes and publishes the key at the first start, and follows a rotation.
      const key = await openSigningKey(pool, settings);
      const kids = (await readKeys(pool)).keys.map(({ kid }) => kid);
      // At a start, only the own new key beside others shows that one was lost.
      const known = knownKeys ?? (key.isNew && kids.length > 1 ? [] : kids);
      const added = kids.filter((kid) => !known.includes(kid) && (knownKeys || kid === key.kid));
      for (const kid of added) alert(KEY_ADDED, { key: kid });
      knownKeys = kids;
      const often = { youngMinutes: HEAD_EVERY_MINUTES, signsAlways: false };
      if (await signHead(pool, key, origin, often)) await sendHeads(turn, options);
    },
  });
  jobs.start({
    name: 'evidence-check',
    everyMs: 3_600_000,
    isDaily: true,
    alertOf,
    async run({ pool }) {
      const found = await checkLog(pool);
      if (found.length === 0) return log.info('The log of evidence is consistent');
      log.error({ found }, 'The log of evidence is damaged, or was rewritten');
      alert(DAMAGED, { findings: found.length, first: found[0] ?? '' });
    },
  });
}

function alertOf(error: unknown): Parameters<Alerts> {
  if (error instanceof NotReadyError) return [error.message];
  if (error instanceof DamagedLogError) return [DAMAGED, { first: error.message }];
  return ['The log of evidence cannot go on: see the warnings in the server log'];
}

const HEADS_AT_ONCE = 50;
/** A head that nobody got for this long is alerted: until then a rewritten log may go unseen. */
const UNTOLD_MS = 3_600_000;
const UNTOLD =
  'Heads of the log of evidence have not arrived for an hour at EVIDENCE_HEADS_URL or EVIDENCE_HEADS_FILE: see the warnings in the server log';

/** Sends heads to the operator's own place, each at least once. No connection is held during a send. */
async function sendHeads(
  { pool, signal }: Turn,
  { tell, headsFile, log, alert }: EvidenceJobOptions,
): Promise<void> {
  if (!tell && headsFile === undefined) return;
  const { rows } = await pool.query<{ at: Date; jws: string }>(
    `select at, jws from evidence_heads where told_at is null order by at limit ${HEADS_AT_ONCE}`,
  );
  for (const head of rows) {
    if (signal.aborted) return;
    try {
      await tell?.(head, signal);
      if (headsFile !== undefined) await appendFile(headsFile, `${head.jws}\n`);
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ err: error }, 'A head of the log was not sent; it is tried again');
      if (head.at.getTime() < Date.now() - UNTOLD_MS) alert(UNTOLD);
      return;
    }
    await pool.query('update evidence_heads set told_at = now() where at = $1', [head.at]);
  }
}
