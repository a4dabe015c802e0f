import { describe, expect, test } from 'vitest';
import { funnelAnswer, step } from '../../../../../tests/support/funnel-samples.ts';
import { flowOf, type Survey, surveyAt, surveyFacts } from '../../../../model/flows/surveys.ts';
import { flowGraph } from '../../parts/flow-graph.ts';
import { difference, differenceOf, dropClass, funnelOn, summaryOf, worstStep } from './funnel.ts';
import { comparedWith, segmentKeysOf, segmentOf, segmentWords } from './index.tsx';

const survey = surveyAt('/survey/v4nv') as Survey;
const graph = flowGraph(await flowOf(survey), surveyFacts(survey));
const titleOf = (name: string) => name;
const other = { otherName: 'source google', titleOf };
const plain = (sentences: readonly string[]) => sentences.join(' ').replaceAll('\u202f', ' ');

describe('funnelOn', () => {
  const funnel = funnelOn(graph, funnelAnswer());

  test('a visit that took another branch is not a drop-off', () => {
    // Of 900 visits, 700 continued to the treatment, 100 to the police report, and 100 left.
    expect(funnel.dropOff('WasUserInjured')).toEqual({ part: 100, of: 900 });
    expect(funnel.edgeShare({ from: 'WasUserInjured', to: 'PoliceReportFiled' })).toEqual({
      part: 100,
      of: 800,
    });
    expect(funnel.dropOff('ActiveInsurancePolicy')).toEqual({ part: 0, of: 0 });
  });

  test('the counts of an edge that the flow lacks are ignored', () => {
    expect(funnel.most).toBe(900);
  });
});

describe('classes and differences', () => {
  test('dropClass returns a class by percentage, and undefined below 20 visits', () => {
    expect(dropClass({ part: 19, of: 19 })).toBeUndefined();
    const classes = [0, 19, 20, 50, 99, 100, 200, 1000].map((part) =>
      dropClass({ part, of: 1000 }),
    );
    expect(classes).toEqual([0, 0, 1, 2, 2, 3, 4, 4]);
  });

  test('a difference is clear only if its 99 % confidence interval excludes 0', () => {
    expect(difference({ part: 12, of: 100 }, { part: 8, of: 100 })).toMatchObject({
      isClear: false,
    });
    const clear = difference({ part: 1200, of: 10_000 }, { part: 800, of: 10_000 });
    expect(clear?.points).toBeCloseTo(4);
    expect(clear?.isClear).toBe(true);
    expect(difference({ part: 0, of: 0 }, { part: 1, of: 2 })).toBeUndefined();
    // The shares are 100 % and 0 %, but four visits are too few.
    expect(difference({ part: 2, of: 2 }, { part: 0, of: 2 })).toMatchObject({ isClear: false });
  });
});

describe('sentences', () => {
  test('summaryOf names the step at which most visits leave', () => {
    const now = funnelOn(graph, funnelAnswer());
    expect(plain(summaryOf({ now, titleOf }))).toBe(
      'Most leave at “PhoneAndZip”: 260, 52.0 % of 500.',
    );
  });

  test('worstStep returns the step at which most visits leave', () => {
    expect(worstStep(funnelOn(graph, funnelAnswer()))).toBe('PhoneAndZip');
  });

  test('differenceOf names the step with the clearest difference of two funnels', () => {
    const now = funnelOn(graph, funnelAnswer());
    const steps = [step('PhoneAndZip', 500, 100)];
    const before = funnelOn(graph, funnelAnswer({ completed: 400, steps }));
    expect(plain(differenceOf(now, before, other))).toBe(
      '24.0 % of 1 000 visits sent the last form, against 40.0 % of 1 000 (source google). ' +
        'The clearest difference: more leave at “PhoneAndZip” (52.0 % against 20.0 %).',
    );
    expect(plain(differenceOf(now, now, other))).toContain('which chance may explain');
  });
});

describe('the address', () => {
  const selection = {
    survey: '/survey/v4nv',
    from: '2026-11-17',
    to: '2026-11-23',
    segment: 'source=google',
  };

  test('segmentKeysOf removes the keys of other segments from the URL', () => {
    expect(segmentOf({ survey: '/survey/v4nv' })).toBe('all');
    expect(segmentOf({ variant: 'buttons.rounded' })).toBe('variant=buttons.rounded');
    expect(segmentKeysOf('source=a=b')).toMatchObject({ source: 'a=b', device: undefined });
    expect(segmentKeysOf('all')).toMatchObject({ source: undefined, variant: undefined });
    expect(segmentWords('source=')).toBe('source unknown');
  });

  test('comparedWith returns the previous period or another segment, but not the same selection', () => {
    expect(comparedWith(selection, undefined)).toBeUndefined();
    expect(comparedWith(selection, 'source=google')).toBeUndefined();
    expect(comparedWith(selection, 'all')).toEqual({ ...selection, segment: 'all' });
    expect(comparedWith(selection, 'before')).toEqual({
      ...selection,
      from: '2026-11-10',
      to: '2026-11-16',
    });
  });
});
