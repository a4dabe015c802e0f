/** Limits of paid checks (docs/specification.md#services-of-checks, docs/decisions/0024-checks.md). */

import type { Alerts } from '../base/alerts.ts';
import type { Clock } from '../base/clock.ts';
import { inTime } from '../base/in-time.ts';

/** The most paid checks per hour. */
type PaidCheckLimits = {
  /** For one visitor's address. */
  readonly perAddress: number;
  /** For all visitors together. */
  readonly overall: number;
};

/** Counts one more paid check of an address in all processes, or returns the limit that is reached. */
export type CountPaidCheck = (
  networkKey: string,
  limits: PaidCheckLimits,
) => Promise<'counted' | 'address' | 'overall'>;

/** Returns undefined if a check is permitted, else the reason why not. Never throws. */
export type PermitPaidCheck = (networkKey: string) => Promise<string | undefined>;

/** How long a check waits to be counted. An uncounted check is not made, since its cost would be unlimited. */
const COUNT_MS = 1_000;

const advice = {
  address: 'If the address is a proxy of yours, name it in TRUSTED_PROXIES',
  overall: 'If these are real visitors, raise the setting; if not, look at the log',
} as const;

/** Creates the permit, which counts each paid check and alerts the operators hourly while a limit is reached. */
export function createPaidChecks(options: {
  readonly count: CountPaidCheck;
  readonly limits: PaidCheckLimits;
  readonly alert: Alerts;
  readonly now: Clock;
}): PermitPaidCheck {
  const { count, limits, alert, now } = options;
  const limitTexts = {
    address: `PAID_CHECKS_PER_ADDRESS_PER_HOUR (${limits.perAddress})`,
    overall: `PAID_CHECKS_PER_HOUR (${limits.overall})`,
  };
  const toldInHour: Partial<Record<keyof typeof limitTexts, string>> = {};

  return async (networkKey) => {
    const counted = await inTime(count(networkKey, limits), COUNT_MS);
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
