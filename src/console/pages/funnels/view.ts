/** What the parts of the funnel's page share: the flow, its numbers, and the words of the survey. */
import type { Language } from '../../../domain/language.ts';
import type { FlowGraph } from './flow-graph.ts';
import type { Funnel } from './funnel.ts';
import { fieldTitle, stepTitle } from './step-titles.ts';

export type FunnelView = {
  readonly graph: FlowGraph;
  readonly flowId: string;
  readonly language: Language;
  readonly now: Funnel;
  /** The second selection. */
  readonly other: Funnel | undefined;
  /** The second selection, for people: `source google`. */
  readonly otherName: string;
  /** The list of the selection's leads; undefined: leads cannot be listed by it. */
  readonly leads: string | undefined;
};

/** Returns a step's question. */
export function titleIn(view: Pick<FunnelView, 'language' | 'flowId'>, step: string): string {
  return stepTitle(view.language, view.flowId, step);
}

/** Returns a field's label. */
export function fieldIn({ language }: Pick<FunnelView, 'language'>, field: string): string {
  return fieldTitle(language, field);
}
