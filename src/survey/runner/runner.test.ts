import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Answers } from '../../domain/answers.ts';
import type { JourneyState } from '../../journey/state.ts';
import { runnerFixture, showScreens, stubBrowser } from '../test-support/runner-fixture.ts';
import { pageData } from '../test-support/survey-fixture.ts';
import { FormSteps } from './form-steps.ts';
import type { RunnerPage } from './runner.ts';

const places: Record<string, object> = {
  '75201': { zip: '75201', city: 'Dallas', state: 'TX', state_long: 'Texas', county: 'Dallas' },
  '10001': {
    zip: '10001',
    city: 'New York',
    state: 'NY',
    state_long: 'New York',
    county: 'New York',
  },
  '00000': { zip: '00000', city: '', state: '', state_long: '', county: '' },
};

function setUp(
  options: {
    phone?: { valid?: boolean; active?: boolean; forced?: true };
    stored?: boolean;
    settles?: boolean;
    zipDelayMs?: number;
    storing?: Promise<void>;
    visitorState?: string;
    flowVersion?: string;
    state?: Partial<JourneyState>;
    reaches?: () => Promise<boolean>;
    forms?: boolean;
    afterPaint?: RunnerPage['afterPaint'];
  } = {},
) {
  const { zipDelayMs = 0, phone = { valid: true, active: true }, ...posting } = options;
  const answer = async (path: string, { email }: Record<string, unknown>) => {
    if (path.startsWith('/us/')) {
      await new Promise((resolve) => setTimeout(resolve, zipDelayMs));
      return Response.json(places[path.slice(4)]);
    }
    if (path === '/api/check/email') {
      return Response.json({ blocked: String(email).includes('throwaway') });
    }
    if (path === '/api/check/phone') return Response.json(phone);
    return Response.json({ is_gibberish: 'no', bad_words: 'no' });
  };
  const search = '?s1=abc&_ef_transaction_id=x';
  const fixture = runnerFixture(pageData(), answer, { query: '?s1=abc', search, ...posting });
  showScreens(fixture.runner);
  const { choose, submit } = fixture;
  const toContact = async (change: { at_Fault?: string; email?: string } = {}) => {
    choose({ accident_type: 'Car Accident' });
    submit({ injury_month: '3', injury_year: '2026', injury_day: '' });
    choose({ at_Fault: change.at_Fault ?? 'no' });
    choose({ physical_injury: 'Yes', specific_injury: 'Other' });
    choose({ doctor_treatment: 'yes' });
    choose({ police_report: 'yes' });
    choose({ with_Lawyer: 'no' });
    submit({ case_description: ' A truck hit my car from behind. ' });
    submit({ first_name: ' Ann ', last_name: 'Lee', email: change.email ?? 'Ann@EXAMPLE.com' });
    await vi.advanceTimersByTimeAsync(10);
  };
  return { ...fixture, toContact };
}

/** A visit at NameAndEmail, with nothing typed there. */
function toNameAndEmail() {
  const set = setUp();
  set.choose({ accident_type: 'Other' });
  set.submit({ injury_month: '03', injury_year: '2026' });
  set.choose({ at_Fault: 'no' });
  set.choose({ physical_injury: 'No' });
  set.choose({ police_report: 'no' });
  set.choose({ with_Lawyer: 'no' });
  set.submit({ case_description: 'A truck hit my car from behind.' });
  return set;
}

