import { expect, it } from 'vitest';
import { loadBlockedTermCheck } from './texts.ts';

it('finds blocked terms in both languages, with their category', async () => {
  const blockedTerms = await loadBlockedTermCheck();
  expect(blockedTerms('It was a HIT AND RUN and I have no insurance.').length).toBeGreaterThan(1);
  expect(blockedTerms('I have a lawyer')).toContainEqual(
    expect.objectContaining({ category: 'has_lawyer' }),
  );
  expect(blockedTerms('No tengo seguro').length).toBeGreaterThan(0);
  expect(blockedTerms('A truck hit my car at a red light.')).toEqual([]);
});
