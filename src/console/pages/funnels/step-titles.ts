/** The words of a survey's steps and fields, as its visitors read them. */
import type { Language } from '../../../domain/language.ts';
import { stepWords } from '../../../flows/engine/step-words.ts';
import { texts } from '../../../survey/texts/texts.ts';
import { SENT } from './flow-graph.ts';

/** Returns a step's question; the step's name if it asks none. */
export function stepTitle(language: Language, flowId: string, step: string): string {
  if (step === SENT) return 'Lead sent';
  return stepWords(texts[language].steps, flowId, step)?.question ?? step;
}

/** Returns a field's label; the field's name if it has none. */
export function fieldTitle(language: Language, field: string): string {
  return texts[language].fields[field]?.label ?? field;
}

/** Returns a stage's name. */
export function stageTitle(language: Language, stage: string): string {
  return texts[language].stages[stage as keyof (typeof texts)['en']['stages']] ?? stage;
}
