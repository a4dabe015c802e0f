import { createHistogram } from 'node:perf_hooks';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { createMetrics } from './metrics.ts';
import { watchLoop } from './process-metrics.ts';

const testMetrics = () =>
  createMetrics({ surveys: ['/survey/v4nv'], destinations: ['ingest', 'automation'] });

/** Returns the lines of a metric, without zeros. */
async function linesOf(metrics: ReturnType<typeof testMetrics>, name: string): Promise<string[]> {
  const text = await metrics.text();
  return text.split('\n').filter((line) => line.startsWith(name) && !line.endsWith(' 0'));
}

describe('requests', () => {
  it('are counted by route pattern and status class, with their duration', async () => {
    const metrics = testMetrics();
    metrics.requestDone('POST', '/post-lead', 200, 3);
    metrics.requestDone('POST', '/post-lead', 200, 30);
    metrics.requestDone('GET', '/us/:zip', 404, 1);
    expect(await linesOf(metrics, 'funnel_http_request_seconds_count')).toEqual([
      'funnel_http_request_seconds_count{route="POST /post-lead",status="2xx"} 2',
      'funnel_http_request_seconds_count{route="GET /us/:zip",status="4xx"} 1',
    ]);
    expect(await metrics.text()).toContain(
      'funnel_http_request_seconds_bucket{le="0.005",route="POST /post-lead",status="2xx"} 1',
    );
    expect(await metrics.text()).toContain(
      'funnel_http_request_seconds_sum{route="POST /post-lead",status="2xx"} 0.033',
    );
  });

  it('have few labels: unknown paths share one, and so do built files', async () => {
    const metrics = testMetrics();
    for (const method of ['GET', 'PUT', 'PURGE']) metrics.requestDone(method, undefined, 404, 1);
    for (const hash of ['a1', 'b2']) metrics.requestDone('GET', `/_astro/x.${hash}.js`, 200, 1);
    expect(await linesOf(metrics, 'funnel_http_request_seconds_count')).toEqual([
      'funnel_http_request_seconds_count{route="(none)",status="4xx"} 3',
      'funnel_http_request_seconds_count{route="GET /_astro/*",status="2xx"} 2',
    ]);
  });
});

describe('leads', () => {
  it('are counted by survey and result', async () => {
    const { leads, ...metrics } = testMetrics();
    const survey = '/survey/v4nv';
    leads.written({ survey, revision: 1, hold: null });
    leads.written({ survey, revision: 1, hold: 'no_consent' });
    leads.written({ survey, revision: 2, hold: null });
    // A later revision of a held lead does not count as another held lead.
    leads.written({ survey, revision: 3, hold: 'no_consent' });
    leads.refused(survey, 'unavailable');
    expect(await linesOf({ leads, ...metrics }, 'funnel_leads_total')).toEqual([
      'funnel_leads_total{survey="/survey/v4nv",result="accepted",reason=""} 1',
      'funnel_leads_total{survey="/survey/v4nv",result="held",reason="no_consent"} 1',
      'funnel_leads_total{survey="/survey/v4nv",result="merged",reason=""} 2',
      'funnel_leads_total{survey="/survey/v4nv",result="refused",reason="unavailable"} 1',
    ]);
  });

  it('name only known surveys, whatever was posted', async () => {
    const { leads, ...metrics } = testMetrics();
    leads.written({ survey: '/jane@mail.example', revision: 1, hold: 'unknown_survey' });
    for (const survey of ['__proto__', undefined, ['/survey/v4nv'], 7]) {
      leads.refused(survey, 'unavailable');
    }
    expect(await linesOf({ leads, ...metrics }, 'funnel_leads_total')).toEqual([
      'funnel_leads_total{survey="other",result="held",reason="unknown_survey"} 1',
      'funnel_leads_total{survey="other",result="refused",reason="unavailable"} 4',
    ]);
  });

  it('are measured by leads per commit and its duration', async () => {
    const metrics = testMetrics();
    metrics.batchDone(8, 2);
    metrics.batchDone(40, 20);
    const text = await metrics.text();
    expect(text).toContain('funnel_lead_batch_size_sum 48');
    expect(text).toContain('funnel_lead_batch_size_bucket{le="8"} 1');
    expect(text).toContain('funnel_lead_commit_seconds_bucket{le="0.0025"} 1');
    expect(text).toContain('funnel_lead_commit_seconds_count 2');
  });
});

