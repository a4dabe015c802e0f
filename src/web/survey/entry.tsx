import { startTransition, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import type { Root } from 'react-dom/client';
import { takeContactDetails } from '../../model/fields/contact-parameters.ts';
import { stepOf } from '../../model/flows/engine/flow.ts';
import { initialState, pathTo, resumedState, walkContext } from '../../model/visit/state.ts';
import {
  addressWithTransactionId,
  listedState,
  newVisit,
  resumedVisit,
} from '../../model/visit/visit.ts';
import { type BrowserQueue, startBrowserQueue } from './queue/browser-queue.ts';
import { hintVisit } from './queue/outbox.ts';
import { wait } from './queue/requests.ts';
import type { loadLater } from './runner/later.tsx';
import { browserPage, Runner, type RunnerParts, whenIdle } from './runner/runner.ts';
import { sentLeadId } from './runner/sent-lead.ts';
import { StepHistory } from './runner/step-history.ts';
import { findStoredVisit, takePostedVisit } from './runner/stored-visit.ts';
import { type EarlyTaps, tapGuard } from './runner/taps.ts';
import type { SurveyPageData } from './screens/screen-props.ts';
import { firstScreens, SurveyView, type SurveyViewProps } from './screens/survey-view.tsx';

type Later = Awaited<ReturnType<typeof loadLater>>;

/** Pause between two checks whether the page may reload. */
const RELOAD_PAUSE_MS = 2_000;
const RELOAD_AGE_MS = 10_000;

function laterStyles(): Promise<unknown>[] {
  return Array.from(
    document.querySelectorAll<HTMLLinkElement>('link[disabled]'),
    (sheet) =>
      new Promise((resolve, reject) => {
        sheet.onload = resolve;
        sheet.onerror = reject;
        sheet.disabled = false;
      }),
  );
}

/**
 * Fetches the code and styles of the steps after the first question. Reloads the page after a
 * failure, because browsers do not request a file again after a failed import.
 */
async function fetchLater(data: SurveyPageData, isNeeded: () => boolean): Promise<Later> {
  try {
    const [{ loadLater }] = await Promise.all([import('./runner/later.tsx'), ...laterStyles()]);
    return await loadLater(data);
  } catch {
    const isDue = async () =>
      isNeeded() && performance.now() > RELOAD_AGE_MS && browserPage.reaches(location.pathname);
    while (!(await isDue())) await wait(RELOAD_PAUSE_MS);
    browserPage.reload();
    return new Promise(() => undefined);
  }
}

/** Loads React in a task of its own, so that a slow phone can handle taps before and after. */
async function loadReact() {
  await wait(0);
  const react = await import('react-dom/client');
  await wait(0);
  return react;
}

/** Returns the visit to show: from a posted form, from storage, or a new one. */
async function findVisit(data: SurveyPageData, queue: BrowserQueue, namedState?: string) {
  const { flow, survey, settings } = data;
  const { path, translation } = survey;
  const stored = await findStoredVisit(queue, survey, Date.now());
  const posted = takePostedVisit(queue, stored);
  if (!posted && !stored) hintVisit(path, false);
  const { referrer } = document;
  // If this page answers a posted form, `location.href` is the form's URL, not the landing page's.
  const address = posted ? posted.address : location.href;
  const landing = { href: address, referrer, now: Date.now() };
  const visit =
    posted?.visit ?? (stored ? resumedVisit(stored.visit, landing) : newVisit(path, landing));
  visit.state ??= listedState(namedState, settings);
  visit.flowVersion ??= data.flowVersion;
  const now = new Date();
  const today = { year: now.getFullYear(), month: now.getMonth() + 1, day: now.getDate() };
  const context = walkContext(data, today, visit);
  const sentId = sentLeadId();
  const sent = !posted && (stored ? sentId === visit.session.lead_id : sentId !== undefined);
  const resumed = stored ? resumedState(flow, stored.state, context) : initialState(flow);
  const state = posted?.state ?? { ...resumed, sent };
  // A visitor who has just switched the language sees no note for returning visitors.
  const isSwitched = referrer !== '' && new URL(referrer).pathname === translation;
  return {
    visit,
    context,
    state: isSwitched ? { ...state, resumed: false } : state,
    address,
    isNew: !posted && !stored,
    /** True if taps before the script ran do not count, because the visit was resumed. */
    ignoresTaps: state.resumed && !posted,
    /** True if the server's HTML equals the view of this state. React can then hydrate the HTML. */
    isAsRendered:
      !sent &&
      Object.keys({ ...state.given, ...state.drafts }).length === 0 &&
      data.today.year === today.year,
  };
}

/** Adds the page's listeners. `first` is the tap before the script ran, if any. */
function listen(runner: Runner, container: HTMLElement, first: EarlyTaps['first']): void {
  // Without a tap before this script ran, `tappedAt` is 0, and no tap counts as a double tap.
  const [, , tappedAt = 0, clientX = 0, clientY = 0] = first ?? [];
  const isEcho = tapGuard({ timeStamp: tappedAt - performance.timeOrigin, clientX, clientY });
  window.addEventListener(
    'click',
    (event) => {
      if (!container.contains(event.target as Node)) return;
      if (!isEcho(event, runner.getState().screen)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    true,
  );
  window.addEventListener('popstate', (event) => runner.arrived(event.state));
  document.addEventListener('visibilitychange', runner.storeDrafts);
  // Reloads the page if the browser restores it after the lead was sent, because it is outdated.
  window.addEventListener('pageshow', (event) => {
    if (event.persisted && runner.getState().phase !== 'asking') location.reload();
  });
}

/** Starts the interactive survey in the page. */
async function start(): Promise<void> {
  const {
    href,
    details: { state: namedState, ...details },
  } = takeContactDetails(location.href);
  if (href !== location.href) history.replaceState(history.state, '', href);
  const queue = startBrowserQueue();
  const json = document.getElementById('survey-data')?.textContent ?? '';
  const data = JSON.parse(json) as SurveyPageData;
  const { flow, survey } = data;
  const ready = new Promise((resolve) => {
    window.addEventListener('survey:step', resolve, { once: true });
  });
  const [{ createRoot, hydrateRoot }, found] = await Promise.all([
    loadReact(),
    findVisit(data, queue, namedState),
  ]);
  const { visit, context, state, address, ignoresTaps } = found;
  const container = document.getElementById('survey') as HTMLElement;
  const early = window.surveyEarly;
  const parts: RunnerParts = {
    data,
    context,
    state,
    visit,
    queue,
    history: new StepHistory(
      history,
      visit.session.lead_id,
      pathTo(flow, state, context).length - 1,
      addressWithTransactionId(address, visit.tracking.ef_transaction_id),
    ),
    page: browserPage,
  };
  const kindOf = (step: string) => stepOf(flow, step).kind;
  const needsCode = (step: string) => !(kindOf(step) in firstScreens);
  const isLater = (step: string) => needsCode(step) || kindOf(step) !== kindOf(flow.start);
  // If the visitor tapped before this script ran, the page already shows the next step.
  const onScreen = () =>
    (found.isNew && container.querySelector<HTMLElement>('[data-step]')?.dataset.step) || state.at;
  let later: Later | undefined;
  // The argument forbids a reload, which would lose text that the visitor is typing.
  while (!later && isLater(onScreen())) later = await fetchLater(data, () => false);
  // The inline script has sent the form. This script must not send the answers again.
  if (early?.sent) return;
  if (early) document.removeEventListener('click', early.on, true);
  delete window.surveyEarly;

  const runner = new Runner(parts);
  listen(runner, container, early?.first);
  // The page in the other language finds this visit by the tracking parameters in the query.
  const otherLanguage = document.getElementById('other-language') as HTMLAnchorElement | null;
  const { translation } = survey;
  if (otherLanguage && translation) {
    otherLanguage.href = translation + location.search;
    otherLanguage.onclick = () => hintVisit(translation, true);
  }

  const takeEarlyTap = () => {
    if (early?.first) runner.answerEarly(early.first);
  };
  const isSwapped = early?.swapped === true && !ignoresTaps;
  if (isSwapped) {
    runner.shown(performance.timeOrigin);
    takeEarlyTap();
  }
  const onReady = () => {
    if (ignoresTaps) return;
    if (!isSwapped) takeEarlyTap();
    if (early?.last?.isConnected) early.last.click();
  };
  const island = (code?: Later) => (
    <Island data={data} context={context} runner={runner} onReady={onReady} parts={code?.parts} />
  );
  later?.start(parts, runner, details, ready);
  let root: Root;
  if (found.isAsRendered) {
    // Hydrates in short slices, so that the browser can handle taps between two slices.
    startTransition(() => {
      root = hydrateRoot(container, island(later));
    });
  } else {
    // The inline script no longer handles taps on the server's HTML, so React renders at once.
    root = createRoot(container);
    root.render(island(later));
  }
  if (later) return;
  whenIdle(async () => {
    const fetched = await fetchLater(data, () => needsCode(runner.getState().at));
    fetched.start(parts, runner, details, ready);
    startTransition(() => root.render(island(fetched)));
  });
}

type IslandProps = Pick<SurveyViewProps, 'data' | 'context' | 'parts'> & {
  readonly runner: Runner;
  readonly onReady: () => void;
};

/** The interactive survey. A new screen scrolls to the top and focuses its question. */
function Island({ runner, onReady, ...view }: IslandProps) {
  const state = useSyncExternalStore(runner.subscribe, runner.getState, runner.getState);
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(-1);
  const refused = useRef(state.refusals);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per screen
  useLayoutEffect(() => {
    if (shown.current === state.screen) return;
    const isFirst = shown.current < 0;
    shown.current = state.screen;
    const question = heading.current as HTMLElement;
    const focused = document.activeElement;
    // Scrolling and focusing force a layout, so they wait until all parts of the screen are there.
    if (!isFirst) {
      requestAnimationFrame(() => {
        window.scrollTo(0, 0);
        // The question does not get the focus if the visitor has focused another element.
        if (document.activeElement === focused) question.focus({ preventScroll: true });
      });
    }
    runner.shown(isFirst && state.screen === 0 ? performance.timeOrigin : undefined);
    if (isFirst) onReady();
  }, [state.screen, runner]);
  useLayoutEffect(() => {
    // If there is no new error, the focus stays where the visitor is typing.
    if (state.refusals === refused.current) return;
    const section = heading.current?.closest('section');
    section
      ?.querySelector<HTMLElement>('[aria-invalid="true"], .toggles.field--error .choice')
      ?.focus();
  }, [state.refusals]);
  return <SurveyView {...view} state={state} on={runner.on} heading={heading} />;
}

// A separate task lets the browser handle taps before the survey starts.
void wait(0).then(start);
