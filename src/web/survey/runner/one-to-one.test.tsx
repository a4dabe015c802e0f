import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { oneToOneConsents } from '../../../../content/consent/index.ts';
import type { Language } from '../../../model/fields/language.ts';
import { type Buyer, buyersAsAnswers } from '../../../model/rules/buyer-choice.ts';
import { initialState } from '../../../model/visit/state.ts';
import { renderState } from '../page/render-survey.tsx';
import { runnerFixture, stubBrowser } from '../test-support/runner-fixture.ts';
import { beforeZip, buyers, dallas, pageDataOf } from '../test-support/survey-fixture.ts';

const stepConsents = {
  PhoneAndBuyersConsent: { version: 'buyers', language: 'en', text: 'I agree.' },
} as const;

const contact = { first_name: 'Maria', last_name: 'Diaz', email: 'maria@mail.example' };
const found = { consent: 'yes', timeout: 'no', buyers };

/** Creates a runner at the step `at`. `answerBuyers` answers the request for the buyers. */
async function setUp(path = '/survey/v6', at = 'ZipCode') {
  const data = await pageDataOf(path, { stepConsents });
  let answerBuyers: (answer: Response) => void = () => undefined;
  const answer = (url: string) => {
    if (url.startsWith('/us/')) return Response.json({ ...dallas, zip: url.slice(4) });
    if (url === '/api/buyers') return new Promise<Response>((resolve) => (answerBuyers = resolve));
    return Response.json({});
  };
  const fixture = runnerFixture(data, answer, { state: { given: beforeZip, at } });
  const arrives = (step: string) =>
    vi.waitFor(() => expect(fixture.runner.getState().at).toBe(step));
  const toName = async (zip_code = '10001') => {
    fixture.submit({ zip_code });
    await arrives('NameAndEmail');
  };
  const answers = async (buyers: Response) => {
    answerBuyers(buyers);
    await new Promise(setImmediate);
  };
  return { ...fixture, arrives, toName, answerBuyers: answers };
}

beforeEach(stubBrowser);
afterEach(() => vi.unstubAllGlobals());

test('a one-to-one survey requests the buyers as soon as the ZIP code is complete', async () => {
  const { type, submit, calls, arrives, toName, answerBuyers, ...set } = await setUp();
  const { posts, lead_id, runner, said, asked, secret } = set;
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
  expect(asked.at(-1)).toMatchObject({ path: '/api/buyers', secret });
  expect(JSON.stringify(asked.at(-1)?.body)).not.toContain(secret);
  await toName();
  expect(runner.getState().given.ZipCode).toEqual({ zip_code: '10001', state: 'TX' });
  await answerBuyers(Response.json(found));
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
    state: 'TX',
  });
});

test.each([
  ['an answer without buyers', () => Response.json({ consent: 'no', timeout: 'yes', buyers: [] })],
  ['a failed request', () => new Response('', { status: 503 })],
  ['an unreadable answer', () => new Response('<html>')],
])('a one-to-one survey shows the consent step without law firms after %s', async (_, answer) => {
  const { submit, calls, arrives, toName, answerBuyers } = await setUp();
  await toName();
  expect(calls('/api/buyers')).toHaveLength(1);
  submit(contact);
  await answerBuyers(answer());
  await arrives('PhoneAbbreviatedTCPA');
});

test('a one-to-one survey sends only one request to /api/mapping', async () => {
  const { runner, asked, lead_id, secret } = await setUp('/survey/v6', 'WhenWasTheAccident');
  runner.shown();
  runner.shown();
  const body = { affid: 1, oid: 160, lead_id, survey: '/survey/v6' };
  expect(asked).toEqual([{ path: '/api/mapping', body, secret }]);
});

type Step = 'PhoneAndBuyersConsent' | 'PhoneAbbreviatedTCPA';

async function render({
  step = 'PhoneAndBuyersConsent',
  draft = {},
  language = 'en',
  shown = buyers,
  preselectsFirms = true,
  state: usState = 'NY',
}: {
  step?: Step;
  draft?: Record<string, string>;
  language?: Language;
  shown?: readonly Buyer[];
  preselectsFirms?: boolean;
  state?: string;
} = {}): Promise<string> {
  const stepConsents = oneToOneConsents(language, 'Claim Guide');
  const data = await pageDataOf('/survey/v6', { language, stepConsents });
  const found = { state: usState, '1_to_1_consent': 'yes', ...buyersAsAnswers(shown) };
  const given = {
    ...beforeZip,
    ZipCode: { zip_code: '10001', ...found },
    NameAndEmail: { first_name: 'Maria', last_name: 'Diaz', email: 'maria@mail.example' },
  };
  const settings = { ...data.settings, preselectsFirms };
  const state = { ...initialState(data.flow), given, drafts: { [step]: draft }, at: step };
  return renderState({ ...data, settings }, state);
}

/** Returns the value of each law firm's input, and whether it is checked. */
const inputs = (html: string) =>
  [...html.matchAll(/<input type="(?:checkbox|radio)"[^>]* name="selected_buyers"[^>]*>/g)].map(
    ([input]) => [/value="([^"]*)"/.exec(input)?.[1], input.includes('checked')],
  );

const consentIn = (html: string) =>
  (/<p id="tcpa"[^>]*>(.*?)<\/p>/.exec(html)?.[1] ?? '').replace(/<[^>]*>/g, '');

test('several law firms are shown as checkboxes', async () => {
  const html = await render();
  expect(inputs(html)).toEqual([
    ['50001,50009', true],
    ['50002', true],
  ]);
  expect(html).toMatch(/<span [^>]*advertiser-name-1">Smith, Jones &amp; Co<\/span>/);
  expect(consentIn(html)).toContain(
    'call and text me about my accident: Smith, Jones &amp; Co; Diaz Law.',
  );
  expect(html).toContain('Send without choosing a firm');
  for (const options of [{ preselectsFirms: false }, { state: 'CO' }]) {
    const unchosen = inputs(await render(options));
    expect(unchosen.map(([, isChosen]) => isChosen)).toEqual([false, false]);
  }
});

test.each([
  [{}, [true, false]],
  [{ preselectsFirms: false }, [false, false]],
  [{ draft: { selected_buyers: '' } }, [false, true]],
])('a single law firm is shown as a question with Yes and No', async (options, expected) => {
  const html = await render({ ...options, shown: buyers.slice(1) });
  const [, legend = ''] = /<legend>(.*?)<\/legend>/.exec(html) ?? [];
  expect(legend).toMatch(/ <span [^>]*advertiser-name-1">Diaz Law<\/span> /);
  expect(legend.replace(/<[^>]*>/g, '')).toBe('May Diaz Law call you?');
  expect(inputs(html)).toEqual([
    ['50002', expected[0]],
    ['', expected[1]],
  ]);
  expect(consentIn(html)).toContain('Diaz Law may call and text me');
});
