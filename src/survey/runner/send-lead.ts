import type { Answers } from '../../domain/answers.ts';
import { deriveFields } from '../../domain/derive-fields.ts';
import { thankYouQuery } from '../../domain/thank-you.ts';
import { walk } from '../../flows/engine/walk.ts';
import { opensPartnerTab, type SentLead, thankYouOptions } from '../../journey/after-submit.ts';
import { consentAt } from '../../journey/data.ts';
import { earlierAnswers, leadBody } from '../../journey/lead-body.ts';
import { affiliateOf } from '../../journey/visit.ts';
import { wait } from '../scripts/wait.ts';
import { askLevel } from './ask-level.ts';
import type { Checks } from './checks.ts';
import { partnerHref } from './partner.ts';
import type { RunnerCore, RunnerParts } from './runner.ts';
import { answersKey, handOver } from './sent-lead.ts';
import { copyOfAnswers, keepFirms } from './thank-you-hand-over.ts';
import { whileAway } from './while-away.ts';

/** After the last button the visitor goes on after so long at most, whether the post is through or not. */
const SEND_WAIT_MS = 2500;
/** The same where the browser cannot keep the lead, and leaving the page could lose it. */
const UNSAVED_SEND_WAIT_MS = 15_000;

/**
 * Puts the lead into the outbox, and goes on to where its survey ends: the thank-you page, or a step.
 *
 * @param values of the last step
 */
export async function sendLead(
  parts: RunnerParts,
  core: RunnerCore,
  checks: Checks,
  values: Answers,
): Promise<void> {
  const { data, context, visit, queue, page } = parts;
  const { survey, settings, flow } = data;
  const { submit } = flow;
  const { at } = core.getState();
  const seconds = core.seconds();
  // What went before comes before.
  page.afterPaint.run();
  const consentText = page.consentText();
  if (!core.dispatch({ type: 'sending', answers: values })) return;
  core.left(at, seconds);
  const { given } = core.getState();
  const { answers, steps } = walk(flow, given, context);
  const place = answers.zip_code === undefined ? undefined : checks.place(answers.zip_code);
  const { derived, decision, ...ruled } = deriveFields({
    answers: place ? { ...answers, state: place.state } : answers,
    today: context.today,
    rules: flow.rules,
    settings,
    checks: checks.textAnswer(),
  });
  const { qualified } = decision;
  const { tracking } = visit;
  const affid = affiliateOf(survey, visit);
  const lead: SentLead = { qualified, answers: ruled.answers, affid };
  const partner = opensPartnerTab(survey, submit?.partnerTab, lead)
    ? partnerHref({
        partnerUrl: settings.partnerUrl,
        closedStates: settings.partnerClosedStates ?? [],
        state: ruled.answers.state,
        transactionId: tracking.ef_transaction_id,
        affid,
        sub_id: tracking.sub_id,
      })
    : undefined;
  page.keepSent(visit.session.lead_id, partner);
  const body = leadBody({
    survey,
    visit,
    answers,
    earlier: earlierAnswers(flow, given),
    derived,
    place,
    consent: { text: consentText, version: consentAt(data, at).version },
    userAgent: page.userAgent,
    submittedAt: new Date(page.now()).toISOString(),
  });
  const search = page.search();
  const level =
    new URLSearchParams(search).get('show-meter') === 'yes'
      ? Promise.race([
          askLevel(data.fields, answers, visit.secret, parts.fetch),
          wait(SEND_WAIT_MS),
        ])
      : undefined;
  // In this order, and before any answer can come: what is confirmed is deleted, and stays so.
  const posting = queue.post(body, visit.secret);
  core.record({ kind: 'submitted', step: at, answers: values, seconds });
  page.afterPaint.run();
  void core.keep();
  const { stored, settled } = await posting;
  // The lead is in the outbox: a new tab may put this page to sleep, or end it. Writing it takes some
  // milliseconds, and browsers let a click open a tab for a second at least, also over promises
  // (transient user activation); so nothing else is awaited before. Where a slow disk makes it later
  // and the browser blocks the tab, the thank-you page links to it again.
  if (partner) page.open(partner);
  core.dispatch({ type: 'notice', sending: stored ? 'saved' : 'unsaved' });
  const limitMs = stored ? SEND_WAIT_MS : UNSAVED_SEND_WAIT_MS;
  const isConfirmed = await Promise.race([settled, wait(limitMs)]);
  core.dispatch({ type: 'uncovered' });
  if (survey.redirectsOnSuccess && !(await succeeds(core, settled, isConfirmed))) return;
  if (!qualified && submit?.disqualifiedStep) {
    core.dispatch({ type: 'ended', at: submit.disqualifiedStep });
    return;
  }
  if (isConfirmed === undefined) {
    const say = () => core.dispatch({ type: 'notice', sending: 'offline' });
    await whileAway(survey.thankYouPath, say, queue.flush, settled, page.reaches);
  }
  const query = thankYouQuery(
    { ...body, affid },
    thankYouOptions(survey, submit?.thankYou, lead, {
      referer: visit.session.referer,
      compensationLevel: await level,
    }),
    search,
  );
  const fragment = qualified && survey.buyers ? keepFirms(body, visit.secret, page.now()) : '';
  handOver(answersKey, copyOfAnswers(data, steps, given));
  page.leave(`${survey.thankYouPath}?${query}${fragment}`);
}

/** Waits for the post where the survey goes on only after it, and says so meanwhile. */
async function succeeds(
  core: RunnerCore,
  settled: Promise<boolean>,
  isConfirmed: boolean | undefined,
): Promise<boolean> {
  if (isConfirmed === undefined) core.dispatch({ type: 'notice', sending: 'trying' });
  const succeeded = isConfirmed ?? (await settled);
  if (!succeeded) core.dispatch({ type: 'notice', sending: 'refused' });
  return succeeded;
}
