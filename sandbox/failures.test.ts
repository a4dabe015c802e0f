import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Failure, privateLocation } from './failures.ts';
import { type Sandbox, startSandbox } from './server.ts';
import { exampleLead, postJson } from './testing.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.reset());

const send = () => postJson(`${sandbox.url}/ingest`, exampleLead());
const fail = (failure: Omit<Failure, 'service'>) => sandbox.fail({ service: 'ingest', ...failure });

/**
 * Sends a lead. Returns 'hung' without an answer in this time after its arrival, 'reset' if the connection was
 * cut.
 */
async function attempt(patienceMs = 60_000): Promise<'answered' | 'hung' | 'reset'> {
  const leaving = new AbortController();
  const sent = fetch(`${sandbox.url}/ingest`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(exampleLead()),
    signal: leaving.signal,
  }).then(
    () => 'answered' as const,
    () => 'reset' as const,
  );
  await expect.poll(() => sandbox.received().length).toBe(1);
  const end = await Promise.race([sent, sleep(patienceMs, 'hung' as const, { ref: false })]);
  leaving.abort();
  return end;
}

describe('failures without an effect', () => {
  it('duplicate answers as the vendor does', async () => {
    fail({ mode: 'duplicate' });
    expect(await send()).toMatchObject({ status: 200, body: { status: 'DUPLICATED' } });
    expect(sandbox.received()).toMatchObject([
      { failure: 'duplicate', effect: false, violations: [] },
    ]);
  });

  it('redirect points at a private address, or at the given one', async () => {
    fail({ mode: 'redirect', times: 1 });
    const { status, headers } = await send();
    expect(status).toBe(302);
    expect(headers.get('location')).toBe(privateLocation);
    fail({ mode: 'redirect', location: 'http://127.0.0.1:9/' });
    expect((await send()).headers.get('location')).toBe('http://127.0.0.1:9/');
  });

  it('timeout never answers, and the lead did not arrive', async () => {
    fail({ mode: 'timeout', times: 1 });
    expect(await attempt(150)).toBe('hung');
    expect(sandbox.received()).toMatchObject([{ answer: null, effect: false }]);
    expect((await send()).body).toMatchObject({ status: 'ACCEPTED' });
  });

  it('reset cuts the connection', async () => {
    fail({ mode: 'reset', times: 1 });
    expect(await attempt()).toBe('reset');
    expect(sandbox.effects()).toEqual([]);
  });
});

describe('failures after the effect', () => {
  it.each([
    ['accept_then_hang', 'hung'],
    ['accept_then_reset', 'reset'],
  ] as const)('%s: the lead arrived, so the next send is a duplicate', async (mode, outcome) => {
    fail({ mode, times: 1 });
    expect(await attempt(outcome === 'hung' ? 300 : undefined)).toBe(outcome);
    expect(sandbox.received()).toMatchObject([{ answer: null, effect: true, failure: mode }]);
    expect((await send()).body).toMatchObject({ status: 'DUPLICATED' });
    expect(sandbox.effects()).toMatchObject([{ count: 1, duplicates: 1 }]);
  });

  it('a refused lead has no effect even then', async () => {
    fail({ mode: 'accept_then_reset', times: 1 });
    await fetch(`${sandbox.url}/ingest`, { method: 'POST', body: 'x' }).catch(() => {});
    expect(sandbox.effects()).toEqual([]);
    expect(sandbox.violations()).toHaveLength(1);
  });
});

describe('slow', () => {
  it('answers as usual after the delay', async () => {
    fail({ mode: 'slow', delay_ms: 120 });
    const started = performance.now();
    expect((await send()).body).toMatchObject({ status: 'ACCEPTED' });
    expect(performance.now() - started).toBeGreaterThanOrEqual(110);
  });

  it('answers at once when the failure is turned off', async () => {
    fail({ mode: 'slow', delay_ms: 600_000 });
    const sent = send();
    await expect.poll(() => sandbox.received().length).toBe(1);
    sandbox.recover('ingest');
    expect((await sent).body).toMatchObject({ status: 'ACCEPTED' });
  });

  it('marks two sends of one lead that were open at the same time', async () => {
    fail({ mode: 'slow', delay_ms: 600_000 });
    const sent = [send(), send()];
    await expect.poll(() => sandbox.received().length).toBe(2);
    sandbox.recover('ingest');
    await Promise.all(sent);
    expect(sandbox.received().map((one) => one.overlapped)).toEqual([false, true]);
    await send();
    expect(sandbox.received().at(-1)?.overlapped).toBe(false);
  });
});

