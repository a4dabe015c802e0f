import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PostLeadBody } from '../../contract/lead.ts';
import { v4 } from '../../flows/variants/v4.ts';
import { pageData } from '../test-support/survey-fixture.ts';
import { sentFirms } from './sent-lead.ts';
import { copyOfAnswers, keepFirms } from './thank-you-hand-over.ts';

const body = {
  lead_id: 'a',
  survey: '/survey/v6',
  language: 'en',
  tcpa: 'I agree.',
  consent_version: '2026-11-21',
  '1_to_1_consent': 'yes',
  displayed_buyers: 'Smith, Jones & Co|Diaz Law',
  displayed_buyer_ids: '50001,50009|50002',
} as unknown as PostLeadBody;

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
});
afterEach(() => vi.unstubAllGlobals());

test('who chose no law firm gets a page of its own, with what a later choice needs', () => {
  expect(keepFirms(body, 'secret', 5)).toBe('#no-firm');
  expect(sentFirms()).toEqual({
    chosen: [],
    open: {
      lead_id: 'a',
      secret: 'secret',
      survey: '/survey/v6',
      language: 'en',
      tcpa: 'I agree.',
      version: '2026-11-21',
      firms: [
        ['Smith, Jones & Co', '50001,50009'],
        ['Diaz Law', '50002'],
      ],
      sentAt: 5,
    },
  });
});

test('of a choice only the names are handed over; nothing where nobody could be chosen', () => {
  expect(keepFirms({ ...body, selected_buyers: '50002' }, 'secret', 5)).toBe('');
  expect(sentFirms()).toEqual({ chosen: ['Diaz Law'] });
  expect(keepFirms({ ...body, '1_to_1_consent': 'no' }, 'secret', 5)).toBe('');
  expect(sentFirms()).toEqual({ chosen: [] });
});

test('the copy has the questions and answers of the way, in the survey’s words', () => {
  const { texts } = pageData('en', {});
  const given = {
    PoliceReportFiled: { police_report: 'yes' },
    WhenWasTheAccident: { injury_month: '05', injury_year: '2026' },
    PhoneAndZip: { phone: '(212) 555-0123' },
    HasLawyer: { with_Lawyer: 'yes' },
  };
  const steps = ['WhenWasTheAccident', 'PoliceReportFiled', 'PhoneAndZip'];
  const copy = copyOfAnswers({ flow: v4, texts }, steps, given);
  expect(copy.map(([, answer]) => answer)).toEqual(['May', '2026', 'Yes', '(212) 555-0123']);
  expect(copy[2]?.[0]).toBe(texts.steps.PoliceReportFiled?.question);
});
