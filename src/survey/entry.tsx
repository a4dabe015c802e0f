import { createRoot, hydrateRoot } from 'react-dom/client';
import { takeContactDetails } from '../domain/contact-parameters.ts';
import type { CalendarDate } from '../domain/dates.ts';
import type { SurveyPageData } from './page/page-data.ts';
import { startBrowserQueue } from './queue/resume.ts';
import { Checks } from './runner/checks.ts';
import type {} from './runner/extensions.ts';
import { affiliateOf } from './runner/lead-body.ts';
import { takePostedVisit } from './runner/posted-visit.ts';
import { isPrefilled, prefillDrafts } from './runner/prefill.ts';
import { Runner } from './runner/runner.ts';
import { initialState, resumedState, wayTo } from './runner/runner-state.ts';
import { keepSentLead, sentLead } from './runner/sent-lead.ts';
import { StepHistory } from './runner/step-history.ts';
import { TapGuard } from './runner/tap-guard.ts';
import {
  addressWithTransactionId,
  keptVisit,
  newVisit,
  stateThatCounts,
  takenUp,
} from './runner/visit.ts';
import { hintVisit } from './runner/visit-hint.ts';
import { walkContext } from './runner/walk-context.ts';
import { SurveyIsland } from './survey-island.tsx';

/** Longer than this the saved visit is not waited for; the survey then starts from its beginning. */
const VISIT_WAIT_MS = 500;

function calendarDay(date: Date): CalendarDate {
  return { year: date.getFullYear(), month: date.getMonth() + 1, day: date.getDate() };
}

/** Brings the survey page to life: takes up the saved visit, or hydrates what the server rendered. */
async function start(): Promise<void> {
  const {
    href,
    details: { state: told, ...details },
  } = takeContactDetails(location.href);
  if (href !== location.href) history.replaceState(history.state, '', href);
  const queue = startBrowserQueue();
  const json = document.getElementById('survey-data')?.textContent ?? '';
  const data = JSON.parse(json) as SurveyPageData;
  const { flow, survey, settings } = data;
  const { path } = survey;
  const extensions = window.surveyExtensions ?? {};
  const { OneToOne, followScripts } = extensions;
  const keptHere = await Promise.race([
    keptVisit(queue, path, Date.now()),
    new Promise<undefined>((resolve) => setTimeout(resolve, VISIT_WAIT_MS)),
  ]);
  const posted = takePostedVisit(queue, keptHere);
  const kept = posted ?? keptHere;
  const container = document.getElementById('survey') as HTMLElement;
  const early = window.surveyEarly;
  if (early) document.removeEventListener('click', early.on, true);
  delete window.surveyEarly;

  const today = calendarDay(new Date());
  if (!kept) hintVisit(path, false);
  const referrer = document.referrer && takeContactDetails(document.referrer).href;
  // The page of a step of a visit is not where its visitor landed.
  const address = posted ? posted.address : href;
  const landing = { href: address, referrer, now: Date.now() };
  const visit = posted?.visit ?? (kept ? takenUp(kept.visit, landing) : newVisit(path, landing));
  const counting = (state?: string) => stateThatCounts(state, settings.dateOfBirthStates);
  visit.state ??= counting(told);
  visit.flowVersion ??= data.flowVersion;
  const context = walkContext(data, today, visit);
  const [sentId] = sentLead();
  const sent = !posted && (kept ? sentId === visit.session.lead_id : sentId !== undefined);
  const resumed = kept ? resumedState(flow, kept.state, context) : initialState(flow);
  const state = posted?.state ?? { ...resumed, sent };
  const affid = affiliateOf(survey, visit);
  const prefilled =
    settings.prefill && Object.keys(details).length > 0 ? isPrefilled(affid) : undefined;
  const { lead_id } = visit.session;
  const stepHistory = new StepHistory(
    history,
    lead_id,
    wayTo(flow, state, context).length - 1,
    addressWithTransactionId(address, visit.tracking.ef_transaction_id),
  );
  const runner = new Runner({
    data,
    context,
    state,
    visit,
    queue,
    checks: new Checks(
      path,
      lead_id,
      undefined,
      flow.submit?.phoneCheck !== 'length_only',
      visit.secret,
    ),
    oneToOne: OneToOne && new OneToOne(survey, visit, affid),
    verifyPhone: extensions.verifyPhone,
    history: stepHistory,
    page: {
      now: Date.now,
      search: () => location.search,
      userAgent: navigator.userAgent,
      open: (target) => window.open(target, '_blank', 'noopener'),
      keepSent: keepSentLead,
      reaches: (target) =>
        fetch(target, { method: 'HEAD' }).then(
          () => true,
          () => false,
        ),
      suggestEmail: (email) =>
        import('./runner/suggest-email.ts').then(
          (module) => module.suggestEmail(email),
          () => undefined,
        ),
      leave: (target) => location.assign(target),
      reload: () => location.reload(),
      consentText: () => document.getElementById('tcpa')?.textContent ?? '',
      dispatch: (event) => window.dispatchEvent(event),
    },
  });

  if (!visit.state) void extensions.findState?.((each) => runner.learnState(counting(each)));
  runner.awaitScripts = followScripts?.(data, runner, visit, affid, addressWithTransactionId);

  const guard = new TapGuard();
  window.addEventListener(
    'click',
    (event) => {
      if (!container.contains(event.target as Node)) return;
      if (!guard.isEcho(event, runner.getState().screen)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    true,
  );
  // Keys that choose an answer: only who presses one has the code.
  window.addEventListener('keydown', (event) => {
    if (event.key.length > 1 || (event.target as Element).closest('input,textarea')) return;
    void import('./runner/answer-keys.ts').then(
      (module) => module.takeAnswerKey(event),
      () => undefined,
    );
  });
  window.addEventListener('popstate', (event) => runner.arrived(event.state));
  // Who switches to another app may not come back to this page.
  document.addEventListener('visibilitychange', runner.keepDrafts);
  // Back from the thank-you page into a page that has sent its lead: begin anew.
  window.addEventListener('pageshow', (event) => {
    if (event.persisted && runner.getState().phase !== 'asking') location.reload();
  });

  // The server rendered a visit that has only begun, or the very state, in the year of its lists.
  const isAsRendered =
    !sent &&
    (posted?.isWhole || Object.keys({ ...state.given, ...state.drafts }).length === 0) &&
    data.today.year === today.year;
  const [name, value, tappedAt] = early?.first ?? [];
  const takeEarlyTap = () => {
    if (name !== undefined && value !== undefined) runner.answerEarly(name, value, tappedAt);
  };
  const isSwapped = early?.swapped === true && !state.resumed;
  if (isSwapped) {
    runner.shown(performance.timeOrigin);
    takeEarlyTap();
  }
  const onReady = () => {
    void prefilled?.then((isOn) => isOn && runner.prefill(prefillDrafts(flow, details)));
    if (state.resumed) return;
    const form = container.querySelector('form');
    if (!isSwapped) takeEarlyTap();
    else if (form) runner.adopt(form);
    if (early?.last?.isConnected) early.last.click();
  };
  const island = (
    <SurveyIsland
      data={data}
      context={context}
      runner={runner}
      onReady={onReady}
      parts={extensions}
    />
  );
  if (isAsRendered) hydrateRoot(container, island);
  else createRoot(container).render(island);
}

void start();
