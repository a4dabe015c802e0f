import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { SponsorTable } from './sponsor-table.tsx';

test('a firm that stands in for one without a name is named in the language of the page', () => {
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
