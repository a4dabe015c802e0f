import { expect, test } from 'vitest';
import en from '../../../../content/blocked-terms/en.json' with { type: 'json' };
import es from '../../../../content/blocked-terms/es.json' with { type: 'json' };
import { hitAndRun, type Scenario, scenarios } from '../../../../content/scenarios.ts';
import { checkField } from '../../../model/fields/asked-fields.ts';
import { languages } from '../../../model/fields/language.ts';
import { createBlockedTermMatcher } from '../../../model/rules/blocked-terms.ts';

const terms = createBlockedTermMatcher(en, es);
const today = { year: 2026, month: 11, day: 28 };

test.each(languages)('the sentences of scenarios are complete descriptions in %s', (language) => {
  for (const [group, own] of Object.entries<readonly Scenario[]>(scenarios)) {
    const all = [...own, hitAndRun].flatMap(({ sentence, atFault = sentence }) => [
      sentence[language],
      atFault[language],
    ]);
    for (const sentence of new Set(all)) {
      expect(checkField('case_description', sentence, { today }), sentence).toBeUndefined();
      expect(terms(sentence), sentence).toEqual([]);
      // A tap removes its sentence, which must not be a part of another one.
      const others = [...new Set(all)].filter((each) => each.includes(sentence));
      expect(others, `two scenarios of ${group} share a sentence`).toEqual([sentence]);
    }
  }
});

test('a sentence for a visitor at fault blames nobody', () => {
  const blame = /ran a|too close|turned|changed|in front of|se pasó|muy cerca|dio vuelta|frente a/;
  for (const { sentence, atFault = sentence } of Object.values<readonly Scenario[]>(
    scenarios,
  ).flat()) {
    for (const language of languages) expect(atFault[language]).not.toMatch(blame);
  }
});
