/**
 * Tests the evidence log's entries for a post and for its delivery, and the log's public proofs.
 */
import { generateKeyPairSync } from 'node:crypto';
import { afterAll, afterEach, expect, test } from 'vitest';
import { sandboxEnvironment } from '../../sandbox/environment.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { fromHex, utf8 } from '../../src/model/evidence/encoding.ts';
import { keysById, readTrustedKeys, verifyJws } from '../../src/model/evidence/keys.ts';
import { verifyInclusion } from '../../src/model/evidence/merkle.ts';
import { verifyPack } from '../../src/model/evidence/verify-pack.ts';
import { readZip } from '../../src/model/evidence/zip.ts';
import { revisionEntries } from '../../src/server/evidence/entries.ts';
import { openSigningKey } from '../../src/server/evidence/keys.ts';
import { signHead } from '../../src/server/evidence/log.ts';
import { makePack } from '../../src/server/evidence/pack.ts';
import { findLeaves } from '../../src/server/evidence/tree.ts';
import { receiptsOf } from '../../src/server/privacy/receipts.ts';
import { consentSeen } from '../support/ledger.ts';
import { freshLead as lead, serverForTests } from '../support/server.ts';

const { privateKey } = generateKeyPairSync('ed25519');
const evidenceKey = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
const sandbox = await startSandbox();
afterAll(() => sandbox.close());
const site = serverForTests(() => ({
  ...sandboxEnvironment(sandbox.url),
  EVIDENCE_KEY: evidenceKey,
  WEBHOOK_EVIDENCE: 'on',
  DELIVERY_CONCURRENCY: '4',
}));
const key = { dataDir: '/nowhere', evidenceKey };
// The sandbox refuses a second lead of the same person, so the sandbox is reset after each test.
afterEach(() => sandbox.reset());
const { post } = site;
const at = '/.well-known/evidence';

const published = async (path: string) => {
  const response = await fetch(`${site.server.url}${at}/${path}`);
  return { status: response.status, text: await response.text(), headers: response.headers };
};
const consentOf = async (leadId: unknown, revision: number) => {
  const entries = await revisionEntries(site.database.pool, [
    { ref: String(leadId), number: revision },
  ]);
  const found = entries.find(({ path }) => path === `logged/consent-${revision}.json`);
  return found && JSON.parse(found.bytes.toString());
};

test('a posted lead has a valid inclusion proof in the evidence log', async () => {
  const body = lead({ consent_seen: consentSeen });
  expect((await post('/post-lead', body)).status).toBe(200);
  const [entry] = await revisionEntries(site.database.pool, [
    { ref: String(body.lead_id), number: 1 },
  ]);
  const leaf = entry?.leaf as Buffer;
  // Waits, because the server appends the post to the evidence log in the background.
  const indexOf = async () =>
    (await findLeaves(site.database.pool, [leaf], new Date(0))).get(leaf.toString('hex'));
  await expect.poll(indexOf).toBeDefined();
  await signHead(
    site.database.pool,
    await openSigningKey(site.database.pool, key),
    'https://a.example',
  );

  const keys = keysById(readTrustedKeys((await published('keys.json')).text));
  const signed = utf8((await published('head.jws')).text);
  const { payload } = await verifyJws(signed, 'evidence-head', keys);
  const { treeSize, rootHash } = JSON.parse(Buffer.from(payload).toString());
  const index = (await indexOf()) as number;
  const proof = JSON.parse((await published(`proof?index=${index}&size=${treeSize}`)).text);
  const claim = { index, size: treeSize, leaf: Uint8Array.from(leaf), root: fromHex(rootHash) };
  expect(await verifyInclusion({ ...claim, path: proof.path.map(fromHex) })).toBe(true);

  const { heads, next } = JSON.parse((await published('heads')).text);
  expect([heads[0].treeSize, next]).toEqual([treeSize, null]);
  expect((await published(`consistency?from=1&to=${treeSize}`)).status).toBe(200);
  expect((await published(`consistency?from=1&to=${treeSize + 1_000}`)).status).toBe(404);
  expect((await published('proof?index=-1&size=1')).status).toBe(400);
  expect((await published('heads?before=2026-99-99T99:99:99Z')).status).toBe(400);
  expect((await published('keys.json')).headers.get('access-control-allow-origin')).toBe('*');

  const { visibility, how, visibilityMissing } = await consentOf(body.lead_id, 1);
  expect({ how, visibilityMissing }).toEqual({ how: 'button', visibilityMissing: null });
  expect(visibility).toMatchObject({
    inView: [0, 100],
    fontSize: 13,
    label: 'See <if> you qualify',
  });
});

test.each([
  [{ consent_seen: 'nonsense' }, 'malformed'],
  [{}, 'not_sent'],
  [{ came_by: 'form' }, 'no_script'],
])(
  'the log entry of a post states why the measurements of the consent are missing',
  async (more, reason) => {
    const body = lead(more);
    expect((await post('/post-lead', body)).status).toBe(200);
    const { visibility, visibilityMissing } = await consentOf(body.lead_id, 1);
    expect({ visibility, visibilityMissing }).toEqual({
      visibility: null,
      visibilityMissing: reason,
    });
  },
);

test('an evidence pack proves which body the destination has received', async () => {
  const body = lead({
    consent_seen: consentSeen,
    email: 'pack@mail.example',
    phone: '(212) 555-0191',
  });
  expect((await post('/post-lead', body)).status).toBe(200);
  const states = async () =>
    (await site.leadOf(body.lead_id)).deliveries
      .filter(({ destination }) => destination === 'ingest')
      .map(({ state }) => state);
  await expect.poll(states).toEqual(['delivered']);
  const { pool } = site.database;
  const context = { pool, settings: site.settings };
  const { bytes } = await makePack(context, String(body.lead_id), 'ingest');
  const keys = JSON.parse((await published('keys.json')).text);
  const kept = { trusted: { keys, from: 'the site' }, now: new Date() };
  expect(await verifyPack(bytes, kept)).toMatchObject({ verdict: 'proven' });
  type Told = { data: { evidence?: { name: string; zip: string } } };
  const told = () =>
    sandbox
      .received('webhook')
      .map((each) => (each.body as Told).data.evidence)
      .find((each) => each?.name === `evidence-${body.lead_id}-ingest.zip`);
  await expect.poll(told).toBeDefined();
  const attached = Uint8Array.from(Buffer.from(told()?.zip ?? '', 'base64'));
  expect(await verifyPack(attached, kept)).toMatchObject({ verdict: 'proven' });
  expect(sandbox.violations()).toEqual([]);
  // The webhook has received personal data, so an erasure must list the webhook.
  const receipts = await receiptsOf(pool, [String(body.lead_id)]);
  const toWebhook = receipts.filter(({ destination }) => destination === 'webhook');
  expect(toWebhook.length).toBeGreaterThan(1);
  expect(toWebhook.every((each) => each.is_personal)).toBe(true);
  const sent = readZip(bytes).get('sent.json') ?? new Uint8Array();
  expect(JSON.parse(Buffer.from(sent).toString())).toEqual([
    expect.objectContaining({ destination: 'ingest', outcome: 'delivered', isProven: true }),
  ]);
});
