/** The server while its database is unreachable. */
import { expect, it, onTestFinished } from 'vitest';
import { startServer } from '../../src/server/wiring/server.ts';
import { openGate } from '../support/gate.ts';
import { withDatabase } from '../support/postgres.ts';
import { freshLead, postAsBrowser, silentLog, testSettings } from '../support/server.ts';

it('a post gets 503 with Retry-After, and is stored once the database is back; operators see metrics', async () => {
  const database = await withDatabase();
  onTestFinished(() => database.drop());
  const address = new URL(database.connectionString);
  const gate = await openGate(address.href);
  onTestFinished(() => gate.close());
  address.port = new URL(gate.url).port;
  const settings = testSettings({ DATABASE_URL: address.href });
  // The default time-outs: a server that waits longer answers no visitor in time.
  const server = await startServer(settings, { log: silentLog, maxEventLoopDelayMs: 0 });
  onTestFinished(() => server.close());
  const { url, operationsUrl } = server;
  const statusOf = async (address: string) => (await fetch(address)).status;
  const metrics = async () => (await fetch(`${operationsUrl}/metrics`)).text();
  await expect.poll(metrics).toMatch(/^funnel_database_up 1$/m);

  const body = freshLead();
  gate.cut();
  const refused = await postAsBrowser(`${url}/post-lead`, body);
  expect(refused).toMatchObject({ status: 503, body: { status: 503, reason: 'unavailable' } });
  expect(refused.headers.get('content-type')).toContain('application/problem+json');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  for (const site of [url, operationsUrl]) {
    expect(await statusOf(`${site}/readyz`)).toBe(503);
    expect(await statusOf(`${site}/healthz`)).toBe(200);
  }
  expect(await statusOf(`${url}/us/33101`)).toBe(200);
  const progress = { session: { lead_id: body.lead_id }, data: [] };
  expect((await postAsBrowser(`${url}/api/save-data`, progress)).body).toEqual({
    userBackupStatus: false,
    userProgressionStatus: false,
  });
  await expect.poll(metrics).toMatch(/^funnel_database_up 0$/m);
  const scraped = await metrics();
  expect(scraped).toMatch(/^process_resident_memory_bytes \d/m);
  expect(scraped).not.toMatch(/^funnel_deliveries_open/m);

  gate.mend();
  const post = async () => (await postAsBrowser(`${url}/post-lead`, body)).status;
  await expect.poll(post).toBe(200);
  expect(await statusOf(`${url}/readyz`)).toBe(200);
  const { rows } = await database.pool.query('select count(*)::int as leads from leads');
  expect(rows).toEqual([{ leads: 1 }]);
});
