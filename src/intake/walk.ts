/** Stage 2: which of the answers count, by the survey's own flow. */
import type { Answers, AskedFieldName } from '../domain/answers.ts';
import { fieldSetWhere } from '../domain/lead/lead-fields.ts';
import { walkFlat } from '../flows/engine/walk.ts';
import type { LeadRules } from './context.ts';
import type { LeadProblem } from './lead-record.ts';
import type { Posted, ReadPost } from './read.ts';
import type { SurveyEntry } from './survey-table.ts';

export type WalkedPost = {
  /** What the visitor answered. */
  readonly given: Answers;
  /** The answers that count. */
  readonly counted: Answers;
  /** Whether the survey is answered from the first step to the last. */
  readonly isWhole: boolean;
  readonly problems: readonly LeadProblem[];
};

/** What the page asked or showed; the state is none, as it comes from the zip code. */
const answerFields = fieldSetWhere(
  ({ from, posted }) =>
    posted === 'counts' && ['visitor', 'visitor_or_rule', 'buyer_list'].includes(from),
);
const postedByRule = fieldSetWhere((field) => field.from === 'visitor_or_rule');

/**
 * Walks the flow along the answers: those of the steps on the way count. Where the way has a gap, all
 * that were given count, since nothing is known about what is beyond it.
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
