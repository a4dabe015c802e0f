/** Tests that the log has each committed entry once, and that signed tree heads stay valid. */
import { createHmac, hash } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ana, clearLedger, dumpOf, seedLead, seedPending } from '../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../tests/support/own-database.ts';
import { fromHex, utf8 } from '../../model/evidence/encoding.ts';
import { keysById, verifyJws } from '../../model/evidence/keys.ts';
import { verifyConsistency, verifyInclusion } from '../../model/evidence/merkle.ts';
import { inTransaction } from '../platform/database/database.ts';
import { emptyLeads } from '../privacy/empty-leads.ts';
import { deliveryEntries, type LoggedEntry, revisionEntries } from './entries.ts';
import { checkLog } from './job.ts';
import { endKey, openSigningKey, readKeys, rotateKey } from './keys.ts';
import { appendPending, createPublishedLog, readHeads, signHead } from './log.ts';
import { findLeaves, leafHash } from './tree.ts';

const { pool } = await databaseForTests(clearLedger);
const dataDir = await mkdtemp(path.join(tmpdir(), 'evidence-'));
afterAll(() => rm(dataDir, { recursive: true }));
const settings = { dataDir, evidenceKey: undefined };
const origin = 'https://claims.example.com';
const published = createPublishedLog(pool);

/** Stores a lead and a delivery that `appendPending` will append to the log. */
async function loggedLead(revisions = 1): Promise<string> {
  const deliveries = [{ state: 'delivered', revision: 1 }];
  const id = await seedLead(pool, { revisions: Array(revisions).fill(ana), deliveries });
  await seedPending(pool, id);
  return id;
}

async function entriesOf(leadId: string): Promise<LoggedEntry[]> {
  const { rows } = await pool.query(
    `select lead_id as ref, revision as number from lead_revisions where lead_id = $1`,
    [leadId],
  );
  const deliveries = await pool.query(
    'select id as ref, 1 as number from deliveries where lead_id = $1',
    [leadId],
  );
  return [
    ...(await revisionEntries(pool, rows)),
    ...(await deliveryEntries(pool, deliveries.rows)),
  ];
}

const longAgo = new Date(0);
const bytesOf = (buffer: Buffer) => Uint8Array.from(buffer);

async function expectIncluded(leadId: string, entries: number): Promise<void> {
  const key = await openSigningKey(pool, settings);
  const head = await signHead(pool, key, origin);
  const own = await entriesOf(leadId);
  expect(own).toHaveLength(entries);
  const found = await findLeaves(
    pool,
    own.map(({ leaf }) => leaf),
    longAgo,
  );
  for (const { leaf } of own) {
    const index = found.get(leaf.toString('hex')) as number;
    const size = head?.treeSize ?? 0;
    const path = ((await published.proof(index, size))?.path ?? []).map(fromHex);
    const claim = { index, size, leaf: bytesOf(leaf), path, root: fromHex(head?.rootHash ?? '') };
    expect(await verifyInclusion(claim)).toBe(true);
  }
}

test('concurrent processes append each entry exactly once', async () => {
  const ids: string[] = [];
  const write = async () => {
    for (let count = 0; count < 12; count += 1) ids.push(await loggedLead());
  };
  let isWritten = false;
  const append = async () => {
    do await appendPending(pool);
    while (!isWritten);
  };
  const writing = Promise.all([write(), write(), write()]).finally(() => {
    isWritten = true;
  });
  await Promise.all([writing, append(), append()]);
  while (await appendPending(pool));
  const all = (await Promise.all(ids.map(entriesOf))).flat();
  const found = await findLeaves(
    pool,
    all.map(({ leaf }) => leaf),
    longAgo,
  );
  expect([...found.values()].sort((a, b) => a - b)).toEqual(all.map((_, at) => at));
  await expectIncluded(ids[0] as string, 3);
});

test('appendPending appends an entry whose transaction commits late', async () => {
  const client = await pool.connect();
  await client.query('begin');
  await client.query(
    'insert into evidence_pending (ref, number, is_delivery) values ($1, 1, false)',
    [await seedLead(pool)],
  );
  const second = await loggedLead();
  await appendPending(pool);
  await expectIncluded(second, 3);
  await client.query('commit');
  client.release();
  expect(await appendPending(pool)).toBe(1);
  const { rows } = await pool.query('select size from evidence_log');
  expect(rows).toEqual([{ size: '5' }]);
});

