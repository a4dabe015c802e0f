import type { FormEvent } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { PostLeadBody } from '../../contract/lead.ts';
import type { Answers } from '../../domain/answers.ts';
import { fieldRules } from '../../domain/lead/asked-fields.ts';
import { defineFlow, type Flow } from '../../flows/engine/flow.ts';
import { hasLawyer, phoneAndZip, sending } from '../../flows/variants/fragments/steps.ts';
import type { Queue } from '../queue/queue.ts';
import { pageData, today } from '../test-support/survey-fixture.ts';
import { Checks } from './checks.ts';
import { Runner } from './runner.ts';
import { initialState, resumedState } from './runner-state.ts';
import { StepHistory } from './step-history.ts';
import { newVisit } from './visit.ts';
import { walkContext } from './walk-context.ts';

const rules = { forcedTreatment: 'up_to_15_days' } as const;

/** Goes on only after the post has succeeded, like the progress-bar variant. */
const onSuccess = defineFlow({
  id: 'on-success',
  progress: 'percent',
  start: 'HasLawyer',
  rules,
  submit: { redirect: 'on_success', thankYou: { qualifiedYes: true } },
  steps: {
    HasLawyer: hasLawyer({ next: ['PhoneAndZip'] }),
    PhoneAndZip: phoneAndZip({ next: ['End'] }),
    End: sending({ progress: 100 }),
  },
});

/** Shows its own disqualified screen, like the one-page form. */
const ownScreen = defineFlow({
  id: 'own-screen',
  progress: 'percent',
  start: 'HasLawyer',
  rules,
  submit: { disqualifiedStep: 'Disqualified', thankYou: { contact: false } },
  steps: {
    HasLawyer: hasLawyer({ next: ['PhoneAndZip'] }),
    PhoneAndZip: phoneAndZip({ next: [] }),
    Disqualified: sending({}),
  },
});

const contact = { phone: '(214) 555-0143', zip_code: '75201' };

/** A service that never answers. */
const noEstimate = () => new Promise<Response>(() => undefined);

