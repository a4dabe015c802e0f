/** The server while its database is unreachable. */
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { parseSettings } from '../../src/server/config/settings.ts';
import { startServer } from '../../src/server/wiring/server.ts';
import { openGate } from '../support/gate.ts';
import { withDatabase } from '../support/postgres.ts';
import { freshLead } from '../support/server.ts';

function post(url: string, body: unknown): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

it('a post gets 503 with Retry-After, and is stored once the database is back', async () => {
  const database = await withDatabase();
  const address = new URL(database.connectionString);
  const gate = await openGate(address.href);
  address.port = new URL(gate.url).port;
  const { settings } = parseSettings({
    MEMORY_CEILING_MB: '1000000',
    PORT: '0',
    HOST: '127.0.0.1',
    DATABASE_URL: address.href,
    LEADS_PER_ADDRESS_PER_HOUR: '0',
    BYTES_PER_ADDRESS_PER_HOUR: '0',
  });
  const log = pino({ level: 'silent' });
  const server = await startServer(settings, { log, maxEventLoopDelayMs: 0 });
  try {
    const body = freshLead();
    gate.cut();
    const refused = await post(`${server.url}/post-lead`, body);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('content-type')).toContain('application/problem+json');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ status: 503, reason: 'unavailable' });
    expect((await fetch(`${server.url}/readyz`)).status).toBe(503);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${server.url}/us/33101`)).status).toBe(200);
    const saved = await post(`${server.url}/api/save-data`, {
      session: { lead_id: body.lead_id },
      data: [],
    });
    expect(await saved.json()).toEqual({ userBackupStatus: false, userProgressionStatus: false });

    gate.mend();
    await expect
      .poll(async () => (await post(`${server.url}/post-lead`, body)).status, { timeout: 60_000 })
      .toBe(200);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    const { rows } = await database.pool.query('select count(*)::int as leads from leads');
    expect(rows).toEqual([{ leads: 1 }]);
  } finally {
    await server.close();
    await gate.close();
    await database.drop();
  }
});
