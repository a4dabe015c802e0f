/** Stage 3: everything that follows from the answers, and the decision. */
import type { Answers } from '../domain/answers.ts';
import type { CalendarDate } from '../domain/dates.ts';
import { type DerivedLead, deriveLead, type FlowRules } from '../domain/lead/derive.ts';
import type { BuildContext } from './context.ts';
import type { SurveyEntry } from './survey-table.ts';

/** The rules for a lead whose survey is not known. */
const defaultRules: FlowRules = { forcedTreatment: 'up_to_15_days' };

/**
 * The rules of the survey's flow over the answers that count (docs/specification.md#server-decides).
 * @param state of the zip code; undefined: not known
 */
export function decide(
  counted: Answers,
  { state, today }: { readonly state: string | undefined; readonly today: CalendarDate },
  entry: Pick<SurveyEntry, 'flow'> | undefined,
  { rules, checks }: Pick<BuildContext, 'rules' | 'checks'>,
): DerivedLead {
  const answers = state ? { ...counted, state } : counted;
  const description = answers.case_description;
  return deriveLead({
    answers,
    today,
    rules: entry?.flow.rules ?? defaultRules,
    settings: rules,
    checks: description === undefined ? {} : checks.ofDescription(description),
  });
}
