import { expect, it } from 'vitest';
import { EMAIL_ACCEPTED_ALERT } from '../../model/messages/alerts.ts';
import { createPageAlerts, PAGE_ALERTS_PER_HOUR } from './use-cases.ts';

it('pages of all visitors together cause at most twenty alerts an hour', () => {
  let now = new Date('2026-11-20T15:00:00Z');
  const alerts: unknown[] = [];
  const sendPageAlert = createPageAlerts(
    (...alert) => alerts.push(alert),
    () => now,
  );
  for (let index = 0; index < 1_000; index += 1) sendPageAlert(EMAIL_ACCEPTED_ALERT);
  expect(alerts).toHaveLength(PAGE_ALERTS_PER_HOUR);
  expect(alerts[0]).toEqual([EMAIL_ACCEPTED_ALERT, { from: 'a page' }]);
  now = new Date('2026-11-20T16:00:00Z');
  sendPageAlert(EMAIL_ACCEPTED_ALERT);
  expect(alerts).toHaveLength(PAGE_ALERTS_PER_HOUR + 1);
});