const contact = { phone: '(214) 555-0143', zip_code: '75201' };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  stubBrowser();
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('runner', () => {
  test('answers lead on, are saved with their time, and are announced without personal data', async () => {
    const { runner, choose, saves, steps, history, lead_id } = setUp();
    await vi.advanceTimersByTimeAsync(4000);
    choose({ accident_type: 'Other' });
    expect(runner.getState().at).toBe('WhenWasTheAccident');
    expect(saves.map(({ kind, step, seconds }) => [kind, step, seconds])).toEqual([
      ['viewed', 'StartPath', undefined],
      ['viewed', 'WhenWasTheAccident', undefined],
      ['answered', 'StartPath', 4],
    ]);
    expect(steps).toEqual([
      { step: 'StartPath', survey: '/survey/v4nv', lead_id },
      { step: 'WhenWasTheAccident', survey: '/survey/v4nv', lead_id },
    ]);
    expect(history.pushState).toHaveBeenCalledTimes(1);
  });

  test('a form with errors stays, one with good values goes on in their one spelling', () => {
    const { runner, choose, submit } = setUp();
    choose({ accident_type: 'Other' });
    submit({ injury_month: '', injury_year: '2026', injury_day: '' });
    expect(runner.getState()).toMatchObject({
      at: 'WhenWasTheAccident',
      errors: { injury_month: 'required' },
      refusals: 1,
    });
    submit({ injury_month: '12', injury_year: '2026', injury_day: '' });
    expect(runner.getState().errors).toEqual({ injury_month: 'in_future' });
    submit({ injury_month: '3', injury_year: '2026', injury_day: '' });
    expect(runner.getState().given.WhenWasTheAccident).toEqual({
      injury_month: '03',
      injury_year: '2026',
    });
  });

  test('the last button posts once and leaves for the thank-you page', async () => {
    const { submit, toContact, posts, left, opened } = setUp();
    await toContact();
    submit(contact);
    submit(contact);
    await vi.advanceTimersByTimeAsync(100);
    submit(contact);
    await vi.advanceTimersByTimeAsync(5000);
    expect(posts).toHaveLength(1);
    expect(posts[0]).toMatchObject({
      email: 'Ann@example.com',
      first_name: 'Ann',
      phone: '2145550143',
      case_description: 'A truck hit my car from behind.',
      tcpa: 'I agree.',
      city: 'Dallas',
      is_gibberish: 'no',
      lead_is_qualified: 'yes',
    });
    expect(posts[0]?.time_on_steps).toMatch(/^StartPath:0\|.*\|PhoneAndZip:0$/);
    expect(left).toHaveLength(1);
    expect(left[0]).toMatch(
      /^\/survey-thank-you\/\?s1=abc&email=Ann%40example\.com&city=Dallas&state=TX&/,
    );
    expect(left[0]).toMatch(/&q=y$/);
    expect(left[0]).not.toContain('_ef_');
    expect(opened).toEqual([]);
  });

  test('every save and the post are given the lead’s secret, and the kept visit has it', async () => {
    const { submit, toContact, posts, saves, kept, secret, queuedSecrets } = setUp();
    await toContact();
    expect(kept.at(-1)).toMatchObject({ visit: { visit: { secret } } });
    submit(contact);
    await vi.advanceTimersByTimeAsync(10);
    expect(posts).toHaveLength(1);
    expect(queuedSecrets).toHaveLength(saves.length + 1);
    expect(new Set(queuedSecrets)).toEqual(new Set([secret]));
    expect(JSON.stringify([posts, saves])).not.toContain(secret);
  });

  test('the consent text counts as shown when it came on screen last', async () => {
    const { runner, submit, toContact, posts, lead_id } = setUp();
    await toContact();
    runner.arrived({ lead: lead_id, index: 0, base: 0 });
    await vi.advanceTimersByTimeAsync(60_000);
    const shownAt = new Date().toISOString();
    runner.arrived({ lead: lead_id, index: 99, base: 0 });
    await vi.advanceTimersByTimeAsync(5000);
    submit(contact);
    await vi.advanceTimersByTimeAsync(10);
    expect(posts).toMatchObject([{ consent_shown_at: shownAt }]);
  });

  test('the consent text counts as shown only once the code of its step is there', async () => {
    const { toContact, runner, visit } = setUp();
    await toContact();
    const state = runner.getState();
    const late = setUp({ state, forms: false });
    await vi.advanceTimersByTimeAsync(3000);
    const shownAt = new Date().toISOString();
    expect(late.visit.consentShownAt < shownAt).toBe(true);
    late.runner.bring(FormSteps);
    expect(late.visit.consentShownAt).toBe(shownAt);
    // On another step nothing was shown.
    expect(setUp().visit.consentShownAt).toBe('');
    expect(visit.consentShownAt < shownAt).toBe(true);
  });

  test('back right after a tap leaves no second entry of a step', () => {
    const tasks: (() => void)[] = [];
    const run = () => {
      for (const task of tasks.splice(0)) task();
    };
    const afterPaint = { add: (task: () => void) => void tasks.push(task), run };
    const { runner, choose, history, lead_id } = setUp({ afterPaint });
    run();
    const written: unknown[] = [];
    history.pushState.mockImplementation((entry) => written.push(entry));
    history.replaceState.mockImplementation((entry) => written.push(entry));
    choose({ accident_type: 'Other' });
    runner.arrived({ lead: lead_id, index: 0, base: 0 });
    run();
    expect(runner.getState().at).toBe('StartPath');
    // The browser has gone to that entry: a tap that is still to be written would make a second one of it.
    expect(written).toEqual([]);
    choose({ accident_type: 'Other' });
    run();
    expect(written).toMatchObject([{ index: 1 }]);
  });

  test('the visitor goes on after 2.5 s when no answer comes', async () => {
    const { submit, toContact, left } = setUp({ settles: false });
    await toContact();
    await vi.advanceTimersByTimeAsync(10);
    submit(contact);
    await vi.advanceTimersByTimeAsync(2400);
    expect(left).toEqual([]);
    await vi.advanceTimersByTimeAsync(200);
    expect(left).toHaveLength(1);
  });

  test('away from the network it stays, says so, and goes on once it is back and the lead is through', async () => {
    let isThere = false;
    const { runner, submit, toContact, left, flush, settle } = setUp({
      settles: false,
      reaches: async () => isThere,
    });
    await toContact();
    await vi.advanceTimersByTimeAsync(10);
    submit(contact);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(runner.getState().sending).toBe('offline');
    expect(left).toEqual([]);
    expect(flush).not.toHaveBeenCalled();
    isThere = true;
    await vi.advanceTimersByTimeAsync(2100);
    expect(flush).toHaveBeenCalledTimes(1);
    expect(left).toEqual([]);
    settle(true);
    await vi.advanceTimersByTimeAsync(10);
    expect(left).toHaveLength(1);
  });

  test('a server that is there but slow keeps nobody', async () => {
    const { submit, toContact, left } = setUp({
      settles: false,
      reaches: () => new Promise(() => undefined),
    });
    await toContact();
    await vi.advanceTimersByTimeAsync(10);
    submit(contact);
    await vi.advanceTimersByTimeAsync(4100);
    expect(left).toHaveLength(1);
  });

  test('a description that is too short is refused twice, and passes then', () => {
    const { runner, choose, submit } = setUp();
    choose({ accident_type: 'Other' });
    submit({ injury_month: '03', injury_year: '2026' });
    choose({ at_Fault: 'no' });
    choose({ physical_injury: 'No' });
    choose({ police_report: 'no' });
    choose({ with_Lawyer: 'no' });
    submit({ case_description: '' });
    expect(runner.getState().errors).toEqual({ case_description: 'required' });
    submit({ case_description: 'Hit.' });
    expect(runner.getState().errors).toEqual({ case_description: 'too_short' });
    submit({ case_description: 'Rear-ended unexpectedly today' });
    expect(runner.getState()).toMatchObject({
      at: 'IncidentDescription',
      errors: { case_description: 'too_few_words' },
    });
    submit({ case_description: '' });
    expect(runner.getState().errors).toEqual({ case_description: 'required' });
    submit({ case_description: 'Hit.' });
    expect(runner.getState().at).toBe('NameAndEmail');
  });

  test('where nothing can be kept it says so and stays up to 15 s', async () => {
    const { runner, submit, toContact, left } = setUp({ settles: false, stored: false });
    await toContact();
    submit(contact);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(runner.getState().sending).toBe('unsaved');
    expect(left).toEqual([]);
    await vi.advanceTimersByTimeAsync(6000);
    expect(left).toHaveLength(1);
  });

  test('an unknown zip is refused, a slow look-up is waited for 1.5 s and then passes', async () => {
    const { runner, submit, toContact, posts } = setUp();
    await toContact();
    submit({ ...contact, zip_code: '00000' });
    expect(runner.getState().phase).toBe('checking');
    await vi.advanceTimersByTimeAsync(10);
    expect(runner.getState()).toMatchObject({
      phase: 'asking',
      errors: { zip_code: 'unknown_zip' },
    });
    expect(posts).toEqual([]);
    const slow = setUp({ zipDelayMs: 60_000 });
    await slow.toContact();
    slow.submit(contact);
    await vi.advanceTimersByTimeAsync(1400);
    expect(slow.posts).toEqual([]);
    await vi.advanceTimersByTimeAsync(200);
    expect(slow.posts).toHaveLength(1);
    expect(slow.posts[0]).not.toHaveProperty('city');
  });

  test.each([
    [{ valid: false, active: true }, true],
    [{ valid: true, active: false }, true],
    [{ valid: true, active: false, forced: true }, false],
    [{ valid: true }, false],
  ] as const)('a phone number of which %o is said is refused: %s', async (phone, isRefused) => {
    const { runner, submit, toContact, posts } = setUp({ phone });
    await toContact();
    submit(contact);
    await vi.advanceTimersByTimeAsync(10);
    expect(runner.getState().errors).toEqual(isRefused ? { phone: 'not_reachable' } : {});
    expect(posts).toHaveLength(isRefused ? 0 : 1);
  });

  test('the disqualified get the partner’s tab, in the click when nothing is awaited, not in special states', async () => {
    const { runner, submit, toContact, opened, left } = setUp();
    await toContact({ at_Fault: 'yes' });
    submit({ ...contact, zip_code: '00000' });
    await vi.advanceTimersByTimeAsync(10);
    submit(contact);
    await vi.advanceTimersByTimeAsync(10);
    expect(runner.getState().phase).toBe('sending');
    expect(opened).toHaveLength(1);
    expect(opened[0]).toMatch(
      /^https:\/\/partner\.example\/click\?c=7&transaction_id=[0-9a-f]{32}&affid=1&sub_id=abc$/,
    );
    expect(left[0]).toMatch(/&q=n$/);
    const special = setUp();
    await special.toContact({ at_Fault: 'yes' });
    special.submit({ ...contact, zip_code: '10001' });
    await vi.advanceTimersByTimeAsync(10);
    expect(special.left[0]).toMatch(/&q=n$/);
    expect(special.opened).toEqual([]);
  });

  test('the tab waits for the lead’s place in the outbox only, once the look-ups are done', async () => {
    const { runner, submit, toContact, opened, posts } = setUp();
    await toContact({ at_Fault: 'yes' });
    submit({ ...contact, zip_code: '00000' });
    runner.on.edit({
      target: { name: 'zip_code', value: '75201' },
      currentTarget: { values: contact },
      nativeEvent: {},
    } as never);
    await vi.advanceTimersByTimeAsync(10);
    expect(runner.getState().errors).toEqual({ zip_code: 'unknown_zip' });
    runner.on.edit({
      target: { name: 'zip_code', value: '75201' },
      currentTarget: { values: contact },
      nativeEvent: {},
    } as never);
    await vi.advanceTimersByTimeAsync(10);
    expect(runner.getState()).toMatchObject({ errors: {}, place: 'Dallas, TX' });
    submit(contact);
    expect(posts).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(0);
    expect(opened).toHaveLength(1);
  });

  test('the tab opens only when the lead is in the outbox', async () => {
    let store: () => void = () => undefined;
    const storing = new Promise<void>((resolve) => {
      store = resolve;
    });
    const { submit, toContact, opened, posts, left } = setUp({ storing });
    await toContact({ at_Fault: 'yes' });
    submit(contact);
    await vi.advanceTimersByTimeAsync(500);
    expect(posts).toHaveLength(1);
    expect(opened).toEqual([]);
    store();
    await vi.advanceTimersByTimeAsync(0);
    expect(opened).toHaveLength(1);
    expect(left).toHaveLength(1);
  });

  test('a blocked address is refused once and passes the second time', async () => {
    const other = toNameAndEmail();
    const values = { first_name: 'Ann', last_name: 'Lee', email: 'a@throwaway.example' };
    other.runner.on.leave({ target: { name: 'email', value: values.email } } as never);
    await vi.advanceTimersByTimeAsync(10);
    other.submit(values);
    expect(other.runner.getState()).toMatchObject({
      at: 'NameAndEmail',
      errors: { email: 'not_reachable' },
    });
    other.submit(values);
    expect(other.runner.getState().at).toBe('PhoneAndZip');
    expect(other.calls('/api/check/email')).toHaveLength(2);
  });

  test('an address that was never left is looked up when the step is sent, and waited for', async () => {
    const other = toNameAndEmail();
    const values = { first_name: 'Ann', last_name: 'Lee', email: 'a@throwaway.example' };
    other.submit(values);
    expect(other.runner.getState()).toMatchObject({ at: 'NameAndEmail', phase: 'checking' });
    await vi.advanceTimersByTimeAsync(10);
    expect(other.runner.getState()).toMatchObject({
      at: 'NameAndEmail',
      phase: 'asking',
      errors: { email: 'not_reachable' },
    });
    other.submit(values);
    expect(other.runner.getState().at).toBe('PhoneAndZip');
    const fine = toNameAndEmail();
    fine.submit({ ...values, email: 'ann@mail.example' });
    await vi.advanceTimersByTimeAsync(10);
    expect(fine.runner.getState().at).toBe('PhoneAndZip');
  });

  test('toggles are switched on and off', () => {
    const { runner, choose, submit } = setUp();
    choose({ accident_type: 'Other' });
    submit({ injury_month: '03', injury_year: '2026' });
    for (const choice of [
      { at_Fault: 'no' },
      { physical_injury: 'No' },
      { police_report: 'no' },
      { with_Lawyer: 'no' },
    ]) {
      choose(choice as Answers);
    }
    runner.on.toggle('hit_and_run', 'yes');
    runner.on.toggle('hit_and_run', 'yes');
    runner.on.toggle('hit_and_run', 'no');
    submit({ case_description: 'A truck hit my car from behind.' });
    expect(runner.getState().given.IncidentDescription).toMatchObject({ hit_and_run: 'no' });
  });

  test('an early tap is the answer of the first screen only', async () => {
    const { runner, saves } = setUp();
    await vi.advanceTimersByTimeAsync(2000);
    runner.answerEarly('accident_type', 'Truck Accident', Date.now() - 500);
    expect(runner.getState().given.StartPath).toEqual({ accident_type: 'Truck Accident' });
    expect(saves.at(-1)).toMatchObject({ kind: 'answered', seconds: 2 });
    runner.answerEarly('accident_type', 'Car Accident');
    expect(runner.getState().given.StartPath).toEqual({ accident_type: 'Truck Accident' });
  });
});

