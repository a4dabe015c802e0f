/**
 * Walks one visitor from a prefilled link to every third party. The personal values are
 * recognizable in each third party's requests.
 */
import { expect, type Page, type Request } from '@playwright/test';
import type { ReceivedRequest } from '../../sandbox/journal.ts';
import { dateAnswers } from '../../src/model/flows/test-support/samples.ts';
import { oneToOne } from '../../src/model/flows/variants/one-to-one.ts';
import { withoutPermitted } from '../support/permitted-fields.ts';
import { collectErrors, examineBothSizes, keptData } from './support/checks.ts';
import { askSandbox, codeTo, deliveredLead, demo } from './support/sandbox.ts';
import { answerStep, expectStep, sendStep, watchLeadId } from './support/survey-page.ts';
import { openSurvey, test, today } from './support/visits.ts';

const person = {
  first_name: 'Kanaria',
  last_name: 'Kanarienvogel',
  // The form refuses this disposable e-mail address once. The form accepts the address when the
  // visitor submits it again.
  email: 'kanaria.vogel@mailinator.com',
  phone: '2125550147',
  // The description contains "hit and run", which is a blocked term.
  case_description:
    'The canary sat in my car at a red light when it was a hit and run from behind.',
  zip_code: '68102',
  city: 'Omaha',
  date_of_birth: '1931-04-12',
};
/** Returns a pattern for digits that are not part of an id, a time or a longer number. */
const alone = (digits: string) => `(?<![\\w.-])${digits}(?![\\w.-])`;
const CANARY = new RegExp(
  `kanari|canary|555\\D{0,3}0147|omaha|${alone('68102')}|1931-04-12|${alone('1931')}`,
  'i',
);

async function walkToPhone(page: Page): Promise<void> {
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
  await sendStep(page);
  await answer('DateOfBirth', {
    date_of_birth_month: '04',
    date_of_birth_day: '12',
    date_of_birth_year: '1931',
  });
  await expectStep(page, 'PhoneAndBuyersConsent');
}

/** Returns the data that the page and the browser store, without the visible text. */
async function traces(page: Page): Promise<string> {
  const ofPage = await page.evaluate(() => {
    const { cookie, referrer, title } = document;
    return JSON.stringify([location.href, cookie, referrer, title, window.name, history.state]);
  });
  return ofPage + JSON.stringify(await page.context().cookies()) + (await keptData(page));
}

const received = (service: string) => askSandbox<ReceivedRequest[]>(`received?service=${service}`);

