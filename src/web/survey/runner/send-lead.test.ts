import { expect, test } from 'vitest';
import type { Answers } from '../../../model/fields/answers.ts';
import { pageData, pageDataOf } from '../test-support/survey-fixture.ts';
import { copyOfAnswers } from './send-lead.ts';

test('copyOfAnswers returns the questions and answers in the survey’s words', () => {
  const given = {
    WhenWasTheAccident: { injury_month: '05', injury_year: '2026', injury_day: '' },
    AtFault: { partial_fault: 'yes', at_Fault: 'yes' },
    WasUserInjured: { specific_injury: 'Whiplash', physical_injury: 'Yes' },
    IncidentDescription: { case_description: 'Me chocaron por detrás.', hit_and_run: 'no' },
    PhoneAndZip: { phone: '2125550123', zip_code: '10001', call_time: 'evening' },
  };
  const offThePath = { HasLawyer: { with_Lawyer: 'yes' } };
  expect(copyOfAnswers(pageData('es'), Object.keys(given), { ...given, ...offThePath })).toEqual([
    ['¿Cuándo fue el accidente?', 'mayo de 2026'],
    ['¿Quién tuvo la culpa?', 'Los dos, o no sé'],
    ['¿Qué es lo que más le duele?', 'Latigazo cervical'],
    ['Qué pasó en el accidente', 'Me chocaron por detrás.'],
    ['¿El otro conductor se fue del lugar?', 'No'],
    ['Número de teléfono', '(212) 555-0123'],
    ['Código postal', '10001'],
    ['Mejor hora', 'Desde las 5'],
  ]);
});

const second = { injury_month: '05', injury_year: '2026', doctor_treatment: 'no' };
const born = { date_of_birth_month: '02', date_of_birth_day: '09', date_of_birth_year: '1980' };

test.each<[string, Record<string, Answers>, [string, string][]]>([
  [
    '/f',
    { FormSecondQuestions: { ...second, when_seek_medical_treatment: 'not_yet' } },
    [
      ['Month of the accident', 'May 2026'],
      ['Have you had medical care?', 'No'],
    ],
  ],
  ['/survey/v4nv', { DateOfBirth: born }, [['What’s your date of birth?', 'February 9, 1980']]],
])('in the survey %s, copyOfAnswers returns one row for each date', async (path, given, copy) => {
  expect(copyOfAnswers(await pageDataOf(path), Object.keys(given), given)).toEqual(copy);
});
