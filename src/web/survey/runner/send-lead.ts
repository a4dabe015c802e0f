import type { Answers, AskedFieldName } from '../../../model/fields/answers.ts';
import type { DateParts } from '../../../model/fields/field-rules.ts';
import type { Language } from '../../../model/fields/language.ts';
import { formatPhoneMask } from '../../../model/fields/phone-format.ts';
import {
  buttonOf,
  chosenOf,
  impliedBy,
  inputFields,
  stepOf,
} from '../../../model/flows/engine/flow.ts';
import { type StepAnswers, walk } from '../../../model/flows/engine/walk.ts';
import { type EstimateAnswer, estimatePath } from '../../../model/messages/estimate.ts';
import { stateFragment } from '../../../model/messages/page-manifest.ts';
import { deriveFields, isDriverGone } from '../../../model/rules/derive-fields.ts';
import type { GivenAuthorization } from '../../../model/rules/health-authorization.ts';
import {
  opensPartnerTab,
  partnerHref,
  type SentLead,
  thankYouQuery,
} from '../../../model/visit/after-submit.ts';
import { closedState } from '../../../model/visit/closed-state.ts';
import { chosenAnswers } from '../../../model/visit/form-values.ts';
import { earlierAnswers, leadBody } from '../../../model/visit/lead-body.ts';
import { consentAt } from '../../../model/visit/state.ts';
import { affiliateOf } from '../../../model/visit/visit.ts';
import { askServer, wait } from '../queue/requests.ts';
import type { SurveyPageData } from '../screens/screen-props.ts';
import type { FieldChecks } from './field-checks.ts';
import type { OneToOne } from './one-to-one.tsx';
import type { Runner, RunnerParts } from './runner.ts';
import { answersKey, type CopiedAnswer, handOver, ranNote } from './sent-lead.ts';

/** Longest time that the page stays open after the last button is pressed. */
const SEND_WAIT_MS = 2500;
/** Longest time that the page stays open for a lead that the browser could not store. */
const UNSAVED_SEND_WAIT_MS = 15_000;
/** Time limit of the test whether our server is reachable. A slow server counts as reachable. */
const REACH_WAIT_MS = 1500;
const OFFLINE_PAUSE_MS = 2000;

/** The consent text, how much of it was visible (consent-facts.ts), and the authorization. */
export type GivenConsent = {
  readonly text: string;
  readonly seen: string | undefined;
  readonly authorization?: GivenAuthorization | undefined;
};

/** Stores the lead in the outbox and continues to the thank-you page or an end step. */
export async function sendLead(
  parts: RunnerParts,
  runner: Runner,
  checks: FieldChecks,
  oneToOne: OneToOne | undefined,
  values: Answers,
  { text, seen, authorization }: GivenConsent,
): Promise<void> {
  const { data, context, visit, queue, page } = parts;
  const { survey, settings, flow } = data;
  const { submit } = flow;
  const { at } = runner.getState();
  const seconds = runner.seconds();
  // The delayed tasks store the earlier steps, which must happen before the lead is posted.
  page.afterPaint.run();
  if (!runner.dispatch({ type: 'sending', answers: values })) return;
  runner.left(at, seconds);
  const { given } = runner.getState();
  const { answers, steps } = walk(flow, given, context);
  const place = answers.zip_code === undefined ? undefined : checks.place(answers.zip_code);
  const { derived, decision, ...ruled } = deriveFields({
    answers: place ? { ...answers, state: place.state } : answers,
    today: context.today,
    rules: flow.rules ?? {},
    settings,
    checks: checks.textAnswer,
  });
  const { qualified } = decision;
  const affid = affiliateOf(survey, visit);
  const lead: SentLead = { qualified, answers: ruled.answers, affid };
  const partner = opensPartnerTab(survey, submit?.partnerTab, lead)
    ? partnerHref(settings, lead, visit.tracking)
    : undefined;
  const wishes = Object.entries(answers).flatMap(([name, value]) =>
    data.fields[name as AskedFieldName]?.isCallWish ? value : [],
  );
  if (isDriverGone(answers)) wishes.push(ranNote);
  page.storeSent(visit.session.lead_id, partner, ...wishes);
  const body = leadBody({
    survey,
    visit,
    answers,
    earlier: earlierAnswers(flow, given),
    derived,
    place,
    consent: { text, version: consentAt(data, at).version },
    userAgent: page.userAgent(),
    submittedAt: new Date(page.now()).toISOString(),
    consentSeen: seen,
    authorization,
  });
  const search = page.search();
  const asksLevel = new URLSearchParams(search).get('show-meter') === 'yes';
  const level = asksLevel
    ? askServer<EstimateAnswer>(estimatePath, chosenAnswers(data.fields, answers), {
        secret: visit.secret,
        waitMs: SEND_WAIT_MS,
      }).then(
        ({ compLevel }) => `${compLevel}`,
        () => '',
      )
    : undefined;
  // `posting` is awaited after the last step is stored: the confirmation deletes the visit.
  const posting = queue.post(body, visit.secret);
  runner.record({ kind: 'submitted', step: at, answers: values, seconds });
  page.afterPaint.run();
  const { stored, settled } = await posting;
  // Browsers allow a new tab only shortly after the click.
  if (partner) page.open(partner);
  runner.dispatch({ type: 'notice', sending: stored ? 'saved' : 'unsaved' });
  const limitMs = stored ? SEND_WAIT_MS : UNSAVED_SEND_WAIT_MS;
  const isConfirmed = await Promise.race([settled, wait(limitMs)]);
  runner.dispatch({ type: 'uncovered' });
  if (survey.redirectsOnSuccess) {
    if (isConfirmed === undefined) runner.dispatch({ type: 'notice', sending: 'trying' });
    if (!(isConfirmed ?? (await settled))) {
      runner.dispatch({ type: 'notice', sending: 'refused' });
      return;
    }
  }
  if (!qualified && submit?.disqualifiedStep) {
    runner.dispatch({ type: 'ended', at: submit.disqualifiedStep });
    return;
  }
  if (isConfirmed === undefined) await networkReturns(parts, runner, settled);
  const query = thankYouQuery(survey, submit?.thankYou, lead, body, {
    search,
    referer: visit.session.referer,
    level: await level,
  });
  const firms = (qualified && oneToOne?.storeFirms(body, page.now())) || '';
  const isUnsigned = authorization && authorization.health_authorization !== 'yes';
  const closed = qualified && (isUnsigned ? 'WA' : closedState(data, ruled.answers, context.state));
  const fragment = closed ? `#${stateFragment(closed)}` : firms;
  const copy = copyOfAnswers(data, steps, given);
  if (authorization?.health_authorization === 'yes') {
    copy.push(['RCW 19.373.070', `${authorization.health_authorization_text}`]);
  }
  handOver(answersKey, copy);
  page.leave(`${survey.thankYouPath}?${query}${fragment}`);
}

