import { describe, expect, test, vi } from 'vitest';
import {
  type FixtureOptions,
  runnerFixture,
  showScreens,
  stubBrowserForTests,
} from '../test-support/runner-fixture.ts';
import { dallas, pageData } from '../test-support/survey-fixture.ts';

const places: Record<string, object> = {
  '75201': dallas,
  '10001': { ...dallas, zip: '10001', city: 'New York', state: 'NY' },
  '00000': { zip: '00000', city: '', state: '', state_long: '', county: '' },
};
const contact = { phone: '(214) 555-0143', zip_code: '75201' };
const name = { first_name: ' Ann ', last_name: 'Lee', email: 'Ann@EXAMPLE.com' };
const description = { case_description: ' A truck hit my car from behind. ' };

function setUp({
  zipDelayMs = 0,
  phone = { valid: true, active: true },
  ...options
}: FixtureOptions & {
  phone?: { valid?: boolean; active?: boolean; forced?: true };
  zipDelayMs?: number;
} = {}) {
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
  const fixture = runnerFixture(pageData(), answer, { query: '?s1=abc', search, ...options });
  showScreens(fixture.runner);
  const { choose, submit, runner } = fixture;
  const toDescription = (at_Fault = 'no') => {
    choose({ accident_type: 'Car Accident' });
    submit({ injury_month: '3', injury_year: '2026', injury_day: '' });
    choose({ at_Fault });
    choose({ physical_injury: 'Yes', specific_injury: 'Other' });
    choose({ doctor_treatment: 'yes' });
    choose({ police_report: 'yes' });
    choose({ with_Lawyer: 'no' });
    expect(runner.getState().at).toBe('IncidentDescription');
  };
  const toContact = async (at_Fault?: string) => {
    toDescription(at_Fault);
    submit(description);
    submit(name);
    await vi.advanceTimersByTimeAsync(10);
  };
  const finish = async (at_Fault?: string) => {
    await toContact(at_Fault);
    submit(contact);
    await vi.advanceTimersByTimeAsync(10);
  };
  return { ...fixture, toDescription, toContact, finish };
}

stubBrowserForTests();

