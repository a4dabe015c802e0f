import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import type { ExperimentAnswer } from '../../../contract/console/numbers.ts';
import { ExperimentCard } from './experiment-card.tsx';
import { HowToStart } from './how-to-start.tsx';
import { intervalOf, intervalWords, planShare, pointsText, reachOf } from './interval.ts';
import { experimentsSummary } from './summary.ts';

const arm = (variant: string, visits: number, accepted: number) => ({
  ...{ variant, weight: 1, visits, completed: accepted, accepted, delivered: accepted },
  ...{ refusals: 0, held: 2, pageErrors: 0 },
});

const comparison = (
  difference: number,
  halfWidth: number,
  changes: Partial<ExperimentAnswer['comparisons'][number]> = {},
): ExperimentAnswer['comparisons'][number] => ({
  ...{ variant: 'rounded', metric: 'accepted', conclusion: 'undecided', difference, halfWidth },
  ...changes,
});

const running: ExperimentAnswer = {
  id: 'buttons',
  surveys: ['/survey/v4nv'],
  arms: [arm('plain', 1000, 140), arm('rounded', 990, 150)],
  comparisons: [
    comparison(0.012, 0.05),
    comparison(0.06, 0.05, { metric: 'completed', conclusion: 'better' }),
  ],
  ratio: { p: 0.82, isMismatch: false },
  plannedVisits: 5000,
  guardRails: [{ name: 'Held leads', text: 'With rounded, nothing.', isBroken: false }],
  summary: 'Undecided after 1990 visits.',
};

function cardOf(experiment: ExperimentAnswer): string {
  const router = createRouter({
    routeTree: createRootRoute(),
    history: createMemoryHistory(),
  });
  return renderToStaticMarkup(
    <RouterContextProvider router={router}>
      <ExperimentCard experiment={experiment} />
    </RouterContextProvider>,
  ).replaceAll('\u202f', ' ');
}

describe('intervals', () => {
  test('reach the same on both sides of zero, so that zero is their middle', () => {
    expect(reachOf([comparison(0.012, 0.02), comparison(-0.01, 0.03)])).toBe(0.05);
    expect(reachOf([comparison(0, 1)])).toBe(1);
    expect(reachOf([])).toBe(0.01);
  });

  test('are said in percentage points', () => {
    expect(intervalWords(intervalOf(comparison(0.008, 0.016)))).toBe('−0.8 to +2.4 points');
    expect(pointsText(0.0001)).toBe('0.0');
  });

  test('the plan is full at N*', () => {
    expect([0, 2500, 9000].map((visits) => planShare(visits, 5000))).toEqual([0, 0.5, 1]);
  });
});

describe('an experiment', () => {
  test('shows arms with sample sizes, intervals and what can be concluded', () => {
    const html = cardOf(running);
    expect(html).toContain('Undecided after 1990 visits.');
    expect(html).toContain('title="150 of 990"');
    expect(html).toContain('−3.8 to +6.2 points');
    expect(html).toContain('1 990 of the planned 5 000 visits');
  });

  test('no variant looks like a winner before accepted leads per visit say so', () => {
    expect(cardOf(running)).not.toContain('data-conclusion="better"');
    const decided = [comparison(0.06, 0.05, { conclusion: 'better' })];
    const html = cardOf({ ...running, comparisons: decided });
    expect(html).toContain('data-conclusion="better"');
    expect(html).toContain('better than plain');
  });

  test('a mismatch of the samples hides every conclusion', () => {
    const html = cardOf({ ...running, ratio: { p: 1e-9, isMismatch: true }, summary: 'Stop.' });
    expect(html).toContain('data-alarm="true"');
    expect(html).not.toContain('points');
    expect(html).not.toContain('Held leads');
    expect(html).toContain('&lt; 0.001');
  });

  test('the page says how many are decided', () => {
    const decided = {
      ...running,
      ...{ id: 'theme', comparisons: [comparison(0.06, 0.05, { conclusion: 'better' })] },
    };
    expect(experimentsSummary([running])).toEqual(['1 experiment runs.', 'None has a result yet.']);
    expect(experimentsSummary([running, decided])[1]).toBe('Decided: rounded is better in theme.');
    expect(experimentsSummary([])).toEqual([]);
  });

  test('without one, the page says how to start', () => {
    const html = renderToStaticMarkup(<HowToStart isFirst />);
    expect(html).toContain('No experiment runs.');
    expect(html).toContain('EXPERIMENTS=');
    expect(html).toContain('progress');
  });
});