describe('checks and look-ups', () => {
  it('are counted by outcome; only real calls are timed', async () => {
    const { services, ...metrics } = testMetrics();
    services.called('phone', 'answered', 120);
    services.called('phone', 'timed_out', 3_000);
    services.called('phone', 'skipped', 0);
    const all = { services, ...metrics };
    expect(await linesOf(all, 'funnel_service_calls_total')).toEqual([
      'funnel_service_calls_total{service="phone",outcome="answered"} 1',
      'funnel_service_calls_total{service="phone",outcome="timed_out"} 1',
      'funnel_service_calls_total{service="phone",outcome="skipped"} 1',
    ]);
    expect(await linesOf(all, 'funnel_service_call_seconds_count')).toEqual([
      'funnel_service_call_seconds_count{service="phone"} 2',
    ]);
  });

  it('show exactly one state of the circuit from the first call on', async () => {
    const { services, ...metrics } = testMetrics();
    const circuit = () => linesOf({ services, ...metrics }, 'funnel_service_circuit{');
    services.called('phone', 'answered', 1);
    expect(await circuit()).toEqual(['funnel_service_circuit{service="phone",state="closed"} 1']);
    for (const state of ['open', 'half_open', 'closed'] as const) {
      services.circuitChanged('phone', state);
      services.called('phone', 'failed', 1);
      expect(await circuit()).toEqual([
        `funnel_service_circuit{service="phone",state="${state}"} 1`,
      ]);
    }
  });
});

describe('deliveries', () => {
  it('start their counters at 0, so that the first dead letter is an increase', async () => {
    const metrics = testMetrics();
    const dead = 'funnel_delivery_ends_total{destination="ingest",state="dead"}';
    expect(await metrics.text()).toContain(`${dead} 0`);
    metrics.deliveryEnded({
      destination: 'ingest',
      state: 'dead',
      outcome: 'failed',
      durationMs: 40,
    });
    // Parked without an attempt.
    metrics.deliveryEnded({ destination: 'automation', state: 'uncertain' });
    expect(await metrics.text()).toContain(`${dead} 1`);
    expect(await linesOf(metrics, 'funnel_delivery_attempt_seconds_count')).toEqual([
      'funnel_delivery_attempt_seconds_count{destination="ingest",outcome="failed"} 1',
    ]);
  });
});

describe('the process', () => {
  it('has metrics of event loop, memory and processor time, once for two servers', async () => {
    testMetrics();
    const text = await testMetrics().text();
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
    expect(text).toMatch(/^process_resident_memory_bytes \d/m);
    expect(text).toMatch(/^process_cpu_seconds_total \d/m);
    expect(text).toMatch(/^nodejs_heap_size_used_bytes \d/m);
    expect(text.match(/^process_resident_memory_bytes/gm)).toHaveLength(1);
  });

  it('reports the event-loop lag without the sampling interval, and resets it at each scrape', async () => {
    const delays = createHistogram();
    const registry = new Registry();
    watchLoop(registry, delays);
    const lags = async () =>
      (await registry.getMetricsAsJSON()).map(({ values }) => values[0]?.value.toFixed(2));
    delays.record(320_000_000);
    delays.record(120_000_000);
    expect(await lags()).toEqual(['0.20', '0.30', '0.30']);
    expect(await lags()).toEqual(['0.00', '0.00', '0.00']);
    // An early sample is not a negative lag.
    delays.record(10_000_000);
    expect(await lags()).toEqual(['0.00', '0.00', '0.00']);
  });
});

describe('gauges that are read at each scrape', () => {
  const pool = { totalCount: 5, idleCount: 2, waitingCount: 3 };
  const health = {
    ...{ destination: 'ingest', failures: 2, lastFailure: 'HTTP 500', oldestWaitSeconds: 45 },
    ...{ offAt: null, pausedAt: new Date(), pauseReason: null },
    ...{ isFailingTold: false, isWaitingTold: false },
  };
  const open = {
    ...{ destination: 'ingest', waiting: 4, retrying: 1, sending: 2, oldestDueSeconds: 31, health },
  };

  it('show the pool, the pending leads and the open deliveries', async () => {
    const metrics = testMetrics();
    metrics.readFrom({ pool, pendingLeads: () => 7, openDeliveries: async () => [open] });
    const text = await metrics.text();
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
      expect(text).toContain(`${line}\n`);
    }
  });

  it('are missing, rather than stale, if the database does not answer', async () => {
    const metrics = testMetrics();
    let found: (typeof open)[] | undefined = [open];
    metrics.readFrom({ pool, pendingLeads: () => 0, openDeliveries: async () => found });
    await metrics.text();
    found = undefined;
    const text = await metrics.text();
    expect(text).toContain('funnel_database_up 0');
    expect(text).not.toMatch(/^funnel_de(liveries_(open|oldest)|stination_)/m);
    expect(text).toContain('funnel_database_waiting 3');
  });
});
