import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { exampleLead, postJson } from '../tests/support/sandbox-requests.ts';
import type { Failure } from './failures.ts';
import { type Sandbox, startSandbox } from './server.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(() => sandbox.reset());

const send = () => postJson(`${sandbox.url}/ingest`, exampleLead());
const fail = (failure: Omit<Failure, 'service'>) => sandbox.fail({ service: 'ingest', ...failure });

it('the sandbox answers a delayed request at once when the test turns the failure off', async () => {
  fail({ mode: 'slow', delay_ms: 600_000 });
  const sent = [send(), send()];
  await expect.poll(() => sandbox.received().length).toBe(2);
  sandbox.recover('ingest');
  await Promise.all(sent);
  expect(sandbox.received().map((one) => one.overlapped)).toEqual([false, true]);
});

describe('the control API', () => {
  const url = (path: string) => `${sandbox.url}/_sandbox/${path}`;
  const list = async (path: string) => (await fetch(url(path))).json();

  it('makes a service fail until a request turns the failure off', async () => {
    const answer = await postJson(url('fail'), { service: 'ingest', mode: '500', times: 2 });
    expect(answer.body).toEqual([{ service: 'ingest', mode: '500', times: 2 }]);
    const statuses = [(await send()).status, (await send()).status, (await send()).status];
    expect(statuses).toEqual([500, 500, 200]);
    await postJson(url('fail'), { service: 'ingest', mode: '500' });
    await postJson(url('fail'), { service: 'slack', mode: '410' });
    await postJson(url('fail'), { service: 'ingest', mode: 'none' });
    expect(await list('fail')).toEqual([{ service: 'slack', mode: '410' }]);
  });

  it.each([
    [{ service: 'ingest', mode: 'explode' }],
    [{ service: 'nobody', mode: '500' }],
    [{ service: 'ingest', mode: '500', times: 0 }],
    [{ service: 'ingest', mode: '500', tims: 1 }],
    ['no json'],
  ])('answers 400 to the malformed failure %j', async (body) => {
    expect((await postJson(url('fail'), body)).status).toBe(400);
    expect(await list('fail')).toEqual([]);
  });

  it('lists all requests, effects and violations since the last reset', async () => {
    await send();
    await postJson(`${sandbox.url}/ingest`, exampleLead({ phone: '1' }));
    await postJson(`${sandbox.url}/services/wrong/path/x`, { text: 'hello' });
    expect(await list('received')).toHaveLength(3);
    expect(await list('received?service=ingest')).toHaveLength(2);
    const [{ key }] = (await list('effects')) as [{ key: string }];
    expect(await list(`effects?key=${key}`)).toMatchObject([{ service: 'ingest', count: 1 }]);
    expect(await list('received?key=other')).toEqual([]);
    expect(await list('violations')).toMatchObject([{ service: 'ingest' }, { service: 'unknown' }]);
    await postJson(url('reset'), {});
    const cleared = [await list('received'), await list('violations'), await list('effects')];
    expect(cleared).toEqual([[], [], []]);
  });
});

it('the sandbox can close while a request hangs', async () => {
  const own = await startSandbox();
  own.fail({ service: 'ingest', mode: 'timeout' });
  const hanging = fetch(`${own.url}/ingest`, { method: 'POST', body: '{}' }).catch(() => 'cut');
  await expect.poll(() => own.received().length).toBe(1);
  await own.close();
  expect(await hanging).toBe('cut');
});
