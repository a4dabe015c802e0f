import { expect, test } from 'vitest';
import type { SurveyEntry, SurveyTable } from '../../model/flows/survey-table.ts';
import type { DestinationDefinition, DestinationSetting } from './destinations/destination.ts';
import { createPlan } from './plan.ts';

const defined = (
  name: string,
  options: Partial<
    Pick<DestinationDefinition, 'whenOff' | 'appliesTo' | 'events' | 'surveyColumn'>
  > = {},
): DestinationDefinition => ({
  name,
  title: name,
  variables: {},
  needs: [],
  whenOff: 'skip',
  permission: { consent: 'any', stopsAtOptOut: false },
  appliesTo: () => true,
  connect: () => {
    throw new Error('These tests send nothing');
  },
  ...options,
});

const on = (given: DestinationDefinition): DestinationSetting => ({
  definition: given,
  values: {},
});
const off = (given: DestinationDefinition): DestinationSetting => ({
  definition: given,
  values: undefined,
});
const table =
  (destinations?: readonly string[]): SurveyTable =>
  (path) =>
    path === '/survey/known'
      ? ({ survey: { path, ...(destinations && { destinations }) } } as SurveyEntry)
      : undefined;

function plan(
  settings: readonly DestinationSetting[],
  options: {
    named?: readonly string[];
    state?: 'accepted' | 'held';
    survey?: string;
    revision?: number;
  } = {},
) {
  const { named, state = 'accepted', survey = '/survey/known', revision = 1 } = options;
  const lead = { survey, flow: 'v4', qualified: true, isTest: false, fields: { colour: 'red' } };
  return createPlan(settings, table(named))(lead, state, revision).map(
    ({ destination, state: planned, eventKey }) =>
      [destination, eventKey, planned].filter(Boolean).join(' '),
  );
}

test('`whenOff` decides whether a destination without settings gets a delivery', () => {
  const settings = [off(defined('marked', { whenOff: 'mark' })), off(defined('skipped'))];
  expect(plan(settings)).toEqual(['marked no_destination']);
  const notFor = defined('marked', { whenOff: 'mark', appliesTo: () => false });
  expect(plan([off(notFor)])).toEqual([]);
});

test('a lead goes only to destinations that the lead’s survey names', () => {
  const settings = [
    on(defined('one')),
    on(defined('two')),
    on(defined('three', { appliesTo: () => false })),
  ];
  expect(plan(settings, { named: ['two', 'three'] })).toEqual(['two waiting']);
  expect(plan(settings, { named: [] })).toEqual([]);
  expect(plan(settings, { survey: '/survey/unknown', named: ['two'] })).toEqual([
    'one waiting',
    'two waiting',
  ]);
});

test('a lead goes only to destinations that the columns of the lead’s survey allow', () => {
  const settings = [on(defined('one')), on(defined('desk', { surveyColumn: 'deliversToIngest' }))];
  const surveys = () => ({ survey: { deliversToIngest: false } }) as SurveyEntry;
  const lead = { survey: '/survey/known', flow: '', qualified: true, isTest: false, fields: {} };
  const planned = createPlan(settings, surveys)(lead, 'accepted', 1);
  expect(planned.map(({ destination }) => destination)).toEqual(['one']);
});

test('the deliveries of a held lead are held', () => {
  const settings = [on(defined('one')), off(defined('two', { whenOff: 'mark' }))];
  expect(plan(settings, { state: 'held' })).toEqual(['one held', 'two no_destination']);
});

test('an event listener gets an event about each revision', () => {
  const settings = [
    on(defined('one')),
    on(defined('listener', { events: () => ['lead.accepted', 'lead.revised'] })),
  ];
  expect(plan(settings)).toEqual(['one waiting', 'listener lead.accepted waiting']);
  expect(plan(settings, { revision: 3, state: 'held' })).toEqual([
    'one held',
    'listener lead.revised 3 held',
  ]);
  expect(plan(settings, { named: [] })).toEqual(['listener lead.accepted waiting']);
  const some = [on(defined('listener', { events: () => ['lead.revised'] }))];
  expect(plan(some)).toEqual([]);
});

test('a delivery waits for the choice of law firms only while the visitor can still choose', () => {
  const desk: DestinationDefinition = { ...defined('desk'), waitsForChoice: true };
  const waitOf = (destination: string) => (destination === 'desk' ? 3_000 : undefined);
  const waits = (fields: Record<string, string>, { qualified = true, signal = false } = {}) => {
    const lead = { survey: '', flow: '', isTest: false, qualified, fields };
    const planned = createPlan([on(defined('one')), on(desk)], table(), waitOf, 600_000);
    return planned(lead, 'accepted', 1, signal).map(({ waitMs }) => waitMs);
  };
  const none = { '1_to_1_consent': 'yes', selected_buyers_number: '0' };
  expect(waits(none)).toEqual([undefined, 600_000]);
  expect(waits(none, { signal: true })).toEqual([undefined, 600_000]);
  expect(waits(none, { qualified: false })).toEqual([undefined, 3_000]);
  expect(waits({ ...none, selected_buyers_number: '1' })).toEqual([undefined, 3_000]);
  expect(waits({}, { signal: true })).toEqual([undefined, undefined]);
});
