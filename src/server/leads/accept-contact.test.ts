import { expect, it } from 'vitest';
import { publishedTcpa } from '../../../tests/support/consent.ts';
import { testAcceptLead, testDestinations } from '../../../tests/support/leads.ts';
import { personKey } from '../../../tests/support/person-keys.ts';
import type { DestinationSetting } from '../delivery/destinations/destination.ts';
import { contact } from '../delivery/destinations/lead-prosper.ts';
import { webhook } from '../delivery/destinations/webhook.ts';

const id = '01939999-1111-7111-8111-111111111111';

function form(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    lead_id: id,
    survey: '/contact/',
    language: 'en',
    typeOfAccident: 'Truck Accident',
    firstName: ' Maria ',
    lastName: 'Sandoval',
    email: 'Maria.Sandoval@Mail.example',
    phoneNumber: '(212) 555-0123',
    message: 'Who pays for my car?\n\nIt cannot be repaired.',
    landing_page: 'https://claims.example.com/contact/',
    page_referer: 'https://ads.example.net/',
    sub_id: 'abc',
    gclid: 'x',
    ...publishedTcpa('contact'),
    consent_shown_at: '2026-11-21T14:58:00.000Z',
    submitted_at: '2026-11-21T14:59:30.000Z',
    ...changes,
  };
}

const destinations: readonly DestinationSetting[] = [
  ...testDestinations(),
  { definition: contact, values: {} },
  { definition: webhook, values: { WEBHOOK_EVENTS: ['lead.accepted'] } },
];

it('a contact form is stored as a lead with a normalized phone number', async () => {
  const { post, lead } = testAcceptLead({ destinations });
  expect(await post(form())).toEqual({ lead_id: id, revision: 1, qualified: 'yes', dq_reason: '' });
  expect(lead()).toMatchObject({
    survey: '/contact/',
    flow: 'contact',
    state: 'accepted',
    problems: [],
    emailKey: personKey('email', 'maria.sandoval@mail.example'),
    phoneKey: personKey('phone', '2125550123'),
    consent: {
      text: publishedTcpa('contact').tcpa,
      version: publishedTcpa('contact').consent_version,
    },
    deliveries: [{ destination: 'contact', state: 'waiting' }, { destination: 'webhook' }],
  });
  expect(lead().fields).toEqual({
    type_of_accident: 'Truck Accident',
    first_name: 'Maria',
    last_name: 'Sandoval',
    email: 'Maria.Sandoval@mail.example',
    phone: '2125550123',
    message: 'Who pays for my car?\n\nIt cannot be repaired.',
    sub_id: 'abc',
    gclid: 'x',
    language: 'en',
    landing_page: 'https://claims.example.com',
    page_referer: 'https://ads.example.net/',
    ip_address: '203.0.113.7',
    user_agent: 'TestBrowser/1.0',
    tcpa: publishedTcpa('contact').tcpa,
  });
});

it.each([
  ['typeOfAccident', '', 'required'],
  ['phoneNumber', '(212) 555-012', 'invalid'],
  ['message', undefined, 'required'],
  ['lastName', { a: 1 }, 'required'],
])('a contact form is held if a field has an invalid value', async (field, value, reason) => {
  const { post, lead } = testAcceptLead({ destinations });
  await post(form({ [field]: value }));
  expect(lead()).toMatchObject({
    state: 'held',
    body: form({ [field]: value }),
    deliveries: [{ destination: 'contact', state: 'held' }, { destination: 'webhook' }],
  });
  expect(lead().problems).toEqual(
    expect.arrayContaining([
      { problem: 'held', reason: 'form_incomplete' },
      { problem: 'bad_value', field, reason, value: value ?? '' },
    ]),
  );
});
