/**
 * The server's metrics, in the text format of Prometheus (docs/operations.md#metrics).
 *
 * Each label has few values: route patterns, surveys, destinations, or fixed words. Labels never contain personal data,
 * ids or requested paths. Unknown values become `other`.
 */
import type pg from 'pg';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { CircuitState, ServiceObserver } from '../../checks/index.ts';
import {
  destinationState,
  destinationStates,
  type OpenDeliveries,
  type OpenDelivery,
  openStates,
} from '../../delivery/index.ts';
import type { LeadObserver } from '../../leads/index.ts';
import { type Refusal, refusals } from '../connection-guard.ts';

const CALL_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const circuitStates: readonly CircuitState[] = ['closed', 'open', 'half_open'];
const statesAfterAttempt = 'delivered waiting retrying rejected dead uncertain'.split(' ');

/** The process metrics. Several servers in one process, as in tests, share them. */
let ofProcess: Registry | undefined;
function processMetrics(): Registry {
  if (ofProcess) return ofProcess;
  ofProcess = new Registry();
  collectDefaultMetrics({ register: ofProcess, eventLoopMonitoringPrecision: 20 });
  return ofProcess;
}

/** The end of a delivery attempt. Without `outcome`, the delivery was parked instead of sent. */
type AttemptEnd = {
  readonly destination: string;
  readonly state: string;
  readonly outcome?: string;
  readonly durationMs?: number;
};

export type Metrics = ReturnType<typeof createMetrics>;

type MetricSources = {
  readonly pool: Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount'>;
  /** Returns the number of leads that are not committed yet. */
  readonly pendingLeads: () => number;
  readonly openDeliveries: () => Promise<OpenDeliveries | undefined>;
};