/** Waits until our server is reachable, and then up to `SEND_WAIT_MS` for the confirmation. */
async function networkReturns(
  { data, queue, page }: RunnerParts,
  runner: Runner,
  settled: Promise<boolean>,
): Promise<void> {
  const path = data.survey.thankYouPath;
  const isAway = async () =>
    (await Promise.race([page.reaches(path), wait(REACH_WAIT_MS)])) === false;
  if (!(await isAway())) return;
  runner.dispatch({ type: 'notice', sending: 'offline' });
  do await wait(OFFLINE_PAUSE_MS);
  while (await isAway());
  queue.flush();
  await Promise.race([settled, wait(SEND_WAIT_MS)]);
}

type Given = Readonly<Record<string, string | undefined>>;

/** Returns each question with the visitor's answer. Implied answers are omitted. */
export function copyOfAnswers(
  { flow, fields, texts }: Pick<SurveyPageData, 'flow' | 'fields' | 'texts'>,
  steps: readonly string[],
  given: StepAnswers,
): CopiedAnswer[] {
  return steps.flatMap((name) => {
    const step = stepOf(flow, name);
    const own: Given = given[name] ?? {};
    const { question, labels, choices } = texts.steps[name] ?? {};
    const chosen = chosenOf(step, own);
    const asked = [...inputFields(step), ...(chosen ? [buttonOf(chosen)[0]] : [])];
    const implied = impliedBy(step, own);
    return asked.flatMap((field): CopiedAnswer[] => {
      const value = own[field];
      const { kind, parts } = fields[field] ?? {};
      if (!value || field in implied || field === 'selected_buyers') return [];
      // The row of the year shows the whole date, so day and month have no rows.
      if (parts && kind !== 'year') return [];
      const label =
        step.kind === 'choice'
          ? question
          : (labels?.[parts && own[parts.month] ? parts.month : field] ??
            (parts ? question : texts.fields[field]?.label));
      const words = choices?.[`${field}=${value}`] ?? texts.choices[field]?.[value];
      const shown = parts ? dateIn(texts.language, own, parts) : (words ?? value);
      return [[label ?? field, kind === 'phone' ? formatPhoneMask(value) : shown]];
    });
  });
}

function dateIn(language: Language, own: Given, { year, month, day }: DateParts): string {
  return new Intl.DateTimeFormat(language, {
    year: 'numeric',
    ...(own[month] && { month: 'long' }),
    ...(own[day] && { day: 'numeric' }),
    timeZone: 'UTC',
  }).format(Date.UTC(Number(own[year]), Number(own[month] || 1) - 1, Number(own[day] || 1)));
}
