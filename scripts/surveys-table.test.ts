import { describe, expect, test } from 'vitest';
import { type Survey, surveys } from '../src/flows/surveys.ts';
import { surveysTable } from './surveys-table.ts';

describe('the table of surveys in docs/surveys.md', () => {
  const text = surveysTable(surveys);

  test('has one row a survey, with its offer, affiliate, language and thank-you page', () => {
    const rows = text.split('\n').filter((line) => line.startsWith('| `/'));
    expect(rows).toHaveLength(surveys.length);
    expect(rows).toContain(
      '| `/survey/tt` | [tiktok](flows/tiktok.md) | 80 | 252 | en | `/survey-thank-you/` |  |',
    );
    expect(rows).toContain(
      '| `/survey/v4nv-es` | [v4](flows/v4.md) | 81 | 1 | es | `/survey-thank-you/` | skips the lawyer-funding branch |',
    );
  });

  test('names what a row has other than most', () => {
    const [first] = surveys as [Survey];
    const odd: Survey = {
      ...first,
      path: '/survey/odd',
      opensPartnerTab: false,
      destinations: [],
      deliversToIngest: false,
      toggles: { ...first.toggles, roundedButtons: !first.toggles.roundedButtons },
    };
    const row = surveysTable([...surveys, odd])
      .split('\n')
      .find((line) => line.includes('/survey/odd'));
    expect(row).toMatch(
      /\| starts with AutoAccidentCaseWorth, no partner tab, destinations: none, not to ingest, (no )?roundedButtons \|$/,
    );
  });
});
