import { expect, test } from 'vitest';
import { oneToOneConsents } from '../../../../content/consent/index.ts';
import type { Language } from '../../../model/fields/language.ts';
import { type Buyer, buyersAsAnswers } from '../../../model/rules/buyer-choice.ts';
import { initialState } from '../../../model/visit/state.ts';
import { renderState } from '../page/render-survey.tsx';
import { beforeZip, buyers, pageDataOf } from '../test-support/survey-fixture.ts';

type Step = 'PhoneAndBuyersConsent' | 'PhoneAbbreviatedTCPA';

async function render({
  step = 'PhoneAndBuyersConsent',
  draft = {},
  language = 'en',
  shown = buyers,
  preselectsFirms = true,
}: {
  step?: Step;
  draft?: Record<string, string>;
  language?: Language;
  shown?: readonly Buyer[];
  preselectsFirms?: boolean;
} = {}): Promise<string> {
  const stepConsents = oneToOneConsents(language, 'Claim Guide');
  const data = await pageDataOf('/survey/v6', { language, stepConsents });
  const found = { state: 'NY', '1_to_1_consent': 'yes', ...buyersAsAnswers(shown) };
  const given = {
    ...beforeZip,
    ZipCode: { zip_code: '10001', ...found },
    NameAndEmail: { first_name: 'Maria', last_name: 'Diaz', email: 'maria@mail.example' },
  };
  const settings = { ...data.settings, preselectsFirms };
  const state = { ...initialState(data.flow), given, drafts: { [step]: draft }, at: step };
  return renderState({ ...data, settings }, state);
}

/** Returns the value of each input for law firms, and whether it is chosen. */
const inputs = (html: string) =>
  [...html.matchAll(/<input type="(?:checkbox|radio)" name="selected_buyers"[^>]*>/g)].map(
    ([input]) => [/value="([^"]*)"/.exec(input)?.[1], input.includes('checked')],
  );

const consentIn = (html: string) =>
  (/<p id="tcpa"[^>]*>(.*?)<\/p>/.exec(html)?.[1] ?? '').replace(/<[^>]*>/g, '');

test('several firms are shown as chosen, unless the setting is off, and named in the consent', async () => {
  const html = await render();
  expect(inputs(html)).toEqual([
    ['50001,50009', true],
    ['50002', true],
  ]);
  expect(html).toContain('<span>Smith, Jones &amp; Co</span>');
  expect(consentIn(html)).toContain('each only if ticked above: Smith, Jones &amp; Co; Diaz Law.');
  expect(html).toContain('Send without choosing a firm');
  const unchosen = inputs(await render({ preselectsFirms: false }));
  expect(unchosen.map(([, isChosen]) => isChosen)).toEqual([false, false]);
});

test.each([
  ['50002', [false, true]],
  ['', [false, false]],
])('a choice of %j is kept', async (selected_buyers, expected) => {
  const html = await render({ draft: { selected_buyers } });
  expect(inputs(html).map(([, isChosen]) => isChosen)).toEqual(expected);
});

test.each([
  [{}, [true, false]],
  [{ preselectsFirms: false }, [false, false]],
  [{ draft: { selected_buyers: '' } }, [false, true]],
])('a single firm is asked about with Yes and No (%j)', async (options, expected) => {
  const html = await render({ ...options, shown: buyers.slice(1) });
  expect(html).toContain('<legend>May Diaz Law call you?</legend>');
  expect(inputs(html)).toEqual([
    ['50002', expected[0]],
    ['', expected[1]],
  ]);
  expect(consentIn(html)).toContain('Diaz Law may call and text me');
});
