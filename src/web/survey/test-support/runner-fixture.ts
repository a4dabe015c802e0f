import type { ChangeEvent, FocusEvent, FormEvent } from 'react';
import { afterEach, beforeEach, vi } from 'vitest';
import type { Answers, AskedFieldName } from '../../../model/fields/answers.ts';
import { leadSecretHeader, type PostLeadBody } from '../../../model/messages/lead.ts';
import { initialState, type VisitState, walkContext } from '../../../model/visit/state.ts';
import { newVisit } from '../../../model/visit/visit.ts';
import type { BrowserQueue } from '../queue/browser-queue.ts';
import { FormSteps } from '../runner/form-steps.ts';
import { createOneToOne } from '../runner/one-to-one.tsx';
import { Runner, type RunnerParts } from '../runner/runner.ts';
import { StepHistory } from '../runner/step-history.ts';
import type { SurveyPageData } from '../screens/screen-props.ts';
import { today } from './survey-fixture.ts';

type Saved = { kind: string; step: string; answers: Answers; seconds?: number };

/** Installs fake timers and the browser of `stubBrowser` before each test. */
export function stubBrowserForTests(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    stubBrowser();
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });
}

/** Stubs the browser for a runner. In tests, a form is an object `{ values }`. */
export function stubBrowser(): void {
  vi.stubGlobal('localStorage', { setItem: () => undefined, removeItem: () => undefined });
  vi.stubGlobal(
    'FormData',
    class {
      readonly #values: Answers;
      constructor(form: { readonly values: Answers }) {
        this.#values = form.values;
      }
      getAll(name: keyof Answers) {
        const value = this.#values[name];
        if (value === undefined) return [];
        return name === 'selected_buyers' ? value.split(' ') : [value];
      }
    },
  );
}

export type FixtureOptions = {
  query?: string;
  search?: string;
  state?: Partial<VisitState>;
  stored?: boolean;
  /** True if the server confirms a post at once. If false, `settle` confirms the post. */
  settles?: boolean;
  storing?: Promise<void>;
  visitorState?: string;
  reaches?: () => Promise<boolean>;
  /** True if the code of forms is loaded. If false, `bringForms` loads the code. */
  forms?: boolean;
};

/** Creates a runner of a survey page. `answer` answers a request to our server. */
export function runnerFixture(
  data: SurveyPageData,
  answer: (path: string, body: Record<string, unknown>) => Response | Promise<Response>,
  options: FixtureOptions = {},
) {
  const { query = '', search = '', state = {}, stored = true, settles = true } = options;
  const { survey, flow } = data;
  const visit = newVisit(survey.path, {
    href: `https://site.example${survey.path}${query}`,
    referrer: '',
    now: Date.now(),
  });
  visit.state = options.visitorState;
  const context = walkContext(data, today, visit);
  const { secret, session } = visit;
  const { lead_id } = session;
  const posts: PostLeadBody[] = [];
  const saves: Saved[] = [];
  const storedVisits: unknown[] = [];
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
    outbox: { forgetVisits: async () => storedVisits.push(undefined) },
    flush,
    save: async ({ secret }: { secret?: string }, entries: Saved[], record: unknown) => {
      saves.push(...entries);
      queuedSecrets.push(...entries.map(() => secret));
      storedVisits.push(record);
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
  const realFetch = globalThis.fetch;
  vi.stubGlobal('fetch', async (path: string | URL, init: RequestInit = {}) => {
    if (typeof path !== 'string' || !path.startsWith('/')) return realFetch(path, init);
    const body = JSON.parse(String(init.body ?? '{}')) as Record<string, unknown>;
    asked.push({ path, body, secret: new Headers(init.headers).get(leadSecretHeader) });
    return answer(path, body);
  });
  const history = { state: null, pushState: vi.fn(), replaceState: vi.fn(), back: vi.fn() };
  const parts: RunnerParts = {
    data,
    context,
    state: { ...initialState(flow), ...state },
    visit,
    queue,
    history: new StepHistory(history, lead_id, 0, survey.path),
    page: {
      now: Date.now,
      search: () => search,
      userAgent: () => 'UA',
      open: (href) => opened.push(href),
      storeSent: (leadId, href) => {
        sentIds.push(leadId);
        partnerLinks.push(href);
      },
      reaches: options.reaches ?? (async () => true),
      leave: (href) => left.push(href),
      reload: () => undefined,
      consentElement: () => ({ textContent: 'I agree.' }) as HTMLElement,
      dispatch: (event) => steps.push((event as CustomEvent).detail),
      afterPaint: { add: (task) => task(), run: () => undefined },
    },
  };
  const runner = new Runner(parts);
  const say = (text: string) => said.push(text);
  const oneToOne = survey.buyers && createOneToOne(survey, visit, String(survey.affiliateId), say);
  const bringForms = () => runner.bring(new FormSteps(parts, runner, { oneToOne }));
  if (options.forms !== false) bringForms();
  const submit = (values: Answers = {}) =>
    runner.on.submit({
      preventDefault: () => undefined,
      currentTarget: { values },
    } as unknown as FormEvent<HTMLFormElement>);
  return {
    runner,
    bringForms,
    visit,
    context,
    history,
    lead_id,
    secret,
    queuedSecrets,
    said,
    submit,
    /** Types into a field of the form on screen. `others` are the form's other values. */
    type: (name: AskedFieldName, value: string, others: Answers = {}) => {
      const target = { name, value, selectionStart: value.length };
      const currentTarget = { values: { ...others, [name]: value } };
      const event = { target, currentTarget };
      runner.on.edit(event as unknown as ChangeEvent<HTMLFormElement>);
      return target;
    },
    leave: (name: AskedFieldName, value: string) =>
      runner.on.leave({ target: { name, value } } as unknown as FocusEvent<HTMLFormElement>),
    choose: (choice: Answers) => runner.on.choose(choice),
    settle: (confirmed: boolean) => settle(confirmed),
    calls: (to: string) => asked.filter(({ path }) => path === to).map(({ body }) => body),
    asked,
    posts,
    saves,
    storedVisits,
    left,
    opened,
    partnerLinks,
    sentIds,
    steps,
    flush,
  };
}

/** Calls `shown` for each new screen, as the survey's island does. */
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
