import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { SponsorTable } from './sponsor-table.tsx';

test('a placeholder firm is named in the page’s language', () => {
  const table = (language: 'en' | 'es') =>
    renderToStaticMarkup(
      <SponsorTable
        language={language}
        surveys={[]}
        fallbackBuyers={[{ name: 'Partner Law Firm A', ids: ['1'] }]}
        showsPlaceholders
      />,
    );
  expect(table('es')).toContain('<strong>Bufete de ejemplo A</strong>');
  expect(table('es')).not.toContain('Partner');
  expect(table('en')).toContain('<strong>Partner Law Firm A</strong>');
});
