import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { ExperimentAnswer, JudgedArm } from '../../../../model/messages/console/numbers.ts';
import { ExperimentTable } from './experiments.tsx';

test('an experiment shows its verdicts only without a sample-ratio mismatch', () => {
  const arm = (
    variant: string,
    verdict: JudgedArm['verdict'],
    difference: JudgedArm['difference'],
  ) => ({
    variant,
    verdict,
    difference,
    weight: 1,
    visits: 990,
    completed: 150,
    accepted: 150,
    delivered: 150,
    held: 2,
  });
  const running: ExperimentAnswer = {
    id: 'buttons',
    isMismatch: false,
    summary: 'Not enough visitors yet (1980).',
    arms: [arm('plain', 'base', null), arm('rounded', 'keep', { low: 0.008, high: 0.062 })],
  };
  const html = renderToStaticMarkup(<ExperimentTable experiment={running} />);
  expect(html).toContain('+0.8 to +6.2');
  expect(html).toContain('keep');
  expect(html).toContain('of 990');
  const skewed = <ExperimentTable experiment={{ ...running, isMismatch: true }} />;
  expect(renderToStaticMarkup(skewed)).not.toContain('keep');
});
