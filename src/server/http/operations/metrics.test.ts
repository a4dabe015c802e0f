import { expect, it } from 'vitest';
import { createMetrics } from './metrics.ts';

const testMetrics = () => {
  const metrics = createMetrics({
    surveys: ['/survey/v4nv'],
    destinations: ['ingest', 'automation'],
  });
  const text = () => metrics.text({ waitingCount: 3 }, []);
  /** Returns the lines of a metric that have another value than 0. */
  const linesOf = async (name: string) => {
    const lines = (await text()).split('\n');
    return lines.filter((line) => line.startsWith(name) && !line.endsWith(' 0'));
  };
  return { ...metrics, linesOf, text, textWith: metrics.text };
};

it('requests are counted by route pattern and status class', async () => {
  const { requestDone, linesOf, text } = testMetrics();
  requestDone('POST', '/post-lead', 200, 3);
  requestDone('POST', '/post-lead', 200, 30);
  requestDone('GET', '/us/:zip', 404, 1);
  for (const method of ['GET', 'PUT', 'PURGE']) requestDone(method, undefined, 404, 1);
  for (const hash of ['a1', 'b2']) requestDone('GET', `/_astro/x.${hash}.js`, 200, 1);
  expect(await linesOf('funnel_http_request_seconds_count')).toEqual([
    'funnel_http_request_seconds_count{route="POST /post-lead",status="2xx"} 2',
    'funnel_http_request_seconds_count{route="GET /us/:zip",status="4xx"} 1',
    'funnel_http_request_seconds_count{route="(none)",status="4xx"} 3',
    'funnel_http_request_seconds_count{route="GET /_astro/*",status="2xx"} 2',
  ]);
  const sum = 'funnel_http_request_seconds_sum{route="POST /post-lead",status="2xx"} 0.033';
  expect(await text()).toContain(`${sum}\n`);
});

it('the metrics count refused leads and commits that stored leads', async () => {
  const { leads, linesOf } = testMetrics();
  for (const other of ['__proto__', undefined, ['/survey/v4nv'], 7]) {
    leads.refused(other, 'unavailable');
  }
  expect(await linesOf('funnel_leads_total')).toEqual([
    'funnel_leads_total{survey="other",result="refused",reason="unavailable"} 4',
  ]);
  leads.committed(8, 2);
  leads.committed(40, 20);
  expect(await linesOf('funnel_lead_commit_seconds_count')).toEqual([
    'funnel_lead_commit_seconds_count 2',
  ]);
});

it('the metrics contain the calls of a check and the state of the circuit breaker', async () => {
  const { services, linesOf } = testMetrics();
  services.called('phone', 'answered', 120);
  services.called('phone', 'skipped', 0);
  expect(await linesOf('funnel_service_call')).toEqual(
    expect.arrayContaining([
      'funnel_service_calls_total{service="phone",outcome="answered"} 1',
      'funnel_service_calls_total{service="phone",outcome="skipped"} 1',
    ]),
  );
  for (const state of ['open', 'half_open', 'closed'] as const) {
    services.circuitChanged('phone', state);
    expect(await linesOf('funnel_service_circuit{')).toEqual([
      `funnel_service_circuit{service="phone",state="${state}"} 1`,
    ]);
  }
});

it('counters of deliveries start at 0, so that Prometheus notices the first dead letter', async () => {
  const { deliveryEnded, linesOf, text } = testMetrics();
  const dead = 'funnel_delivery_ends_total{destination="ingest",state="dead"}';
  expect(await text()).toContain(`${dead} 0`);
  deliveryEnded({ destination: 'ingest', state: 'dead', outcome: 'failed', durationMs: 40 });
  deliveryEnded({ destination: 'automation', state: 'uncertain', outcome: 'unknown' });
  expect(await text()).toContain(`${dead} 1`);
  expect(await linesOf('funnel_delivery_attempt_seconds_count')).toEqual([
    'funnel_delivery_attempt_seconds_count{destination="ingest",outcome="failed"} 1',
  ]);
});

it('gauges have the values of the time at which Prometheus reads the metrics', async () => {
  const health = {
    destination: 'ingest',
    waiting: 4,
    retrying: 1,
    sending: 2,
    oldestDueSeconds: 31,
    oldestWaitSeconds: 45,
    failures: 2,
    lastFailure: 'HTTP 500',
    offAt: null,
    pausedAt: new Date(),
    pausedBy: 'answer',
    pauseReason: null,
    isFailing: false,
    isLate: false,
  };
  const { textWith } = testMetrics();
  const first = await textWith({ waitingCount: 3 }, [health]);
  for (const line of [
    'funnel_database_waiting 3',
    'funnel_database_up 1',
    'funnel_deliveries_open{destination="ingest",state="waiting"} 4',
    'funnel_deliveries_open{destination="ingest",state="sending"} 2',
    'funnel_deliveries_oldest_due_seconds{destination="ingest"} 31',
    'funnel_deliveries_oldest_wait_seconds{destination="ingest"} 45',
    'funnel_destination_state{destination="ingest",state="paused"} 1',
    'funnel_destination_state{destination="ingest",state="on"} 0',
  ]) {
    expect(first).toContain(`${line}\n`);
  }
  const later = await textWith({ waitingCount: 3 }, undefined);
  expect(later).toContain('funnel_database_up 0');
  expect(later).not.toMatch(/^funnel_de(liveries_(open|oldest)|stination_)/m);
});
