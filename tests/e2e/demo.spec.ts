import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { type Browser, expect, type Page, type Request } from '@playwright/test';
import type { ReceivedRequest } from '../../sandbox/journal.ts';
import { type ServiceName, serviceNames } from '../../sandbox/service.ts';
import { calendarDate } from '../../src/domain/dates.ts';
import { dateAnswers } from '../../src/flows/test-support/samples.ts';
import { oneToOne } from '../../src/flows/variants/one-to-one.ts';
import { heardBesides } from '../support/told.ts';
import { type Demo, startDemo } from './support/demo.ts';
import { openSurvey, test } from './support/journeys.ts';
import { collectErrors } from './support/page-errors.ts';
import { answerStep, expectStep, watchLeadId } from './support/survey-page.ts';

/**
 * The whole system at work: `npm run demo` and one visitor's survey. Every third party must receive what it
 * should, in its wire format, and nothing more. Every personal field of the visitor is a canary.
 */
const today = calendarDate(new Date(), 'America/New_York');

const person = {
  first_name: 'Kanaria',
  last_name: 'Kanarienvogel',
  // A disposable domain: refused once, accepted the second time, and reported to the operators.
  email: 'kanaria.vogel@mailinator.com',
  phone: '2125550147',
  // The description contains a blocked term.
  case_description:
    'The canary sat in my car at a red light when it was a hit and run from behind.',
  zip_code: '68102',
  city: 'Omaha',
  date_of_birth: '1931-04-12',
};
/** Matches the digits alone, not as part of an id, a time or a longer number. */
const alone = (digits: string) => `(?<![\\w.-])${digits}(?![\\w.-])`;
const CANARY = new RegExp(
  `kanari|canary|555\\D{0,3}0147|omaha|${alone('68102')}|1931-04-12|${alone('1931')}`,
  'i',
);

let demo: Demo;
let leadId: string;
/** The address where the visitor arrived, with prefilled details. */
let landing: string;
/** The address of the last page. */
let thanks: URL;
/** All requests of the browser, to any host. */
const requests: { url: URL; referer: string; body: string }[] = [];
const said: string[] = [];
let errors: string[];

// All tests look at one visit.
test.describe.configure({ mode: 'default' });

test.beforeAll(async ({ browser }) => {
  demo = await startDemo();
  await visit(browser);
});
test.afterAll(() => demo?.stop());

const ofSandbox = async <What>(path: string): Promise<What> =>
  (await (await fetch(`${demo.sandboxUrl}/_sandbox/${path}`)).json()) as What;
const received = (service: ServiceName) =>
  ofSandbox<ReceivedRequest[]>(`received?service=${service}`);

