import { expect, it } from 'vitest';
import { createMetrics } from './metrics.ts';

const testMetrics = () => {
  const metrics = createMetrics({
    surveys: ['/survey/v4nv'],
    destinations: ['ingest', 'automation'],
  });
  /** Returns the lines of a metric whose value is not 0. */
  const linesOf = async (name: string) => {
    const lines = (await metrics.text()).split('\n');
    return lines.filter((line) => line.startsWith(name) && !line.endsWith(' 0'));
  };
  return { ...metrics, linesOf };
};

it('requests are counted and timed by route pattern and status class', async () => {
  const { requestDone, linesOf, text } = testMetrics();
  requestDone('POST', '/post-lead', 200, 3);
  requestDone('POST', '/post-lead', 200, 30);
  requestDone('GET', '/us/:zip', 404, 1);
  // All unknown paths have one label, and all built files another.
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

it('commits of leads are counted and timed, and an unknown survey has the label other', async () => {
  const { leads, linesOf } = testMetrics();
  for (const other of ['__proto__', undefined, ['/survey/v4nv'], 7]) {
    leads.refused(other, 'unavailable');
  }
  expect(await linesOf('funnel_leads_total')).toEqual([
    'funnel_leads_total{survey="other",result="refused",reason="unavailable"} 4',
  ]);
  leads.committed(8, 2);
  leads.committed(40, 20);
  expect(await linesOf('funnel_lead_batch_size_sum')).toEqual(['funnel_lead_batch_size_sum 48']);
  expect(await linesOf('funnel_lead_commit_seconds_count')).toEqual([
    'funnel_lead_commit_seconds_count 2',
  ]);
});

it('skipped calls of a check are not timed, and a circuit breaker has exactly one state', async () => {
  const { services, linesOf } = testMetrics();
  services.called('phone', 'answered', 120);
  services.called('phone', 'skipped', 0);
  expect(await linesOf('funnel_service_call')).toEqual(
    expect.arrayContaining([
      'funnel_service_calls_total{service="phone",outcome="answered"} 1',
      'funnel_service_calls_total{service="phone",outcome="skipped"} 1',
      'funnel_service_call_seconds_count{service="phone"} 1',
    ]),
  );
  for (const state of ['closed', 'open', 'half_open'] as const) {
    if (state !== 'closed') services.circuitChanged('phone', state);
    expect(await linesOf('funnel_service_circuit{')).toEqual([
      `funnel_service_circuit{service="phone",state="${state}"} 1`,
    ]);
  }
});

it('counters of deliveries start at 0, so that Prometheus sees the first dead letter as an increase', async () => {
  const { deliveryEnded, linesOf, text } = testMetrics();
  const dead = 'funnel_delivery_ends_total{destination="ingest",state="dead"}';
  expect(await text()).toContain(`${dead} 0`);
  deliveryEnded({ destination: 'ingest', state: 'dead', outcome: 'failed', durationMs: 40 });
  // Without `outcome`, the delivery was parked instead of sent.
  deliveryEnded({ destination: 'automation', state: 'uncertain' });
  expect(await text()).toContain(`${dead} 1`);
  expect(await linesOf('funnel_delivery_attempt_seconds_count')).toEqual([
    'funnel_delivery_attempt_seconds_count{destination="ingest",outcome="failed"} 1',
  ]);
});

it('gauges are read at each scrape, and are missing if the database does not answer', async () => {
  const health = {
    destination: 'ingest',
    failures: 2,
    lastFailure: 'HTTP 500',
    oldestWaitSeconds: 45,
    offAt: null,
    pausedAt: new Date(),
    pausedBy: 'answer',
    pauseReason: null,
    isFailingTold: false,
    isWaitingTold: false,
    isExpiringTold: false,
    oldestOpenAt: null,
  };
  const open = {
    destination: 'ingest',
    waiting: 4,
    retrying: 1,
    sending: 2,
    oldestDueSeconds: 31,
    health,
  };
  const { readFrom, text } = testMetrics();
  let found: (typeof open)[] | undefined = [open];
  readFrom({
    pool: { totalCount: 5, idleCount: 2, waitingCount: 3 },
    pendingLeads: () => 7,
    openDeliveries: async () => found,
  });
  const first = await text();
  for (const line of [
    'funnel_database_connections{state="busy"} 3',
    'funnel_database_connections{state="idle"} 2',
    'funnel_database_waiting 3',
    'funnel_leads_pending 7',
    'funnel_database_up 1',
    'funnel_deliveries_open{destination="ingest",state="waiting"} 4',
    'funnel_deliveries_open{destination="ingest",state="sending"} 2',
    'funnel_deliveries_oldest_due_seconds{destination="ingest"} 31',
    'funnel_deliveries_oldest_wait_seconds{destination="ingest"} 45',
    'funnel_destination_failures{destination="ingest"} 2',
    'funnel_destination_state{destination="ingest",state="paused"} 1',
    'funnel_destination_state{destination="ingest",state="on"} 0',
  ]) {
    expect(first).toContain(`${line}\n`);
  }
  found = undefined;
  const later = await text();
  expect(later).toContain('funnel_database_up 0');
  expect(later).not.toMatch(/^funnel_de(liveries_(open|oldest)|stination_)/m);
  expect(later).toContain('funnel_database_waiting 3');
});
