import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { fieldRules } from '../../domain/asked-fields.ts';
import { defineFlow, type Flow } from '../../flows/engine/flow.ts';
import { hasLawyer, phoneAndZip, sending } from '../../flows/variants/fragments/steps.ts';
import { resumedState } from '../../journey/state.ts';
import { runnerFixture, showScreens, stubBrowser } from '../test-support/runner-fixture.ts';
import { pageData } from '../test-support/survey-fixture.ts';

const rules = { forcedTreatment: 'up_to_15_days' } as const;

/** Goes on only after the post has succeeded, like the progress-bar variant. */
const onSuccess = defineFlow({
  id: 'on-success',
  progress: 'percent',
  start: 'HasLawyer',
  rules,
  submit: { thankYou: { qualifiedYes: true } },
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
  const survey = { redirectsOnSuccess: flow === onSuccess };
  const fields = fieldRules(['phone', 'zip_code']);
  const data = { ...pageData('en', { survey }), flow, fields };
  const place = { city: 'Dallas', state: 'TX', state_long: 'Texas', county: 'Dallas' };
  const answer = (path: string) => {
    if (path === '/api/estimate') return estimate();
    return path.startsWith('/us/')
      ? Response.json({ zip: '75201', ...place })
      : Response.json({ valid: true, active: true });
  };
  const referrer = 'https://ads.example/';
  const fixture = runnerFixture(data, answer, {
    query: '?s1=abc',
    search,
    referrer,
    settles: false,
  });
  showScreens(fixture.runner);
  const finish = async (with_Lawyer: 'yes' | 'no') => {
    fixture.choose({ with_Lawyer });
    fixture.submit(contact);
    await vi.advanceTimersByTimeAsync(10);
  };
  return { ...fixture, finish };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  stubBrowser();
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('a survey that goes on only after the post has succeeded', () => {
  test('shows its end step, says that it is still trying, and goes on when it is through', async () => {
    const { runner, finish, settle, left, posts, steps, flush } = setUp(onSuccess);
    await finish('no');
    expect(runner.getState()).toMatchObject({ at: 'End', phase: 'sending', sending: 'saved' });
    expect(steps.map(({ step }) => step)).toEqual(['HasLawyer', 'PhoneAndZip', 'End']);
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

describe('the overlay', () => {
  test('covers the end step while the lead is sent, and is hidden once the post is through', async () => {
    const { runner, finish, settle } = setUp(onSuccess);
    await finish('no');
    expect(runner.getState()).toMatchObject({ at: 'End', overlay: true });
    settle(true);
    await vi.advanceTimersByTimeAsync(1);
    expect(runner.getState()).toMatchObject({ at: 'End', phase: 'sending', overlay: false });
  });

  test('is hidden as well when the post has had its time', async () => {
    const { runner, finish } = setUp(onSuccess);
    await finish('no');
    await vi.advanceTimersByTimeAsync(2500);
    expect(runner.getState()).toMatchObject({ at: 'End', sending: 'trying', overlay: false });
  });

  test('stays until the next page where the flow has no end step', async () => {
    const { runner, finish, settle, left } = setUp(ownScreen);
    await finish('no');
    settle(true);
    await vi.advanceTimersByTimeAsync(3000);
    expect(left).toHaveLength(1);
    expect(runner.getState()).toMatchObject({ at: 'PhoneAndZip', overlay: true });
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
    expect(runner.getState()).toMatchObject({ at: 'Disqualified', phase: 'ended', overlay: false });
    expect(steps.at(-1)?.step).toBe('Disqualified');
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

test('the thank-you page gets the partner’s link of this lead, or none', async () => {
  const refused = setUp(ownScreen);
  await refused.finish('yes');
  expect(refused.partnerLinks).toEqual([expect.stringContaining('https://partner.example/click')]);
  const qualified = setUp(ownScreen);
  await qualified.finish('no');
  expect(qualified.partnerLinks).toEqual([undefined]);
  expect(qualified.sentIds).toEqual([qualified.lead_id]);
});

test('the short form checks the length of the phone number only', async () => {
  const short = setUp({ ...ownScreen, submit: { phoneCheck: 'length_only' } });
  await short.finish('no');
  expect(short.calls('/api/check/phone')).toEqual([]);
  expect(short.posts).toHaveLength(1);
  const other = setUp({ ...ownScreen, submit: {} });
  await other.finish('no');
  expect(other.calls('/api/check/phone')).toHaveLength(1);
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
    expect(shown.calls('/api/estimate')).toEqual([{ with_Lawyer: 'no' }]);

    const plain = setUp({ ...ownScreen, submit: {} }, { ...meter, search: '' });
    await plain.finish('no');
    plain.settle(true);
    await vi.advanceTimersByTimeAsync(10);
    expect(plain.left[0]).not.toContain('cl=');
    expect(plain.calls('/api/estimate')).toEqual([]);
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

describe('what scripts of third parties bring', () => {
  test('is on the lead, and the last button waits for what is on its way', async () => {
    const { runner, visit, submit, posts } = setUp(onSuccess);
    runner.on.choose({ with_Lawyer: 'no' });
    let arrive: () => void = () => undefined;
    runner.awaitScripts = () => new Promise<void>((resolve) => (arrive = resolve));
    submit(contact);
    await vi.advanceTimersByTimeAsync(500);
    expect(runner.getState().phase).toBe('checking');
    visit.collected = { leadid_token: 'token', call_tracking_number: '2125550142' };
    arrive();
    await vi.advanceTimersByTimeAsync(0);
    expect(posts).toMatchObject([{ leadid_token: 'token', call_tracking_number: '2125550142' }]);
  });

  test('is not waited for without end, and not at all where nothing is on its way', async () => {
    const hanging = setUp(onSuccess);
    hanging.runner.on.choose({ with_Lawyer: 'no' });
    hanging.runner.awaitScripts = () => new Promise(() => undefined);
    hanging.submit(contact);
    await vi.advanceTimersByTimeAsync(1499);
    expect(hanging.posts).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(hanging.posts).toHaveLength(1);
    expect(hanging.posts[0]).not.toHaveProperty('leadid_token');
  });
});
