import type { FormEvent } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PostLeadBody } from '../../contract/lead.ts';
import type { Answers } from '../../domain/answers.ts';
import { type Survey, surveyAt } from '../../flows/surveys.ts';
import { oneToOne as flow } from '../../flows/variants/one-to-one.ts';
import { surveyPageData } from '../page/page-data.ts';
import type { Queue } from '../queue/queue.ts';
import { settings, today } from '../test-support/survey-fixture.ts';
import { Checks } from './checks.ts';
import { OneToOne } from './one-to-one.ts';
import { Runner } from './runner.ts';
import { initialState } from './runner-state.ts';
import { StepHistory } from './step-history.ts';
import { newVisit } from './visit.ts';
import { walkContext } from './walk-context.ts';

const consent = { version: '2026-11-20', language: 'en', text: 'The usual text.' } as const;
const stepConsents = {
  PhoneAndBuyersConsent: { version: 'buyers', language: 'en', text: 'I agree.' },
} as const;

/** Everything up to ZipCode, answered. */
const given = {
  StartPath: { accident_type: 'Car Accident' },
  WhenWasTheAccident: { injury_month: '05', injury_year: '2026' },
  AtFault: { at_Fault: 'no' },
  WasUserInjured: { physical_injury: 'No' },
  PoliceReportFiled: { police_report: 'yes' },
  HasLawyer: { with_Lawyer: 'no' },
  IncidentDescription: { case_description: 'I was hit from behind at a light.' },
};
const contact = { first_name: 'Maria', last_name: 'Diaz', email: 'maria@mail.example' };

/** A runner at `at`, whose buyers call answers when `answerBuyers` is called. */
function setUp(path: string, at = 'ZipCode') {
  const survey = surveyAt(path) as Survey;
  const data = surveyPageData(survey, flow, settings, consent, today, stepConsents);
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
  const asked: { path: string; body: Record<string, unknown> }[] = [];
  let answerBuyers: (answer: Response) => void = () => undefined;
  const doFetch = (async (url: string, init: RequestInit = {}) => {
    asked.push({ path: url, body: JSON.parse(String(init.body ?? '{}')) });
    if (url.startsWith('/us/')) {
      const place = { city: 'New York', state: 'NY', state_long: 'New York', county: 'New York' };
      return Response.json({ zip: url.slice(4), ...place });
    }
    if (url === '/api/buyers') return new Promise<Response>((resolve) => (answerBuyers = resolve));
    return Response.json({});
  }) as unknown as typeof fetch;
  const history = { state: null, pushState: vi.fn(), replaceState: vi.fn(), back: vi.fn() };
  const runner = new Runner({
    data,
    context: walkContext(data, today),
    state: { ...initialState(flow), given, at },
    visit,
    queue,
    checks: new Checks(survey.path, lead_id, doFetch),
    oneToOne: new OneToOne(survey, visit, String(survey.affiliateId), doFetch),
    history: new StepHistory(history, lead_id, 0, survey.path),
    page: {
      now: Date.now,
      search: () => '',
      userAgent: 'UA',
      open: () => undefined,
      offer: () => undefined,
      leave: () => undefined,
      reload: () => undefined,
      consentText: () => 'I agree.',
      dispatch: () => undefined,
    },
  });
  const submit = (values: Answers) =>
    runner.on.submit({
      preventDefault: () => undefined,
      currentTarget: { values },
    } as unknown as FormEvent<HTMLFormElement>);
  const calls = (to: string) => asked.filter((each) => each.path === to).map(({ body }) => body);
  const at_ = (step: string) => vi.waitFor(() => expect(runner.getState().at).toBe(step));
  return {
    runner,
    submit,
    posts,
    calls,
    at: at_,
    lead_id,
    answerBuyers: (answer: Response) => answerBuyers(answer),
  };
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
      getAll(name: keyof Answers) {
        return this.#values[name]?.split(' ') ?? [];
      }
    },
  );
});

afterEach(() => vi.unstubAllGlobals());