test('a complete visit sends each third party only the personal data that it may receive', async ({
  page,
}) => {
  const errors = collectErrors(page);
  const requests: Request[] = [];
  const said: string[] = [];
  page.context().on('request', (request) => requests.push(request));
  page.on('console', (message) => said.push(message.text()));
  const leadIdOf = await watchLeadId(page);
  const address = new URL(demo().survey, demo().url);
  address.searchParams.set('first_name', person.first_name);
  address.searchParams.set('last_name', person.last_name);
  await openSurvey(page, address.href, 'https://ads.example.net/');
  await walkToPhone(page);
  const firm = page.getByRole('checkbox', { name: 'Sandbox Law Group' });
  await examineBothSizes(page, 'fetched firms');
  await firm.focus();
  await page.keyboard.press('Space');
  await expect(firm).not.toBeChecked();
  await page.locator('[name="phone"]').fill(person.phone);
  await sendStep(page);
  await page
    .getByRole('dialog')
    .getByRole('textbox')
    .fill(await codeTo(`+1${person.phone}`));
  await page.waitForURL('**/survey-thank-you/?**');
  // The script must remove personal values from the URL
  // (docs/specification.md#privacy-of-the-thank-you-page).
  await expect.poll(() => page.url()).not.toMatch(CANARY);
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({
    q: 'y',
    cl: expect.stringMatching(/^[1-7]$/),
    affid: '389',
  });

  const leadId = leadIdOf();
  const lead = await deliveredLead(leadId);
  const { date_of_birth: _, ...typed } = person;
  expect(lead).toMatchObject({
    ...typed,
    lead_id: leadId,
    sms_verified: 'yes',
    sms_verified_at: expect.stringMatching(/^\d{4}-/),
    trustedform_cert_url: `${demo().sandboxUrl}/${lead.trusted_form_cert_id}`,
    leadid_token: expect.stringMatching(/^[0-9A-F-]{36}$/),
    ef_transaction_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    bad_words: 'yes',
    is_gibberish: 'no',
    '1_to_1_consent': 'yes',
    '1_to_1_result': 'available',
    displayed_buyers: 'Sandbox Law Group|Example Injury Attorneys',
    selected_buyers: '50002',
    all_possible_buyer_ids: '8674,50001,50002,50003,50004',
    state: 'NE',
    date_of_birth_year: '1931',
    verification: '{"status":"ok"}',
  });

  /** Maps each third party to a part of a request that the third party must have received. */
  const heard: Partial<Record<string, object>> = {
    phone: { path: '/api/json/phone', body: { phone: person.phone } },
    email: { path: '/api/json/email', body: { email: person.email } },
    sms: { body: { To: `+1${person.phone}`, Channel: 'sms' } },
    slack: { body: { text: expect.stringContaining('An e-mail address was blocked') } },
    automation: { body: { lead_id: leadId, bad_words: 'yes' } },
    exchange: { body: { project: 'MVA', zipCode: '68102' } },
    webhook: { body: { type: 'lead.accepted', data: { lead_id: leadId } } },
    zip: { path: '/us/68102' },
    gibberish: { body: expect.stringContaining(person.case_description) },
    mapping: { body: { affid: 389, oid: 160 } },
    buyers: { body: { zip_code: '68102', oid: '160', affid: '389' } },
    prefill: { path: '/check-affid-pre/389/100' },
    estimate: { body: { physical_injury: 'Yes' } },
    'save-data': { body: { session: { lead_id: leadId } } },
    verification: { body: { zip_code: '68102' } },
    clicks: { path: '/clk', query: { oid: '160', affid: '389', sub1: 'demo' } },
    trustedform: { method: 'POST', body: { retain: { reference: leadId } } },
    leadid: { path: expect.stringMatching(/^\/campaign\//) },
    'call-tracking': { path: '/ringba/google' },
    pixel: { path: '/pixels/ad.svg' },
  };
  for (const [service, part] of Object.entries(heard)) {
    await expect
      .poll(() => received(service), { message: service })
      .toEqual(expect.arrayContaining([containing(part)]));
  }

  await expect.poll(() => traces(page)).not.toMatch(CANARY);
  await page.goto('/about-us/');
  expect(await traces(page)).not.toMatch(CANARY);
  await openSurvey(page, '/survey/v6');
  expect(await traces(page)).not.toMatch(CANARY);
  await expect(page.locator('main')).not.toContainText(CANARY);

  for (const request of await askSandbox<ReceivedRequest[]>('received')) {
    const message = `${request.service}: tests/support/permitted-fields.ts permits less`;
    expect(withoutPermitted(request), message).not.toMatch(CANARY);
  }
  // Only three kinds of URLs may contain personal values: prefilled links, thank-you pages and zip
  // code look-ups.
  const withPerson: string[] = [];
  for (const request of requests) {
    const url = new URL(request.url());
    const isOurs = url.origin === demo().url;
    const { referer = '' } = await request.allHeaders();
    if (CANARY.test(decodeURIComponent(url.href))) withPerson.push(url.pathname);
    if (!isOurs) expect(request.postData() ?? '').not.toMatch(CANARY);
    // The browser requests the site's own files before the script removes personal values from the
    // page's URL.
    if (isOurs && referer === address.href) continue;
    expect(decodeURIComponent(referer)).not.toMatch(CANARY);
  }
  expect(withPerson).toEqual(['/survey/v6', '/us/68102', '/survey-thank-you/']);
  expect(said.filter((line) => CANARY.test(line))).toEqual([]);
  expect(errors).toEqual([]);
});

/** Returns a matcher for values that contain `part` at any depth. */
function containing(part: unknown): unknown {
  if (typeof part !== 'object' || part === null) return part;
  if (Object.getPrototypeOf(part) !== Object.prototype) return part;
  const parts = Object.entries(part).map(([name, value]) => [name, containing(value)]);
  return expect.objectContaining(Object.fromEntries(parts));
}
