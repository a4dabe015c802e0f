import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { flowOf, type Survey, surveyAt, surveyFacts } from '../../../flows/surveys.ts';
import { StepDetail } from './detail.tsx';
import { Diagram } from './diagram.tsx';
import { Legend } from './drop.tsx';
import { flowGraph } from './flow-graph.ts';
import { funnelOn } from './funnel.ts';
import { funnelAnswer, step } from './funnel-samples.ts';
import { OtherWays } from './other-ways.tsx';
import { StepTable } from './step-table.tsx';
import type { FunnelView } from './view.ts';

const survey = surveyAt('/survey/v4nv') as Survey;
const graph = flowGraph(await flowOf(survey), surveyFacts(survey));
const view: FunnelView = {
  ...{ graph, flowId: 'v4', language: 'en', otherName: '', other: undefined, leads: undefined },
  now: funnelOn(graph, funnelAnswer()),
};
const compared: FunnelView = {
  ...view,
  otherName: 'source google',
  other: funnelOn(graph, funnelAnswer({ steps: [step('PhoneAndZip', 500, 100)] })),
};
const nothing = () => undefined;

/** Returns the text that a part shows, without tags. */
function textOf(part: React.ReactNode): string {
  return renderToStaticMarkup(part)
    .replace(/<[^>]+>/g, ' ')
    .replace(/[\s\u202f]+/g, ' ');
}

test('the diagram: a card per step with its numbers, a line per edge', () => {
  const html = renderToStaticMarkup(
    <Diagram view={view} selected="PhoneAndZip" onSelect={nothing} onPoint={nothing} />,
  );
  expect(html.match(/class="step /g)).toHaveLength(graph.nodes.length);
  expect(html.match(/class="flow-line /g)).toHaveLength(graph.edges.length);
  expect(html).toMatch(/class="step drop-4"[^>]*aria-pressed="true"/);
  const text = textOf(<Diagram view={view} selected="" onSelect={nothing} onPoint={nothing} />);
  expect(text).toContain('What’s the best number to reach you? 500 seen 52.0 % leave');
  expect(text).toContain('700 · 87.5 %');
  expect(text).toContain('240 sent, 24.0 % of visits');
});

test('the table: the same numbers, and details below an open step', () => {
  const text = textOf(<StepTable view={view} selected="PhoneAndZip" onSelect={nothing} />);
  expect(text).toContain('What’s the best number to reach you? 500 52.0 %');
  expect(text).toContain('Leave here 260 52.0 % of those');
  expect(text).toContain('Refused fields');
  expect(text).toContain('phone 31 6.2 %');
});

test('a second selection: differences in points, and whether they are clear', () => {
  const text = textOf(<StepTable view={compared} selected="" onSelect={nothing} />);
  expect(text).toContain('Leave: source google');
  expect(text).toContain('52.0 % ▲ +32.0 points, more than chance may explain 20.0 %');
  expect(textOf(<StepDetail view={compared} step="PhoneAndZip" />)).toContain('+32.0');
  expect(textOf(<Legend isCompared />)).toContain('▲ more leave');
});

test('ways beside the flow are said, not drawn', () => {
  expect(textOf(<OtherWays funnel={view.now} />)).toContain('StartPath → AtFault 20');
  const none = funnelOn(graph, funnelAnswer({ edges: [] }));
  expect(renderToStaticMarkup(<OtherWays funnel={none} />)).toBe('');
});
