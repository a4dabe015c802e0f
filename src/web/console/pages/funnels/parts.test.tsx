import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import { pageHtml } from '../../../../../tests/support/console-page.tsx';
import { funnelAnswer, step } from '../../../../../tests/support/funnel-samples.ts';
import { flowOf, type Survey, surveyAt, surveyFacts } from '../../../../model/flows/surveys.ts';
import { flowGraph, stepTitle } from '../../parts/flow-graph.ts';
import { type FunnelView, Legend, StepDetail, StepTable } from './detail.tsx';
import { Diagram } from './diagram.tsx';
import { funnelOn } from './funnel.ts';

const survey = surveyAt('/survey/v4nv') as Survey;
const graph = flowGraph(await flowOf(survey), surveyFacts(survey));
const view: FunnelView = {
  language: 'en',
  titleOf: (step) => stepTitle('en', 'v4', step),
  otherName: '',
  other: undefined,
  leads: '/leads',
  now: funnelOn(graph, funnelAnswer()),
};
const compared: FunnelView = {
  ...view,
  otherName: 'source google',
  other: funnelOn(graph, funnelAnswer({ steps: [step('PhoneAndZip', 500, 100)] })),
};
const nothing = () => undefined;

/** Renders an element and returns its text without tags. */
async function textOf(part: ReactNode): Promise<string> {
  return (await pageHtml(() => part)).replace(/<[^>]+>/g, ' ').replace(/[\s\u202f]+/g, ' ');
}

test('the diagram shows a card with numbers for each step and a line for each edge', async () => {
  const diagram = (
    <Diagram view={view} selected="PhoneAndZip" onSelect={nothing} onPoint={nothing} />
  );
  const html = await pageHtml(() => diagram);
  expect(html.match(/class="step"/g)).toHaveLength(graph.nodes.length);
  expect(html.match(/class="flow-line"/g)).toHaveLength(graph.edges.length);
  expect(html).toMatch(/class="step" style="--drop:color-mix[^>]* 97%[^>]*aria-pressed="true"/);
  const text = await textOf(diagram);
  expect(text).toContain('What’s the best number to reach you? 500 seen 52.0 % leave');
  expect(text).toContain('700 · 87.5 %');
  expect(text).toContain('240 sent, 24.0 % of visits');
});

test('the table shows the numbers of the steps, and details below the selected step', async () => {
  const text = await textOf(<StepTable view={view} selected="PhoneAndZip" onSelect={nothing} />);
  expect(text).toContain('What’s the best number to reach you? 500 52.0 %');
  expect(text).toContain('Leave here 260 52.0 % of those');
  expect(text).toContain('Refused fields');
  expect(text).toContain('phone 31 6.2 %');
});

test('a comparison shows differences in points, and whether they are clear', async () => {
  const text = await textOf(<StepTable view={compared} selected="" onSelect={nothing} />);
  expect(text).toContain('Leave: source google');
  expect(text).toContain('52.0 % ▲ +32.0 points, more than chance may explain 20.0 %');
  expect(await textOf(<StepDetail view={compared} step="PhoneAndZip" />)).toContain('+32.0');
  expect(await textOf(<Legend isCompared />)).toContain('▲ more leave');
});
