import type { Answers } from '../fields/answers.ts';
import type { CalendarDate } from '../fields/dates.ts';
import { fieldSetWhere, fieldsWhere, isReserved } from '../fields/lead-fields.ts';
import { parseLeadFields } from '../fields/parse-lead-fields.ts';
import { walkByField } from '../flows/engine/walk.ts';
import type { SurveyEntry } from '../flows/survey-table.ts';
import { limitationTable } from '../rules/limitation.ts';
import type { BuildContext, LeadRules, Visitor, ZipCheck } from './context.ts';
import type { LeadProblem } from './lead-record.ts';

/** The normalised lead fields of a post, without empty values. */
export type Posted = Readonly<Record<string, string>>;

export type ReadPost = {
  readonly posted: Posted;
  /** The time at which the visitor pressed the last button. Undefined for an implausible time. */
  readonly submittedAt: Date | undefined;
  /** The day on which the visitor pressed the last button. */
  readonly today: CalendarDate;
  readonly problems: readonly LeadProblem[];
};

/** A browser that was offline may post a lead this long after the press of the button. */
const OLDEST_SUBMISSION_MS = 30 * 24 * 60 * 60 * 1000;
const CLOCK_SKEW_MS = 24 * 60 * 60 * 1000;

const askedByNoSurvey = fieldSetWhere((field) => field.from === 'contact_form');
const withReserved = fieldsWhere((field) => field.reserved !== undefined);

/** Reads a body of any shape. Never throws. */
export function readPost(
  body: Readonly<Record<string, unknown>>,
  now: Date,
  { calendar, rules }: Pick<BuildContext, 'calendar' | 'rules'>,
  entry?: Pick<SurveyEntry, 'flow' | 'survey'>,
): ReadPost {
  const problems: LeadProblem[] = [];
  const submittedAt = submissionTime(body.submitted_at, now);
  if (!submittedAt && typeof body.submitted_at === 'string' && body.submitted_at !== '') {
    problems.push({ problem: 'unlikely_time', field: 'submitted_at', value: body.submitted_at });
  }
  const today = calendar(submittedAt ?? now);
  const parsed = parseLeadFields(body, {
    today,
    descriptionLimit: rules.descriptionLimit,
    phoneCheck: entry?.flow.submit?.phoneCheck,
  });
  const posted = parsed.fields as Record<string, string>;
  for (const { field, error, value } of parsed.problems) {
    problems.push({ problem: 'bad_value', field, reason: error, value });
  }
  for (const [field, value] of Object.entries(parsed.unknown)) {
    problems.push({ problem: 'unknown_field', field, value });
  }
  for (const field of withReserved) {
    const value = posted[field];
    if (value === undefined || !isReserved(field, value)) continue;
    problems.push({ problem: 'bad_value', field, reason: 'reserved', value });
    delete posted[field];
  }
  for (const field of askedByNoSurvey) {
    const value = posted[field];
    if (value === undefined) continue;
    problems.push({ problem: 'unreached_field', field, value });
    delete posted[field];
  }
  return { posted, submittedAt, today, problems };
}

function submissionTime(value: unknown, now: Date): Date | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  const ageMs = now.getTime() - new Date(value).getTime();
  return ageMs >= -CLOCK_SKEW_MS && ageMs <= OLDEST_SUBMISSION_MS ? new Date(value) : undefined;
}

const clickFields = fieldsWhere((field) => field.from === 'click');

/** Returns the parameters of the ad click, with the cookies of ad networks. */
export function clickParameters(
  posted: Posted,
  { adCookies }: Pick<Visitor, 'adCookies'>,
): Record<string, string> {
  const params: Record<string, string> = { ...adCookies };
  for (const name of clickFields) if (posted[name]) params[name] = posted[name];
  return params;
}

const placeFields = ['city', 'state', 'state_long', 'county'] as const;

/** Returns the city, the county and the U.S. state of the visitor's zip code. */
export function readPlace(
  posted: Posted,
  checkZip: ZipCheck,
): { place: Posted; problems: readonly LeadProblem[] } {
  const { zip_code } = posted;
  if (zip_code === undefined) return { place: {}, problems: [] };
  const { city, state, state_long, county } = checkZip(zip_code);
  if (city && state && state_long && county) {
    return { place: { city, state, state_long, county }, problems: [] };
  }
  const place: Record<string, string> = {};
  const chosen = limitationTable.find(({ code }) => code === posted.state_choice);
  if (chosen) Object.assign(place, { state: chosen.code, state_long: chosen.name });
  else if (!posted.state_choice)
    for (const name of placeFields) if (posted[name] !== undefined) place[name] = posted[name];
  return {
    place,
    problems: [{ problem: 'bad_value', field: 'zip_code', reason: 'unknown_zip', value: zip_code }],
  };
}

/** Returns the origin of the page from which the lead came. */
export function siteOrigin(
  posted: Posted,
  visitor: Pick<Visitor, 'siteOrigin'>,
  rules: Pick<LeadRules, 'siteOrigin'>,
): string {
  const landingPage = URL.parse(posted.landing_page ?? '');
  if (landingPage && /^https?:$/.test(landingPage.protocol)) return landingPage.origin;
  return rules.siteOrigin ?? visitor.siteOrigin;
}

type WalkedPost = {
  readonly usedAnswers: Answers;
  /** True if the visitor answered every step. */
  readonly isWhole: boolean;
  readonly problems: readonly LeadProblem[];
};

/** The fields that are answers to questions. */
const answerFields = fieldSetWhere(
  ({ from, posted }) =>
    posted === 'used' && ['visitor', 'visitor_or_rule', 'buyer_list'].includes(from),
);
const postedByRule = fieldSetWhere((field) => field.from === 'visitor_or_rule');

/** Follows the posted answers through the flow, and returns the answers that the rules use. */
export function walkPost(
  { posted, today }: Pick<ReadPost, 'posted' | 'today'>,
  entry: SurveyEntry | undefined,
  { dateOfBirthStates }: Pick<LeadRules, 'dateOfBirthStates'>,
): WalkedPost {
  const given: Answers = Object.fromEntries(
    Object.entries(posted).filter(([name]) => answerFields.has(name)),
  );
  if (!entry) return { usedAnswers: given, isWhole: false, problems: [] };
  const { state, visitor_state } = posted;
  const way = walkByField(entry.flow, state === undefined ? given : { ...given, state }, {
    today,
    survey: entry.facts,
    state: visitor_state,
    settings: { dateOfBirthStates },
  });
  if (way.unanswered) {
    const problems: LeadProblem[] = [{ problem: 'incomplete', reason: way.unanswered }];
    return { usedAnswers: given, isWhole: false, problems };
  }
  const problems = way.unreached
    .filter((field) => answerFields.has(field) && !postedByRule.has(field))
    .map((field): LeadProblem => ({ problem: 'unreached_field', field, value: given[field] }));
  return { usedAnswers: way.answers, isWhole: true, problems };
}