describe('the state that the visit began with', () => {
  const name = { first_name: 'Ann', last_name: 'Lee', email: 'ann@example.com' };
  const born = { date_of_birth_month: '4', date_of_birth_day: '12', date_of_birth_year: '1985' };

  test('brings DateOfBirth, and is posted', async () => {
    const { runner, submit, toContact, posts } = setUp({ visitorState: 'AL' });
    await toContact();
    expect(runner.getState().at).toBe('DateOfBirth');
    submit(born);
    submit(contact);
    await vi.advanceTimersByTimeAsync(10);
    expect(posts).toEqual([
      expect.objectContaining({ visitor_state: 'AL', date_of_birth_year: '1985', state: 'TX' }),
    ]);
  });

  test('counts when it is told late, but not when its question is passed', async () => {
    const inTime = toNameAndEmail();
    inTime.runner.learnState('NE');
    inTime.submit(name);
    await vi.advanceTimersByTimeAsync(10);
    expect(inTime.runner.getState().at).toBe('DateOfBirth');

    const late = setUp();
    await late.toContact();
    late.runner.learnState('NE');
    expect(late.runner.getState().at).toBe('PhoneAndZip');
    late.submit(contact);
    await vi.advanceTimersByTimeAsync(10);
    expect(late.posts).toHaveLength(1);
    expect(late.posts[0]).not.toHaveProperty('visitor_state');
  });
});