describe('control over HTTP', () => {
  const url = (path: string) => `${sandbox.url}/_sandbox/${path}`;
  const list = async (path: string) => (await fetch(url(path))).json();

  it('fails a number of times, then recovers', async () => {
    const told = await postJson(url('fail'), { service: 'ingest', mode: '500', times: 2 });
    expect(told.body).toEqual([{ service: 'ingest', mode: '500', times: 2 }]);
    expect([(await send()).status, (await send()).status, (await send()).status]).toEqual([
      500, 500, 200,
    ]);
    expect(await list('fail')).toEqual([]);
  });

  it('fails until it is told to stop', async () => {
    await postJson(url('fail'), { service: 'ingest', mode: '500' });
    await postJson(url('fail'), { service: 'slack', mode: '410' });
    await fetch(url('fail?service=ingest'), { method: 'DELETE' });
    expect(await list('fail')).toEqual([{ service: 'slack', mode: '410' }]);
    await fetch(url('fail'), { method: 'DELETE' });
    expect(await list('fail')).toEqual([]);
  });

  it.each([
    [{ service: 'ingest', mode: 'explode' }],
    [{ service: 'nobody', mode: '500' }],
    [{ service: 'ingest', mode: '500', times: 0 }],
    [{ service: 'ingest', mode: '500', tims: 1 }],
    ['no json'],
  ])('refuses %j', async (body) => {
    expect((await postJson(url('fail'), body)).status).toBe(400);
    expect(await list('fail')).toEqual([]);
  });

  it('refuses a malformed failure set in process, too', () => {
    expect(() => sandbox.fail({ service: 'ingest', mode: 'explode' as '500' })).toThrow();
  });

  it('lists requests, effects and violations, and clears the requests', async () => {
    await send();
    await postJson(`${sandbox.url}/ingest`, exampleLead({ phone: '1' }));
    await postJson(`${sandbox.url}/services/wrong/path/x`, { text: 'hello' });
    expect(await list('received')).toHaveLength(3);
    expect(await list('received?service=ingest')).toHaveLength(2);
    expect(await list('effects')).toMatchObject([{ service: 'ingest', count: 1 }]);
    const [{ key }] = (await list('effects')) as [{ key: string }];
    expect(await list(`received?service=ingest&key=${key}`)).toMatchObject([{ key }]);
    expect(await list(`effects?key=${key}`)).toHaveLength(1);
    expect(await list('received?key=other')).toEqual([]);
    expect(await list('effects?key=other')).toEqual([]);
    expect(await list('violations')).toMatchObject([{ service: 'ingest' }, { service: 'slack' }]);
    expect((await fetch(url('received'), { method: 'DELETE' })).status).toBe(204);
    expect([await list('received'), await list('violations')]).toEqual([[], []]);
    expect(await list('effects')).toHaveLength(1);
    await postJson(url('reset'), {});
    expect(await list('effects')).toEqual([]);
  });

  it('refuses pages of another origin', async () => {
    const told = await postJson(
      url('fail'),
      { service: 'ingest', mode: '500' },
      { origin: 'http://evil.example' },
    );
    expect(told.status).toBe(403);
    expect(await list('fail')).toEqual([]);
  });
});

it('closes at once despite a hanging request', async () => {
  const own = await startSandbox();
  own.fail({ service: 'ingest', mode: 'timeout' });
  const hanging = fetch(`${own.url}/ingest`, { method: 'POST', body: '{}' }).catch(() => 'cut');
  await expect.poll(() => own.received().length).toBe(1);
  await own.close();
  expect(await hanging).toBe('cut');
});