function setUp(flow: Flow, { search = '', estimate = noEstimate } = {}) {
  const page = pageData();
  const fields = fieldRules(['phone', 'zip_code']);
  const data = { ...page, flow, fields };
  const context = walkContext(data, today);
  const visit = newVisit(data.survey.path, {
    href: 'https://site.example/survey/v4nv?s1=abc',
    referrer: 'https://ads.example/',
    now: Date.now(),
  });
  const { lead_id } = visit.session;
  const posts: PostLeadBody[] = [];
  const kept: unknown[] = [];
  let settle: (confirmed: boolean) => void = () => undefined;
  const flush = vi.fn();
  const queue = {
    outbox: { keepVisit: async (_: string, record: unknown) => kept.push(record) },
    save: async () => undefined,
    flush,
    post: async (body: PostLeadBody) => {
      posts.push(body);
      const settled = new Promise<boolean>((resolve) => {
        settle = resolve;
      });
      return { stored: true, settled };
    },
  } as unknown as Queue;
  const left: string[] = [];
  const steps: string[] = [];
  const offers: (string | undefined)[] = [];
  const history = { state: null, pushState: vi.fn(), replaceState: vi.fn(), back: vi.fn() };
  const phoneChecks: string[] = [];
  const estimated: unknown[] = [];
  const doFetch = (async (path: string, init?: RequestInit) => {
    if (path === '/api/check/phone') phoneChecks.push(path);
    if (path === '/api/estimate') {
      estimated.push(JSON.parse(String(init?.body)));
      return estimate();
    }
    return path.startsWith('/us/')
      ? Response.json({
          zip: '75201',
          city: 'Dallas',
          state: 'TX',
          state_long: 'Texas',
          county: 'Dallas',
        })
      : Response.json({ valid: true, active: false });
  }) as unknown as typeof fetch;
  const isPhoneChecked = flow.submit?.phoneCheck !== 'length_only';
  const runner = new Runner({
    data,
    context,
    state: initialState(flow),
    visit,
    queue,
    checks: new Checks(data.survey.path, lead_id, doFetch, isPhoneChecked),
    history: new StepHistory(history, lead_id, 0, '/survey/v4nv'),
    page: {
      now: Date.now,
      search: () => search,
      userAgent: 'UA',
      open: () => undefined,
      offer: (href) => offers.push(href),
      leave: (href) => left.push(href),
      reload: () => undefined,
      consentText: () => 'I agree.',
      dispatch: (event) => steps.push((event as CustomEvent<{ step: string }>).detail.step),
    },
  });
  let shown = -1;
  const show = () => {
    if (runner.getState().screen === shown) return;
    shown = runner.getState().screen;
    runner.shown();
  };
  runner.subscribe(show);
  show();
  const finish = async (with_Lawyer: 'yes' | 'no') => {
    runner.on.choose({ with_Lawyer });
    runner.on.submit({
      preventDefault: () => undefined,
      currentTarget: { values: contact },
    } as unknown as FormEvent<HTMLFormElement>);
    await vi.advanceTimersByTimeAsync(10);
  };
  return {
    runner,
    context,
    finish,
    settle: (confirmed: boolean) => settle(confirmed),
    posts,
    kept,
    left,
    steps,
    offers,
    flush,
    phoneChecks,
    estimated,
  };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  vi.stubGlobal('localStorage', { setItem: () => undefined, removeItem: () => undefined });
  vi.stubGlobal(
    'FormData',
    class {
      readonly #form: { readonly values: Answers };
      constructor(form: { readonly values: Answers }) {
        this.#form = form;
      }
      get(name: keyof Answers) {
        return this.#form.values[name] ?? null;
      }
    },
  );
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('a flow that goes on only after the post has succeeded', () => {
  test('shows its end step, says that it is still trying, and goes on when it is through', async () => {
    const { runner, finish, settle, left, posts, steps, flush } = setUp(onSuccess);
    await finish('no');
    expect(runner.getState()).toMatchObject({ at: 'End', phase: 'sending', sending: 'saved' });
    expect(steps).toEqual(['HasLawyer', 'PhoneAndZip', 'End']);
    expect(posts).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(runner.getState().sending).toBe('trying');
    expect(left).toEqual([]);
    runner.on.tryNow();
    expect(flush).toHaveBeenCalledOnce();
    settle(true);
    await vi.advanceTimersByTimeAsync(10);
    expect(left).toHaveLength(1);
    expect(left[0]).toMatch(/^\/survey-thank-you\/\?email=.*&q=y&qualified=yes$/);
  });

  test('stays and says so when the server refuses the lead for good', async () => {
    const { runner, finish, settle, left } = setUp(onSuccess);
    await finish('no');
    settle(false);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(runner.getState()).toMatchObject({ at: 'End', sending: 'refused' });
    expect(left).toEqual([]);
  });

  test('a visit taken up again while sending is back at its last button, answers and all', () => {
    const given = { HasLawyer: { with_Lawyer: 'no' }, PhoneAndZip: contact } as const;
    const { context } = setUp(onSuccess);
    const state = resumedState(onSuccess, { given, drafts: {}, at: 'End' }, context);
    expect(state).toMatchObject({ at: 'PhoneAndZip', phase: 'asking', given });
  });
});

describe('a flow with its own disqualified screen', () => {
  test('shows it to the disqualified once the lead is through, and keeps nothing more', async () => {
    const { runner, finish, settle, left, posts, kept, steps } = setUp(ownScreen);
    await finish('yes');
    expect(runner.getState()).toMatchObject({ at: 'PhoneAndZip', phase: 'sending' });
    const keptBefore = kept.length;
    settle(true);
    await vi.advanceTimersByTimeAsync(3000);
    expect(runner.getState()).toMatchObject({ at: 'Disqualified', phase: 'ended' });
    expect(steps.at(-1)).toBe('Disqualified');
    expect(posts[0]).toMatchObject({ dq_reason: 'have_attorney|yes', with_Lawyer: 'yes' });
    expect(left).toEqual([]);
    expect(kept).toHaveLength(keptBefore);
  });

  test('sends the qualified on, with affid, sub_id and q only', async () => {
    const { finish, settle, left } = setUp(ownScreen);
    await finish('no');
    settle(true);
    await vi.advanceTimersByTimeAsync(10);
    expect(left).toEqual(['/survey-thank-you/?affid=1&sub_id=abc&q=y']);
  });
});

test('the thank-you page is offered the partner’s address of this lead, or none', async () => {
  const refused = setUp(ownScreen);
  await refused.finish('yes');
  expect(refused.offers).toEqual([expect.stringContaining('https://partner.example/click')]);
  const qualified = setUp(ownScreen);
  await qualified.finish('no');
  expect(qualified.offers).toEqual([undefined]);
});

test('the short form checks the length of the phone number only', async () => {
  const short = setUp({ ...ownScreen, submit: { phoneCheck: 'length_only' } });
  await short.finish('no');
  expect(short.phoneChecks).toEqual([]);
  expect(short.posts).toHaveLength(1);
  const other = setUp({ ...ownScreen, submit: {} });
  await other.finish('no');
  expect(other.phoneChecks).toHaveLength(1);
});

describe('the compensation level', () => {
  const meter = {
    search: '?show-meter=yes',
    estimate: async () => Response.json({ compLevel: 4 }),
  };

  test('is asked for with show-meter=yes only, from answers that say nothing of the person', async () => {
    const shown = setUp({ ...ownScreen, submit: {} }, meter);
    await shown.finish('no');
    shown.settle(true);
    await vi.advanceTimersByTimeAsync(10);
    expect(shown.left).toEqual([
      expect.stringMatching(/^\/survey-thank-you\/\?show-meter=yes&.*&cl=4$/),
    ]);
    expect(shown.estimated).toEqual([{ with_Lawyer: 'no' }]);

    const plain = setUp({ ...ownScreen, submit: {} }, { ...meter, search: '' });
    await plain.finish('no');
    plain.settle(true);
    await vi.advanceTimersByTimeAsync(10);
    expect(plain.left[0]).not.toContain('cl=');
    expect(plain.estimated).toEqual([]);
  });

  test.each([
    ['fails', async () => new Response('', { status: 503 })],
    ['never answers', noEstimate],
  ])(
    'is left out when its look-up %s, and nobody waits for it longer than for the post',
    async (_, estimate) => {
      const { finish, settle, left } = setUp({ ...ownScreen, submit: {} }, { ...meter, estimate });
      await finish('no');
      settle(true);
      await vi.advanceTimersByTimeAsync(2500);
      expect(left).toEqual([expect.stringMatching(/&q=y$/)]);
    },
  );
});
