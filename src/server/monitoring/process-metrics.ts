/** Metrics of the process, under the names of `prom-client`. They are read at each scrape. */
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';

let registry: Registry | undefined;

/** Returns the registry of the process. Tests start several servers in one process, which share it. */
export function processMetrics(): Registry {
  if (registry) return registry;
  registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 20 });
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
