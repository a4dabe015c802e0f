import { describe, expect, test } from 'vitest';
import { type Survey, surveys } from '../src/flows/surveys.ts';
import { surveysTable } from './surveys-table.ts';

describe('the table of surveys in docs/surveys.md', () => {
  const rowsOf = (table: readonly Survey[]) =>
    surveysTable(table)
      .split('\n')
      .filter((line) => line.startsWith('| `/'));

  test('has one row per survey, with its unusual settings', () => {
    const rows = rowsOf(surveys);
    expect(rows).toHaveLength(surveys.length);
    expect(rows).toContain(
      '| `/survey/tt` | [tiktok](flows/tiktok.md) | offer 80, affiliate 252, starts with AutoAccidentCaseWorth |',
    );
    expect(rows).toContain(
      '| `/survey/v4nv-es` | [v4](flows/v4.md) | es, skips the lawyer-funding branch |',
    );
    expect(rows).toContain('| `/survey/v4nv` | [v4](flows/v4.md) |  |');
  });

  test('names the leads that a partner, a destination or the lead-ingest service does not get', () => {
    const [first] = surveys as [Survey];
    const odd: Survey = {
      ...first,
      path: '/survey/odd',
      thankYouPath: '/odd/',
      opensPartnerTab: false,
      destinations: [],
      deliversToIngest: false,
      toggles: { ...first.toggles, roundedButtons: true, lastStepHeader: false },
    };
    expect(rowsOf([odd])).toEqual([
      '| `/survey/odd` | [v4](flows/v4.md) | `/odd/`, starts with AutoAccidentCaseWorth, no partner tab, destinations: none, not to ingest, roundedButtons, no lastStepHeader |',
    ]);
  });
});
