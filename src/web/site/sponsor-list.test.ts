import { expect, test } from 'vitest';
import type { Sponsor } from '../../../content/sponsors.ts';
import { fallbackExcludedStates } from '../../model/rules/buyers.ts';
import { barOf, listedSponsors, statesOf } from './sponsor-list.ts';

const real: Sponsor = { name: 'Real & Sons', office: 'Austin, Texas', states: ['TX', 'OK'] };
const buyer = (name: string) => ({ name, ids: [] });

test('listedSponsors returns a firm only once if several lists contain it', () => {
  const listed = listedSponsors(
    [real],
    [{ buyers: [buyer('Real & Sons'), buyer('B')] }, { buyers: [buyer('B')] }, {}],
    [buyer('B'), buyer('C'), buyer('Real & Sons')],
  );
  expect(listed.map(({ name }) => name)).toEqual(['Real & Sons', 'B', 'C']);
  expect(listed.map(statesOf)[0]).toEqual(['OK', 'TX']);
  expect(listed.map(statesOf)[1]).toBeUndefined();
});

test('listedSponsors lists a fallback buyer only for US states that allow fallback buyers', () => {
  const [fallback] = listedSponsors([], [], [buyer('C')]);
  const states = statesOf(fallback as Sponsor) ?? [];
  expect(states).toContain('OH');
  expect(states.filter((code) => fallbackExcludedStates.includes(code))).toEqual([]);
});

test('barOf returns the given record, else the bar of the office’s state', () => {
  const texas = { url: 'https://www.texasbar.com/', state: 'TX' };
  expect(barOf(real)).toEqual(texas);
  expect(barOf({ office: 'Austin, TX' })).toEqual(texas);
  const barRecord = 'https://bar.example/1';
  expect(barOf({ office: 'Austin, TX', barRecord })).toEqual({ url: barRecord, state: 'TX' });
  expect(barOf({ office: '' })).toBeUndefined();
});

test('statesOf returns undefined for a firm in every US state', () => {
  const everywhere = listedSponsors([], [{ buyers: [buyer('B')] }], []);
  expect(everywhere.map(statesOf)).toEqual([undefined]);
});
