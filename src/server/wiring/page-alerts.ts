/** Alerts requested by pages: only fixed texts, and rate-limited so that they cannot bury other alerts. */
import type { PageAlert } from '../../model/messages/alerts.ts';
import type { Alerts } from '../platform/alerts.ts';
import type { Clock } from '../platform/clock.ts';

const HOUR_MS = 3_600_000;
/** For all visitors together; further alerts are dropped silently. */
export const PAGE_ALERTS_PER_HOUR = 20;

export function createPageAlerts(alert: Alerts, now: Clock) {
  let window = { endsAtMs: 0, sent: 0 };
  return function sendPageAlert(text: PageAlert): void {
    const nowMs = now().getTime();
    if (nowMs >= window.endsAtMs) window = { endsAtMs: nowMs + HOUR_MS, sent: 0 };
    if (window.sent >= PAGE_ALERTS_PER_HOUR) return;
    window.sent += 1;
    alert(text, { from: 'a page' });
  };
}
