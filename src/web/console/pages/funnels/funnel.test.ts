import { expect, test } from 'vitest';
import { flowOf, type Survey, surveyAt, surveyFacts } from '../../../../model/flows/surveys.ts';
import type { FunnelAnswer, FunnelStep } from '../../../../model/messages/console/numbers.ts';
import { flowGraph } from '../../parts/flow-graph.ts';
import { difference, differenceOf, dropClass, funnelOn, worstStep } from './funnel.ts';
import { comparedWith } from './index.tsx';

async function graphAt(path: string) {
  const survey = surveyAt(path) as Survey;
  return flowGraph(await flowOf(survey), surveyFacts(survey));
}
const graph = await graphAt('/survey/v4nv');

/** Returns a step that `seen` visits reached and at which `left` visits ended. */
const step = (name: string, seen: number, left: number): FunnelStep => ({
  step: name,
  seen,
  left,
  wentBack: 0,
  medianSeconds: 8,
  refused: [],
});

const answer: FunnelAnswer = {
  survey: '/survey/v4nv',
  visits: 1000,
  completed: 240,
  money: { revenue: 0, cost: 0, margin: 0, returned: 0 },
  countedUntil: '2026-11-23T12:00:00.000Z',
  steps: [
    step('StartPath', 1000, 80),
    step('WasUserInjured', 900, 100),
    step('PhoneAndZip', 500, 260),
  ],
  edges: [
    { from: 'WasUserInjured', to: 'DidYouReceiveMedicalTreatment', visits: 700 },
    { from: 'WasUserInjured', to: 'PoliceReportFiled', visits: 100 },
    { from: 'PhoneAndZip', to: 'submit', visits: 240 },
  ],
};
const now = funnelOn(graph, answer);

test('flowGraph omits the steps and edges that a survey’s visitors cannot reach', async () => {
  const start = ({ edges }: typeof graph) =>
    edges.flatMap((edge) => (edge.from === 'StartPath' ? edge.to : []));
  expect(start(graph)).toEqual(['WhenWasTheAccident']);
  expect(start(await graphAt('/survey/v4'))).toEqual(['AutoAccidentCaseWorth']);
  const names = graph.nodes.map(({ id }) => id);
  for (const unreached of ['AutoAccidentCaseWorth', 'AllPii'])
    expect(names).not.toContain(unreached);
});

test('dropOff counts the visits that ended at a step', () => {
  // 100 of the 900 visits at this step ended at the step.
  expect(now.dropOff('WasUserInjured')).toEqual({ part: 100, of: 900 });
  const edge = { from: 'WasUserInjured', to: 'PoliceReportFiled' };
  expect(now.edgeShare(edge)).toEqual({ part: 100, of: 800 });
});

test('dropClass returns no class for a step with fewer than 20 visits', () => {
  expect(dropClass({ part: 19, of: 19 })).toBeUndefined();
  const classes = [0, 19, 20, 50, 99, 100, 200, 1000].map((part) => dropClass({ part, of: 1000 }));
  expect(classes).toEqual([0, 0, 1, 2, 2, 3, 4, 4]);
});

test('difference sets isClear only if chance rarely explains the difference', () => {
  const isClear = (part: number, other: number, of: number) =>
    difference({ part, of }, { part: other, of })?.isClear;
  expect(isClear(1200, 800, 10_000)).toBe(true);
  expect(isClear(12, 8, 100)).toBe(false);
  // Two visits are too few to compare, although the shares are 100 % and 0 %.
  expect(isClear(2, 0, 2)).toBe(false);
});

test('differenceOf names the step with the clearest difference between two funnels', () => {
  expect(worstStep(now)).toBe('PhoneAndZip');
  const words = { otherName: 'source google', titleOf: (name: string) => name };
  const before = funnelOn(graph, {
    ...answer,
    completed: 400,
    steps: [step('PhoneAndZip', 500, 100)],
  });
  expect(differenceOf(now, before, words).join(' ').replaceAll('\u202f', ' ')).toBe(
    '24.0 % of 1 000 visits sent the last form, against 40.0 % of 1 000 (source google). ' +
      'The clearest difference: more leave at “PhoneAndZip” (52.0 % against 20.0 %).',
  );
  expect(differenceOf(now, now, words).join()).toContain('which chance may explain');
});

test('comparedWith returns the selection with which the operator compares the funnel', () => {
  const week = {
    survey: '/survey/v4nv',
    from: '2026-11-17',
    to: '2026-11-23',
    segment: 'source=google',
  };
  expect(comparedWith(week, 'source=google')).toBeUndefined();
  expect(comparedWith(week, 'all')).toEqual({ ...week, segment: 'all' });
  const before = { ...week, from: '2026-11-10', to: '2026-11-16' };
  expect(comparedWith(week, 'before')).toEqual(before);
});
