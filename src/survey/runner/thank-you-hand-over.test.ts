import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PostLeadBody } from '../../contract/lead.ts';
import type { Answers } from '../../domain/answers.ts';
import { flowOf, type Survey, surveyAt } from '../../flows/surveys.ts';
import { surveyPageData } from '../page/page-data.ts';
import { pageData, settings, today } from '../test-support/survey-fixture.ts';
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

test('the copy has each question of the way once, with the visitor’s own answer in the survey’s words', () => {
  const data = pageData('es', {});
  const steps = [
    'WhenWasTheAccident',
    'AtFault',
    'WasUserInjured',
    'IncidentDescription',
    'PhoneAndZip',
  ];
  const given = {
    WhenWasTheAccident: { injury_month: '05', injury_year: '2026', injury_day: '' },
    AtFault: { partial_fault: 'yes', at_Fault: 'yes' },
    WasUserInjured: { specific_injury: 'Whiplash', physical_injury: 'Yes' },
    IncidentDescription: { case_description: 'Me chocaron por detrás.', hit_and_run: 'no' },
    PhoneAndZip: { phone: '2125550123', zip_code: '10001' },
    HasLawyer: { with_Lawyer: 'yes' },
  };
  expect(copyOfAnswers(data, steps, given)).toEqual([
    ['¿Cuándo fue el accidente?', 'mayo de 2026'],
    ['¿Quién tuvo la culpa?', 'Los dos, o no sé'],
    ['¿Qué es lo que más le duele?', 'Latigazo cervical'],
    ['Qué pasó en el accidente', 'Me chocaron por detrás.'],
    ['¿El otro conductor se fue sin detenerse?', 'No'],
    ['Número de teléfono', '(212) 555-0123'],
    ['Código postal', '10001'],
  ]);
});

test('the copy of a form has a date in one line, and no question that another answer made idle', async () => {
  const copy = async (path: string, steps: Record<string, Answers>) => {
    const survey = surveyAt(path) as Survey;
    const consent = {
      version: '2026-11-20',
      language: 'en',
      text: 'I agree to be called.',
    } as const;
    const data = surveyPageData(survey, await flowOf(survey), settings, consent, today);
    return copyOfAnswers(data, Object.keys(steps), steps);
  };
  const second = { injury_month: '05', injury_year: '2026', doctor_treatment: 'no' };
  expect(
    await copy('/f', {
      FormSecondQuestions: { ...second, when_seek_medical_treatment: 'not_yet' },
    }),
  ).toEqual([
    ['Month of the accident', 'May 2026'],
    ['Have you had medical care?', 'No'],
  ]);
  expect(await copy('/form', { OnePageForm: { injury_year: '2025' } })).toEqual([
    ['Year of the accident', '2025'],
  ]);
  const born = { date_of_birth_month: '02', date_of_birth_day: '09', date_of_birth_year: '1980' };
  expect(await copy('/survey/v4nv', { DateOfBirth: born })).toEqual([
    ['What’s your date of birth?', 'February 9, 1980'],
  ]);
});
