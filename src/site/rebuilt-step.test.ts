import { expect, test } from 'vitest';
import { currentConsent, oneToOneConsents } from '../../content/consent/index.ts';
import { answeredSteps, qualifiedWay } from '../../tests/support/ways.ts';
import { namingFirms } from '../domain/buyer-choice.ts';
import { flowVersion } from '../flows/engine/version.ts';
import { flowOf, surveyFacts, surveys } from '../flows/surveys.ts';
import { parseSettings } from '../server/config/settings.ts';
import { rebuildStep } from './rebuilt-step.tsx';

const { settings } = parseSettings({});
const at = new Date('2026-11-20T15:00:00Z');
const fields = {
  ...{ first_name: 'Maria', last_name: 'Sandoval', email: 'maria@mail.example' },
  ...{ phone: '2125550142', zip_code: '10001' },
};
const buyers = [
  { name: 'Firm & Sons', ids: ['1'], chosen: true },
  { name: 'Other', ids: ['2', '3'], chosen: false },
];

/** Returns what is recorded of a survey's visitor. */
async function recordedAt(path: string) {
  const survey = surveys.find((each) => each.path === path) ?? surveys[0];
  if (!survey) throw new Error('no survey');
  const flow = await flowOf(survey);
  const context = {
    ...{ today: { year: 2026, month: 11, day: 20 }, survey: surveyFacts(survey) },
    settings: { dateOfBirthStates: [] },
  };
  const { answers } = answeredSteps(flow, qualifiedWay(flow, context));
  const { companyName } = settings.site;
  const shown = survey.buyers
    ? oneToOneConsents(survey.language, companyName).PhoneAndBuyersConsent
    : currentConsent(survey.language, companyName, survey.flow);
  return {
    ...{ path, pageVersion: flowVersion(flow), variants: '', hasSignal: false, ranScripts: true },
    ...{
      at,
      theme: 'paper dark',
      text: namingFirms(shown.text, 'Firm & Sons|Other').replaceAll('\n', ' '),
    },
    ...{ buyers: survey.buyers ? buyers : [], fields },
    answers: { ...Object.assign({}, ...Object.values(answers)), ...fields } as object as Record<
      string,
      string
    >,
  };
}

const drawn = [
  ...new Map(
    surveys
      .filter(({ flow }) => flow !== 'benefits')
      .map(({ flow, language, path }) => [`${flow}, ${language}`, path]),
  ),
];

test.each(drawn)('%s: the step is drawn with its text and the contact details', async (_, path) => {
  const recorded = await recordedAt(path);
  const page = (await rebuildStep(recorded, settings)) ?? '';
  const text = /<p id="tcpa"[^>]*>(.*?)<\/p>/.exec(page)?.[1] ?? '';
  expect(text.replaceAll(/<[^>]*>/g, '').replaceAll('&amp;', '&')).toBe(recorded.text);
  expect(text).toContain('<strong>');
  expect(page).toContain('value="(212) 555-0142"');
  expect(page).toMatch(/<html[^>]* data-theme="paper"[^>]* data-scheme="dark"/);
  for (const { name } of recorded.buyers) expect(page).toContain(name.replace('&', '&amp;'));
  expect(page.match(/ checked=""/g)?.length ?? 0).toBe(recorded.buyers.length > 0 ? 1 : 0);
  expect(page).not.toMatch(/<script|<noscript|https?:\/\/(?!www\.w3\.org)/);
});

test('a text that is not published now is drawn as it was recorded', async () => {
  const recorded = { ...(await recordedAt('/survey/v4nv')), text: 'I <agree> & sign.' };
  expect(await rebuildStep(recorded, settings)).toContain('>I &lt;agree> &amp; sign.</p>');
});
