/** Path at which a page reports its speed (docs/specification.md#speed-of-pages). */
export const pageSpeedPath = '/page-speed';

export const deviceClasses = ['slow_phone', 'phone', 'computer'] as const;
export type DeviceClass = (typeof deviceClasses)[number];

/** The Core Web Vitals: time to the largest paint, time from a tap to the next paint, layout shift. */
export const speedMetrics = ['LCP', 'INP', 'CLS'] as const;
export type SpeedMetric = (typeof speedMetrics)[number];

/** The speed of one page view. `LCP` and `INP` are in milliseconds. */
export type PageSpeed = {
  readonly page: string;
  readonly device: DeviceClass;
  /** `step` is the survey's step on screen. Empty on other pages. */
  readonly values: readonly {
    readonly metric: SpeedMetric;
    readonly step: string;
    readonly value: number;
  }[];
};
