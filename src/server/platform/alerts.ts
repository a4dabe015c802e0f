import type { Clock } from './clock.ts';

/** Alerts the operators. Neither text nor facts may have personal data. */
export type Alerts = (text: string, facts?: Readonly<Record<string, string | number>>) => void;

const HOUR_MS = 3_600_000;

/**
 * Creates an alert that is sent at most once an hour, with the facts of its first time. `reset` ends the hour.
 */
export function createHourlyAlert(alert: Alerts, text: string, now: Clock) {
  let quietUntilMs = 0;
  const say = (facts?: Parameters<Alerts>[1]): void => {
    const nowMs = now().getTime();
    if (nowMs < quietUntilMs) return;
    quietUntilMs = nowMs + HOUR_MS;
    alert(text, facts);
  };
  const reset = (): void => {
    quietUntilMs = 0;
  };
  return Object.assign(say, { reset });
}
