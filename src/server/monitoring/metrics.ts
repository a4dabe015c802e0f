/**
 * What the server counts and measures, in the text format of Prometheus
 * (docs/operations.md#metrics says what each is for).
 *
 * Labels are bounded: routes as their patterns, surveys and destinations of the table, words of our own.
 * Never a personal value, an id or a path as it was asked for; what is not known is `other`.
 */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { LeadObserver } from '../accept/lead-store.ts';
import type { CircuitState, ServiceObserver } from '../providers/service-observer.ts';
import {
  destinationState,
  destinationStates,
  type OpenDeliveries,
  openStates,
} from './open-deliveries.ts';
import { processMetrics } from './process-metrics.ts';

/** Answers come in about 2 ms, and a look-up may take seconds. */
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const CALL_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const COMMIT_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
/** A commit has 64 leads at most. */
const BATCH_LEADS = [1, 2, 4, 8, 16, 32, 64];

const circuitStates: readonly CircuitState[] = ['closed', 'open', 'half_open'];

/** States that an attempt leaves a delivery in. */
const stateAfterAttempt = [
  'delivered',
  'waiting',
  'retrying',
  'rejected',
  'dead',
  'uncertain',
] as const;

/** Connections of the pool, and callers that wait for one. */
export type PoolCounts = {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
};

/** How an attempt to deliver ended, or, without an outcome, that a delivery was parked. */
export type DeliveryEnd = {
  readonly destination: string;
  readonly state: string;
  readonly outcome?: string;
  readonly durationMs?: number;
};

export type Metrics = {
  /** @param route the pattern that took the request; undefined: none did */
  requestDone(method: string, route: string | undefined, status: number, durationMs: number): void;
  readonly leads: LeadObserver;
  /** Leads that went into one commit, and how long it took. */
  batchDone(leads: number, durationMs: number): void;
  readonly services: ServiceObserver;
  deliveryEnded(end: DeliveryEnd): void;
  /** What is read when somebody asks. */
  readFrom(sources: MetricSources): void;
  /** Everything as text; never longer in coming than its sources take. */
  text(): Promise<string>;
  readonly contentType: string;
};

export type MetricSources = {
  readonly pool: PoolCounts;
  /** Leads that wait for their commit or are in one. */
  readonly pendingLeads: () => number;
  readonly openDeliveries: () => Promise<OpenDeliveries | undefined>;
};

export type MetricsOptions = {
  /** Paths of the table of surveys. */
  readonly surveys: readonly string[];
  readonly destinations: readonly string[];
};

export function createMetrics({ surveys, destinations }: MetricsOptions): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const known = new Set(surveys);
  const surveyLabel = (survey: unknown) =>
    typeof survey === 'string' && known.has(survey) ? survey : 'other';
  const ofProcess = processMetrics();

  const requests = new Histogram({
    name: 'funnel_http_request_seconds',
    help: 'Answers of the site by route pattern and class of status, and how long each took.',
    labelNames: ['route', 'status'],
    buckets: REQUEST_SECONDS,
    registers,
  });
  const leads = new Counter({
    name: 'funnel_leads_total',
    help: 'Posts that became a lead, were merged into one, are held for a reason, or were refused.',
    labelNames: ['survey', 'result', 'reason'],
    registers,
  });
  const batchLeads = new Histogram({
    name: 'funnel_lead_batch_size',
    help: 'New leads in one commit.',
    buckets: BATCH_LEADS,
    registers,
  });
  const commits = new Histogram({
    name: 'funnel_lead_commit_seconds',
    help: 'How long the commit of a batch of new leads took.',
    buckets: COMMIT_SECONDS,
    registers,
  });
  const serviceCalls = new Counter({
    name: 'funnel_service_calls_total',
    help: 'Calls of checks and look-ups by service and outcome.',
    labelNames: ['service', 'outcome'],
    registers,
  });
  const serviceSeconds = new Histogram({
    name: 'funnel_service_call_seconds',
    help: 'How long a check or look-up took, of those that were asked.',
    labelNames: ['service'],
    buckets: CALL_SECONDS,
    registers,
  });
  const circuits = new Gauge({
    name: 'funnel_service_circuit',
    help: '1 for the state that the circuit of a service is in.',
    labelNames: ['service', 'state'],
    registers,
  });
  const ended = new Counter({
    name: 'funnel_delivery_ends_total',
    help: 'Attempts to deliver by the state that they left the delivery in.',
    labelNames: ['destination', 'state'],
    registers,
  });
  const attemptSeconds = new Histogram({
    name: 'funnel_delivery_attempt_seconds',
    help: 'How long an attempt to deliver took, by how it ended.',
    labelNames: ['destination', 'outcome'],
    buckets: CALL_SECONDS,
    registers,
  });
  // A counter that begins with its first increase hides that increase from `increase()`.
  for (const destination of destinations) {
    for (const state of stateAfterAttempt) ended.inc({ destination, state }, 0);
  }
  for (const survey of surveys) leads.inc({ survey, result: 'accepted', reason: '' }, 0);

  const seen = new Set<string>();
  const circuitChanged = (service: string, state: CircuitState) => {
    for (const each of circuitStates)
      circuits.set({ service, state: each }, each === state ? 1 : 0);
  };
  const routeLabels = new Map<string, string>();
  const routeLabel = (method: string, route: string | undefined): string => {
    if (route === undefined) return '(none)';
    const key = `${method} ${route}`;
    const label = routeLabels.get(key) ?? labelOfRoute(method, route);
    routeLabels.set(key, label);
    return label;
  };

  return {
    contentType: registry.contentType,
    requestDone(method, route, status, durationMs) {
      requests.observe(
        { route: routeLabel(method, route), status: `${Math.floor(status / 100)}xx` },
        durationMs / 1_000,
      );
    },
    leads: {
      written({ survey, revision, hold }) {
        const isFirst = revision === 1;
        const result = isFirst ? (hold === null ? 'accepted' : 'held') : 'merged';
        leads.inc({ survey: surveyLabel(survey), result, reason: isFirst ? (hold ?? '') : '' });
      },
      refused(survey, reason) {
        leads.inc({ survey: surveyLabel(survey), result: 'refused', reason });
      },
    },
    batchDone(count, durationMs) {
      batchLeads.observe(count);
      commits.observe(durationMs / 1_000);
    },
    services: {
      called(service, outcome, durationMs) {
        if (!seen.has(service)) {
          seen.add(service);
          circuitChanged(service, outcome === 'skipped' ? 'open' : 'closed');
        }
        serviceCalls.inc({ service, outcome });
        if (outcome !== 'skipped') serviceSeconds.observe({ service }, durationMs / 1_000);
      },
      circuitChanged(service, state) {
        seen.add(service);
        circuitChanged(service, state);
      },
    },
    deliveryEnded({ destination, state, outcome, durationMs }) {
      ended.inc({ destination, state });
      if (outcome === undefined || durationMs === undefined) return;
      attemptSeconds.observe({ destination, outcome }, durationMs / 1_000);
    },
    readFrom: (sources) => readFrom(registry, sources),
    async text() {
      const [ours, process] = await Promise.all([registry.metrics(), ofProcess.metrics()]);
      return ours + process;
    },
  };
}