/** Creates the metrics, given the paths of all surveys and the names of all destinations. */
export function createMetrics({
  surveys,
  destinations,
}: Record<'surveys' | 'destinations', readonly string[]>) {
  const registry = new Registry();
  const all = [registry, processMetrics()];
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = <Label extends string>(
    name: string,
    help: string,
    buckets: number[],
    ...labelNames: Label[]
  ) => new Histogram({ name, help, labelNames, buckets, registers });
  const surveyLabel = (survey: unknown) => surveys.find((each) => each === survey) ?? 'other';

  const requests = histogram(
    'funnel_http_request_seconds',
    'Duration of HTTP requests by route pattern and status class.',
    // Most answers take about 2 ms, but a check may take seconds.
    [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    ...['route', 'status'],
  );
  const connections = counter(
    'funnel_connections_refused_total',
    'Connections that were closed and requests that got 503, by the limit that they passed.',
    'reason',
  );
  const leads = counter(
    'funnel_leads_total',
    'Posts that were accepted, merged into a lead, held for a reason, or refused.',
    ...['survey', 'result', 'reason'],
  );
  const batchLeads = histogram(
    'funnel_lead_batch_size',
    'New leads per commit.',
    // One commit has at most 64 leads.
    [1, 2, 4, 8, 16, 32, 64],
  );
  const commits = histogram(
    'funnel_lead_commit_seconds',
    'Duration of the commit of a batch of new leads.',
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
  );
  const serviceCalls = counter(
    'funnel_service_calls_total',
    'Calls of checks and look-ups by service and outcome.',
    ...['service', 'outcome'],
  );
  const serviceSeconds = histogram(
    'funnel_service_call_seconds',
    'Duration of calls of checks and look-ups.',
    CALL_SECONDS,
    'service',
  );
  const circuits = new Gauge({
    name: 'funnel_service_circuit',
    help: '1 for the current state of a service’s circuit breaker.',
    labelNames: ['service', 'state'],
    registers,
  });
  const ended = counter(
    'funnel_delivery_ends_total',
    'Delivery attempts by the resulting state of the delivery.',
    ...['destination', 'state'],
  );
  const attemptSeconds = histogram(
    'funnel_delivery_attempt_seconds',
    'Duration of delivery attempts by outcome.',
    CALL_SECONDS,
    ...['destination', 'outcome'],
  );
  // Starts the counters at 0, because Prometheus's `increase()` ignores a counter's first value.
  for (const destination of destinations) {
    for (const state of statesAfterAttempt) ended.inc({ destination, state }, 0);
  }
  for (const reason of refusals) connections.inc({ reason }, 0);
  for (const survey of surveys) leads.inc({ survey, result: 'accepted', reason: '' }, 0);

  const called = new Set<string>();
  const circuitChanged = (service: string, state: CircuitState) => {
    called.add(service);
    for (const each of circuitStates)
      circuits.set({ service, state: each }, each === state ? 1 : 0);
  };

  return {
    contentType: registry.contentType,
    /** @param route the pattern that matched the request, if any */
    requestDone(method: string, route: string | undefined, status: number, durationMs: number) {
      // Hashed file names share one label, as they change with each build.
      const pattern = route?.startsWith('/_astro/') ? '/_astro/*' : route;
      const labels = { route: '(none)', status: `${Math.floor(status / 100)}xx` };
      if (pattern !== undefined) labels.route = `${method} ${pattern}`;
      requests.observe(labels, durationMs / 1_000);
    },
    connectionRefused: (reason: Refusal) => connections.inc({ reason }),
    leads: {
      written({ survey, revision, hold }) {
        const isFirst = revision === 1;
        const result = isFirst ? (hold === null ? 'accepted' : 'held') : 'merged';
        leads.inc({ survey: surveyLabel(survey), result, reason: isFirst ? (hold ?? '') : '' });
      },
      refused(survey, reason) {
        leads.inc({ survey: surveyLabel(survey), result: 'refused', reason });
      },
      committed(count, durationMs) {
        batchLeads.observe(count);
        commits.observe(durationMs / 1_000);
      },
    } as LeadObserver,
    services: {
      called(service, outcome, durationMs) {
        if (!called.has(service))
          circuitChanged(service, outcome === 'skipped' ? 'open' : 'closed');
        serviceCalls.inc({ service, outcome });
        if (outcome !== 'skipped') serviceSeconds.observe({ service }, durationMs / 1_000);
      },
      circuitChanged,
    } as ServiceObserver,
    deliveryEnded({ destination, state, outcome, durationMs }: AttemptEnd) {
      ended.inc({ destination, state });
      if (outcome === undefined || durationMs === undefined) return;
      attemptSeconds.observe({ destination, outcome }, durationMs / 1_000);
    },
    /** Adds the gauges that are read at each scrape. */
    readFrom: (sources: MetricSources) => readFrom(registry, sources),
    /** Returns all metrics as text. */
    text: async () => (await Promise.all(all.map((each) => each.metrics()))).join(''),
  };
}

/** The values of a gauge with their labels. An undefined value omits the series. */
type Series = readonly (readonly [labels: Record<string, string>, value: number | undefined])[];

/** Registers the gauges that read their values at each scrape. */
function readFrom(registry: Registry, { pool, pendingLeads, openDeliveries }: MetricSources): void {
  const gauge = (name: string, help: string, read: () => Series | Promise<Series>) =>
    new Gauge({
      name,
      help,
      labelNames: ['destination', 'state'],
      registers: [registry],
      async collect() {
        const series = await read();
        this.reset();
        for (const [labels, value] of series) if (value !== undefined) this.set(labels, value);
      },
    });
  // All these gauges call `openDeliveries` at once. `shareReads` returns the same result to them.
  const ofDestinations = (
    name: string,
    help: string,
    read: (open: OpenDelivery, state: string) => number | undefined,
    states: readonly string[] = [],
  ) =>
    gauge(name, help, async () =>
      ((await openDeliveries()) ?? []).flatMap((open): Series => {
        const { destination } = open;
        return states.length === 0
          ? [[{ destination }, read(open, '')]]
          : states.map((state) => [{ destination, state }, read(open, state)]);
      }),
    );

  gauge('funnel_database_connections', 'Connections of the pool, busy and idle.', () => [
    [{ state: 'idle' }, pool.idleCount],
    [{ state: 'busy' }, pool.totalCount - pool.idleCount],
  ]);
  gauge('funnel_database_waiting', 'Callers that wait for a connection of the pool.', () => [
    [{}, pool.waitingCount],
  ]);
  gauge('funnel_leads_pending', 'New leads that wait for their commit or are in one.', () => [
    [{}, pendingLeads()],
  ]);
  gauge(
    'funnel_database_up',
    '1 if the database answered within a second, else 0. With 0 the gauges of deliveries are missing.',
    async () => [[{}, (await openDeliveries()) ? 1 : 0]],
  );
  ofDestinations(
    'funnel_deliveries_oldest_due_seconds',
    'Time since the oldest due delivery became due; 0 if none is due.',
    ({ oldestDueSeconds }) => oldestDueSeconds,
  );
  ofDestinations(
    'funnel_deliveries_oldest_wait_seconds',
    'Time that the oldest lead to a destination has waited, including planned pauses.',
    ({ health }) => health?.oldestWaitSeconds,
  );
  ofDestinations(
    'funnel_destination_failures',
    'Consecutive failed sends to a destination.',
    ({ health }) => health?.failures,
  );
  ofDestinations(
    'funnel_destination_state',
    '1 for the current state of a destination: on, off (no settings), paused or failing.',
    ({ health }, state) => health && Number(destinationState(health) === state),
    destinationStates,
  );
  ofDestinations(
    'funnel_deliveries_open',
    'Open deliveries by destination and state. Counts stop at 10000 per destination.',
    (open, state) => open[state as (typeof openStates)[number]],
    openStates,
  );
}