describe('the runner', () => {
  test('saves an answer and shows the next step', async () => {
    const { runner, choose, saves, steps, history, lead_id } = setUp();
    await vi.advanceTimersByTimeAsync(4000);
    choose({ accident_type: 'Other' });
    expect(runner.getState().at).toBe('WhenWasTheAccident');
    expect(saves.map(({ kind, step, seconds }) => [kind, step, seconds])).toEqual([
      ['viewed', 'StartPath', undefined],
      ['viewed', 'WhenWasTheAccident', undefined],
      ['answered', 'StartPath', 4],
    ]);
    const survey = '/survey/v4nv';
    expect(steps).toEqual([
      { step: 'StartPath', survey, lead_id },
      { step: 'WhenWasTheAccident', survey, lead_id },
    ]);
    expect(history.pushState).toHaveBeenCalledTimes(1);
  });

  test('posts the lead only once if the visitor submits the form several times', async () => {
    const { submit, toContact, posts, left, opened, ...set } = setUp();
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
    expect(posts[0]).not.toHaveProperty('earlier_answers');
    expect(left).toHaveLength(1);
    expect(left[0]).toMatch(
      /^\/survey-thank-you\/\?s1=abc&email=Ann%40example\.com&city=Dallas&state=TX&.*&q=y$/,
    );
    expect(left[0]).not.toContain('_ef_');
    expect(opened).toEqual([]);
    const { secret, saves, storedVisits, queuedSecrets } = set;
    expect(storedVisits.at(-1)).toMatchObject({ visit: { visit: { secret } } });
    expect(queuedSecrets).toEqual(Array(saves.length + 1).fill(secret));
    expect(JSON.stringify([posts, saves])).not.toContain(secret);
  });

  test('posts the time at which the consent step was last shown', async () => {
    const { runner, submit, toContact, posts, lead_id, visit } = setUp();
    expect(visit.consentShownAt).toBe('');
    await toContact();
    const late = setUp({ state: runner.getState(), forms: false });
    runner.arrived({ lead: lead_id, index: 0, base: 0 });
    await vi.advanceTimersByTimeAsync(60_000);
    const shownAt = new Date().toISOString();
    expect(late.visit.consentShownAt < shownAt).toBe(true);
    late.bringForms();
    expect(late.visit.consentShownAt).toBe(shownAt);
    runner.arrived({ lead: lead_id, index: 99, base: 0 });
    await vi.advanceTimersByTimeAsync(5000);
    submit(contact);
    await vi.advanceTimersByTimeAsync(10);
    expect(posts).toMatchObject([{ consent_shown_at: shownAt }]);
  });

  test.each<[string, FixtureOptions, staysMs: number, leavesMs: number, notice: string]>([
    ['an unanswered post', {}, 2400, 2600, 'saved'],
    ['a slow server', { reaches: () => new Promise(() => undefined) }, 2400, 4100, 'saved'],
    ['a browser that stores nothing', { stored: false }, 10_000, 16_000, 'unsaved'],
  ])(
    'opens the thank-you page within the time limit despite %s',
    async (_, options, staysMs, leavesMs, notice) => {
      const { runner, submit, toContact, left } = setUp({ settles: false, ...options });
      await toContact();
      submit(contact);
      await vi.advanceTimersByTimeAsync(staysMs);
      expect(left).toEqual([]);
      expect(runner.getState().sending).toBe(notice);
      await vi.advanceTimersByTimeAsync(leavesMs - staysMs);
      expect(left).toHaveLength(1);
    },
  );

  test('waits for an unreachable server before it opens the thank-you page', async () => {
    let isThere = false;
    const reaches = async () => isThere;
    const { runner, finish, left, flush, settle } = setUp({ settles: false, reaches });
    await finish();
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

  test('accepts a short description when the visitor submits it for the third time', () => {
    const { runner, submit, toDescription, saves } = setUp();
    toDescription();
    for (const case_description of ['Hit.', 'Rear-ended unexpectedly today']) {
      submit({ case_description });
      expect(runner.getState().at).toBe('IncidentDescription');
    }
    const refused = { kind: 'refused', answers: {}, refused: ['case_description'] };
    expect(saves.filter(({ kind }) => kind === 'refused')).toMatchObject([refused, refused]);
    submit({ case_description: 'Hit.' });
    expect(runner.getState().at).toBe('NameAndEmail');
  });

  test.each([
    [{ valid: false, active: true }, true],
    [{ valid: true, active: false }, true],
    [{ valid: true, active: false, forced: true }, false],
    [{ valid: true }, false],
  ] as const)(
    'uses the result of the check to accept or refuse a phone number',
    async (phone, isRefused) => {
      const { runner, finish, posts } = setUp({ phone });
      await finish();
      expect(runner.getState().errors).toEqual(isRefused ? { phone: 'not_reachable' } : {});
      expect(posts).toHaveLength(isRefused ? 0 : 1);
    },
  );

  test('opens the partner’s page for a disqualified visitor after the lead is stored', async () => {
    const { promise: storing, resolve: store } = Promise.withResolvers<void>();
    const { runner, toContact, submit, type, opened, posts, left } = setUp({ storing });
    await toContact('yes');
    submit({ ...contact, zip_code: '00000' });
    // While the form is being checked, the runner ignores input.
    type('zip_code', '75201', contact);
    await vi.advanceTimersByTimeAsync(10);
    expect(runner.getState().errors).toEqual({ zip_code: 'unknown_zip' });
    type('zip_code', '75201', contact);
    await vi.advanceTimersByTimeAsync(10);
    expect(runner.getState()).toMatchObject({ errors: {} });
    submit(contact);
    expect(posts).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(500);
    expect(opened).toEqual([]);
    store();
    await vi.advanceTimersByTimeAsync(0);
    expect(opened).toEqual([
      expect.stringMatching(
        /^https:\/\/partner\.example\/click\?c=7&transaction_id=[0-9a-f]{32}&affid=1&sub_id=abc$/,
      ),
    ]);
    expect(left).toEqual([expect.stringMatching(/&q=n$/)]);
  });

  test.each(['leaves it', 'submits it at once'])(
    'refuses a blocked e-mail address only when the visitor first enters it',
    async (how) => {
      const { runner, toDescription, submit, leave, calls } = setUp();
      const values = { ...name, email: 'a@throwaway.example' };
      toDescription();
      submit(description);
      if (how === 'leaves it') leave('email', values.email);
      else submit(values);
      expect(runner.getState().phase).toBe(how === 'leaves it' ? 'asking' : 'checking');
      await vi.advanceTimersByTimeAsync(10);
      if (how === 'leaves it') submit(values);
      const errors = { email: 'not_reachable' };
      expect(runner.getState()).toMatchObject({ at: 'NameAndEmail', phase: 'asking', errors });
      submit(values);
      expect(runner.getState().at).toBe('PhoneAndZip');
      expect(calls('/api/check/email')).toHaveLength(2);
    },
  );

  test('asks about a doubtful name and a blocked e-mail address once', async () => {
    const { runner, toDescription, submit } = setUp();
    const values = { first_name: 'Mar1a', last_name: 'Lee', email: 'a@throwaway.example' };
    toDescription();
    submit(description);
    submit(values);
    expect(runner.getState().errors).toEqual({ first_name: 'doubtful' });
    submit(values);
    await vi.advanceTimersByTimeAsync(10);
    const both = { first_name: 'doubtful', email: 'not_reachable' };
    expect(runner.getState()).toMatchObject({ at: 'NameAndEmail', errors: both });
    submit(values);
    expect(runner.getState().at).toBe('PhoneAndZip');
  });
});

test('a visitor from Alabama is asked for the date of birth', async () => {
  const { runner, submit, toContact, posts } = setUp({ visitorState: 'AL' });
  await toContact();
  expect(runner.getState().at).toBe('DateOfBirth');
  submit({ date_of_birth_month: '4', date_of_birth_day: '12', date_of_birth_year: '1985' });
  submit(contact);
  await vi.advanceTimersByTimeAsync(10);
  expect(posts).toMatchObject([{ visitor_state: 'AL', date_of_birth_year: '1985', state: 'TX' }]);
});
