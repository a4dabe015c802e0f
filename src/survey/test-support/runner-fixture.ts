import type { ChangeEvent, FormEvent } from 'react';
import { vi } from 'vitest';
import { leadSecretHeader, type PostLeadBody } from '../../contract/lead.ts';
import type { Answers, AskedFieldName } from '../../domain/answers.ts';
import { initialState, type JourneyState } from '../../journey/state.ts';
import { newVisit } from '../../journey/visit.ts';
import { walkContext } from '../../journey/walk-context.ts';
import type { BrowserQueue } from '../queue/browser-queue.ts';
import { FormSteps } from '../runner/form-steps.ts';
import { OneToOne } from '../runner/one-to-one.ts';
import { Runner, type RunnerPage } from '../runner/runner.ts';
import { StepHistory } from '../runner/step-history.ts';
import type { SurveyPageData } from '../screens/page-data.ts';
import { today } from './survey-fixture.ts';

/** What the runner's tests say of one step that it saves. */
type Saved = { kind: string; step: string; answers: Answers; seconds?: number };

/** The browser that a runner needs, without one: `localStorage`, and forms that are `{ values }`. */
export function stubBrowser(): void {
  vi.stubGlobal('localStorage', { setItem: () => undefined, removeItem: () => undefined });
  vi.stubGlobal(
    'FormData',
    class {
      readonly #values: Answers;
      constructor(form: { readonly values: Answers }) {
        this.#values = form.values;
      }
      get(name: keyof Answers) {
        return this.#values[name] ?? null;
      }
      getAll(name: keyof Answers) {
        return this.#values[name]?.split(' ') ?? [];
      }
    },
  );
}

/**
 * A runner of a survey page, with everything that it does outside of itself recorded.
 *
 * @param answer what our server answers: path and body of a request to its response
 * @param options.query the landing page's query; the page's own is `search`
 * @param options.settles whether a post is confirmed at once; else when `settle` is called
 * @param options.forms whether the code of the steps with a form is there; else when `bring` is called
 * @param options.reaches whether our server is within reach; without it: always
 * @param options.storing when a post is in the outbox; without it: at once
 */
export function runnerFixture(
  data: SurveyPageData,
  answer: (path: string, body: Record<string, unknown>) => Response | Promise<Response>,
  options: {
    query?: string;
    search?: string;
    referrer?: string;
    state?: Partial<JourneyState>;
    stored?: boolean;
    settles?: boolean;
    storing?: Promise<void>;
    visitorState?: string;
    flowVersion?: string;
    reaches?: () => Promise<boolean>;
    forms?: boolean;
    afterPaint?: RunnerPage['afterPaint'];
  } = {},
) {
  const { query = '', search = '', referrer = '', state = {}, stored = true } = options;
  const { settles = true } = options;
  const { survey, flow } = data;
  const visit = newVisit(survey.path, {
    href: `https://site.example${survey.path}${query}`,
    referrer,
    now: Date.now(),
  });
  visit.state = options.visitorState;
  if (options.flowVersion) visit.flowVersion = options.flowVersion;
  const context = walkContext(data, today, visit);
  const { secret, session } = visit;
  const { lead_id } = session;
  const posts: PostLeadBody[] = [];
  const saves: Saved[] = [];
  const kept: unknown[] = [];
  const queuedSecrets: (string | undefined)[] = [];
  const asked: { path: string; body: Record<string, unknown>; secret: string | null }[] = [];
  const left: string[] = [];
  const opened: string[] = [];
  const partnerLinks: (string | undefined)[] = [];
  const said: string[] = [];
  const sentIds: string[] = [];
  const steps: { step: string; survey: string; lead_id: string }[] = [];
  const flush = vi.fn();
  let settle: (confirmed: boolean) => void = () => undefined;
  const queue = {
    outbox: {
      keepVisit: async (_: string, record: unknown) => kept.push(record),
      forgetVisits: async () => kept.push(undefined),
    },
    flush,
    save: async (_: unknown, entry: Saved, shown?: string) => {
      saves.push(entry);
      queuedSecrets.push(shown);
    },
    post: async (body: PostLeadBody, shown?: string) => {
      posts.push(body);
      queuedSecrets.push(shown);
      const settled = new Promise<boolean>((resolve) => {
        settle = resolve;
        if (settles) resolve(true);
      });
      await options.storing;
      return { stored, settled };
    },
  } as unknown as BrowserQueue;
  const doFetch = (async (path: string, init: RequestInit = {}) => {
    const body = JSON.parse(String(init.body ?? '{}')) as Record<string, unknown>;
    asked.push({ path, body, secret: new Headers(init.headers).get(leadSecretHeader) });
    return answer(path, body);
  }) as unknown as typeof fetch;
  const history = { state: null, pushState: vi.fn(), replaceState: vi.fn(), back: vi.fn() };
  const runner = new Runner({
    data,
    context,
    state: { ...initialState(flow), ...state },
    visit,
    queue,
    fetch: doFetch,
    oneToOne:
      survey.buyers &&
      new OneToOne(survey, visit, String(survey.affiliateId), doFetch, (text) => said.push(text)),
    history: new StepHistory(history, lead_id, 0, survey.path),
    page: {
      now: Date.now,
      search: () => search,
      userAgent: 'UA',
      open: (href) => opened.push(href),
      keepSent: (leadId, href) => {
        sentIds.push(leadId);
        partnerLinks.push(href);
      },
      reaches: options.reaches ?? (async () => true),
      leave: (href) => left.push(href),
      reload: () => undefined,
      consentText: () => 'I agree.',
      dispatch: (event) => steps.push((event as CustomEvent).detail),
      // Nothing is painted here: it follows at once.
      afterPaint: options.afterPaint ?? { add: (task) => task(), run: () => undefined },
    },
  });
  if (options.forms !== false) runner.bring(FormSteps);
  const submit = (values: Answers = {}) =>
    runner.on.submit({
      preventDefault: () => undefined,
      currentTarget: { values },
    } as unknown as FormEvent<HTMLFormElement>);
  return {
    runner,
    visit,
    context,
    history,
    lead_id,
    secret,
    /** What every save and post was given as its lead's secret. */
    queuedSecrets,
    /** What a screen said that it waits for. */
    said,
    submit,
    /** Types into a field of the form on screen. */
    type: (name: AskedFieldName, value: string) =>
      runner.on.edit({
        target: { name, value, setSelectionRange: () => undefined },
        currentTarget: { values: { [name]: value } },
        nativeEvent: {},
      } as unknown as ChangeEvent<HTMLFormElement>),
    choose: (choice: Answers) => runner.on.choose(choice),
    /** Confirms the last post, or refuses it for good. */
    settle: (confirmed: boolean) => settle(confirmed),
    /** The bodies of the requests to one path. */
    calls: (to: string) => asked.filter(({ path }) => path === to).map(({ body }) => body),
    asked,
    posts,
    saves,
    kept,
    left,
    opened,
    partnerLinks,
    sentIds,
    steps,
    flush,
  };
}

/** Tells the runner of each new screen, as the survey's island does. */
export function showScreens(runner: Runner): void {
  let shown = -1;
  const show = () => {
    const { screen } = runner.getState();
    if (screen === shown) return;
    shown = screen;
    runner.shown();
  };
  runner.subscribe(show);
  show();
}
