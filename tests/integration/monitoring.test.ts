/** Tests the metrics on the operators' port. */

import { get } from 'node:http';
import { describe, expect, it } from 'vitest';
import { sandboxEnvironment } from '../../sandbox/environment.ts';
import type { RunningServer } from '../../src/server/wiring/server.ts';
import { publishedTcpa } from '../support/consent.ts';
import { strangersSecret } from '../support/leads.ts';
import { sandboxForTests } from '../support/sandbox-http.ts';
import { freshLead, serverForTests } from '../support/server.ts';

const survey = '/survey/v4nv';

const wholeLead = (changes: Record<string, unknown> = {}) =>
  freshLead({ ...publishedTcpa(), ...changes });

async function metricsOf(server: RunningServer): Promise<string> {
  const answer = await fetch(`${server.operationsUrl}/metrics`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  return answer.text();
}

/** Returns the value of a series such as `name{label="x"}`, or 0 if the series is missing. */
function seriesOf(text: string, series: string): number {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1) ?? 0);
}

describe('the metrics of a server', () => {
  const test = serverForTests();
  const metrics = () => metricsOf(test.server);
  const leads = async (result: string, reason = '', ofSurvey = survey) =>
    seriesOf(
      await metrics(),
      `funnel_leads_total{survey="${ofSurvey}",result="${result}",reason="${reason}"}`,
    );

  it('count posted leads by result', async () => {
    const lead = wholeLead();
    expect((await test.post('/post-lead', lead)).status).toBe(200);
    expect(await leads('accepted')).toBe(1);
    // A second post with the same body must not count as another lead.
    await test.post('/post-lead', lead);
    expect(await leads('accepted')).toBe(1);
    await test.post('/post-lead', { ...lead, city: 'Tampa' });
    expect([await leads('accepted'), await leads('merged')]).toEqual([1, 1]);
    await test.post('/post-lead', { ...lead, city: 'Ocala' }, strangersSecret);
    expect(await leads('held', 'unproven_claim')).toBe(1);
    await test.post('/post-lead', wholeLead({ tcpa: '' }));
    expect(await leads('held', 'no_consent')).toBe(1);
    await test.post('/post-lead', wholeLead({ survey: '/jane' }));
    expect(await leads('held', 'unknown_survey', 'other')).toBe(1);
    const tooMany = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`x${i}`, 'x']));
    expect((await test.post('/post-lead', wholeLead(tooMany))).status).toBe(429);
    expect(await leads('refused', 'too_many_fields')).toBe(1);
    expect(await leads('accepted')).toBe(1);
  });

  it('contain the number and the age of waiting deliveries', async () => {
    await test.database.pool.query(
      `update deliveries set due_at = now() - interval '10 minutes' where state = 'waiting'`,
    );
    const age = 'funnel_deliveries_oldest_due_seconds{destination="ingest"}';
    await expect.poll(async () => seriesOf(await metrics(), age)).toBeGreaterThanOrEqual(600);
    const text = await metrics();
    expect(seriesOf(text, 'funnel_deliveries_open{destination="ingest",state="waiting"}')).toBe(1);
    expect(seriesOf(text, 'funnel_database_up')).toBe(1);
    const ready = await fetch(`${test.server.operationsUrl}/readyz`);
    expect(ready.status).toBe(200);
    expect(await ready.json()).toMatchObject({
      status: 'ok',
      warnings: [expect.stringMatching(/^A delivery to ingest has been due for 6\d\d s\.$/)],
    });
    // The public port must not show warnings.
    expect(await (await fetch(`${test.server.url}/readyz`)).json()).toEqual({ status: 'ok' });
  });

  it('are not readable for a request with a wrong Host header', async () => {
    const { port } = new URL(test.server.operationsUrl ?? '');
    const statusFor = (host: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const options = { host: '127.0.0.1', port, path: '/metrics', headers: { host } };
        get(options, (answer) => resolve(answer.resume().statusCode)).on('error', reject);
      });
    expect(await statusFor(`evil.example:${port}`)).toBe(403);
    expect(await statusFor(`127.0.0.1.evil.example:${port}`)).toBe(403);
    for (const own of ['localhost', '127.0.0.1', '[::1]']) {
      expect(await statusFor(`${own}:${port}`)).toBe(200);
    }
  });
});

describe('the metrics of a server that sends deliveries', () => {
  const outside = sandboxForTests();
  const test = serverForTests(() => ({
    ...sandboxEnvironment(outside.sandbox.url),
    DELIVERY_CONCURRENCY: '5',
  }));
  const ends = async (state: string) =>
    seriesOf(
      await metricsOf(test.server),
      `funnel_delivery_ends_total{destination="ingest",state="${state}"}`,
    );

  it('contain the number and the duration of attempts by outcome', async () => {
    // On a busy machine, an attempt may time out, so the server may make several attempts.
    await test.post('/post-lead', wholeLead());
    await expect.poll(() => ends('delivered')).toBeGreaterThanOrEqual(1);
    outside.sandbox.fail({ service: 'ingest', mode: 'reset', times: 1 });
    await test.post('/post-lead', wholeLead());
    await expect.poll(() => ends('retrying')).toBeGreaterThanOrEqual(1);
    const text = await metricsOf(test.server);
    const series =
      'funnel_delivery_attempt_seconds_count{destination="ingest",outcome="delivered"}';
    expect(seriesOf(text, series)).toBeGreaterThanOrEqual(1);
    // The metrics must not contain a UUID, such as the id of a lead.
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
  });
});
