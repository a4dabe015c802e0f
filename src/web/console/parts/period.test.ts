import { expect, test } from 'vitest';
import { periodOf } from './period.tsx';

const today = '2026-11-23';

test.each([
  [{}, '2026-11-17', '2026-11-23', 'Last 7 days'],
  [{ days: '1' }, today, today, 'Today'],
  [{ days: '30' }, '2026-10-25', today, 'Last 30 days'],
  [{ days: '5000' }, '2026-11-17', today, 'Last 7 days'],
  [{ days: 'yesterday' }, '2026-11-22', '2026-11-22', 'Yesterday'],
  [{ days: 'last-week' }, '2026-11-16', '2026-11-22', 'Last week'],
  [{ days: 'month' }, '2026-11-01', today, 'This month'],
  [{ days: 'last-month' }, '2026-10-01', '2026-10-31', 'Last month'],
  [{ from: '2026-11-01', to: '2026-11-05' }, '2026-11-01', '2026-11-05', 'Nov 1 – Nov 5'],
  [{ from: '2026-11-05', to: '2026-11-05', days: '30' }, '2026-11-05', '2026-11-05', 'Nov 5'],
  // An invalid period is replaced by the last 7 days.
  [{ from: '2026-11-05', to: '2026-11-01' }, '2026-11-17', today, 'Last 7 days'],
  [{ from: 'yesterday', to: '2026-11-01' }, '2026-11-17', today, 'Last 7 days'],
])('periodOf reads the period from the query of the URL', (address, from, to, label) => {
  expect(periodOf(address, today)).toEqual({ from, to, label });
});
