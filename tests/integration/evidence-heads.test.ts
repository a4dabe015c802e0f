/** Tests that each signed tree head is published to a webhook and to a file. */
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { openSigningKey } from '../../src/server/evidence/keys.ts';
import { appendPending, signHead } from '../../src/server/evidence/log.ts';
import { seedLoggedLead } from '../support/ledger.ts';
import { withDatabase } from '../support/postgres.ts';
import { startTestServer, testSettings } from '../support/server.ts';

test('a signed tree head is posted again until the webhook accepts the head', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'heads-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const got: { url: string | undefined; type: string | undefined; body: string }[] = [];
  const webhook = createServer(async (request, response) => {
    const { url, headers } = request;
    got.push({ url, type: headers['content-type'], body: await text(request) });
    response.writeHead(got.length === 1 ? 500 : 202).end();
  }).listen(0, '127.0.0.1');
  await once(webhook, 'listening');
  onTestFinished(() => void webhook.close());
  const database = await withDatabase();
  onTestFinished(() => database.drop());
  const { pool } = database;
  const { privateKey } = generateKeyPairSync('ed25519');
  const headsFile = path.join(folder, 'heads');
  const settings = testSettings({
    PAGES: 'off',
    DATA_DIR: folder,
    DATABASE_URL: database.connectionString,
    EVIDENCE_KEY: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
    EVIDENCE_HEADS_URL: `http://127.0.0.1:${(webhook.address() as AddressInfo).port}/heads?key=1`,
    EVIDENCE_HEADS_FILE: headsFile,
    OUTGOING_PRIVATE_NETWORKS: 'allow',
  });
  await seedLoggedLead(pool);
  await appendPending(pool);
  await signHead(pool, await openSigningKey(pool, settings), 'https://claims.example.com');
  const { rows } = await pool.query<{ jws: string }>('select jws from evidence_heads');
  const head = { url: '/heads?key=1', type: 'application/jose', body: rows[0]?.jws };
  const told = async () =>
    (await pool.query('select 1 from evidence_heads where sent_at is not null')).rowCount;
  for (const times of [1, 2]) {
    const server = await startTestServer(settings);
    await expect.poll(() => got.length).toBe(times);
    await expect.poll(told).toBe(times - 1);
    await server.close();
    expect(got.at(-1)).toEqual(head);
  }
  expect(await readFile(headsFile, 'utf8')).toBe(`${head.body}\n`);
});
