import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { BAR_DIRECTORY, barAssociations } from '../../domain/bar-associations.ts';
import { languages } from '../../domain/language.ts';
import { limitationTable } from '../../domain/limitation.ts';
import { limitYears } from '../../domain/limitation-years.ts';
import { surveys } from '../../flows/surveys.ts';
import { settings } from '../test-support/survey-fixture.ts';
import { texts, thankYouTexts } from '../texts/texts.ts';
import { ThankYou } from './thank-you.tsx';

/** React writes these characters as references. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll("'", '&#x27;').replaceAll('"', '&quot;');
}

describe.each(languages)('a thank-you page (%s)', (language) => {
  const words = thankYouTexts(language, 'one-to-one');
  const page = (qualified: boolean, more: { words?: typeof words; hasFirms?: boolean } = {}) =>
    renderToStaticMarkup(
      <ThankYou
        {...{ language, settings, qualified, words, ...more }}
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
    // Our own number is for questions only, so it comes below the call that the visitor asked for.
    expect(html.indexOf(words.ourNumber)).toBeGreaterThan(html.indexOf(words.asked?.title ?? ''));
    expect(html.indexOf('tel:')).toBeGreaterThan(html.indexOf(words.ourNumber));
    expect(count(html, 'type="checkbox"')).toBe(words.papers.items.length);
    expect(count(html, '<details')).toBe(words.today.length + 2);
    expect(html).not.toContain('choose-firms');
  });

  test('where law firms are chosen, has an outcome for who chose none, until the lead goes', () => {
    const html = page(true, { hasFirms: true });
    expect(html).toContain('id="no-firm"');
    expect(html).toContain(words.noFirm.title);
    expect(html).toContain('<a href="/privacy-policy/" target="_blank" rel="noopener">');
    // A disqualified visitor gets no call, so the page names no caller.
    expect(html).toContain('class="take-back of-choice"');
    expect(html).toContain(`data-minutes="${settings.choiceWaitMinutes}" hidden=""`);
    expect(page(false, { hasFirms: true })).not.toContain(words.noFirm.title);
  });

  test('of a ticket speaks of the ticket', () => {
    const html = page(true, { words: thankYouTexts(language, 'ticket') });
    const {
      qualifiedSteps = [],
      asked,
      papers,
      today,
    } = texts[language].subjects.ticket?.thankYou ?? {};
    const lists = [asked, papers, ...(today ?? [])].flatMap((list) => list?.items ?? []);
    expect(lists.length).toBeGreaterThan(10);
    for (const said of [...qualifiedSteps, ...lists]) expect(html).toContain(escaped(said));
    expect(html).not.toMatch(/accidente? claim|reclamo/);
    for (const step of texts[language].thankYou.qualifiedSteps.slice(1)) {
      expect(html).not.toContain(step);
    }
  });

  test('of the brief says something of its own', () => {
    const { thankYou, thankYouPages } = texts[language];
    const own = surveys.map(({ thankYouPath }) => thankYouPath).filter((path) => /v\d/.test(path));
    expect(Object.keys(thankYouPages).toSorted()).toEqual([...new Set(own)].toSorted());
    for (const path of own) {
      const said = thankYouTexts(language, 'v4', path);
      const html = page(true, { words: said });
      expect(html).toContain(escaped(said.qualifiedLead));
      expect(html).not.toContain(`>${thankYou.qualifiedLead}<`);
    }
  });

  test('to the qualified, the way to call and what helps with it', () => {
    const html = page(true);
    const { asked, papers, today } = texts[language].thankYou;
    for (const { items } of [asked, papers, ...today].flatMap((each) => each ?? [])) {
      for (const item of items) expect(html).toContain(escaped(item));
    }
    expect(html).toMatch(
      /<a class="button button--quiet" href="tel:\+15550100199">[^<]*\(555\) 010-0199/,
    );
    expect(html).toContain(settings.callHours[language]);
    const card = /id="contact-card" href="data:text\/vcard;charset=utf-8,([^"]*)"/.exec(html)?.[1];
    expect(decodeURIComponent(card ?? '').split('\r\n')).toEqual([
      'BEGIN:VCARD',
      'VERSION:3.0',
      'FN:Claim Guide',
      'N:;Claim Guide;;;',
      'ORG:Claim Guide',
      'TEL;TYPE=WORK,VOICE:+15550100199',
      'END:VCARD',
      '',
    ]);
    expect(html).not.toContain('data-state=');
  });

  test('to others, deadline and bar association of every state', () => {
    const html = page(false);
    expect(html).toContain(BAR_DIRECTORY);
    expect(html.match(/data-state="/g)).toHaveLength(51);
    for (const { code } of limitationTable) {
      const own = html.split(`data-state="${code}"`)[1]?.split('</details>')[0] ?? '';
      expect(own, code).toContain(`href="${barAssociations[code]}"`);
      const years = limitYears(code, 'present') as number;
      if (years > 1) expect(own, code).toContain(` ${years} `);
    }
    const florida = html.split('data-state="FL"')[1]?.split('</details>')[0];
    expect(florida).toMatch(/2023/);
    expect(html).not.toContain('contact-card');
  });
});
