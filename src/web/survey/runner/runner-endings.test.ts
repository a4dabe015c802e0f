import { describe, expect, test, vi } from 'vitest';
import { askedFields } from '../../../model/fields/asked-fields.ts';
import { defineFlow, type Flow } from '../../../model/flows/engine/flow.ts';
import { hasLawyer, phoneAndZip, sending } from '../../../model/flows/variants/questions.ts';
import { runnerFixture, showScreens, stubBrowserForTests } from '../test-support/runner-fixture.ts';
import { dallas, pageData } from '../test-support/survey-fixture.ts';

/** A flow that waits for the server's confirmation before it redirects. */
const onSuccess = defineFlow({
  id: 'on-success',
  progress: 'percent',
  submit: { thankYou: { qualifiedYes: true } },
  steps: {
    HasLawyer: hasLawyer({ next: ['PhoneAndZip'] }),
    PhoneAndZip: phoneAndZip({ next: ['End'] }),
    End: sending({ progress: 100 }),
  },
});

/** A flow that has its own screen for disqualified visitors. */
const ownScreen = defineFlow({
  id: 'own-screen',
  progress: 'percent',
  submit: { disqualifiedStep: 'Disqualified', thankYou: { contact: false } },
  steps: {
    HasLawyer: hasLawyer({ next: ['PhoneAndZip'] }),
    PhoneAndZip: phoneAndZip({}),
    Disqualified: sending({}),
  },
});

const contact = { phone: '(214) 555-0143', zip_code: '75201' };

function setUp(flow: Flow) {
  const survey = { redirectsOnSuccess: flow === onSuccess };
  const data = { ...pageData('en', { survey }), flow, fields: askedFields };
  const answer = (path: string) =>
    Response.json(path.startsWith('/us/') ? dallas : { valid: true, active: true });
  const fixture = runnerFixture(data, answer, { query: '?s1=abc', settles: false });
  showScreens(fixture.runner);
  const finish = async (with_Lawyer: 'yes' | 'no') => {
    fixture.choose({ with_Lawyer });
    fixture.submit(contact);
    await vi.advanceTimersByTimeAsync(10);
  };
  return { ...fixture, finish };
}

stubBrowserForTests();

describe('a survey that waits for the server before it redirects', () => {
  test('opens the thank-you page only after the server has confirmed the lead', async () => {
    const { runner, finish, settle, left, posts, steps } = setUp(onSuccess);
    await finish('no');
    const end = { at: 'End', phase: 'sending' };
    expect(runner.getState()).toMatchObject({ ...end, sending: 'saved', overlay: true });
    expect(steps.map(({ step }) => step)).toEqual(['HasLawyer', 'PhoneAndZip', 'End']);
    expect(posts).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2500);
    expect(runner.getState()).toMatchObject({ ...end, sending: 'trying', overlay: false });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(left).toEqual([]);
    settle(true);
    await vi.advanceTimersByTimeAsync(10);
    expect(left).toEqual([
      expect.stringMatching(/^\/survey-thank-you\/\?email=.*&q=y&qualified=yes$/),
    ]);
  });

  test('shows an error message if the server refuses the lead', async () => {
    const { runner, finish, settle, left } = setUp(onSuccess);
    await finish('no');
    settle(false);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(runner.getState()).toMatchObject({ at: 'End', sending: 'refused', overlay: false });
    expect(left).toEqual([]);
  });
});

describe('a flow with its own screen for disqualified visitors', () => {
  test('shows this screen after the server has confirmed the lead', async () => {
    const { runner, finish, settle, left, posts, storedVisits, steps, partnerLinks } =
      setUp(ownScreen);
    await finish('yes');
    expect(runner.getState()).toMatchObject({ at: 'PhoneAndZip', phase: 'sending' });
    const countBefore = storedVisits.length;
    settle(true);
    await vi.advanceTimersByTimeAsync(3000);
    expect(runner.getState()).toMatchObject({ at: 'Disqualified', phase: 'ended', overlay: false });
    expect(steps.at(-1)?.step).toBe('Disqualified');
    expect(posts[0]).toMatchObject({ dq_reason: 'have_attorney|yes', with_Lawyer: 'yes' });
    expect(left).toEqual([]);
    expect(storedVisits).toHaveLength(countBefore);
    expect(partnerLinks).toEqual([expect.stringContaining('https://partner.example/click')]);
  });

  test('opens the thank-you page for a qualified visitor', async () => {
    const { runner, finish, settle, left, partnerLinks, sentIds, lead_id } = setUp(ownScreen);
    await finish('no');
    settle(true);
    await vi.advanceTimersByTimeAsync(3000);
    expect(left).toEqual(['/survey-thank-you/?affid=1&sub_id=abc&q=y']);
    expect(runner.getState()).toMatchObject({ at: 'PhoneAndZip', overlay: true });
    expect(partnerLinks).toEqual([undefined]);
    expect(sentIds).toEqual([lead_id]);
  });
});

test('the browser posts the lead after third-party scripts have collected their fields', async () => {
  const { runner, visit, choose, submit, posts } = setUp(onSuccess);
  choose({ with_Lawyer: 'no' });
  const { promise, resolve: arrive } = Promise.withResolvers<void>();
  runner.awaitScripts = () => promise;
  submit(contact);
  await vi.advanceTimersByTimeAsync(500);
  expect(runner.getState().phase).toBe('checking');
  visit.collected = { leadid_token: 'token', call_tracking_number: '2125550142' };
  arrive();
  await vi.advanceTimersByTimeAsync(0);
  expect(posts).toMatchObject([{ leadid_token: 'token', call_tracking_number: '2125550142' }]);
});
