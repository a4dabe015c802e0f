import { startTransition } from 'react';
import type { Root } from 'react-dom/client';
import { takeContactDetails } from '../../model/fields/contact-parameters.ts';
import type { CalendarDate } from '../../model/fields/dates.ts';
import { stepOf } from '../../model/flows/engine/flow.ts';
import { walkContext } from '../../model/visit/data.ts';
import { initialState, resumedState, wayTo } from '../../model/visit/state.ts';
import {
  addressWithTransactionId,
  affiliateOf,
  newVisit,
  resumedVisit,
  stateThatCounts,
} from '../../model/visit/visit.ts';
import { startBrowserQueue } from './queue/browser-queue.ts';
import { hintVisit } from './queue/outbox.ts';
import { wait } from './queue/requests.ts';
import { fetchLater, type Later } from './runner/extensions.ts';
import { keptVisit } from './runner/kept-visit.ts';
import { browserPage, Runner, type RunnerParts } from './runner/runner.ts';
import { sentLeadId } from './runner/sent-lead.ts';
import { StepHistory } from './runner/step-history.ts';
import { TapGuard } from './runner/taps.ts';
import type { SurveyPageData } from './screens/screen-props.ts';
import { firstScreens } from './screens/survey-view.tsx';
import { SurveyIsland } from './survey-island.tsx';

function calendarDay(date: Date): CalendarDate {
  return { year: date.getFullYear(), month: date.getMonth() + 1, day: date.getDate() };
}

/** Loads React in a separate task, so that a slow phone can handle a tap before and after it. */
async function loadReact() {
  await wait(0);
  const react = await import('react-dom/client');
  await wait(0);
  return react;
}

