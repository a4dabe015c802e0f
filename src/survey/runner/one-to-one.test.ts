import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Survey, surveyAt } from '../../flows/surveys.ts';
import { oneToOne as flow } from '../../flows/variants/one-to-one.ts';
import { surveyPageData } from '../page/page-data.ts';
import { runnerFixture, stubBrowser } from '../test-support/runner-fixture.ts';
import { settings, today } from '../test-support/survey-fixture.ts';

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
  let answerBuyers: (answer: Response) => void = () => undefined;
  const answer = (url: string) => {
    if (url.startsWith('/us/')) {
      const place = { city: 'New York', state: 'NY', state_long: 'New York', county: 'New York' };
      return Response.json({ zip: url.slice(4), ...place });
    }
    if (url === '/api/buyers') return new Promise<Response>((resolve) => (answerBuyers = resolve));
    return Response.json({});
  };
  const fixture = runnerFixture(data, answer, { state: { given, at } });
  const arrives = (step: string) =>
    vi.waitFor(() => expect(fixture.runner.getState().at).toBe(step));
  return { ...fixture, arrives, answerBuyers: (found: Response) => answerBuyers(found) };
}

beforeEach(stubBrowser);
afterEach(() => vi.unstubAllGlobals());

const found = {
  consent: 'yes',
  timeout: 'no',
  buyers: [
    { name: 'Smith, Jones & Co', ids: ['50001', '50009'] },
    { name: 'Diaz Law', ids: ['50002'] },
  ],
};

test('the buyers are asked for once the zip code is known, while the next step is answered', async () => {
  const { type, submit, calls, arrives, answerBuyers, posts, lead_id, runner, said } =
    setUp('/survey/v6');
  type('zip_code', '1000');
  expect(calls('/api/buyers')).toEqual([]);
  type('zip_code', '10001');
  expect(calls('/api/buyers')).toMatchObject([
    {
      lead_id,
      survey: '/survey/v6',
      zip_code: '10001',
      at_Fault: 'no',
      oid: '160',
      affid: '1',
      sub_id: '1',
      ef_transaction_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    },
  ]);
  submit({ zip_code: '10001' });
  // They have not come yet.
  await arrives('NameAndEmail');
  expect(runner.getState().given.ZipCode).toEqual({ zip_code: '10001', state: 'NY' });
  answerBuyers(Response.json(found));
  await new Promise(setImmediate);
  submit(contact);
  await arrives('PhoneAndBuyersConsent');
  expect(said).toEqual([]);
  expect(runner.getState().given.NameAndEmail).toEqual({
    ...contact,
    '1_to_1_consent': 'yes',
    displayed_buyers: 'Smith, Jones & Co|Diaz Law',
    displayed_buyer_ids: '50001,50009|50002',
  });
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

test('only the step before the choice waits for the buyers, and says so', async () => {
  const { submit, calls, arrives, answerBuyers, runner, said } = setUp('/survey/v6');
  submit({ zip_code: '10001' });
  await arrives('NameAndEmail');
  expect(said).toEqual([]);
  submit(contact);
  await vi.waitFor(() => expect(said).toEqual([expect.stringMatching(/law firms in your area/)]));
  expect(runner.getState()).toMatchObject({ at: 'NameAndEmail', phase: 'checking' });
  // Pressed twice it is asked once.
  submit(contact);
  answerBuyers(Response.json(found));
  await arrives('PhoneAndBuyersConsent');
  expect(calls('/api/buyers')).toHaveLength(1);
});

test('another zip code finds other buyers', async () => {
  const { submit, calls, arrives, answerBuyers, runner } = setUp('/survey/v6');
  submit({ zip_code: '10001' });
  await arrives('NameAndEmail');
  answerBuyers(Response.json(found));
  await new Promise(setImmediate);
  runner.on.back();
  await arrives('ZipCode');
  submit({ zip_code: '10002' });
  await arrives('NameAndEmail');
  submit(contact);
  await vi.waitFor(() => expect(calls('/api/buyers')).toHaveLength(2));
  answerBuyers(Response.json({ consent: 'no', timeout: 'no', buyers: [] }));
  await arrives('PhoneAbbreviatedTCPA');
});

test('fixed buyers need no call; none chosen is an answer', async () => {
  const { submit, calls, arrives, posts } = setUp('/survey/v4nv-d2');
  submit({ zip_code: '10001' });
  await arrives('NameAndEmail');
  submit(contact);
  await arrives('PhoneAndBuyersConsent');
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
  const { submit, calls, arrives, answerBuyers } = setUp('/survey/v6');
  submit({ zip_code: '10001' });
  await arrives('NameAndEmail');
  expect(calls('/api/buyers')).toHaveLength(1);
  submit(contact);
  answerBuyers(answer());
  await arrives('PhoneAbbreviatedTCPA');
});

test('the visitor may go back meanwhile; an answer that comes then changes nothing', async () => {
  const { submit, arrives, answerBuyers, runner } = setUp('/survey/v6');
  submit({ zip_code: '10001' });
  await arrives('NameAndEmail');
  submit(contact);
  await vi.waitFor(() => expect(runner.getState().phase).toBe('checking'));
  runner.on.back();
  await arrives('ZipCode');
  expect(runner.getState().phase).toBe('asking');
  answerBuyers(Response.json(found));
  await new Promise(setImmediate);
  expect(runner.getState().at).toBe('ZipCode');
  expect(runner.getState().given).not.toHaveProperty('NameAndEmail');
});

test.each([
  ['/api/mapping', 'WhenWasTheAccident'],
  ['/api/buyers', 'ZipCode'],
])('%s shows the lead’s secret as a header, and has it in no body', async (path, at) => {
  const { runner, submit, asked, calls, secret } = setUp('/survey/v6', at);
  runner.shown();
  if (at === 'ZipCode') submit({ zip_code: '10001' });
  await vi.waitFor(() => expect(calls(path)).toHaveLength(1));
  const call = asked.find((each) => each.path === path);
  expect(call?.secret).toBe(secret);
  expect(JSON.stringify(call?.body)).not.toContain(secret);
});

test('the account is looked up at WhenWasTheAccident, once, with numbers', () => {
  const { runner, calls, lead_id } = setUp('/survey/v6', 'WhenWasTheAccident');
  runner.shown();
  runner.shown();
  expect(calls('/api/mapping')).toEqual([{ affid: 1, oid: 160, lead_id, survey: '/survey/v6' }]);
});
