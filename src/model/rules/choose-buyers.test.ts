import { expect, it } from 'vitest';
import type { BuyerTerms, Cap, PriceTerm } from './buyer-terms.ts';
import { type Candidate, chooseBuyers, priceOf } from './choose-buyers.ts';

const now = new Date('2026-07-01T15:00Z'); // a Wednesday
const lead = { state: 'TX', survey: '/survey/v4nv' };

const usual: BuyerTerms = {
  name: 'Smith',
  isOn: true,
  priority: 1,
  weight: 1,
  sharedBy: 1,
  states: [],
  timeZone: 'UTC',
  hours: [],
  caps: [],
  prices: [{ from: '2026-01-01', amount: 100, owedAt: 'delivery' }],
  returns: { days: 14, mostPercent: 10, reasons: [] },
};

type Given = Partial<BuyerTerms> & { leads?: number; cents?: number; isPaused?: boolean };

/** The end of the current period of a cap, by the kind of the period. */
const endOf: Readonly<Partial<Record<Cap['per'], Date>>> = {
  day: new Date('2026-07-02T00:00Z'),
  month: new Date('2026-08-01T00:00Z'),
};

function candidate(destination: string, given: Given = {}): Candidate {
  const { leads = 0, cents = 0, isPaused = false, ...changed } = given;
  const terms = { ...usual, ...changed };
  const uses = terms.caps.map((cap) => ({ cap, leads, cents, until: endOf[cap.per] ?? null }));
  return { destination, terms, uses, isPaused };
}

const choose = (candidates: readonly Candidate[], holders: readonly BuyerTerms[] = []) =>
  chooseBuyers({ candidates, holders, lead, now, random: () => 0.5 });
const names = (of: readonly { destination: string }[]) => of.map(({ destination }) => destination);

it('gives the lead to the first buyer in order of priority, with its price', () => {
  const choice = choose([candidate('b', { priority: 2 }), candidate('a', { priority: 1 })]);
  expect(choice).toEqual({
    chosen: [{ destination: 'a', price: 100 }],
    others: [{ destination: 'b', reason: 'has_buyer' }],
  });
});

it('divides leads among buyers of one priority by their weight', () => {
  let seed = 1;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const candidates = [
    candidate('three', { weight: 3 }),
    candidate('one', { weight: 1 }),
    candidate('never', { weight: 0 }),
  ];
  const counts: Record<string, number> = {};
  for (let lot = 0; lot < 4_000; lot += 1) {
    const { chosen } = chooseBuyers({ candidates, holders: [], lead, now, random });
    counts[chosen[0]!.destination] = (counts[chosen[0]!.destination] ?? 0) + 1;
  }
  expect(counts.three).toBeGreaterThan(2_850);
  expect(counts.three).toBeLessThan(3_150);
  expect(counts).not.toHaveProperty('never');
});

const at = (time: string) => new Date(time);
const capped = (cap: Cap, used: Given): Given => ({ caps: [cap], ...used });

it.each<[string, Given, string, Date | undefined]>([
  ['is off', { isOn: false }, 'buyer_off', undefined],
  ['takes other states', { states: ['FL'] }, 'outside_states', undefined],
  [
    'is closed',
    { hours: [{ days: [3], from: '18:00', until: '20:00' }] },
    'closed_now',
    at('2026-07-01T18:00Z'),
  ],
  ['is paused', { isPaused: true }, 'buyer_paused', at('2026-07-01T15:02Z')],
  [
    'has as many leads as its cap',
    capped({ per: 'day', leads: 5 }, { leads: 5 }),
    'cap_reached',
    at('2026-07-02T00:00Z'),
  ],
  [
    'would pay more than its cap',
    capped({ per: 'month', money: 1_000 }, { cents: 90_001 }),
    'cap_reached',
    at('2026-08-01T00:00Z'),
  ],
  ['has a cap below the price', capped({ per: 'day', money: 99.99 }, {}), 'cap_reached', undefined],
  ['has all its leads', capped({ per: 'total', leads: 5 }, { leads: 5 }), 'cap_reached', undefined],
  [
    'reached its cap and opens later than the cap ends',
    {
      ...capped({ per: 'day', leads: 1 }, { leads: 1 }),
      hours: [{ days: [4], from: '09:00', until: '17:00' }],
    },
    'cap_reached',
    at('2026-07-02T09:00Z'),
  ],
])('passes over a buyer that %s', (_, given, reason, opensAt) => {
  const { chosen, others } = choose([
    candidate('first', given),
    candidate('next', { priority: 2 }),
  ]);
  expect(names(chosen)).toEqual(['next']);
  expect(others).toEqual([{ destination: 'first', reason, ...(opensAt && { opensAt }) }]);
});

it('fills a cap to its last lead and its last dollar', () => {
  const caps: Given = {
    caps: [
      { per: 'day', leads: 5 },
      { per: 'day', money: 500 },
    ],
  };
  expect(choose([candidate('a', { ...caps, leads: 4, cents: 40_000 })]).chosen).toHaveLength(1);
});

it.each([
  ['all share', [3, 3, 3], [], ['a', 'b', 'c']],
  ['two share', [2, 2, 2], [], ['a', 'b']],
  ['the second is exclusive', [3, 1, 3], [], ['a', 'c']],
  ['the first is exclusive', [1, 3, 3], [], ['a']],
  ['an exclusive buyer has it', [3, 3, 3], [1], []],
  ['two buyers have it and share by three', [3, 3, 3], [3, 3], ['a']],
])('gives the lead to as many buyers as share it: %s', (_, shares, holders, expected) => {
  const candidates = shares.map((sharedBy, place) =>
    candidate('abc'[place] ?? '', { sharedBy, priority: place }),
  );
  const { chosen, others } = choose(
    candidates,
    holders.map((sharedBy) => ({ ...usual, sharedBy })),
  );
  expect(names(chosen)).toEqual(expected);
  expect(others.every(({ reason }) => reason === 'has_buyer')).toBe(true);
});

it('gives a lead to a buyer without a price', () => {
  expect(choose([candidate('a', { prices: [] })]).chosen).toEqual([
    { destination: 'a', price: undefined },
  ]);
});

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
