import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { withZipStep } from '../../../model/flows/engine/adapt.ts';
import type { FlowId } from '../../../model/flows/surveys.ts';
import { runnerFixture, stubBrowser } from '../test-support/runner-fixture.ts';
import { dallas, pageDataOf } from '../test-support/survey-fixture.ts';

/** Creates a runner of a flow's first survey. `answerZip` answers the check of the ZIP code. */
async function setUp(flowId: FlowId) {
  let answerZip: (place: object) => void = () => undefined;
  const fixture = runnerFixture(await pageDataOf(flowId), async (path) => {
    if (!path.startsWith('/us/')) return Response.json({});
    return Response.json(await new Promise<object>((resolve) => (answerZip = resolve)));
  });
  return { ...fixture, answerZip: (place: object) => answerZip(place) };
}

async function toSecondQuestions() {
  const set = await setUp('three-step');
  set.choose({ accident_type: 'Other' });
  set.runner.on.toggle('physical_injury', 'Yes');
  set.runner.on.toggle('police_report', 'yes');
  set.submit();
  return set;
}

const watched: (string | null | undefined)[] = [];
vi.mock('./consent-facts.ts', () => ({
  watchConsent: (element: HTMLElement | null) => {
    watched.push(element?.textContent);
    return () => 'seen';
  },
}));

beforeEach(stubBrowser);
afterEach(() => vi.unstubAllGlobals());

test('a second press of a toggle button clears the answer', async () => {
  vi.useFakeTimers();
  const { runner, choose, submit, storedVisits } = await setUp('three-step');
  choose({ accident_type: 'Other' });
  submit();
  const missing = { physical_injury: 'required', police_report: 'required' };
  expect(runner.getState()).toMatchObject({ at: 'FormFirstQuestions', errors: missing });
  const before = storedVisits.length;
  runner.on.toggle('physical_injury', 'Yes');
  await vi.advanceTimersByTimeAsync(100);
  vi.useRealTimers();
  expect(storedVisits).toHaveLength(before + 1);
  expect(JSON.stringify(storedVisits.at(-1))).toContain('"drafts":{"FormFirstQuestions"');
  expect(runner.getState().errors).toEqual({ police_report: 'required' });
  runner.on.toggle('police_report', 'yes');
  runner.on.toggle('police_report', 'yes');
  submit();
  expect(runner.getState().errors).toEqual({ police_report: 'required' });
  runner.on.toggle('police_report', 'no');
  submit();
  const { at, given } = runner.getState();
  expect(at).toBe('FormSecondQuestions');
  expect(given.FormFirstQuestions).toEqual({ physical_injury: 'Yes', police_report: 'no' });
});

const second = {
  injury_month: '03',
  injury_year: '2026',
  case_description: 'A truck hit my car from behind.',
  zip_code: '75201',
};

test('a form refuses a ZIP code that the server does not know', async () => {
  const { runner, submit, answerZip } = await toSecondQuestions();
  runner.on.toggle('doctor_treatment', 'yes');
  runner.on.toggle('when_seek_medical_treatment', 'later');
  submit(second);
  expect(runner.getState()).toMatchObject({ at: 'FormSecondQuestions', phase: 'checking' });
  answerZip({ zip: '75201', city: '', state: '', state_long: '', county: '' });
  await vi.waitFor(() => expect(runner.getState().errors).toEqual({ zip_code: 'unknown_zip' }));
  expect(runner.getState()).toMatchObject({ at: 'FormSecondQuestions', phase: 'asking' });
  submit({ ...second, zip_code: '75202' });
  answerZip({ ...dallas, zip: '75202' });
  await vi.waitFor(() => expect(runner.getState().at).toBe('FormThirdQuestions'));
});

test('a form accepts an unknown ZIP code after the visitor has chosen a US state', async () => {
  const { runner, submit, answerZip } = await toSecondQuestions();
  runner.on.toggle('doctor_treatment', 'yes');
  runner.on.toggle('when_seek_medical_treatment', 'later');
  submit({ ...second, zip_code: '00601' });
  answerZip({ zip: '', city: '', state: '', state_long: '', county: '' });
  await vi.waitFor(() => expect(runner.getState().unknownZips).toBe(1));
  submit({ ...second, zip_code: '00601' });
  expect(runner.getState()).toMatchObject({ at: 'FormSecondQuestions', unknownZips: 2 });
  runner.on.toggle('state_choice', 'outside');
  submit({ ...second, zip_code: '00601' });
  const { at, given } = runner.getState();
  expect(at).toBe('FormThirdQuestions');
  expect(given.FormSecondQuestions).toMatchObject({ zip_code: '00601', state_choice: 'outside' });
});

test('a form accepts a doubtful value when the visitor submits it again', async () => {
  const { runner, submit, type } = await setUp('sl-v2');
  expect(runner.getState().at).toBe('NameAndEmail');
  const typed = { first_name: 'Mar1a', last_name: 'Lee', email: 'maria@gmial.com' };
  submit(typed);
  const at = 'NameAndEmail';
  const errors = { first_name: 'doubtful', email: 'doubtful' };
  expect(runner.getState()).toMatchObject({ at, errors });
  const changed = { ...typed, email: 'maria@gmai.com' };
  type('email', changed.email, typed);
  expect(runner.getState().errors).toEqual({ first_name: 'doubtful' });
  submit(changed);
  expect(runner.getState()).toMatchObject({ at, errors: { email: 'doubtful' } });
  submit(changed);
  await vi.waitFor(() => expect(runner.getState().at).toBe('TypeOfAccident'));
  expect(runner.getState().given.NameAndEmail).toMatchObject({
    first_name: 'Mar1a',
    email: 'maria@gmai.com',
  });
});

test('a step of its own for the ZIP code finds the US state', async () => {
  const data = await pageDataOf('short');
  const flow = withZipStep(data.flow);
  const { runner, submit } = runnerFixture({ ...data, flow }, () => Response.json(dallas), {
    state: { at: 'ZipCode' },
  });
  submit({ zip_code: '75201' });
  await vi.waitFor(() =>
    expect(runner.getState().given.ZipCode).toEqual({ zip_code: '75201', state: 'TX' }),
  );
});

test('the record of the consent describes the text that is on screen at the press', async () => {
  const { runner, submit, posts } = runnerFixture(
    await pageDataOf('short'),
    () => Response.json(dallas),
    { state: { at: 'PhoneAndZip' } },
  );
  await vi.waitFor(() => expect(watched).toHaveLength(1));
  // The form is shown again after the authorization or the dialog for the code.
  runner.dispatch({ type: 'refused', screen: runner.getState().screen, errors: {} });
  submit({ phone: '(214) 555-0143', zip_code: '75201' });
  expect(watched).toEqual(['I agree.', 'I agree.']);
  await vi.waitFor(() =>
    expect(posts[0]).toMatchObject({ consent_seen: 'seen', tcpa: 'I agree.' }),
  );
});
