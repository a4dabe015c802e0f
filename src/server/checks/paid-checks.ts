/** Limits of paid checks (docs/specification.md#services-of-checks, docs/decisions/0024-checks.md). */
import type pg from 'pg';
import { type Alerts, createHourlyAlert } from '../platform/alerts.ts';
import type { KeyedDigest } from '../platform/database/database-secret.ts';
import { inTime } from '../platform/in-time.ts';

type PaidCheckLimits = {
  /** Maximum paid checks per hour for one IPv4 address or IPv6 network. */
  readonly perAddress: number;
  /** Maximum paid checks per hour for all visitors together. */
  readonly overall: number;
};

/** Permits a paid check, or returns the reason for refusing it. */
export type PermitPaidCheck = (networkKey: string) => Promise<string | undefined>;

/** Maximum wait for the counter, after which the check is refused. */
const COUNT_MS = 1_000;

/** The key of the counter for all visitors. */
const EVERYBODY = 'everybody';

// Concurrent statements wait for the lock on the row, so that the limit is never exceeded.
const COUNT = `
insert into paid_checks (key, hour, checks) values ($1, date_trunc('hour', now()), 1)
on conflict (key, hour) do update set checks = paid_checks.checks + 1
where paid_checks.checks < $2::integer`;

const advice = {
  address: 'If the address is a proxy of yours, name it in TRUSTED_PROXIES',
  overall: 'If these are real visitors, raise the setting; if not, look at the log',
} as const;

/** Creates the function that permits or refuses paid checks. */
export function createPaidChecks(options: {
  readonly count: ReturnType<typeof createCountPaidCheck>;
  readonly limits: PaidCheckLimits;
  readonly alert: Alerts;
}): PermitPaidCheck {
  const { count, limits, alert } = options;
  const texts = {
    address: `PAID_CHECKS_PER_ADDRESS_PER_HOUR (${limits.perAddress})`,
    overall: `PAID_CHECKS_PER_HOUR (${limits.overall})`,
  };
  const alertOf = (who: string, limit: keyof typeof texts) =>
    createHourlyAlert(
      alert,
      `${who} has reached ${texts[limit]}: phone numbers and e-mail addresses pass unchecked until ` +
        `the hour ends, and no lead is lost. ${advice[limit]}`,
    );
  const alerts = {
    address: alertOf('An address', 'address'),
    overall: alertOf('The site', 'overall'),
  };

  return async (networkKey) => {
    const counted = await inTime(count(networkKey, limits), COUNT_MS);
    if (counted === 'counted') return undefined;
    if (counted === undefined) return 'the database could not count paid checks';
    alerts[counted]();
    return `${texts[counted]} was reached`;
  };
}

/** Returns a function that counts a paid check against the hourly limits. */
export function createCountPaidCheck(pool: pg.Pool, digest: KeyedDigest) {
  const isWithin = async (key: string, limit: number) => {
    const query = { name: 'paid-check-count', text: COUNT, values: [key, limit] };
    return (await pool.query(query)).rowCount === 1;
  };
  return async (
    networkKey: string,
    { perAddress, overall }: PaidCheckLimits,
  ): Promise<'counted' | 'address' | 'overall'> => {
    const key = digest('paid check', networkKey);
    // Counts against the visitor's limit first, so that one visitor cannot use up everyone's limit.
    if (!(await isWithin(key, perAddress))) return 'address';
    return (await isWithin(EVERYBODY, overall)) ? 'counted' : 'overall';
  };
}
