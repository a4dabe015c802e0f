/** Limits of paid checks (docs/specification.md#services-of-checks, docs/decisions/0024-checks.md). */
import { inTime } from './in-time.ts';
import type { Alerts, Clock } from './ports.ts';

/** How many paid checks may be made in an hour. */
export type PaidCheckLimits = {
  /** For one visitor's address. */
  readonly perAddress: number;
  /** For everybody together. */
  readonly overall: number;
};

/** Counts paid checks over all processes. */
export type PaidCheckStore = {
  /** Counts one more check of an address, unless a limit is reached; says which one is. */
  count(networkKey: string, limits: PaidCheckLimits): Promise<'counted' | 'address' | 'overall'>;
};

/** Says that a check may be made (undefined), or why it may not. Never throws. */
export type PermitPaidCheck = (networkKey: string) => Promise<string | undefined>;

/** A check waits this long for its count; without it, it is not made: nobody would know what it costs. */
const COUNT_MS = 1_000;

const advice = {
  address: 'If the address is a proxy of yours, name it in TRUSTED_PROXIES',
  overall: 'If these are real visitors, raise the setting; if not, look at the log',
} as const;

/** Counts each paid check, and tells the operators once an hour when a limit is reached. */
export function createPaidChecks(options: {
  readonly store: PaidCheckStore;
  readonly limits: PaidCheckLimits;
  readonly alert: Alerts;
  readonly now: Clock;
}): PermitPaidCheck {
  const { store, limits, alert, now } = options;
  const limitTexts = {
    address: `PAID_CHECKS_PER_ADDRESS_PER_HOUR (${limits.perAddress})`,
    overall: `PAID_CHECKS_PER_HOUR (${limits.overall})`,
  };
  const toldInHour: Partial<Record<keyof typeof limitTexts, string>> = {};

  return async (networkKey) => {
    const counted = await inTime(store.count(networkKey, limits), COUNT_MS);
    if (counted === 'counted') return undefined;
    if (counted === undefined) return 'the database could not count paid checks';
    const limit = limitTexts[counted];
    const hour = now().toISOString().slice(0, 13);
    if (toldInHour[counted] !== hour) {
      toldInHour[counted] = hour;
      const who = counted === 'address' ? 'An address' : 'The site';
      alert(
        `${who} has reached ${limit}: phone numbers and e-mail addresses pass unchecked until the ` +
          `hour ends, and no lead is lost. ${advice[counted]}`,
      );
    }
    return `${limit} was reached`;
  };
}