test('all tree heads of a growing log are consistent with each other', async () => {
  const key = await openSigningKey(pool, settings);
  const heads = [];
  for (let round = 0; round < 12; round += 1) {
    await pool.query(
      `with ids as (select gen_random_uuid() as id from generate_series(1, $1::integer)), new_leads as (
         insert into leads
           (id, survey, flow, language, qualified, lead_is_qualified, do_not_send_to_dq, evidence_salt)
         select id, '', '', 'en', true, true, 'no', gen_random_uuid() from ids
       ), revisions as (
         insert into lead_revisions (lead_id, revision, body, body_sha256, rules_version, flow_version)
         select id, 1, '{}', '', '', '' from ids
       ) insert into evidence_pending (ref, number, is_delivery) select id, 1, false from ids`,
      [1 + round * 37],
    );
    await appendPending(pool);
    heads.push((await signHead(pool, key, origin)) as { treeSize: number; rootHash: string });
  }
  for (const from of heads) {
    for (const to of heads.filter(({ treeSize }) => treeSize >= from.treeSize)) {
      const proof = await published.consistency(from.treeSize, to.treeSize);
      const claim = {
        from: from.treeSize,
        fromRoot: fromHex(from.rootHash),
        to: to.treeSize,
        toRoot: fromHex(to.rootHash),
        path: (proof?.path ?? []).map(fromHex),
      };
      expect(await verifyConsistency(claim)).toBe(true);
    }
  }
  expect(await checkLog(pool)).toEqual([]);
  await pool.query(
    `update evidence_tiles set hashes = set_byte(hashes, 0, 255 - get_byte(hashes, 0))
     where level = 0 and tile = 0`,
  );
  expect(await checkLog(pool)).toContain('the hash of tile 0/0 does not follow from its leaves');
  await pool.query('update evidence_log set size = size - 1');
  expect((await checkLog(pool)).join()).toContain('the log only');
});

test('checkLog reports a row that was changed after it was logged', async () => {
  const id = await loggedLead(2);
  await appendPending(pool);
  // Stores a lead without calling `appendPending`, because `checkLog` must accept such a lead.
  await loggedLead();
  expect(await checkLog(pool)).toEqual([]);
  await pool.query(
    "update consents set text = 'I agree to more.' where lead_id = $1 and revision = 2",
    [id],
  );
  expect(await checkLog(pool)).toEqual([
    `logged/consent-2.json of lead ${id} is not as it was logged`,
  ]);
});

test('after an erasure, no stored value links the log’s hashes to the person', async () => {
  const [gone, left] = [await loggedLead(), await loggedLead()];
  await appendPending(pool);
  const before = await entriesOf(gone);
  const { rows } = await pool.query('select hashes from evidence_tiles where level = 0');
  const logged = new Set(rows.flatMap(({ hashes }) => hashes.toString('hex').match(/.{64}/g)));
  const [start = '', end = ''] = (before[0]?.bytes.toString() ?? '').split(ana.phone);
  expect(end).not.toBe('');
  /** Returns the phone numbers that are in the log if hashed with one of the salts. */
  const found = (salts: readonly Uint8Array[]) =>
    Array.from({ length: 10_000 }, (_, last) =>
      ana.phone.slice(0, 6).concat(`${last}`.padStart(4, '0')),
    ).filter((number) =>
      salts.some((salt) => {
        const data = Buffer.concat([salt, Buffer.from(start + number + end)]);
        return logged.has(leafHash(hash('sha256', data, 'buffer')).toString('hex'));
      }),
    );
  expect(found([before[0]?.salt ?? Buffer.of()])).toEqual([ana.phone]);

  await inTransaction(pool, (client) =>
    emptyLeads(client, [gone], { kind: 'erased', actor: 'test' }),
  );
  const words = (await dumpOf(pool))
    .split('\n')
    .filter((line) => line.includes(gone))
    .join();
  const keys = [...new Set(words.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{64}/g))];
  expect(keys).toContain(gone);
  const salts = keys.flatMap((key) => {
    const bytes = Buffer.from(key.replaceAll('-', ''), 'hex');
    return [bytes, createHmac('sha256', bytes).update('logged/revision-1.json').digest()];
  });
  expect(found([Buffer.of(), Buffer.alloc(32), ...salts])).toEqual([]);
  expect(await entriesOf(gone)).toEqual([]);
  const leaves = before.map(({ leaf }) => leaf);
  expect((await findLeaves(pool, leaves, longAgo)).size).toBe(3);
  await expectIncluded(left, 3);
  expect(await checkLog(pool)).toEqual([]);
});

