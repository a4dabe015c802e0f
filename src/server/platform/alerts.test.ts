import { describe, expect, it } from 'vitest';
import { createSlackAlerts } from './alerts.ts';
import { type OutgoingAnswer, OutgoingError, type OutgoingRequest } from './outgoing-http.ts';

const url = 'https://hooks.slack.example/services/T/B/the-secret';

/** Creates alerts for a fake Slack channel. `answers` are the channel's first answers. */
function channel(answers: (Partial<OutgoingAnswer> | Error)[] = []) {
  const sent: string[] = [];
  const logged: unknown[] = [];
  const pauses: { ms: number; end: () => void }[] = [];
  const clock = { ms: 0 };
  const alerts = createSlackAlerts({
    url,
    timeoutMs: 1_000,
    http: {
      async request({ body, ...call }: OutgoingRequest) {
        expect(call).toEqual({
          method: 'POST',
          url,
          headers: { 'content-type': 'application/json' },
          timeoutMs: 1_000,
        });
        sent.push((JSON.parse(body ?? '') as { text: string }).text);
        const answer = answers.shift() ?? {};
        if (answer instanceof Error) throw answer;
        return { status: 200, headers: {}, text: 'ok', truncated: false, durationMs: 1, ...answer };
      },
    },
    log: {
      error: (...line: unknown[]) => logged.push(line),
      warn: (...line: unknown[]) => logged.push(line),
    },
    nowMs: () => clock.ms,
    pause: (ms, signal) =>
      new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        signal.addEventListener('abort', () => resolve());
        pauses.push({ ms, end: resolve });
      }),
  });
  async function goOn(): Promise<void> {
    await settle();
    pauses.shift()?.end();
    await settle();
  }
  return { ...alerts, sent, logged, pauses, clock, goOn };
}
const settle = () => new Promise((resolve) => setImmediate(resolve));
const lead = '0198a000-0000-7000-8000-000000000001';

it('Slack gets the alerts of one second in one message', async () => {
  const { alert, sent, pauses, goOn } = channel();
  alert('One', { lead, attempt: 3 });
  await settle();
  expect(sent).toEqual([`One (lead ${lead}, attempt 3)`]);
  for (let index = 0; index < 40; index += 1) alert('Two', { lead });
  alert('Three');
  await settle();
  expect(sent).toHaveLength(1);
  expect(pauses.map(({ ms }) => ms)).toEqual([1_000]);
  await goOn();
  expect(sent[1]).toBe('Two (40 times)\nThree');
  await goOn();
  expect(sent).toHaveLength(2);
});

it('an alert is repeated after a minute, with the number of repetitions', async () => {
  const { alert, sent, clock, goOn } = channel();
  alert('One', { lead });
  await goOn();
  alert('One');
  alert('One');
  alert('Two');
  await goOn();
  expect(sent).toEqual([`One (lead ${lead})`, 'Two']);
  clock.ms += 60_000;
  await goOn();
  expect(sent.at(-1)).toBe('One (2 times)');
});

describe('a failed message to Slack', () => {
  it.each([
    [{ status: 429 }],
    [{ status: 500 }],
    [new OutgoingError('none', { failure: 'no_connection', mayHaveArrived: false, durationMs: 1 })],
  ])('is repeated after a temporary error', async (answer) => {
    const { alert, sent, pauses, goOn } = channel([answer]);
    alert('One');
    await settle();
    expect(pauses.map(({ ms }) => ms)).toEqual([2_000]);
    await goOn();
    expect(sent).toEqual(['One', 'One']);
  });

  it.each([400, 404, 302])('is not repeated if the answer was HTTP %i', async (status) => {
    const { alert, sent, logged, goOn } = channel([{ status }]);
    alert('One');
    await goOn();
    alert('Two');
    await settle();
    expect(sent).toEqual(['One', 'Two']);
    expect(logged).toHaveLength(1);
    expect(JSON.stringify(logged)).not.toContain('the-secret');
  });
});

it('an alert in Slack contains no personal data, links or mentions', async () => {
  const { alert, sent } = channel();
  alert('Mail ana@mail.example or call (512) 555-0123, <!channel> & co, HTTP 410', { lead });
  await settle();
  expect(sent).toEqual([
    `Mail [removed] or call ([removed], &lt;!channel&gt; &amp; co, HTTP 410 (lead ${lead})`,
  ]);
});

it('when the server stops, Slack gets the waiting alerts in one message', async () => {
  const { alert, stop, sent } = channel();
  alert('One');
  alert('Two');
  await stop();
  expect(sent.join('\n')).toMatch(/One/);
  expect(sent.join('\n')).toMatch(/Two/);
  alert('Three');
  await settle();
  expect(sent.join('\n')).not.toMatch(/Three/);
});