/** Files with a hash in their name have another one after each build. */
function labelOfRoute(method: string, route: string): string {
  return `${method} ${route.startsWith('/_astro/') ? '/_astro/*' : route}`;
}

/** Gauges that hold nothing themselves: they ask when they are asked. */
function readFrom(registry: Registry, sources: MetricSources): void {
  const { pool, pendingLeads, openDeliveries } = sources;
  const registers = [registry];
  new Gauge({
    name: 'funnel_database_connections',
    help: 'Connections of the pool, in use and idle.',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
    },
  });
  new Gauge({
    name: 'funnel_database_waiting',
    help: 'Callers that wait for a connection of the pool.',
    registers,
    collect() {
      this.set(pool.waitingCount);
    },
  });
  new Gauge({
    name: 'funnel_leads_pending',
    help: 'New leads that wait for their commit or are in one.',
    registers,
    collect() {
      this.set(pendingLeads());
    },
  });
  // Each asks by itself, as all are read at once; there is one answer for them (`watchOpenDeliveries`).
  new Gauge({
    name: 'funnel_database_up',
    help: 'Whether the database said, within a second, what is open; else 0, and that is not shown.',
    registers,
    async collect() {
      this.set((await openDeliveries()) ? 1 : 0);
    },
  });
  new Gauge({
    name: 'funnel_deliveries_oldest_due_seconds',
    help: 'For how long the oldest delivery that could be sent now has been due; 0: none is.',
    labelNames: ['destination'],
    registers,
    async collect() {
      const found = await openDeliveries();
      this.reset();
      for (const { destination, oldestDueSeconds } of found ?? []) {
        this.set({ destination }, oldestDueSeconds);
      }
    },
  });
  new Gauge({
    name: 'funnel_deliveries_oldest_wait_seconds',
    help: 'For how long the oldest lead to a destination has waited, planned pauses included.',
    labelNames: ['destination'],
    registers,
    async collect() {
      const found = await openDeliveries();
      this.reset();
      for (const { destination, health } of found ?? []) {
        if (health) this.set({ destination }, health.oldestWaitSeconds);
      }
    },
  });
  new Gauge({
    name: 'funnel_destination_failures',
    help: 'Sends to a destination that failed one after another.',
    labelNames: ['destination'],
    registers,
    async collect() {
      const found = await openDeliveries();
      this.reset();
      for (const { destination, health } of found ?? []) {
        if (health) this.set({ destination }, health.failures);
      }
    },
  });
  new Gauge({
    name: 'funnel_destination_state',
    help: '1 for what a destination is doing: on, off (no settings), paused, or failing.',
    labelNames: ['destination', 'state'],
    registers,
    async collect() {
      const found = await openDeliveries();
      this.reset();
      for (const { destination, health } of found ?? []) {
        if (health === undefined) continue;
        const present = destinationState(health);
        for (const state of destinationStates) {
          this.set({ destination, state }, state === present ? 1 : 0);
        }
      }
    },
  });
  new Gauge({
    name: 'funnel_deliveries_open',
    help: 'Deliveries that still move, by destination and state; 10000 of a destination is "or more".',
    labelNames: ['destination', 'state'],
    registers,
    async collect() {
      const found = await openDeliveries();
      this.reset();
      for (const { destination, ...counts } of found ?? []) {
        for (const state of openStates) this.set({ destination, state }, counts[state]);
      }
    },
  });
}
