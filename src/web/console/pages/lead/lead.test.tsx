import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { leadRow, pageHtml } from '../../../../../tests/support/console-page.tsx';
import type { LeadAnswer, TimelineEntry } from '../../../../model/messages/console/leads.ts';
import type { Role } from '../../../../model/messages/console/people.ts';
import { RequestAndAnswer } from './evidence.tsx';
import LeadPage from './index.tsx';
import { merged } from './opened.ts';

const step = (seq: number, title: string): TimelineEntry => ({
  id: `step-${seq}`,
  at: `2026-07-01T12:00:0${seq}Z`,
  kind: 'step',
  title,
  text: '',
  tone: 'plain',
  details: [],
});

const answer: LeadAnswer = {
  lead: { ...leadRow, state: 'accepted', holds: [], deliveries: [] },
  outcome: ['Lead Prosper rejected it 2 minutes after it was posted.'],
  notes: ['It came with the opt-out signal.'],
  isSuppressed: true,
  isOpened: false,
  others: [],
  fields: [
    { name: 'first_name', value: '•••', isPersonal: true },
    { name: 'call_language', value: 'Spanish', isPersonal: false },
    { name: 'call_time', value: 'afternoon', isPersonal: false },
  ],
  deliveries: [
    {
      id: 'd1',
      destination: 'ingest',
      hasTerms: true,
      title: 'Lead Prosper',
      event: '',
      state: 'rejected',
      attempts: 2,
      dueAt: null,
      whyNot: 'Lead Prosper rejected it.',
      canResend: true,
      needsForce: false,
      resendMeans: 'The newest revision is sent again.',
    },
  ],
  notOffered: ['Late & Co'],
  money: null,
  story: [
    ...['viewed', 'answered', 'back', 'answered'].map((kind, index) => ({
      ...step(index + 1, `${kind} StartPath`),
      step: kind,
    })),
    {
      ...step(5, 'Consented to be called'),
      id: 'consent-1',
      kind: 'consent',
      consent: {
        text: 'First line.\nThe rest.',
        textState: 'shown',
        language: 'es',
        version: '2026-11-21',
      },
      details: [{ label: 'browser', value: '•••', isMasked: true }],
    },
    {
      ...step(6, 'Qualified'),
      id: 'decision-1',
      kind: 'decision',
      rules: [
        {
          name: 'qualification.at_Fault',
          result: 'passes',
          tone: 'good',
          inputs: [{ label: 'at_Fault', value: 'no' }],
        },
      ],
      changes: [{ field: 'at_Fault', before: 'yes', after: 'no', by: 'fault.partial' }],
    },
    {
      ...step(7, 'Was refused at PhoneAndZip'),
      step: 'refused',
      asked: { flow: 'v4', step: 'PhoneAndZip', answers: [] },
    },
  ],
  actions: [
    { action: 'release', means: 'Releases it.', refusal: 'The lead is not held.' },
    { action: 'suppress', means: 'Suppresses.', refusal: '' },
  ],
};

const htmlOf = (data: LeadAnswer, role: Role = 'operator'): Promise<string> =>
  pageHtml(LeadPage, {
    path: '/leads/$id',
    address: `/leads/${leadRow.id}`,
    answers: { [`/api/leads/${leadRow.id}`]: data, '/api/me': { role, timeZone: 'UTC' } },
  });

test('the lead’s page offers only the actions that the operator’s role allows', async () => {
  const html = await htmlOf(answer);
  expect(html).toContain('Lead Prosper rejected it 2 minutes after it was posted.');
  expect(html).toContain('Answered 2 questions, went back once');
  expect(html).toContain('None: this lead is a test.');
  expect(html).toContain('Release: The lead is not held.');
  expect(html).toContain('Do not contact…');
  expect(html).toContain('Resend…');
  expect(html).toContain('Open contact details');
  expect(html).toContain('12:00:05');
  expect(html).toContain('Was refused at “What’s your best number?”');
  expect(html).toMatch(/Wished call<.*?Spanish, afternoon/);
  const forViewer = await htmlOf(answer, 'viewer');
  expect(forViewer).not.toContain('Open contact details');
  expect(forViewer).not.toContain('Resend…');
});

const HOSTILE =
  '"><img src=x onerror=alert(1)><a href="javascript:alert(1)">‮</a><script>1</script>';

/** Replaces every text that a visitor or third party can write by `HOSTILE`. */
function hostile<Value>(value: Value, key = ''): Value {
  const own = /^(id|at|kind|tone|state|textState|action|receivedAt|createdAt|startedAt|endedAt)$/;
  if (typeof value === 'string') {
    return (own.test(key) || /At$/.test(key) ? value : HOSTILE) as Value;
  }
  if (Array.isArray(value)) return value.map((each) => hostile(each, key)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, hostile(each, name)]),
  ) as Value;
}

test('the lead’s page escapes HTML in untrusted values', async () => {
  const html =
    (await htmlOf(hostile({ ...answer, isOpened: true }))) +
    renderToStaticMarkup(
      <RequestAndAnswer
        bytes={{
          sent: HOSTILE,
          answer: JSON.stringify({ x: HOSTILE }),
          status: 200,
          proof: HOSTILE,
          isProven: false,
          sha256: HOSTILE,
        }}
      />,
    );
  expect(html).toContain('&lt;img');
  const tags = html.replaceAll(/"[^"]*"/g, '""').match(/<[^>]*>/g) ?? [];
  expect(tags.filter((tag) => /^<(img|script)| on\w+=/.test(tag))).toEqual([]);
  for (const [, href] of html.matchAll(/ href="([^"]*)"/g)) expect(href).toMatch(/^\/[^/]/);
});

test('merged returns the opened values together with new timeline entries', () => {
  const opened: LeadAnswer = {
    ...answer,
    isOpened: true,
    outcome: ['It answered “Ana”.'],
    lead: { ...answer.lead, name: 'Ana Diaz' },
    story: answer.story.map((entry) => ({ ...entry, title: `${entry.title} (opened)` })),
  };
  const since = step(9, 'Answered More');
  const fresh: LeadAnswer = { ...answer, story: [...answer.story, since] };
  const shown = merged(fresh, opened);
  expect(shown.lead.name).toBe('Ana Diaz');
  expect(shown.story.at(0)?.title).toBe('viewed StartPath (opened)');
  expect(shown.story.at(-1)).toBe(since);
  expect(shown.outcome).toEqual(opened.outcome);
  const [delivery] = answer.deliveries;
  const resent = { ...fresh, deliveries: delivery ? [{ ...delivery, state: 'waiting' }] : [] };
  expect(merged(resent, opened).outcome).toEqual(answer.outcome);
  const erased: LeadAnswer = { ...answer, lead: { ...answer.lead, state: 'erased' } };
  expect(merged(erased, opened)).toBe(erased);
});