/** Starts the survey: resumes the stored visit, or hydrates the server's HTML. */
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
  const { path, translation } = survey;
  window.surveyExtensions ??= {};
  const extensions = window.surveyExtensions;
  const { followScripts } = extensions;
  const [{ createRoot, hydrateRoot }, keptHere] = await Promise.all([
    loadReact(),
    keptVisit(queue, survey, Date.now()),
  ]);
  // A page contains a visit only if it answers a posted form.
  const posted = document.getElementById('survey-visit')
    ? (await import('./runner/posted-visit.ts')).takePostedVisit(queue, keptHere)
    : undefined;
  const kept = posted ?? keptHere;
  const container = document.getElementById('survey') as HTMLElement;
  const early = window.surveyEarly;
  const today = calendarDay(new Date());
  if (!kept) hintVisit(path, false);
  const { referrer } = document;
  // The visitor did not land on the page of a posted step.
  const address = posted ? posted.address : href;
  const landing = { href: address, referrer, now: Date.now() };
  const visit =
    posted?.visit ?? (kept ? resumedVisit(kept.visit, landing) : newVisit(path, landing));
  const counting = (state?: string) => stateThatCounts(state, settings.dateOfBirthStates);
  visit.state ??= counting(told);
  visit.flowVersion ??= data.flowVersion;
  const context = walkContext(data, today, visit);
  const sentId = sentLeadId();
  const sent = !posted && (kept ? sentId === visit.session.lead_id : sentId !== undefined);
  const resumed = kept ? resumedState(flow, kept.state, context) : initialState(flow);
  const state = posted?.state ?? { ...resumed, sent };
  const affid = affiliateOf(survey, visit);
  const { lead_id } = visit.session;
  const stepHistory = new StepHistory(
    history,
    lead_id,
    wayTo(flow, state, context).length - 1,
    addressWithTransactionId(address, visit.tracking.ef_transaction_id),
  );
  const kindOf = (step: string) => stepOf(flow, step).kind;
  // The page may have the code of another kind than the first step's, but not its style.
  const needsCode = (step: string) => !(kindOf(step) in firstScreens);
  const isLater = (step: string) => needsCode(step) || kindOf(step) !== kindOf(flow.start);
  // The step on screen needs its own code, and an early tap may bring another step.
  const onScreen = () =>
    (kept ? undefined : container.querySelector('[data-step]')?.getAttribute('data-step')) ??
    state.at;
  let later: Later | undefined;
  // Does not reload the page: its plain form works, and the visitor may be typing.
  while (!later && isLater(onScreen())) later = await fetchLater(survey, extensions, () => false);
  // The plain form was sent. Its answers must not be sent twice.
  if (early?.sent) return;
  if (early) document.removeEventListener('click', early.on, true);
  delete window.surveyEarly;
  // Switching the language does not count as coming back to the survey.
  const isSwitched = referrer !== '' && new URL(referrer).pathname === translation;
  const parts: RunnerParts = {
    data,
    context,
    state: isSwitched ? { ...state, resumed: false } : state,
    visit,
    queue,
    history: stepHistory,
    page: browserPage,
  };
  const runner = new Runner(parts);

  if (!visit.state) void extensions.findState?.((each) => runner.learnState(counting(each)));
  runner.awaitScripts = followScripts?.(data, runner, visit, affid, addressWithTransactionId);

  // Without an early tap, the guard starts with a tap of long ago.
  const [name, value, tappedAt = 0, clientX = 0, clientY = 0] = early?.first ?? [];
  const guard = new TapGuard({ timeStamp: tappedAt - performance.timeOrigin, clientX, clientY });
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
  // The other language gets the click, and resumes this visit.
  const otherLanguage = document.getElementById('other-language') as HTMLAnchorElement | null;
  if (otherLanguage && translation) {
    otherLanguage.href = translation + (posted ? new URL(address) : location).search;
    otherLanguage.onclick = () => hintVisit(translation, true);
  }
  window.addEventListener('popstate', (event) => runner.arrived(event.state));
  // A hidden page may never come back. A page that is left is hidden, too.
  document.addEventListener('visibilitychange', runner.keepDrafts);
  // Back from the thank-you page, into a page that has sent its lead.
  window.addEventListener('pageshow', (event) => {
    if (event.persisted && runner.getState().phase !== 'asking') location.reload();
  });

  // Whether the server's HTML shows this state, with the present year in its lists.
  const isAsRendered =
    !sent &&
    Object.keys({ ...state.given, ...state.drafts }).length === 0 &&
    data.today.year === today.year;
  const takeEarlyTap = () => {
    if (name !== undefined && value !== undefined) runner.answerEarly(name, value, tappedAt);
  };
  const isSwapped = early?.swapped === true && !state.resumed;
  if (isSwapped) {
    runner.shown(performance.timeOrigin);
    takeEarlyTap();
  }
  const onReady = () => {
    // A tap on the landing page does not count for a resumed visit.
    if (state.resumed && !posted) return;
    if (!isSwapped) takeEarlyTap();
    if (early?.last?.isConnected) early.last.click();
  };
  const partsWith = (later?: Later) => ({ ...extensions, ...later?.laterParts });
  const island = (later?: Later) => (
    <SurveyIsland
      data={data}
      context={context}
      runner={runner}
      onReady={onReady}
      parts={partsWith(later)}
    />
  );
  if (later) later.startLater(parts, runner, details, affid);
  let root: Root;
  if (isAsRendered) {
    // In slices of a few milliseconds, so that a tap comes first.
    startTransition(() => {
      root = hydrateRoot(container, island(later));
    });
  } else {
    // At once, because the page's buttons have no listener now.
    root = createRoot(container);
    root.render(island(later));
  }
  whenIdle(() => {
    import('./queue/forget-old.ts').then(
      ({ forgetOldVisits }) => forgetOldVisits(queue.outbox, lead_id),
      () => undefined,
    );
  });
  if (later) return;
  whenIdle(async () => {
    const fetched = await fetchLater(survey, extensions, () => needsCode(runner.getState().at));
    fetched.startLater(parts, runner, details, affid);
    startTransition(() => root.render(island(fetched)));
    void fetched.warmUp(data, context, runner, partsWith(fetched));
  });
}

/** Runs a task when the page is idle, or after the queued ones in Safari, which has no idle callback. */
function whenIdle(task: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(task, { timeout: 1_000 });
  else setTimeout(task);
}

// In a separate task.
void wait(0).then(start);
