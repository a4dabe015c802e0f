import { expect, test } from 'vitest';
import { oneToOneConsents } from '../../../content/consent/index.ts';
import { buyersAsAnswers } from '../../domain/buyer-choice.ts';
import { type Language, languages } from '../../domain/language.ts';
import { initialState } from '../../journey/state.ts';
import { renderState } from '../page/render-survey.tsx';
import { beforeZip, buyers, pageDataOf } from '../test-support/survey-fixture.ts';
import { texts } from '../texts/texts.ts';

const given = {
  ...beforeZip,
  ZipCode: { zip_code: '10001', state: 'NY', '1_to_1_consent': 'yes', ...buyersAsAnswers(buyers) },
  NameAndEmail: { first_name: 'Maria', last_name: 'Diaz', email: 'maria@mail.example' },
};

async function render(
  step: 'PhoneAndBuyersConsent' | 'PhoneAbbreviatedTCPA',
  draft: Record<string, string> = {},
  language: Language = 'en',
): Promise<string> {
  const stepConsents = oneToOneConsents(language, 'Claim Guide');
  const data = await pageDataOf('/survey/v6', { language, stepConsents });
  const drafts = { [step]: draft };
  return renderState(data, { ...initialState(data.flow), given, drafts, at: step });
}

const boxes = (html: string): string[] => html.match(/<input type="checkbox"[^>]*>/g) ?? [];

test('each buyer has a box with its ids and its name, and none is ticked', async () => {
  const html = await render('PhoneAndBuyersConsent');
  expect(boxes(html)).toHaveLength(2);
  expect(boxes(html)[0]).toContain('name="selected_buyers"');
  expect(boxes(html)[0]).toContain('value="50001,50009"');
  expect(html).not.toContain('checked');
  expect(html).toContain('<span>Smith, Jones &amp; Co</span>');
  expect(html).toContain('<span>Diaz Law</span>');
  expect(html).toContain(texts.en.fields.selected_buyers?.hint);
});

test('a choice is kept', async () => {
  const html = await render('PhoneAndBuyersConsent', { selected_buyers: '50002' });
  const [smith, diaz] = boxes(html);
  expect(smith).not.toContain('checked');
  expect(diaz).toContain('checked');
});

test.each(languages)('each last step has its own consent text (%s)', async (language) => {
  const consents = oneToOneConsents(language, 'Claim Guide');
  for (const step of ['PhoneAndBuyersConsent', 'PhoneAbbreviatedTCPA'] as const) {
    const html = await render(step, {}, language);
    const found = /<p id="tcpa"[^>]*data-consent-version="([^"]*)"[^>]*>(.*?)<\/p>/.exec(html);
    expect(found?.[1]).toBe(consents[step].version);
    const text = found?.[2]?.replace(/<[^>]*>/g, '');
    expect(text).toBe(consents[step].text.replace('\n', ' '));
    expect(text).toContain('Claim Guide');
    expect(text).not.toMatch(/[{}]/);
  }
});
