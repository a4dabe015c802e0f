import { describe, expect, test } from 'vitest';
import {
  flowOf,
  type Survey,
  surveyAt,
  surveyFacts,
  surveys,
} from '../../../../model/flows/surveys.ts';
import {
  conditionWords,
  type FlowGraph,
  flowGraph,
  SENT,
  whenWords,
} from '../../parts/flow-graph.ts';
import { layOut, type PlacedNode } from './diagram.tsx';

async function graphOf(survey: Survey): Promise<FlowGraph> {
  return flowGraph(await flowOf(survey), surveyFacts(survey));
}

async function graphAt(path: string): Promise<FlowGraph> {
  return graphOf(surveyAt(path) as Survey);
}

const namesOf = ({ nodes }: FlowGraph) => nodes.map(({ id }) => id);
const targetsOf = (graph: FlowGraph, step: string) =>
  graph.edges.filter(({ from }) => from === step).map(({ to }) => to);

describe('flowGraph', () => {
  test('omits steps and edges that a survey’s visitors cannot reach', async () => {
    const plain = await graphAt('/survey/v4nv');
    expect(targetsOf(plain, 'StartPath')).toEqual(['WhenWasTheAccident']);
    expect(namesOf(plain)).not.toContain('AutoAccidentCaseWorth');
    expect(namesOf(plain)).not.toContain('AllPii');
    const other = await graphAt('/survey/v4');
    expect(targetsOf(other, 'StartPath')).toEqual(['AutoAccidentCaseWorth']);
    const spanish = await graphAt('/survey/v4nv-es');
    expect(namesOf(spanish)).not.toContain('InterestedInFunding');
  });

  test('has a node for the sent lead only if the survey sends a lead', async () => {
    expect(targetsOf(await graphAt('/survey/v4nv'), 'PhoneAndZip')).toEqual([SENT]);
    const benefits = await graphAt('/benefits');
    expect(namesOf(benefits)).not.toContain(SENT);
    expect(benefits.nodes.at(-1)).toMatchObject({ id: 'SecuredBenefits', isEnd: true });
  });

  test('whenWords writes the conditions of an edge in words', async () => {
    const graph = await graphAt('/survey/v4nv');
    const words = Object.fromEntries(
      graph.edges
        .filter(({ from }) => from === 'WasUserInjured')
        .map((edge) => [edge.to, whenWords(edge, graph)]),
    );
    expect(words).toEqual({
      ActiveInsurancePolicy: 'if is severely injured and at fault',
      DidYouReceiveMedicalTreatment: 'if is injured',
      PoliceReportFiled: 'otherwise',
    });
    expect(conditionWords('hasLawyerOnRecentAccident')).toBe('has lawyer on recent accident');
  });
});

describe('layOut', () => {
  const overlap = (a: PlacedNode, b: PlacedNode) =>
    a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

  test.each(surveys.map((survey) => [survey.path, survey] as const))(
    '%s: cards do not overlap, edges lead downwards, numbers are beside the cards',
    async (_, survey) => {
      const graph = await graphOf(survey);
      const { nodes, edges, width, height } = layOut(graph);
      const at = new Map(nodes.map((node) => [node.id, node]));
      for (const [index, node] of nodes.entries()) {
        expect(node.x).toBeGreaterThanOrEqual(0);
        expect(node.x + node.width).toBeLessThanOrEqual(width);
        expect(node.y + node.height).toBeLessThanOrEqual(height);
        for (const other of nodes.slice(index + 1)) {
          expect(overlap(node, other), `${node.id} ${other.id}`).toBe(false);
        }
      }
      for (const { from, to, label } of edges) {
        const [above, below] = [at.get(from), at.get(to)] as [PlacedNode, PlacedNode];
        expect(above.y + above.height).toBeLessThan(below.y);
        for (const { id, x, y, width: wide, height: tall } of nodes) {
          const isOnCard = label.x > x && label.x < x + wide && label.y > y && label.y < y + tall;
          expect(isOnCard, `${from}>${to} on ${id}`).toBe(false);
        }
      }
    },
  );
});
