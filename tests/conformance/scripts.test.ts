import { expect, test } from 'vitest';
import { trafficSourcePool } from '../../src/model/fields/tracking.ts';
import { surveyRows } from './survey-rows.ts';
import { scripts, trafficSources } from './tables.ts';

test.each(surveyRows)(
  'the survey $path loads each script at the step in the specification',
  ({ flow, data }) => {
    expect(data.scripts ?? []).toHaveLength(scripts[flow]?.length ?? 0);
    expect(new Set(data.scripts)).toEqual(new Set(scripts[flow]));
  },
);

test('trafficSourcePool returns google for 15 of 20 visits without a click id', () => {
  const { google, facebook } = trafficSources;
  const chances = Array.from({ length: google + facebook }, (_, visit) => visit / 20);
  const drawn = (click: { gclid: string; fbclid: string }) =>
    chances.map((chance) => trafficSourcePool(click, chance));
  const byChance = drawn({ gclid: '', fbclid: '' });
  expect(byChance.filter((pool) => pool === 'google')).toHaveLength(google);
  expect(byChance.filter((pool) => pool === 'facebook')).toHaveLength(facebook);
  expect(new Set(drawn({ gclid: 'g', fbclid: '' }))).toEqual(new Set(['google']));
  expect(new Set(drawn({ gclid: '', fbclid: 'f' }))).toEqual(new Set(['facebook']));
});
