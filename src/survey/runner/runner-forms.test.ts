import type { FocusEvent, FormEvent } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PostLeadBody } from '../../contract/lead.ts';
import type { Answers } from '../../domain/answers.ts';
import { type FlowId, flowLoaders, surveys } from '../../flows/surveys.ts';
import { surveyPageData } from '../page/page-data.ts';
import type { Queue } from '../queue/queue.ts';
import { settings, today } from '../test-support/survey-fixture.ts';
import { Checks } from './checks.ts';
import { Runner } from './runner.ts';
import { initialState } from './runner-state.ts';
import { StepHistory } from './step-history.ts';
import { newVisit } from './visit.ts';
import { walkContext } from './walk-context.ts';

const consent = { version: '2026-11-20', language: 'en', text: 'I agree.' } as const;

/** A runner of a flow's first survey, whose zip look-up answers when `answerZip` is called. */
async function setUp(flowId: FlowId) {
  const survey = surveys.find(({ flow }) => flow === flowId);
  if (!survey) throw new Error(`no survey runs ${flowId}`);
  const flow = await flowLoaders[flowId]();
  const data = surveyPageData(survey, flow, settings, consent, today);
  const visit = newVisit(survey.path, {
    href: `https://site.example${survey.path}`,
    referrer: '',
    now: Date.now(),
  });
  const { lead_id } = visit.session;
  const posts: PostLeadBody[] = [];
  const queue = {
    outbox: { keepVisit: async () => undefined },
    save: async () => undefined,
    post: async (body: PostLeadBody) => {
      posts.push(body);
      return { stored: true, settled: Promise.resolve(true) };
    },
  } as unknown as Queue;
  const asked: string[] = [];
  let answerZip: (answer: object) => void = () => undefined;
  const doFetch = (async (path: string) => {
    asked.push(path);
    if (!path.startsWith('/us/')) return Response.json({});
    return Response.json(await new Promise<object>((resolve) => (answerZip = resolve)));
  }) as unknown as typeof fetch;
  const history = { state: null, pushState: vi.fn(), replaceState: vi.fn(), back: vi.fn() };
  const runner = new Runner({
    data,
    context: walkContext(data, today),
    state: initialState(data.flow),
    visit,
    queue,
    checks: new Checks(survey.path, lead_id, doFetch),
    history: new StepHistory(history, lead_id, 0, survey.path),
    page: {
      now: Date.now,
      search: () => '',
      userAgent: 'UA',
      open: () => undefined,
      offer: () => undefined,
      leave: () => undefined,
      reload: () => undefined,
      consentText: () => consent.text,
      dispatch: () => undefined,
    },
  });
  const submit = (values: Answers = {}) =>
    runner.on.submit({
      preventDefault: () => undefined,
      currentTarget: { values },
    } as unknown as FormEvent<HTMLFormElement>);
  return { runner, submit, posts, asked, answerZip: (answer: object) => answerZip(answer) };
}

beforeEach(() => {
  vi.stubGlobal('localStorage', { setItem: () => undefined, removeItem: () => undefined });
  vi.stubGlobal(
    'FormData',
    class {
      readonly #values: Answers;
      constructor(form: { values: Answers }) {
        this.#values = form.values;
      }
      get(name: keyof Answers) {
        return this.#values[name] ?? null;
      }
    },
  );
});

afterEach(() => vi.unstubAllGlobals());

test('a start button leads on; the answers of toggle buttons count', async () => {
  const { runner, submit } = await setUp('three-step');
  submit();
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

const second = {
  injury_month: '03',
  injury_year: '2026',
  case_description: 'A truck hit my car from behind.',
  zip_code: '75201',
};

test('a step in the middle waits for its zip code, and does not go on with an unknown one', async () => {
  const { runner, submit, answerZip } = await setUp('three-step');
  submit();
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

test('the description of a form is checked when it is left', async () => {
  const { runner, asked } = await setUp('one-page');
  const target = { name: 'case_description', value: ` ${second.case_description} ` };
  runner.on.leave({ target } as unknown as FocusEvent<HTMLFormElement>);
  expect(asked).toEqual(['/api/check/text']);
});
