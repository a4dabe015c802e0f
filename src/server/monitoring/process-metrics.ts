/**
 * Metrics of the process, under the names that `prom-client` and dashboards use. They are read at each scrape.
 * `prom-client`'s own default metrics are not used, as they run code at every garbage collection.
 */
import { type Histogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge, Registry } from 'prom-client';

/** How often the event loop is sampled. Measured delays include this interval; it is subtracted. */
const RESOLUTION_MS = 20;

let registry: Registry | undefined;

/** Returns the registry of the process. Tests start several servers in one process, which share it. */
export function processMetrics(): Registry {
  if (registry) return registry;
  registry = new Registry();
  const registers = [registry];
  let told = { user: 0, system: 0 };
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'Processor time of the process, user and system.',
    registers,
    collect() {
      const used = process.cpuUsage();
      this.inc((used.user - told.user + used.system - told.system) / 1e6);
      told = used;
    },
  });
  const gauge = gaugeOf(registry);
  const startedAt = Math.round(Date.now() / 1_000 - process.uptime());
  gauge(
    'process_start_time_seconds',
    'When the process began, in seconds since 1970.',
    () => startedAt,
  );
  gauge('process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss());
  gauge('nodejs_heap_size_used_bytes', 'Heap in use.', () => process.memoryUsage().heapUsed);
  gauge('nodejs_heap_size_total_bytes', 'Heap reserved.', () => process.memoryUsage().heapTotal);
  gauge(
    'nodejs_external_memory_bytes',
    'Memory of buffers and the like, outside of the heap.',
    () => process.memoryUsage().external,
  );
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  watchLoop(registry, delays);
  return registry;
}

/** The values of a gauge with labels. */
export type GaugeValues = readonly (readonly [labels: Record<string, string>, value: number])[];

/** Returns a function that adds a gauge, which is read at each scrape. A series that is not read is missing. */
export function gaugeOf(registry: Registry) {
  return (
    name: string,
    help: string,
    read: () => number | GaugeValues | Promise<number | GaugeValues>,
    ...labelNames: string[]
  ) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        const found = await read();
        this.reset();
        if (typeof found === 'number') return this.set(found);
        for (const [labels, value] of found) this.set(labels, value);
      },
    });
}

/**
 * Adds gauges for the event-loop lag since the previous scrape: mean, 99th percentile, maximum.
 * @param delays between two samples, in nanoseconds, including the resolution
 */
export function watchLoop(
  registry: Registry,
  delays: Pick<Histogram, 'mean' | 'max' | 'percentile' | 'reset'>,
): void {
  const gauge = gaugeOf(registry);
  const late = (nanoseconds: number) =>
    Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1_000) : 0;
  const help = (which: string) => `${which} lag of the event loop since the previous scrape.`;
  gauge('nodejs_eventloop_lag_mean_seconds', help('Mean'), () => late(delays.mean));
  gauge('nodejs_eventloop_lag_p99_seconds', help('99th percentile of the'), () =>
    late(delays.percentile(99)),
  );
  // Read last, so it resets the histogram.
  gauge('nodejs_eventloop_lag_max_seconds', help('Greatest'), () => {
    const max = late(delays.max);
    delays.reset();
    return max;
  });
}
