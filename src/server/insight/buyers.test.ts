import { expect, test } from 'vitest';
import { usualTerms } from '../../../tests/support/buyers.ts';
import { replayChoice } from './buyers.ts';

const both = ['ingest', 'ingest/smith'];
const leadAt = (at: string, state = 'TX', offeredTo = both) => ({
  at: new Date(at),
  state,
  survey: '/survey/v4nv',
  offeredTo,
});

test('a replay gives each lead to the first buyer that may have it, and counts its caps by period', () => {
  const leads = [
    leadAt('2026-03-06T18:00:00Z'),
    leadAt('2026-03-06T19:00:00Z'),
    leadAt('2026-03-06T20:00:00Z'),
    leadAt('2026-03-07T18:00:00Z', 'FL'),
    leadAt('2026-03-07T19:00:00Z', 'TX', ['ingest']),
    leadAt('2026-03-07T20:00:00Z'),
  ];
  const smith = { ...usualTerms, states: ['TX'], caps: [{ per: 'day', leads: 1 } as const] };
  const buyers = [
    { destination: 'ingest/smith', terms: { ...smith, priority: 0 } },
    { destination: 'ingest', terms: usualTerms },
  ];
  const reasons = { cap_reached: 2, outside_states: 1, not_offered: 1 };
  expect(replayChoice(leads, buyers, 'ingest/smith')).toEqual({
    of: 6,
    had: 2,
    money: 200,
    others: Object.entries(reasons).map(([reason, count]) => ({ reason, leads: count })),
  });
  expect(replayChoice(leads, buyers, 'ingest')).toMatchObject({ had: 4 });
});
