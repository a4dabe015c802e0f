import { expect, it } from 'vitest';
import { type PriceTerm, priceOf } from './buyer-terms.ts';

const prices: readonly PriceTerm[] = [
  { from: '2026-01-01', amount: 100, owedAt: 'delivery' },
  { from: '2026-06-01', amount: 120.5, owedAt: 'delivery' },
  { from: '2026-01-01', state: 'TX', amount: 200, owedAt: 'delivery' },
  { from: '2026-01-01', state: 'TX', survey: '/survey/v4nv', amount: 250, owedAt: 'delivery' },
  { from: '2026-01-01', survey: '/survey/v6', amount: 90, owedAt: 'delivery' },
  { from: '2026-01-01', amount: 900, owedAt: 'signed' },
];

it.each([
  ['before the first day', 'FL', '/survey/v5', '2025-12-31', undefined],
  ['on the first day', 'FL', '/survey/v5', '2026-01-01', 100],
  ['once a newer price applies', 'FL', '/survey/v5', '2026-06-01', 120.5],
  ['for the state', 'TX', '/survey/v5', '2026-07-01', 200],
  ['for the state and the survey', 'TX', '/survey/v4nv', '2026-07-01', 250],
  ['for the survey', 'FL', '/survey/v6', '2026-07-01', 90],
] as const)('priceOf returns the price %s', (_, state, survey, day, expected) => {
  expect(priceOf({ prices }, { state, survey, day, owedAt: 'delivery' })).toBe(expected);
});

it('priceOf returns what is owed once the person signed', () => {
  const lead = { state: 'TX', survey: '/survey/v4nv', day: '2026-07-01' };
  expect(priceOf({ prices }, { ...lead, owedAt: 'signed' })).toBe(900);
});
