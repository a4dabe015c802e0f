/**
 * The process itself: its clock, memory and event loop, under the names that `prom-client` and dashboards
 * give them. Read when somebody asks: in between nothing runs but the clock of the loop, which is not
 * JavaScript (the library's own set observes every collection of garbage, of which a post causes some).
 */
import { type Histogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, Gauge, Registry } from 'prom-client';

/** How often the loop is looked at. What is measured has this in it, and is said without. */
const RESOLUTION_MS = 20;

let registry: Registry | undefined;

/** One for the process, however many servers are started in it (in tests). */
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

/** Returns what adds a gauge to the registry that is read when somebody asks. */
function gaugeOf(registry: Registry) {
  return (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
}

/**
 * Says how late the event loop was since the scrape before: the mean, the worst hundredth, the worst.
 * @param delays between two looks at the loop, in nanoseconds, with the resolution in them
 */
export function watchLoop(
  registry: Registry,
  delays: Pick<Histogram, 'mean' | 'max' | 'percentile' | 'reset'>,
): void {
  const gauge = gaugeOf(registry);
  const late = (nanoseconds: number) =>
    Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1_000) : 0;
  const help = (which: string) => `${which} lag of the event loop since the scrape before.`;
  gauge('nodejs_eventloop_lag_mean_seconds', help('Mean'), () => late(delays.mean));
  gauge('nodejs_eventloop_lag_p99_seconds', help('99th percentile of the'), () =>
    late(delays.percentile(99)),
  );
  // The last that is read begins anew.
  gauge('nodejs_eventloop_lag_max_seconds', help('Greatest'), () => {
    const max = late(delays.max);
    delays.reset();
    return max;
  });
}
