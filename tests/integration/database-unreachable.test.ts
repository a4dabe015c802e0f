import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { startServer } from '../../src/server/wiring/server.ts';
import { testLog, withDatabase } from '../support/postgres.ts';
import { freshLead, postAsBrowser, testSettings } from '../support/server.ts';

it('the server answers 503 with Retry-After to a post while the database is unreachable', async () => {
  const database = await withDatabase();
  onTestFinished(() => database.drop());
  const address = new URL(database.connectionString);
  const gate = await openGate(address.href);
  onTestFinished(() => gate.close());
  address.port = new URL(gate.url).port;
  const settings = testSettings({ DATABASE_URL: address.href });
  const server = await startServer(settings, { log: testLog, maxEventLoopDelayMs: 0 });
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

/** Starts a proxy to the database at `target`. The test can cut the proxy's connections. */
async function openGate(target: string) {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    near.on('error', () => undefined);
    if (isCut) {
      near.destroy();
      return;
    }
    const far = connect(Number(port), hostname).on('error', () => undefined);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Closes all connections, and refuses new connections. */
    cut,
    mend: () => {
      isCut = false;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        cut();
      }),
  };
}
