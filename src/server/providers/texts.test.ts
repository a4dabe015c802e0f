import { describe, expect, it } from 'vitest';
import { checkGibberish, checkPersonName, loadBlockedTermCheck } from './texts.ts';

describe('the embedded text checks', () => {
  it('find blocked terms in both languages, with their category', async () => {
    const blockedTerms = await loadBlockedTermCheck();
    expect(blockedTerms('It was a HIT AND RUN and I have no insurance.').length).toBeGreaterThan(1);
    expect(blockedTerms('I have a lawyer')).toContainEqual(
      expect.objectContaining({ category: 'has_lawyer' }),
    );
    expect(blockedTerms('No tengo seguro').length).toBeGreaterThan(0);
    expect(blockedTerms('A truck hit my car at a red light.')).toEqual([]);
  });

  it('distinguish random keystrokes from a description', () => {
    expect(checkGibberish('asdfgh jklqwe zxcvbn asdfgh')).toBe(true);
    expect(checkGibberish('A truck hit my car at a red light.')).toBe(false);
  });

  it('reject names that are listed or implausible', () => {
    expect(checkPersonName('TEST', '81')).toMatchObject({ bad: true, reason: 'blocklisted' });
    expect(checkPersonName('Anónimo', '81')).toMatchObject({ bad: true, reason: 'blocklisted' });
    expect(checkPersonName('Xxxx', '81')).toMatchObject({ bad: true });
    expect(checkPersonName('María-José', '81')).toEqual({ bad: false });
  });

  it('skip the names of three lead sources', () => {
    for (const source of ['516', '180', '330']) {
      expect(checkPersonName('test', source)).toEqual({ bad: false });
    }
  });
});
