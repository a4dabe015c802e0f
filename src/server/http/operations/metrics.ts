/** The server's metrics (docs/operations.md#metrics). No label contains personal data or ids. */
import type pg from 'pg';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry, register } from 'prom-client';
import type { CircuitState, ServiceObserver } from '../../checks/index.ts';
import * as delivery from '../../delivery/index.ts';
import type { LeadObserver } from '../../leads/index.ts';
import { type Refusal, refusals } from '../connection-guard.ts';

const circuitStates: readonly CircuitState[] = ['closed', 'open', 'half_open'];
const statesAfterAttempt = 'delivered waiting retrying rejected dead uncertain'.split(' ');

export type Metrics = ReturnType<typeof createMetrics>;

/** Creates the metrics, given the paths of all surveys and the names of all destinations. */
export function createMetrics({
  surveys,
  destinations,
}: Record<'surveys' | 'destinations', readonly string[]>) {
  const registry = new Registry();
  // Registers the metrics once, because tests start several servers in one process.
  if (register.getMetricsAsArray().length === 0) {
    collectDefaultMetrics({ eventLoopMonitoringPrecision: 20 });
  }
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers });
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name, help, labelNames, registers });
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
    // Buckets in seconds: most requests take about 2 ms, but checks may take several seconds.
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
  const circuits = gauge(
    'funnel_service_circuit',
    '1 for the current state of a service’s circuit breaker, once the state has changed.',
    ...['service', 'state'],
  );
  const ended = counter(
    'funnel_delivery_ends_total',
    'Delivery attempts by the resulting state of the delivery.',
    ...['destination', 'state'],
  );
  const attemptSeconds = histogram(
    'funnel_delivery_attempt_seconds',
    'Duration of delivery attempts by outcome.',
    [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    ...['destination', 'outcome'],
  );
  const databaseWaiting = gauge(
    'funnel_database_waiting',
    'Callers that wait for a connection of the pool.',
  );
  const databaseUp = gauge(
    'funnel_database_up',
    '1 if the database answered within a second, else 0. With 0 the gauges of deliveries are missing.',
  );
  const oldestDue = gauge(
    'funnel_deliveries_oldest_due_seconds',
    'Time since the oldest due delivery became due; 0 if none is due.',
    'destination',
  );
  const oldestWait = gauge(
    'funnel_deliveries_oldest_wait_seconds',
    'Time that the oldest lead to a destination has waited, including planned pauses.',
    'destination',
  );
  const states = gauge(
    'funnel_destination_state',
    '1 for the current state of a destination: on, off (no settings), paused or failing.',
    ...['destination', 'state'],
  );
  const open = gauge(
    'funnel_deliveries_open',
    'Open deliveries by destination and state. Counts stop at 10000 per destination.',
    ...['destination', 'state'],
  );
  // Starts the counters at 0, because Prometheus's `increase()` ignores a counter's first value.
  for (const destination of destinations) {
    for (const state of statesAfterAttempt) ended.inc({ destination, state }, 0);
  }
  for (const reason of refusals) connections.inc({ reason }, 0);
  for (const survey of surveys) leads.inc({ survey, result: 'accepted', reason: '' }, 0);

  return {
    contentType: registry.contentType,
    /** Counts and times one request. `route` is the pattern that matched the request, if any. */
    requestDone(method: string, route: string | undefined, status: number, durationMs: number) {
      // Built files share one label, because their hashed names change with each build.
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
      committed: (_leads, durationMs) => commits.observe(durationMs / 1_000),
    } as LeadObserver,
    services: {
      called: (service, outcome) => serviceCalls.inc({ service, outcome }),
      circuitChanged(service, state) {
        for (const each of circuitStates) {
          circuits.set({ service, state: each }, each === state ? 1 : 0);
        }
      },
    } as ServiceObserver,
    deliveryEnded({ destination, state, outcome, durationMs }: delivery.EndedAttempt) {
      ended.inc({ destination, state });
      if (durationMs === undefined) return;
      attemptSeconds.observe({ destination, outcome }, durationMs / 1_000);
    },
    /** Returns all metrics as text. `health` is undefined if the database does not answer. */
    async text(
      { waitingCount }: Pick<pg.Pool, 'waitingCount'>,
      health: readonly delivery.DestinationHealth[] | undefined,
    ): Promise<string> {
      databaseWaiting.set(waitingCount);
      databaseUp.set(health ? 1 : 0);
      for (const each of [oldestDue, oldestWait, states, open]) each.reset();
      for (const own of health ?? []) {
        const { destination } = own;
        oldestDue.set({ destination }, own.oldestDueSeconds);
        oldestWait.set({ destination }, own.oldestWaitSeconds);
        for (const state of delivery.openStates) open.set({ destination, state }, own[state]);
        const current = delivery.destinationState(own);
        for (const state of delivery.destinationStates) {
          states.set({ destination, state }, Number(state === current));
        }
      }
      return (await registry.metrics()) + (await register.metrics());
    },
  };
}
