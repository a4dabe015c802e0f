/** Stage 2: walks the survey's flow to find the answers that count. */
import type { Answers, AskedFieldName } from '../fields/answers.ts';
import { fieldSetWhere } from '../fields/lead-fields.ts';
import { walkFlat } from '../flows/engine/walk.ts';
import type { LeadRules } from './context.ts';
import type { LeadProblem } from './lead-record.ts';
import type { Posted, ReadPost } from './read.ts';
import type { SurveyEntry } from './survey-table.ts';

type WalkedPost = {
  /** All answers of the visitor. */
  readonly given: Answers;
  /** The answers that count. */
  readonly counted: Answers;
  /** Whether the survey is answered from the first step to the last. */
  readonly isWhole: boolean;
  readonly problems: readonly LeadProblem[];
};

/** Fields that the page asked for or showed. The state is not one: it follows from the zip code. */
const answerFields = fieldSetWhere(
  ({ from, posted }) =>
    posted === 'counts' && ['visitor', 'visitor_or_rule', 'buyer_list'].includes(from),
);
const postedByRule = fieldSetWhere((field) => field.from === 'visitor_or_rule');

/**
 * Walks the flow along the answers. Answers of the steps on the path count. If a step on the path is unanswered,
 * all answers count, since the rest of the path is unknown.
 */
export function walkPost(
  { posted, today }: Pick<ReadPost, 'posted' | 'today'>,
  entry: SurveyEntry | undefined,
  { dateOfBirthStates }: Pick<LeadRules, 'dateOfBirthStates'>,
): WalkedPost {
  const given = answersOf(posted);
  if (!entry) return { given, counted: given, isWhole: false, problems: [] };
  const { state, visitor_state } = posted;
  const way = walkFlat(entry.flow, state === undefined ? given : { ...given, state }, {
    today,
    survey: entry.facts,
    state: visitor_state,
    settings: { dateOfBirthStates },
  });
  if (!way.complete) {
    const problems: LeadProblem[] = [{ problem: 'incomplete', reason: way.current }];
    return { given, counted: given, isWhole: false, problems };
  }
  const problems = way.unreached
    .filter((field) => answerFields.has(field) && !postedByRule.has(field))
    .map((field): LeadProblem => ({ problem: 'unreached_field', field, value: given[field] }));
  return { given, counted: way.answers, isWhole: true, problems };
}

function answersOf(posted: Posted): Answers {
  const answers: Partial<Record<AskedFieldName, string>> = {};
  for (const name of Object.keys(posted)) {
    if (answerFields.has(name)) answers[name as AskedFieldName] = posted[name] as string;
  }
  return answers;
}