/** Walks the survey that the demo names, and waits until every third party has received its requests. */
async function visit(browser: Browser): Promise<void> {
  const page = await browser.newPage({ reducedMotion: 'reduce' });
  errors = collectErrors(page);
  const asked: Request[] = [];
  page.context().on('request', (request) => asked.push(request));
  page.on('console', (message) => said.push(message.text()));
  const idOfLead = await watchLeadId(page);
  const address = new URL(demo.survey, demo.url);
  address.searchParams.set('first_name', person.first_name);
  address.searchParams.set('last_name', person.last_name);
  landing = address.href;
  await openSurvey(page, landing, 'https://ads.example.net/');

  const { zip_code, case_description } = person;
  const answer = async (step: string, answers: Parameters<typeof answerStep>[3]) => {
    await expectStep(page, step);
    await answerStep(page, oneToOne, step, answers);
  };
  await answer('StartPath', { accident_type: 'Car Accident' });
  await answer('WhenWasTheAccident', dateAnswers(today, 200));
  await answer('AtFault', { at_Fault: 'no' });
  await answer('WasUserInjured', { specific_injury: 'Whiplash', physical_injury: 'Yes' });
  await answer('DidYouReceiveMedicalTreatment', { doctor_treatment: 'yes' });
  await answer('PoliceReportFiled', { police_report: 'yes' });
  await answer('HasLawyer', { with_Lawyer: 'no' });
  await answer('IncidentDescription', { case_description, hit_and_run: 'no' });
  await answer('ZipCode', { zip_code });
  await expectStep(page, 'NameAndEmail');
  await expect(page.locator('[name="first_name"]')).toHaveValue(person.first_name);
  await expect(page.locator('[name="last_name"]')).toHaveValue(person.last_name);
  await answer('NameAndEmail', { email: person.email });
  await expect(page.locator('[name="email"]')).toHaveAttribute('aria-invalid', 'true');
  await page.locator('[data-step] button[type=submit]').click();
  await answer('DateOfBirth', {
    date_of_birth_month: '04',
    date_of_birth_day: '12',
    date_of_birth_year: '1931',
  });
  await expectStep(page, 'PhoneAndBuyersConsent');
  await page.getByRole('checkbox', { name: 'Sandbox Law Group' }).uncheck();
  await page.locator('[name="phone"]').fill(person.phone);
  await page.locator('[data-step] button[type=submit]').click();
  await enterCode(page);
  await page.waitForURL('**/survey-thank-you/?**');
  // Personal values leave the address (docs/specification.md#privacy-of-the-thank-you-page).
  await expect.poll(() => page.url()).not.toMatch(CANARY);
  thanks = new URL(page.url());
  leadId = idOfLead();
  // The webhook receives an event for the lead and for every delivery.
  const events = async () =>
    (await received('webhook')).map(({ body }) => {
      const { type, data } = body as { type: string; data: { destination?: string } };
      return [type, data.destination].filter(Boolean).join(' ');
    });
  await expect
    .poll(async () => (await events()).toSorted())
    .toEqual([
      'delivery.delivered automation',
      'delivery.delivered exchange',
      'delivery.delivered ingest',
      'delivery.delivered trustedform',
      'lead.accepted',
    ]);
  for (const request of asked) {
    const { referer = '' } = await request.allHeaders();
    requests.push({ url: new URL(request.url()), referer, body: request.postData() ?? '' });
  }
  await page.context().close();
}

async function enterCode(page: Page): Promise<void> {
  const codes = () => ofSandbox<{ to: string; code: string }[]>('codes');
  await expect.poll(async () => (await codes()).map(({ to }) => to)).toEqual([`+1${person.phone}`]);
  const [sent] = await codes();
  await page
    .getByRole('dialog')
    .getByRole('textbox')
    .fill(sent?.code ?? '');
}

/** Returns the lead's whole story, as `leads show` prints it. */
async function show(...options: string[]): Promise<string> {
  const args = [join('src', 'cli', 'leads.ts'), 'show', leadId, ...options];
  const env = { ...process.env, NODE_OPTIONS: '', DATA_DIR: demo.dataDir };
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return stripVTControlCharacters(stdout);
}

test('the visitor notices none of it, and the lead has the visit’s data', async () => {
  expect(errors).toEqual([]);
  expect(Object.fromEntries(thanks.searchParams)).toMatchObject({
    q: 'y',
    cl: expect.stringMatching(/^[1-7]$/),
    affid: '389',
  });
  const [ingested] = (await received('ingest')).map(({ body }) => body as Record<string, string>);
  const [click] = await ofSandbox<{ key: string }[]>('effects?service=clicks');
  const [certificate] = await ofSandbox<{ key: string }[]>('effects?service=trustedform');
  expect(ingested).toMatchObject({
    lead_id: leadId,
    sms_verified: 'yes',
    sms_verified_at: expect.stringMatching(/^\d{4}-/),
    trustedform_cert_url: `${demo.sandboxUrl}/${certificate?.key}`,
    trusted_form_cert_id: certificate?.key,
    leadid_token: expect.stringMatching(/^[0-9A-F-]{36}$/),
    ef_transaction_id: click?.key,
    bad_words: 'yes',
    is_gibberish: 'no',
    selected_buyers: '50002',
    city: 'Omaha',
    state: 'NE',
    date_of_birth_year: '1931',
    verification: '{"status":"ok"}',
  });
});

/** How many requests each third party receives, and a part of one of them. */
const hearings: Readonly<
  Record<
    Exclude<ServiceName, 'ip' | 'partner' | 'contact' | 'timestamp'>,
    readonly [times: number, expected: () => unknown]
  >
