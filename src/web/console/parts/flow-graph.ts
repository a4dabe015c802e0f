import { useQuery } from '@tanstack/react-query';
import type { Language } from '../../../model/fields/language.ts';
import { type Flow, stepOf, stepWords } from '../../../model/flows/engine/flow.ts';
import { reachableSteps, stepsAfter } from '../../../model/flows/engine/reach.ts';
import type { WalkContext } from '../../../model/flows/engine/walk.ts';
import { flowOf, type Survey, surveyFacts } from '../../../model/flows/surveys.ts';
import { texts } from '../../survey/texts/texts.ts';

/** The id of the node that stands for the sent lead. */
export const SENT = 'submit';

export type GraphNode = {
  readonly id: string;
  /** True if the flow ends at this step. */
  readonly isEnd: boolean;
};

export type Ends = { readonly from: string; readonly to: string };

export type FlowGraph = {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly Ends[];
};

export function edgeKey({ from, to }: Ends): string {
  return `${from}>${to}`;
}

/** Returns the part of a flow that the visitors of a survey can reach. */
export function flowGraph(flow: Flow, facts: WalkContext['survey']): FlowGraph {
  // Any day and any settings will do, because the graph depends only on `facts`.
  const context: WalkContext = {
    survey: facts,
    today: { year: 2000, month: 1, day: 1 },
    settings: { dateOfBirthStates: [] },
  };
  const reached = reachableSteps(flow, context);
  const steps = Object.keys(flow.steps).filter((name) => reached.has(name));
  const edges = steps.flatMap((from) => {
    const ends = [
      ...stepsAfter(flow, from, context),
      ...(stepOf(flow, from).submits ? [SENT] : []),
    ];
    return ends.map((to): Ends => ({ from, to }));
  });
  const nodes = steps.map((id): GraphNode => ({ id, isEnd: stepOf(flow, id).ends === true }));
  const isPosting = edges.some(({ to }) => to === SENT);
  return { nodes: isPosting ? [...nodes, { id: SENT, isEnd: true }] : nodes, edges };
}

/** Loads the flow of a survey as a graph. */
export function useFlowGraph(survey: Survey | undefined): FlowGraph | undefined {
  const { data } = useQuery({
    queryKey: ['flow', survey?.path],
    queryFn: async () => survey && flowGraph(await flowOf(survey), surveyFacts(survey)),
    enabled: survey !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data;
}

/** Returns the question of a step, or the name of a step without a question. */
export function stepTitle(language: Language, flowId: string, step: string): string {
  if (step === SENT) return 'Lead sent';
  return stepWords(texts[language].steps, flowId, step)?.question ?? step;
}

export function fieldTitle(language: Language, field: string): string {
  return texts[language].fields[field]?.label ?? field;
}