describe('a visit that began with an earlier flow', () => {
  test('posts the answers of steps that are gone, by step, and the version it began with', async () => {
    const given = { HadInsurance: { active_insurance_policy: 'yes' } } as const;
    const { submit, toContact, posts } = setUp({ flowVersion: 'v1', state: { given } });
    await toContact();
    submit(contact);
    await vi.advanceTimersByTimeAsync(10);
    expect(posts[0]).toMatchObject({
      flow_version: 'v1',
      earlier_answers: '{"HadInsurance":{"active_insurance_policy":"yes"}}',
    });
    expect(posts[0]).not.toHaveProperty('active_insurance_policy');
  });

  test('has none of them where every step is still there', async () => {
    const { submit, toContact, posts } = setUp();
    await toContact();
    submit(contact);
    await vi.advanceTimersByTimeAsync(10);
    expect(posts[0]).not.toHaveProperty('earlier_answers');
  });
});

test('a visit that was started over is not kept again, whatever comes in meanwhile', async () => {
  const { runner, choose, kept } = setUp();
  choose({ accident_type: 'Car Accident' });
  runner.on.startOver();
  expect(kept.at(-1)).toBeUndefined();
  const count = kept.length;
  // A certificate that arrives, and the page that is hidden while it reloads.
  await runner.keepDrafts();
  expect(kept).toHaveLength(count);
});
