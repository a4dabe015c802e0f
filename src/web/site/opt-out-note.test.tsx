import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { contactWords } from '../../../content/forms/contact.ts';
import { optOutWords } from '../../../content/opt-out.ts';
import { languages } from '../../model/fields/language.ts';
import { type Survey, surveyAt } from '../../model/flows/surveys.ts';
import { v4 } from '../../model/flows/variants/v4.ts';
import { initialState } from '../../model/visit/state.ts';
import { surveyPageData } from '../survey/page/page-data.ts';
import { renderState } from '../survey/page/render-survey.tsx';
import { ThankYou } from '../survey/page/thank-you.tsx';
import { settings, today } from '../survey/test-support/survey-fixture.ts';
import { texts, thankYouTexts } from '../survey/texts/texts.ts';
import { optOutNote, optOutPolicy, withheldContact, withheldThanks } from './opt-out-note.ts';

const withholding = { ...settings, withholdsAtOptOut: { survey: true, contact: true } };

describe.each(languages)('a page in %s for a browser with the opt-out signal', (language) => {
  const words = optOutWords[language];
  const consent = { version: '2026-11-20', language, text: 'The consent.' } as const;
  const lastStep = (note?: string) => {
    const survey = { ...(surveyAt('/survey/v4nv') as Survey), language };
    const data = surveyPageData(survey, v4, settings, consent, today, {}, note);
    return renderState(data, { ...initialState(v4), at: 'PhoneAndZip' });
  };

  test('says beside the button who receives the answers', () => {
    const note = optOutNote('survey', language, settings);
    expect(note).toBe(words.delivered);
    const html = lastStep(note);
    expect(html).toContain(note);
    expect(/<p id="tcpa"[^>]*>(.*?)<\/p>/.exec(html)?.[1]).not.toContain('Global Privacy Control');
    expect(html.indexOf(note)).toBeLessThan(html.indexOf('type="submit"'));
    expect(lastStep()).not.toContain('Global Privacy Control');
  });

  test('does not promise a call if law firms do not receive the lead', () => {
    const note = optOutNote('survey', language, withholding);
    expect(note).toContain(settings.phoneDisplay);
    expect(note).not.toContain('{');
    const said = thankYouTexts(language, 'v4');
    const page = (own: typeof settings) =>
      renderToStaticMarkup(
        <ThankYou
          language={language}
          settings={own}
          qualified
          words={withheldThanks(said, language, own)}
          start="/survey/v4nv"
        />,
      );
    const { caller: promise } = texts[language].thankYou;
    expect(page(settings)).toContain(promise);
    expect(page(withholding)).not.toContain(promise);
    expect(page(withholding)).toContain(words.withheldLead);
    const { title: asked = '' } = texts[language].thankYou.asked ?? {};
    expect(page(settings)).toContain(asked);
    expect(page(withholding)).not.toContain(asked);
    const contact = withheldContact(contactWords[language], language, withholding);
    expect(contact.sentText).toBe(words.withheldLead);
    expect(contact.next).toBe(note);
    expect(withheldContact(contactWords[language], language, settings)).toBe(
      contactWords[language],
    );
    expect(optOutPolicy(language, withholding)).toBe(words.policyWithheld);
    expect(optOutPolicy(language, settings)).toBe(words.policyDelivered);
  });
});
