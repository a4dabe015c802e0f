import { describe, expect, it } from 'vitest';
import { testEntry, testRules } from '../../tests/support/build.ts';
import type { Answers } from '../domain/answers.ts';
import { decideQualification } from './decide.ts';

const answers: Answers = { injury_month: '11', injury_year: '2026', injury_day: '06' };
const today = { year: 2026, month: 11, day: 20 };

function decided(given: Answers, path?: string, state?: string) {
  const read: string[] = [];
  const checks = {
    ofDescription: (text: string) => {
      read.push(text);
      return { is_gibberish: 'yes', bad_words: 'no' } as const;
    },
    ofName: () => ({ name_gibberish: 'no', name_bad_word: 'no' }) as const,
  };
  const entry = path === undefined ? undefined : testEntry(path);
  return {
    read,
    ...decideQualification(given, { state, today }, entry, { rules: testRules, checks }),
  };
}

describe('decideQualification', () => {
  it('applies the usual rules to a lead of an unknown survey', () => {
    const { fields } = decided({ ...answers, doctor_treatment: 'no' });
    expect(fields.doctor_treatment).toBe('Yes');
  });

  it('checks a description if there is one', () => {
    const case_description = 'A truck hit my car from behind.';
    const with_ = decided({ case_description }, '/survey/v4nv');
    expect(with_.read).toEqual([case_description]);
    expect(with_.decision).toEqual({ qualified: false, dq_reason: 'is_gibberish|yes' });
    const without = decided({}, '/survey/v4nv');
    expect(without.read).toEqual([]);
    expect(without.decision.qualified).toBe(true);
  });

  it('passes the state of the zip code to the rules', () => {
    const fault = { partial_fault: 'yes', at_Fault: 'yes' } as const;
    expect(decided(fault, '/survey/v4nv', 'NY').fields).toMatchObject({
      state: 'NY',
      at_Fault: 'no',
    });
    expect(decided(fault, '/survey/v4nv').fields).not.toHaveProperty('state');
  });
});
