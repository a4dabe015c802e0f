/** Runs the evidence log's jobs: append entries, sign and send tree heads, check the log. */
import { appendFile } from 'node:fs/promises';
import { keysById, thumbprint } from '../../model/evidence/keys.ts';
import type { Alerts } from '../platform/alerts.ts';
import type { Queryable } from '../platform/database/database.ts';
import type { Jobs, Turn } from '../platform/database/jobs.ts';
import type { Logger } from '../platform/postgres/logger.ts';
import { type EntryKey, revisionEntries } from './entries.ts';
import { type KeySettings, NotReadyError, openSigningKey, readKeys } from './keys.ts';
import {
  APPEND_JOB,
  appendWithin,
  headProblem,
  readHeads,
  signHead,
  sizeOfLog,
  UnmadeEntryError,
  WAITING,
} from './log.ts';
import { checkTiles, DamagedLogError, Tree } from './tree.ts';

/** The job pauses 30 times as long as it worked, to use at most 3 % of a processor. */
const REST = 30;
const APPEND_EVERY_MS = 10_000;
/** The job signs a tree head only if the newest tree head is at least this old. */
const HEAD_EVERY_MINUTES = 58;
const LOOK_EVERY_MS = 60_000;
const DAMAGED =
  'The log of evidence is damaged, or was rewritten: packs may not verify. See docs/evidence.md, "Alerts"';
const BEHIND = 'The log of evidence is an hour behind: see the warnings in the server log';
const KEY_ADDED = 'A key that signs evidence was added. See docs/evidence.md, "Alerts"';

type EvidenceJobOptions = {
  readonly settings: KeySettings;
  readonly origin: string;
  readonly log: Logger;
  readonly alert: Alerts;
  /** Sends a tree head to the operator's own server. @throws if it did not arrive */
  readonly postHead?:
    | ((head: { readonly jws: string }, signal: AbortSignal) => Promise<void>)
    | undefined;
  /** A file to which each tree head is appended as a line. */
  readonly headsFile?: string | undefined;
};

/** Starts the jobs of the evidence log. */
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
      // Sends the tree heads before `openSigningKey`, which throws if the key has ended.
      await sendHeads(turn, options);
      const key = await openSigningKey(pool, settings);
      const kids = (await readKeys(pool)).keys.map(({ kid }) => kid);
      // A new key beside older keys means that the key file was lost, which must raise an alert.
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
/** If a tree head was not sent within this time, the job raises an alert. */
const UNSENT_MS = 3_600_000;
const UNSENT =
  'Heads of the log of evidence have not arrived for an hour at EVIDENCE_HEADS_URL or EVIDENCE_HEADS_FILE: see the warnings in the server log';

/** Sends each tree head to the operator's own server at least once. */
async function sendHeads(
  { pool, signal }: Turn,
  { postHead, headsFile, log, alert }: EvidenceJobOptions,
): Promise<void> {
  if (!postHead && headsFile === undefined) return;
  const { rows } = await pool.query<{ at: Date; jws: string }>(
    `select at, jws from evidence_heads where sent_at is null order by at limit ${HEADS_AT_ONCE}`,
  );
  for (const head of rows) {
    if (signal.aborted) return;
    try {
      await postHead?.(head, signal);
      if (headsFile !== undefined) await appendFile(headsFile, `${head.jws}\n`);
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ err: error }, 'A head of the log was not sent; it is tried again');
      if (head.at.getTime() < Date.now() - UNSENT_MS) alert(UNSENT);
      return;
    }
    await pool.query('update evidence_heads set sent_at = now() where at = $1', [head.at]);
  }
}

const HEADS_CHECKED_AT_ONCE = 100;
const MOST_FINDINGS = 20;

/** Checks the log's hashes and tree heads. Returns a sentence for each problem. */
export async function checkLog(client: Queryable): Promise<string[]> {
  const found: string[] = [];
  const sought = await drawnEntries(client, ({ ref, number }) =>
    found.push(`revision ${number} of lead ${ref} gives no entry`),
  );
  // Reads the size of the log after its entries. An older size might not include all entries.
  const size = await sizeOfLog(client);
  const { leaves, wrong } = await checkTiles(client, size, (seen) => {
    for (const leaf of seen) sought.delete(leaf.toString('hex'));
  });
  found.push(...wrong.map((tile) => `the hash of tile ${tile} does not follow from its leaves`));
  if (leaves !== size) found.push(`the log has ${leaves} leaves instead of ${size}`);
  const published = await readKeys(client);
  for (const { kid, x } of published.keys) {
    const own = await thumbprint(x).catch(() => undefined);
    if (own !== kid) found.push(`key ${kid} was changed`);
  }
  for (let before: Date | undefined; found.length < MOST_FINDINGS; ) {
    const heads = await readHeads(client, HEADS_CHECKED_AT_ONCE, before);
    // Reads the size of the log again, because entries may have been appended during the check.
    const now = await sizeOfLog(client);
    const keys = keysById(await readKeys(client));
    const tree = new Tree(client);
    for (const head of heads) {
      const problem = await headProblem(head, now, tree, keys);
      if (problem) found.push(`the head of ${head.at.toISOString()} ${problem}`);
    }
    before = heads.at(-1)?.at;
    if (heads.length < HEADS_CHECKED_AT_ONCE) break;
  }
  for (const name of sought.values()) found.push(`${name} is not as it was logged`);
  return found.slice(0, MOST_FINDINGS);
}

/** The approximate number of leads that are compared with the log each night. */
const LEADS_A_NIGHT = 1_000;

/** SQL: selects the logged revisions of random leads. */
const DRAW = `
with drawn as materialized (
  select id from leads tablesample system ($1) where evidence_salt is not null and erased_at is null
  order by random() limit ${LEADS_A_NIGHT}
)
select r.lead_id as ref, r.revision as number from drawn join lead_revisions r on r.lead_id = drawn.id
where not exists (select 1 from evidence_pending p
  where p.ref = r.lead_id and p.number = r.revision and not p.is_delivery)`;

async function drawnEntries(
  client: Queryable,
  unmade: (of: EntryKey) => void,
): Promise<Map<string, string>> {
  const { rows: counted } = await client.query<{ leads: number }>(
    "select reltuples as leads from pg_class where oid = 'leads'::regclass",
  );
  // Selects twice as many leads as needed, because the check skips erased leads.
  const percent = Math.min(100, (200 * LEADS_A_NIGHT) / Math.max(1, counted[0]?.leads ?? 1));
  const { rows } = await client.query<EntryKey>(DRAW, [percent]);
  const entries = await revisionEntries(client, rows, unmade);
  return new Map(
    entries.map(({ leaf, path, leadId }) => [leaf.toString('hex'), `${path} of lead ${leadId}`]),
  );
}