> = {
  ingest: [1, () => ({ body: { lead_id: leadId, email: person.email, oid: '160' } })],
  phone: [1, () => ({ path: '/api/json/phone', body: { phone: person.phone } })],
  email: [1, () => ({ path: '/api/json/email', body: { email: person.email } })],
  sms: [2, () => ({ body: { To: `+1${person.phone}`, Channel: 'sms' } })],
  slack: [1, () => ({ body: { text: expect.stringContaining('An e-mail address was blocked') } })],
  automation: [1, () => ({ body: { lead_id: leadId, bad_words: 'yes' } })],
  exchange: [
    1,
    () => ({
      body: {
        project: 'MVA',
        leadId: expect.stringMatching(/^[0-9A-F-]{36}$/),
        zipCode: '68102',
        tf: expect.stringMatching(/\/[0-9a-f]{40}$/),
      },
    }),
  ],
  webhook: [5, () => ({ body: { type: 'lead.accepted', data: { lead_id: leadId } } })],
  zip: [1, () => ({ path: '/us/68102' })],
  gibberish: [1, () => ({ body: expect.stringContaining(person.case_description) })],
  mapping: [1, () => ({ body: { affid: 389, oid: 160 } })],
  buyers: [1, () => ({ body: { zip_code: '68102', oid: '160', affid: '389' } })],
  prefill: [1, () => ({ path: '/check-affid-pre/389/100' })],
  estimate: [1, () => ({ body: { physical_injury: 'Yes' } })],
  'save-data': [1, () => ({ body: { session: { lead_id: leadId } } })],
  verification: [
    1,
    () => ({
      body: { zip_code: '68102', trusted_form_cert_id: expect.stringMatching(/^\w{40}$/) },
    }),
  ],
  clicks: [2, () => ({ path: '/clk', query: { oid: '160', affid: '389', sub1: 'demo' } })],
  trustedform: [2, () => ({ method: 'POST', body: { retain: { reference: leadId } } })],
  leadid: [1, () => ({ path: expect.stringMatching(/^\/campaign\//) })],
  'call-tracking': [1, () => ({ path: '/ringba/google' })],
  pixel: [2, () => ({ path: '/pixels/ad.svg' })],
};

test('every third party receives its requests, in its wire format', async () => {
  // The port is a free one, which `.env` asks for.
  expect(new URL(demo.sandboxUrl).port).not.toBe('4010');
  // Every service, including four that this visitor does not use.
  expect([...Object.keys(hearings), 'ip', 'partner', 'contact', 'timestamp'].toSorted()).toEqual(
    serviceNames.toSorted(),
  );
  for (const [service, [times, expected]] of Object.entries(hearings)) {
    const heard = () => received(service as ServiceName);
    await expect
      .poll(async () => (await heard()).length, { message: service })
      .toBeGreaterThanOrEqual(times);
    const requests = await heard();
    expect(requests, service).toEqual(expect.arrayContaining([containing(expected())]));
    expect(requests.filter(({ answer }) => (answer?.status ?? 500) >= 400)).toEqual([]);
  }
  expect(await ofSandbox('violations')).toEqual([]);
  expect(await ofSandbox('received?service=unknown')).toEqual([]);
});

test('the operators’ command shows everything in order of time', async () => {
  type Story = {
    deliveries: { destination: string; state: string }[];
    checks: { service: string; outcome: string }[];
  };
  let { deliveries, checks }: Story = { deliveries: [], checks: [] };
  // The webhook has just received the last event.
  const open = async () => {
    ({ deliveries, checks } = JSON.parse(await show('--json')) as Story);
    return deliveries.filter(({ state }) => state !== 'delivered');
  };
  await expect.poll(open).toEqual([]);
  expect(deliveries).toHaveLength(9);
  // A check that was asked before the visit's first save is recorded some seconds later.
  const told = async () => {
    await open();
    return checks.map(({ service, outcome }) => `${service} ${outcome}`).toSorted();
  };
  await expect.poll(told, { timeout: 30_000 }).toEqual([
    'buyers answered',
    'email answered',
    'email remembered',
    'gibberish answered',
    'mapping answered',
    'phone answered',
    'verification answered',
    // The page may have asked before the lead's first save.
    expect.stringMatching(/^zip (answered|remembered)$/),
  ]);

  const text = await show();
  // The gibberish check has no fixed place: nothing waits for its answer.
  const inOrder = [
    'StartPath answered',
    'mapping: answered',
    'zip: ',
    'buyers: answered',
    'email: answered',
    'DateOfBirth answered',
    'phone: answered',
    'code sent',
    'code entered: correct, the number is verified',
    'buyers shown: Sandbox Law Group (50001), Example Injury Attorneys (50002), chosen',
    'post      received',
    'call_tracking_number = 2125550142',
    'rules     qualified',
    'ingest: delivered, id ',
  ];
  const oneLine = text.replace(/\s*\n\s*/g, ' ').replace(/ +/g, ' ');
  const places = inOrder.map((what) => oneLine.indexOf(what.replace(/ +/g, ' ')));
  expect(places, JSON.stringify(inOrder)).toEqual(places.toSorted((one, other) => one - other));
  expect(places[0]).toBeGreaterThan(0);
  for (const who of ['exchange', 'automation', 'trustedform', 'ingest']) {
    expect(oneLine).toContain(`${who} attempt 1: delivered`);
    expect(oneLine).toContain(`webhook delivery.delivered of ${who}: delivered`);
  }
  expect(oneLine).toContain('webhook lead.accepted: delivered');
  for (const name of ['ef_transaction_id', 'trustedform_cert_url', 'leadid_token']) {
    expect(oneLine).toMatch(new RegExp(` ${name} = \\S{32}`));
  }
  expect(oneLine).toContain('verification of revision 1: answered');
  // The command uses the demo's settings.
  expect(oneLine).not.toContain('is not configured here');
});

test('the doctor checks the accounts of the running demo', async () => {
  const env = { ...process.env, NODE_OPTIONS: '', DATA_DIR: demo.dataDir };
  const args = [join('src', 'server', 'doctor', 'main.ts')];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  expect(stdout).toMatch(/^works +the lead-ingest service \(Lead Prosper\): the sandbox: /m);
});

test('personal data appears only where it belongs', async () => {
  // First proves that the canary pattern would find something.
  const [ingested] = await received('ingest');
  for (const [field, value] of Object.entries(person)) {
    expect(ingested?.body).toMatchObject({ [field]: value });
    expect(value).toMatch(CANARY);
  }

  // The server's log at every level, and the demo's own output.
  const lines = demo.output().split('\n');
  expect(lines.length).toBeGreaterThan(requests.length);
  expect(lines.filter((line) => CANARY.test(line))).toEqual([]);

  for (const path of ['/metrics', '/readyz', '/healthz']) {
    const answer = await fetch(demo.operationsUrl + path);
    expect(answer.status).toBe(200);
    expect(await answer.text()).not.toMatch(CANARY);
  }

  for (const request of await ofSandbox<ReceivedRequest[]>('received')) {
    expect(heardBesides(request), request.service).not.toMatch(CANARY);
  }

  // Two addresses may contain personal values: the landing address (docs/specification.md#prefill) and
  // docs/specification.md#thank-you-query. Our own server also looks up the zip code.
  const withPerson: string[] = [];
  for (const { url, referer, body } of requests) {
    const isOurs = url.origin === demo.url;
    if (CANARY.test(decodeURIComponent(url.href)))
      withPerson.push(isOurs ? url.pathname : url.href);
    if (!isOurs) expect(body).not.toMatch(CANARY);
    // The page's resources were requested before the script cleaned the address.
    if (isOurs && referer === landing) continue;
    expect(decodeURIComponent(referer)).not.toMatch(CANARY);
  }
  expect(withPerson).toEqual(['/survey/v6', '/us/68102', '/survey-thank-you/']);
  expect(said.filter((line) => CANARY.test(line))).toEqual([]);
});

/** Matches a value that contains at least these parts, at any depth. */
function containing(part: unknown): unknown {
  if (typeof part !== 'object' || part === null) return part;
  if (Object.getPrototypeOf(part) !== Object.prototype) return part;
  const parts = Object.entries(part).map(([name, value]) => [name, containing(value)]);
  return expect.objectContaining(Object.fromEntries(parts));
}
