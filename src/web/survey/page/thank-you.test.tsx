import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { languages } from '../../../model/fields/language.ts';
import barAssociations from '../../../model/rules/bar-associations.json' with { type: 'json' };
import { limitationTable } from '../../../model/rules/limitation.ts';
import { limitYears } from '../../../model/rules/limitation-years.ts';
import { settings } from '../test-support/survey-fixture.ts';
import { thankYouTexts } from '../texts/texts.ts';
import { ThankYou } from './thank-you.tsx';

describe.each(languages)('a thank-you page in %s', (language) => {
  const words = thankYouTexts(language, 'one-to-one');
  const page = (qualified: boolean, closedStates: readonly string[] = []) =>
    renderToStaticMarkup(
      <ThankYou
        language={language}
        settings={settings}
        qualified={qualified}
        words={words}
        start="/survey/v6"
        closedStates={closedStates}
      />,
    );
  const count = (html: string, text: string) => html.split(text).length - 1;

  test('shows a disqualified visitor two next steps instead of a promised call', () => {
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

  test('shows a disqualified visitor the deadline and the bar association of every US state', () => {
    const html = page(false);
    expect(html).toContain(barAssociations.directory);
    expect(html.match(/data-state="/g)).toHaveLength(51);
    for (const { code } of limitationTable) {
      const own = html.split(`data-state="${code}"`)[1]?.split('</details>')[0] ?? '';
      expect(own, code).toContain(
        `href="${barAssociations[code as keyof typeof barAssociations]}"`,
      );
      const years = limitYears(code, 'present') as number;
      if (years > 1) expect(own, code).toContain(` ${years} `);
    }
    const florida = html.split('data-state="FL"')[1]?.split('</details>')[0];
    expect(florida).toMatch(/2023/);
    expect(html).not.toContain('contact-card');
  });

  test('shows a qualified visitor from a closed state the law, the deadline and the bar', () => {
    expect(page(true)).not.toContain('state-CO');
    expect(page(true)).toContain(words.unsignedLead);
    expect(page(false, ['CO'])).not.toContain('class="closed"');
    const html = page(true, ['CO', 'TX']);
    for (const code of ['CO', 'TX'] as const) {
      const own =
        html.split(`<div class="closed" id="state-${code}">`)[1]?.split('</div>')[0] ?? '';
      expect(own).toContain(code === 'CO' ? 'Colorado' : 'Texas');
      expect(own).toContain(barAssociations[code]);
      expect(count(own, '<li>')).toBe(2);
      expect(own).not.toContain(words.caller);
    }
  });
});