test('appendPending appends no entry of a lead that has been erased', async () => {
  const id = await loggedLead();
  await pool.query('update leads set evidence_salt = null where id = $1', [id]);
  expect(await appendPending(pool)).toBe(2);
  expect((await pool.query('select size from evidence_log')).rows).toEqual([{ size: '0' }]);
});

test('a tree head stays valid after the signing key is replaced', async () => {
  await loggedLead();
  await appendPending(pool);
  const old = await openSigningKey(pool, settings);
  const head = await signHead(pool, old, origin);
  const { before, kid } = await rotateKey(pool, settings);
  expect(before).toBe(old.kid);
  const { keys } = await readKeys(pool);
  expect(keys.map((key) => [key.kid, key.validUntil !== null])).toEqual([
    [before, true],
    [kid, false],
  ]);
  const { kid: signer } = await verifyJws(
    utf8(head?.jws ?? ''),
    'evidence-head',
    keysById({ keys }),
  );
  expect(signer).toBe(before);
  expect(await checkLog(pool)).toEqual([]);
  const file = path.join(dataDir, 'evidence-key');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const secret = (await readFile(file, 'utf8')).trim();
  const inSetting = await openSigningKey(pool, { dataDir: '/nowhere', evidenceKey: secret });
  expect(inSetting.kid).toBe(kid);
  await expect(endKey(pool, before)).rejects.toThrow('no key');
  await endKey(pool, before, { isNow: true });
  await expect(signHead(pool, old, origin)).rejects.toThrow('has ended');
  const since = keys[1]?.validFrom ?? '';
  await pool.query('delete from evidence_keys where kid = $1', [kid]);
  await utimes(file, new Date(since), new Date(since));
  expect(await openSigningKey(pool, settings)).toMatchObject({ kid, isNew: true });
  expect((await readKeys(pool)).keys[1]).toMatchObject({ kid, validFrom: since, validUntil: null });
});

test('checkLog reports each invalid tree head and each invalid key', async () => {
  await loggedLead();
  await appendPending(pool);
  const key = await openSigningKey(pool, settings);
  for (let count = 0; count < 3; count += 1) await signHead(pool, key, origin);
  const at = (await readHeads(pool, 3)).map((head) => head.at.toISOString());
  await pool.query(`update evidence_heads set jws = 'e30.e30.e30' where at = $1`, [at[0]]);
  await pool.query(`update evidence_heads set size = 9 where at = $1`, [at[1]]);
  const bad = [
    expect.stringContaining(`the head of ${at[0]} cannot be verified: `),
    `the head of ${at[1]} has 9 leaves, the log only 3`,
  ];
  expect(await checkLog(pool)).toEqual(bad);
  await pool.query('update evidence_keys set valid_until = valid_from');
  const late = `the head of ${at[2]} was signed when key ${key.kid} was not valid`;
  expect(await checkLog(pool)).toEqual([...bad, late]);
  await pool.query(`update evidence_keys set x = '%', valid_until = null`);
  const unverified = expect.stringContaining(`the head of ${at[2]} cannot be verified`);
  expect(await checkLog(pool)).toEqual([`key ${key.kid} was changed`, ...bad, unverified]);
});

test('checkLog accepts a tree head that a new key signs during the check', async () => {
  await loggedLead();
  await appendPending(pool);
  let isSigned = false;
  const client: Pick<typeof pool, 'query'> = {
    query: async (query: string, values: unknown[]) => {
      if (String(query).includes('from evidence_heads') && !isSigned) {
        isSigned = true;
        await signHead(pool, await openSigningKey(pool, settings), origin);
      }
      return pool.query(query, values);
    },
  } as never;
  expect(await checkLog(client)).toEqual([]);
  expect(isSigned).toBe(true);
});
