import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { languages } from '../../domain/language.ts';
import { settings } from '../test-support/survey-fixture.ts';
import { thankYouTexts } from '../texts/texts.ts';
import { ThankYou } from './thank-you.tsx';

describe.each(languages)('a thank-you page (%s)', (language) => {
  const words = thankYouTexts(language, 'one-to-one');
  const page = (qualified: boolean, hasFirms = false) =>
    renderToStaticMarkup(
      <ThankYou
        {...{ language, settings, qualified, words, hasFirms }}
        start="/survey/v6"
        consentLinks={links}
      />,
    );
  const links = [['privacy policy', '/privacy-policy/']] as const;
  const count = (html: string, text: string) => html.split(text).length - 1;

  test('to the disqualified claims no success, and has exactly the two steps that it promises', () => {
    const html = page(false);
    expect(html).not.toContain('thanks-mark');
    expect(html).not.toContain(words.callTitle);
    const own = /id="your-state">(.*?)<\/ol>/.exec(html)?.[1] ?? '';
    expect(count(own, '<li>')).toBe(2);
    expect(own).toContain('class="button"');
    const texas = /data-state="TX"[^>]*>(.*?)<\/ol>/.exec(html)?.[1] ?? '';
    expect(count(texas, '<li>')).toBe(2);
    expect(html).toContain('data-title="');
  });

  test('says who calls from which number, what to have ready, and folds the rest', () => {
    const html = page(true);
    expect(html).toContain(words.ownNumber);
    // Our own number is only for questions: it stands below the call that was asked for.
    expect(html.indexOf(words.ourNumber)).toBeGreaterThan(html.indexOf(words.asked?.title ?? ''));
    expect(html.indexOf('tel:')).toBeGreaterThan(html.indexOf(words.ourNumber));
    expect(count(html, 'type="checkbox"')).toBe(words.papers.items.length);
    expect(count(html, '<details')).toBe(words.today.length + 2);
    expect(html).not.toContain('choose-firms');
  });

  test('where law firms are chosen, has an outcome for who chose none, until the lead goes', () => {
    const html = page(true, true);
    expect(html).toContain('id="no-firm"');
    expect(html).toContain(words.noFirm.title);
    expect(html).toContain('<a href="/privacy-policy/" target="_blank" rel="noopener">');
    // Nobody calls, so there is no caller to tell.
    expect(html).toContain('class="take-back of-choice"');
    expect(html).toContain(`data-minutes="${settings.choiceWaitMinutes}" hidden=""`);
    expect(page(false, true)).not.toContain(words.noFirm.title);
  });
});
