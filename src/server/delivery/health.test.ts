import { expect, it } from 'vitest';
import { type DestinationHealth, destinationState, troublesOf } from './health.ts';

const well: DestinationHealth = {
  destination: 'ingest',
  waiting: 1,
  retrying: 0,
  sending: 0,
  oldestDueSeconds: 2,
  oldestWaitSeconds: 0,
  failures: 0,
  lastFailure: null,
  offAt: null,
  pausedAt: null,
  pausedBy: null,
  pauseReason: null,
  isFailing: false,
  isLate: false,
};
const at = new Date('2026-07-01T12:00:00Z');

it.each([
  [{ failures: 3, oldestWaitSeconds: 900 }, 'on', []],
  [{ offAt: at }, 'off', ['Deliveries wait for ingest, which has no settings.']],
  [
    { pausedAt: at, pauseReason: 'a cap of the account is reached.', isFailing: true },
    'paused',
    ['ingest is paused: a cap of the account is reached.'],
  ],
  [
    { failures: 7, lastFailure: 'HTTP 500', isFailing: true },
    'failing',
    ['The last 7 sends to ingest failed: HTTP 500.'],
  ],
  [
    { isLate: true, oldestWaitSeconds: 725 },
    'failing',
    ['The oldest lead to ingest has waited for 12 minutes.'],
  ],
] as const)(
  'the state and the warnings of a destination follow from the health of the destination',
  (changes, state, troubles) => {
    const health = { ...well, ...changes };
    expect(destinationState(health)).toBe(state);
    expect(troublesOf(health)).toEqual(troubles);
  },
);