const offer = {
  consent: 'yes',
  timeout: 'no',
  buyers: [
    { name: 'Smith, Jones & Co', ids: ['50001', '50009'] },
    { name: 'Diaz Law', ids: ['50002'] },
  ],
};

test('the zip code finds the state and the buyers, and the choice is posted', async () => {
  const { submit, calls, at, answerBuyers, posts, lead_id, runner } = setUp('/survey/v6');
  submit({ zip_code: '10001' });
  await vi.waitFor(() => expect(calls('/api/buyers')).toHaveLength(1));
  expect(calls('/api/buyers')[0]).toMatchObject({
    lead_id,
    survey: '/survey/v6',
    zip_code: '10001',
    at_Fault: 'no',
  });
  expect(runner.getState()).toMatchObject({ at: 'ZipCode', phase: 'checking' });
  // Pressed twice it is asked once.
  submit({ zip_code: '10001' });
  answerBuyers(Response.json(offer));
  await at('NameAndEmail');
  expect(runner.getState().given.ZipCode).toEqual({
    zip_code: '10001',
    state: 'NY',
    '1_to_1_consent': 'yes',
    displayed_buyers: 'Smith, Jones & Co|Diaz Law',
    displayed_buyer_ids: '50001,50009|50002',
  });
  submit(contact);
  await at('PhoneAndBuyersConsent');
  submit({ phone: '(212) 555-0123', selected_buyers: '50001,50009 50002' });
  await vi.waitFor(() => expect(posts).toHaveLength(1));
  expect(calls('/api/buyers')).toHaveLength(1);
  expect(posts[0]).toMatchObject({
    selected_buyers: '50001,50009,50002',
    '1_to_1_consent': 'yes',
    consent_version: 'buyers',
    state: 'NY',
  });
});

test('fixed buyers need no call; none chosen is an answer', async () => {
  const { submit, calls, at, posts } = setUp('/survey/v4nv-d2');
  submit({ zip_code: '10001' });
  await at('NameAndEmail');
  submit(contact);
  await at('PhoneAndBuyersConsent');
  submit({ phone: '(212) 555-0123' });
  await vi.waitFor(() => expect(posts).toHaveLength(1));
  expect(calls('/api/buyers')).toEqual([]);
  expect(posts[0]?.displayed_buyers?.split('|')).toHaveLength(5);
  expect(posts[0]).not.toHaveProperty('selected_buyers');
});

test.each([
  ['no buyers', () => Response.json({ consent: 'no', timeout: 'yes', buyers: [] })],
  ['our server fails', () => new Response('', { status: 503 })],
  ['garbage', () => new Response('<html>')],
])('%s: the short consent', async (_, answer) => {
  const { submit, calls, at, answerBuyers } = setUp('/survey/v6');
  submit({ zip_code: '10001' });
  await vi.waitFor(() => expect(calls('/api/buyers')).toHaveLength(1));
  answerBuyers(answer());
  await at('NameAndEmail');
  submit(contact);
  await at('PhoneAbbreviatedTCPA');
});

test('the visitor may go back meanwhile; an answer that comes then changes nothing', async () => {
  const { submit, calls, answerBuyers, runner } = setUp('/survey/v6');
  submit({ zip_code: '10001' });
  await vi.waitFor(() => expect(calls('/api/buyers')).toHaveLength(1));
  runner.on.back();
  expect(runner.getState()).toMatchObject({ at: 'IncidentDescription', phase: 'asking' });
  answerBuyers(Response.json(offer));
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(runner.getState().at).toBe('IncidentDescription');
  expect(runner.getState().given).not.toHaveProperty('ZipCode');
});

test('the account is looked up at WhenWasTheAccident, once, with numbers', () => {
  const { runner, calls, lead_id } = setUp('/survey/v6', 'WhenWasTheAccident');
  runner.shown();
  runner.shown();
  expect(calls('/api/mapping')).toEqual([{ affid: 1, oid: 160, lead_id, survey: '/survey/v6' }]);
});
