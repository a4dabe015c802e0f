/** Stage 3: derives fields from the answers and decides about the lead. */
import type { Answers } from '../domain/answers.ts';
import type { CalendarDate } from '../domain/dates.ts';
import { type DerivedLead, deriveLead } from '../domain/derive.ts';
import type { BuildContext } from './context.ts';
import type { SurveyEntry } from './survey-table.ts';

/**
 * Applies the rules of the survey's flow to the answers that count (docs/specification.md#server-decides).
 * @param state the zip code's state; undefined: unknown
 */
export function decideQualification(
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
    rules: entry?.flow.rules ?? {},
    settings: rules,
    checks: description === undefined ? {} : checks.ofDescription(description),
  });
}
