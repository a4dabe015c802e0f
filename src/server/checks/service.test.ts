import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { OutgoingError, type OutgoingRequest } from '../platform/outgoing-http.ts';
import { createCircuit, createService, createServiceCircuit } from './service.ts';

// The circuit breaker measures time by `performance.now()`.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

function outside() {
  const called: unknown[][] = [];
  const changed: unknown[][] = [];
  const observer = {
    called: (...event: unknown[]) => void called.push(event),
    circuitChanged: (...event: unknown[]) => void changed.push(event),
  };
  const alert = vi.fn();
  const request = vi.fn(async (_: OutgoingRequest) => ({
    status: 200,
    text: 'fine',
    headers: {},
    truncated: false,
    durationMs: 1,
  }));
  const onFailure = vi.fn();
  const circuit = createServiceCircuit('zip', { failures: 2, pauseMs: 50 }, { alert, observer }, [
    'ZIP_URL',
    'ZIP_KEY',
  ]);
  const service = createService({
    name: 'zip',
    http: { request },
    baseUrl: 'https://zip.example/',
    timeoutMs: 100,
    circuit,
    observer,
    onFailure,
  });
  const ask = () =>
    service.ask({ method: 'GET', path: '/us/10001' }, ({ status, text }) =>
      status === 200 ? text : undefined,
    );
  const askWith = async (status: number) => {
    request.mockResolvedValueOnce(says(status, {}));
    return (await ask()).outcome;
  };
  return { alert, called, changed, request, ask, askWith, onFailure };
}

test('the service is not called after repeated failures', async () => {
  const { alert, called, changed, request, ask } = outside();
  const timeout = { failure: 'timeout', mayHaveArrived: true, durationMs: 100 } as const;
  request.mockRejectedValueOnce(new OutgoingError('late', timeout));
  request.mockRejectedValueOnce(new Error('broken'));
  expect((await ask()).outcome).toBe('timed_out');
  expect((await ask()).outcome).toBe('failed');
  expect(await ask()).toMatchObject({ outcome: 'skipped', reason: 'the call failed' });
  expect(request).toHaveBeenCalledTimes(2);
  expect(alert).toHaveBeenCalledTimes(1);

  vi.advanceTimersByTime(50);
  request.mockRejectedValueOnce(new Error('still broken'));
  expect((await ask()).outcome).toBe('failed');
  expect((await ask()).outcome).toBe('skipped');
  expect(alert).toHaveBeenCalledTimes(1);

  vi.advanceTimersByTime(50);
  expect(await ask()).toMatchObject({ outcome: 'answered', said: 'fine' });
  expect((await ask()).outcome).toBe('answered');
  expect(alert).toHaveBeenCalledTimes(2);
  expect(alert.mock.calls.map(([text]) => text)).toEqual([
    expect.stringContaining('is not called'),
    expect.stringContaining('answers again'),
  ]);
  const states = changed.map(([, state]) => state);
  expect(states).toEqual(['open', 'half_open', 'open', 'half_open', 'closed']);
  const outcomes = called.map(([, outcome]) => outcome).join(' ');
  expect(outcomes).toBe('timed_out failed skipped failed skipped answered answered');
});

test('refused values do not open the circuit breaker after the service has accepted a value', async () => {
  const { alert, askWith } = outside();
  expect(await askWith(200)).toBe('answered');
  for (const status of [400, 404, 422, 413, 414]) expect(await askWith(status)).toBe('failed');
  expect(await askWith(200)).toBe('answered');
  expect(alert).not.toHaveBeenCalled();
});

test('a refused value between two failures does not reset the count of failures', async () => {
  const { alert, askWith } = outside();
  expect(await askWith(200)).toBe('answered');
  expect(await askWith(503)).toBe('failed');
  expect(await askWith(400)).toBe('failed');
  expect(await askWith(503)).toBe('failed');
  expect(await askWith(200)).toBe('skipped');
  expect(alert).toHaveBeenCalledTimes(1);
});

test('refused values open the circuit breaker if the service has never accepted a value', async () => {
  const { alert, request, ask } = outside();
  request.mockResolvedValue(says(404, {}));
  for (const outcome of ['failed', 'failed', 'skipped']) {
    expect((await ask()).outcome).toBe(outcome);
  }
  expect(alert).toHaveBeenCalledTimes(1);
});

const says = (status: number, body: object) => ({
  status,
  text: JSON.stringify(body),
  headers: {},
  truncated: false,
  durationMs: 1,
});

test('failed and skipped calls return the reason of the last failure', async () => {
  const { request, ask, onFailure } = outside();
  request.mockResolvedValueOnce(says(500, { message: 'Out of order' }));
  const connection = { failure: 'no_connection', mayHaveArrived: false, durationMs: 1 } as const;
  const refused = 'No connection to zip.example (ECONNREFUSED)';
  request.mockRejectedValueOnce(new OutgoingError(refused, connection));
  expect(await ask()).toMatchObject({ outcome: 'failed', reason: 'HTTP 500: Out of order' });
  expect(await ask()).toMatchObject({ outcome: 'failed', reason: refused });
  expect(await ask()).toMatchObject({ outcome: 'skipped', reason: refused });
  expect(onFailure.mock.calls.map(([reason]) => reason)).toEqual([
    'HTTP 500: Out of order',
    refused,
  ]);
});

test.each([401, 402, 403])('a first answer HTTP %i opens the circuit breaker', async (status) => {
  const { alert, request, ask } = outside();
  request.mockResolvedValueOnce(says(status, { message: 'Wrong key' }));
  expect((await ask()).outcome).toBe('failed');
  expect((await ask()).outcome).toBe('skipped');
  expect(alert.mock.calls).toEqual([
    [
      expect.stringContaining(`HTTP ${status}: Wrong key; check ZIP_URL, ZIP_KEY`),
      expect.anything(),
    ],
  ]);
});

test('the circuit breaker does not open for HTTP 403 after the service has accepted a value', async () => {
  const { alert, request, ask } = outside();
  await ask();
  request.mockResolvedValueOnce(says(403, {}));
  expect((await ask()).outcome).toBe('failed');
  expect((await ask()).outcome).toBe('answered');
  expect(alert).not.toHaveBeenCalled();
});

function circuit() {
  let nowMs = 0;
  const made = createCircuit({ failures: 3, pauseMs: 1_000, nowMs: () => nowMs });
  const call = async (end: 'succeeded' | 'failed') => made.admit()?.(end);
  return {
    made,
    call,
    later: (ms: number) => {
      nowMs += ms;
    },
  };
}

test('the result of a call is ignored if the circuit breaker’s state changed during the call', async () => {
  const { made, call, later } = circuit();
  const slow = made.admit();
  const slower = made.admit();
  for (let i = 0; i < 3; i += 1) await call('failed');
  slow?.('succeeded');
  expect(made.state).toBe('open');
  later(1_000);
  const trial = made.admit();
  slower?.('failed');
  expect(made.state).toBe('half_open');
  trial?.('succeeded');
  trial?.('failed');
  expect(made.state).toBe('closed');
});
