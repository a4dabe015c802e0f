/** Checks nightly that the log is what its heads say (docs/evidence.md). */
import { keysById, thumbprint } from '../../model/evidence/keys.ts';
import type { Queryable } from '../platform/database/database.ts';
import { type EntryKey, revisionEntries } from './entries.ts';
import { readKeys } from './keys.ts';
import { headProblem, readHeads, sizeOfLog } from './log.ts';
import { checkTiles, Tree } from './tree.ts';

/** The tiles that a page of heads touches stay in memory until its end: some megabytes. */
const HEADS_AT_ONCE = 100;
/** The most findings in one alert. */
const MOST_FINDINGS = 20;

/**
 * Makes the tree again from its leaves, and compares it with every head that was signed, and with the rows of some
 * leads. Entries may be appended meanwhile.
 *
 * @returns what is wrong, in words; empty: nothing
 */
export async function checkLog(client: Queryable): Promise<string[]> {
  const found: string[] = [];
  const sought = await drawnEntries(client, ({ ref, number }) =>
    found.push(`revision ${number} of lead ${ref} gives no entry`),
  );
  // Read after them: each of them is among these leaves.
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
    const heads = await readHeads(client, HEADS_AT_ONCE, before);
    // A head may have been signed since the check began, also by a new key.
    const now = await sizeOfLog(client);
    const keys = keysById(await readKeys(client));
    const tree = new Tree(client);
    for (const head of heads) {
      const problem = await headProblem(head, now, tree, keys);
      if (problem) found.push(`the head of ${head.at.toISOString()} ${problem}`);
    }
    before = heads.at(-1)?.at;
    if (heads.length < HEADS_AT_ONCE) break;
  }
  for (const name of sought.values()) found.push(`${name} is not as it was logged`);
  return found.slice(0, MOST_FINDINGS);
}

/** About how many leads a night are compared with the log. */
const LEADS_A_NIGHT = 1_000;

/**
 * The logged revisions of leads drawn by lot: of most logs a part, of a small one all. $1: percent of the table's
 * pages.
 */
const DRAW = `
with drawn as materialized (
  select id from leads tablesample system ($1) where evidence_salt is not null and erased_at is null
  order by random() limit ${LEADS_A_NIGHT}
)
select r.lead_id as ref, r.revision as number from drawn join lead_revisions r on r.lead_id = drawn.id
where not exists (select 1 from evidence_pending p
  where p.ref = r.lead_id and p.number = r.revision and not p.is_delivery)`;

/** Returns entries that the log must have, made again from their rows: their names by leaf hash. */
async function drawnEntries(
  client: Queryable,
  unmade: (of: EntryKey) => void,
): Promise<Map<string, string>> {
  const { rows: counted } = await client.query<{ leads: number }>(
    "select reltuples as leads from pg_class where oid = 'leads'::regclass",
  );
  // Twice as many, because erased leads are drawn too.
  const percent = Math.min(100, (200 * LEADS_A_NIGHT) / Math.max(1, counted[0]?.leads ?? 1));
  const { rows } = await client.query<EntryKey>(DRAW, [percent]);
  const entries = await revisionEntries(client, rows, unmade);
  return new Map(
    entries.map(({ leaf, path, leadId }) => [leaf.toString('hex'), `${path} of lead ${leadId}`]),
  );
}
