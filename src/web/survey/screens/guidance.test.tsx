import { expect, it } from 'vitest';
import { guidanceWords } from '../../../../content/guidance-words.ts';
import type { Answers } from '../../../model/fields/answers.ts';
import type { Language } from '../../../model/fields/language.ts';
import { initialState } from '../../../model/visit/state.ts';
import { newVisit } from '../../../model/visit/visit.ts';
import { renderState } from '../page/render-survey.tsx';
import { beforeZip, pageData } from '../test-support/survey-fixture.ts';

/** Returns the text of the guidance on a step, without markup. */
function guidanceAt(at: string, accident: Answers, language: Language = 'en', state?: string) {
  const data = pageData(language);
  const given = {
    ...beforeZip,
    WhenWasTheAccident: accident,
    WasUserInjured: { specific_injury: 'Whiplash', physical_injury: 'Yes' },
    DidYouReceiveMedicalTreatment: { doctor_treatment: 'yes' },
  };
  const visit = newVisit(data.survey.path, { href: 'https://a.example/', referrer: '', now: 0 });
  if (state) visit.state = state;
  const html = renderState(data, { ...initialState(data.flow), given, at }, visit);
  const block = /<section class="guidance".*?<\/section>/s.exec(html)?.[0];
  return block
    ?.replace(/<!-- -->/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');
}

const dated = { injury_year: '2026', injury_month: '06', injury_day: '03' } as const;
const { en, es } = guidanceWords;

it('shows the deadline of the visitor’s state with its source, and what to do now', () => {
  const text = guidanceAt('IncidentDescription', dated, 'en', 'AL');
  expect(text).toContain('If it happened in Alabama, you usually have until June 3, 2028 to sue.');
  expect(text).toContain('Source: Ala. Code § 6-2-38(l)');
  for (const words of [en.steps.bills, en.steps.copyReport, ...en.questions, en.note]) {
    expect(text).toContain(words);
  }
});

it('shows the deadline in Spanish, from the first of a month if only the month is known', () => {
  const month = { injury_year: '2026', injury_month: '06' };
  const text = guidanceAt('IncidentDescription', month, 'es', 'NE');
  expect(text).toContain('Si fue en Nebraska');
  expect(text).toContain('al menos hasta el 1 de junio de 2030 para demandar');
  expect(text).toContain(es.steps.keepPhotos);
});

it('shows the deadlines of all states if the state is unknown', () => {
  const text = guidanceAt('IncidentDescription', dated);
  expect(text).toContain('usually 1 to 6 years from the day of the accident');
  expect(text).toContain('June 3, 2027: Tennessee');
});

it('asks to talk to a lawyer if the deadline is near or over', () => {
  const near = { injury_year: '2024', injury_month: '12', injury_day: '20' };
  const text = guidanceAt('IncidentDescription', near, 'en', 'AL');
  expect(text).toContain(`to sue. ${en.near}`);
  const past = { ...near, injury_month: '10' };
  expect(guidanceAt('IncidentDescription', past, 'en', 'AL')).toContain(
    'the usual time to sue has probably ended ( October 20, 2026 )',
  );
  expect(guidanceAt('IncidentDescription', near)).toContain(en.someNear);
});

it('names no day that may be over if only the month is known', () => {
  const text = guidanceAt(
    'IncidentDescription',
    { injury_year: '2024', injury_month: '11' },
    'en',
    'AL',
  );
  expect(text).toContain(`Alabama, you usually have 2 years from the accident to sue. ${en.near}`);
});

it('appears on earlier questions only if the state is known, and on no contact step', () => {
  expect(guidanceAt('HasLawyer', dated, 'en', 'AL')).toContain('June 3, 2028');
  expect(guidanceAt('HasLawyer', dated)).toBeUndefined();
  expect(guidanceAt('NameAndEmail', dated, 'en', 'AL')).toBeUndefined();
});
