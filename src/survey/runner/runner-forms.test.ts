import type { FocusEvent } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type FlowId, flowLoaders, surveys } from '../../flows/surveys.ts';
import { surveyPageData } from '../page/page-data.ts';
import { runnerFixture, stubBrowser } from '../test-support/runner-fixture.ts';
import { settings, today } from '../test-support/survey-fixture.ts';

const consent = { version: '2026-11-20', language: 'en', text: 'I agree.' } as const;

/** A runner of a flow's first survey, whose zip look-up answers when `answerZip` is called. */
async function setUp(flowId: FlowId) {
  const survey = surveys.find(({ flow }) => flow === flowId);
  if (!survey) throw new Error(`no survey runs ${flowId}`);
  const data = surveyPageData(survey, await flowLoaders[flowId](), settings, consent, today);
  let answerZip: (place: object) => void = () => undefined;
  const fixture = runnerFixture(data, async (path) => {
    if (!path.startsWith('/us/')) return Response.json({});
    return Response.json(await new Promise<object>((resolve) => (answerZip = resolve)));
  });
  return { ...fixture, answerZip: (place: object) => answerZip(place) };
}

beforeEach(stubBrowser);
afterEach(() => vi.unstubAllGlobals());

test('a start button leads on', async () => {
  const { runner, submit } = await setUp('ep');
  submit();
  expect(runner.getState().at).toBe('WhenWasTheAccident');
});

test('the answers of toggle buttons count', async () => {
  const { runner, choose, submit } = await setUp('three-step');
  choose({ accident_type: 'Other' });
  expect(runner.getState().at).toBe('FormFirstQuestions');
  submit();
  expect(runner.getState().errors).toEqual({
    physical_injury: 'required',
    police_report: 'required',
  });
  runner.on.toggle('physical_injury', 'Yes');
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

test('what is entered is kept a tenth of a second later, for a reload', async () => {
  vi.useFakeTimers();
  const { runner, choose, kept } = await setUp('three-step');
  choose({ accident_type: 'Other' });
  runner.on.toggle('physical_injury', 'Yes');
  const before = kept.length;
  await vi.advanceTimersByTimeAsync(100);
  vi.useRealTimers();
  expect(kept).toHaveLength(before + 1);
  expect(JSON.stringify(kept.at(-1))).toContain('"drafts":{"FormFirstQuestions"');
});

const second = {
  injury_month: '03',
  injury_year: '2026',
  case_description: 'A truck hit my car from behind.',
  zip_code: '75201',
};

test('a step in the middle waits for its zip code, and does not go on with an unknown one', async () => {
  const { runner, choose, submit, answerZip } = await setUp('three-step');
  choose({ accident_type: 'Other' });
  runner.on.toggle('physical_injury', 'Yes');
  runner.on.toggle('police_report', 'yes');
  submit();
  runner.on.toggle('doctor_treatment', 'yes');
  runner.on.toggle('when_seek_medical_treatment', 'later');
  submit(second);
  expect(runner.getState()).toMatchObject({ at: 'FormSecondQuestions', phase: 'checking' });
  answerZip({ zip: '75201', city: '', state: '', state_long: '', county: '' });
  await vi.waitFor(() => expect(runner.getState().errors).toEqual({ zip_code: 'unknown_zip' }));
  expect(runner.getState()).toMatchObject({ at: 'FormSecondQuestions', phase: 'asking' });
  submit({ ...second, zip_code: '75202' });
  answerZip({ zip: '75202', city: 'Dallas', state: 'TX', state_long: 'Texas', county: 'Dallas' });
  await vi.waitFor(() => expect(runner.getState().at).toBe('FormThirdQuestions'));
});

test('a question that an answer makes idle is not asked, and says what follows', async () => {
  const { runner, choose, submit } = await setUp('three-step');
  choose({ accident_type: 'Other' });
  runner.on.toggle('physical_injury', 'Yes');
  runner.on.toggle('police_report', 'yes');
  submit();
  runner.on.toggle('when_seek_medical_treatment', 'later');
  runner.on.toggle('doctor_treatment', 'no');
  submit({ ...second, zip_code: '' });
  expect(runner.getState().errors).toEqual({ zip_code: 'required' });
  runner.on.toggle('doctor_treatment', 'yes');
  runner.on.toggle('when_seek_medical_treatment', 'later');
  submit({ ...second, zip_code: '' });
  expect(runner.getState().errors).toEqual({
    when_seek_medical_treatment: 'required',
    zip_code: 'required',
  });
});

test('a letter in a zip code does not go without a word', async () => {
  const { runner } = await setUp('one-page');
  const type = (value: string) => {
    const target = { name: 'zip_code', value, ownerDocument: {} };
    runner.on.edit({ target, currentTarget: { values: {} }, nativeEvent: {} } as never);
    return [target.value, runner.getState().errors];
  };
  expect(type('1A')).toEqual(['1', { zip_code: 'invalid' }]);
  expect(type('10001-2')).toEqual(['10001', {}]);
});

test('the description of a form is checked when it is left', async () => {
  const { runner, asked } = await setUp('one-page');
  const target = { name: 'case_description', value: ` ${second.case_description} ` };
  runner.on.leave({ target } as unknown as FocusEvent<HTMLFormElement>);
  expect(asked.map(({ path }) => path)).toEqual(['/api/check/text']);
});

test('a name with a digit and a mistyped mail domain are asked about once, each time they are typed', async () => {
  const { runner, submit } = await setUp('sl-v2');
  expect(runner.getState().at).toBe('NameAndEmail');
  const typed = { first_name: 'Mar1a', last_name: 'Lee', email: 'maria@gmial.com' };
  submit(typed);
  expect(runner.getState()).toMatchObject({
    at: 'NameAndEmail',
    errors: { first_name: 'doubtful', email: 'doubtful' },
  });
  // What is typed anew is asked about anew.
  runner.on.edit({
    target: { name: 'email', value: 'maria@gmai.com' },
    currentTarget: { values: { ...typed, email: 'maria@gmai.com' } },
    nativeEvent: {},
  } as never);
  expect(runner.getState().errors).toEqual({ first_name: 'doubtful' });
  submit({ ...typed, email: 'maria@gmai.com' });
  expect(runner.getState()).toMatchObject({ at: 'NameAndEmail', errors: { email: 'doubtful' } });
  submit({ ...typed, email: 'maria@gmai.com' });
  await vi.waitFor(() => expect(runner.getState().at).toBe('TypeOfAccident'));
  expect(runner.getState().given.NameAndEmail).toMatchObject({
    first_name: 'Mar1a',
    email: 'maria@gmai.com',
  });
});
