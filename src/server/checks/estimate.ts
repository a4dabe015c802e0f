import type { Answers } from '../../model/fields/answers.ts';
import { askedFields } from '../../model/fields/asked-fields.ts';
import type { FieldRule } from '../../model/fields/field-rules.ts';
import { isImpersonalAnswer } from '../../model/fields/lead-fields.ts';
import type { EstimateAnswer } from '../../model/messages/estimate.ts';
import {
  type CompensationMultipliers,
  compensationBand,
  estimateCompensation,
} from '../../model/rules/compensation.ts';

/** Asks for a case's compensation level (1 to 7). Returns undefined if the call fails. */
type EstimateCheck = (answers: Readonly<Record<string, string>>) => Promise<number | undefined>;

const impersonalKinds: readonly FieldRule['kind'][] = ['choice', 'number'];

/** Returns a body's valid answers about the case, without answers that could identify a person. */
function impersonalAnswers(body: Readonly<Record<string, unknown>>): Answers {
  const answers: Record<string, string> = {};
  for (const [name, value] of Object.entries(body)) {
    if (typeof value !== 'string' || !isImpersonalAnswer(name)) continue;
    const { kind, values, isCallWish } = askedFields[name];
    if (isCallWish || !impersonalKinds.includes(kind)) continue;
    if (kind === 'number' ? /^\d{1,7}$/.test(value) : values?.includes(value)) {
      answers[name] = value;
    }
  }
  return answers;
}

/** Creates the check of a compensation level (docs/specification.md#compensation-level). */
export function createEstimate(parts: {
  readonly multipliers: CompensationMultipliers;
  readonly ask?: EstimateCheck | undefined;
}): (body: Readonly<Record<string, unknown>>) => Promise<EstimateAnswer> {
  return async (body) => {
    const answers = impersonalAnswers(body);
    const compLevel =
      (await parts.ask?.(answers)) ??
      compensationBand(estimateCompensation(answers, parts.multipliers)).level;
    return { compLevel };
  };
}
