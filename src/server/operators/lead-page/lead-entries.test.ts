import { expect, test } from 'vitest';
import { at, storyOf, viewOf } from '../../../../tests/support/lead-story.ts';
import type { LeadCheckRow } from '../../storage/schema.ts';
import { checkEntry } from './lead-entries.ts';
import { answerOf } from './read-lead.ts';

const check: LeadCheckRow = {
  ...{ id: 'check', lead_id: 'lead', revision: null, service: 'phone', asked_sha256: '00' },
  ...{ at: at('12:00'), duration_ms: 40, outcome: 'answered', said: { valid: true }, reason: null },
};

test.each([
  ['a paid answer', {}, 'valid, after 40 ms, for US$\u20090.005'],
  ['an answer that was reused', { outcome: 'remembered' }, 'valid'],
  ['a failure', { outcome: 'failed', said: null }, 'after 40 ms'],
  ['a free service', { service: 'zip' }, 'valid, after 40 ms'],
] as const)('%s says what it cost', (_, change, text) => {
  const view = { ...viewOf(false), checkPrice: 0.005 };
  expect(checkEntry({ ...check, ...change }, view).text).toBe(text);
  expect(checkEntry({ ...check, ...change }, viewOf(false)).text).not.toContain('US$');
});

test('an answer that a rule changed is said beside the lead', () => {
  const { notes } = answerOf(storyOf(), new Map(), viewOf(false), 'viewer');
  expect(notes).toContain(
    'A rule changed an answer: doctor_treatment: answered “no”, sent as “Yes” (rule treatment.forced).',
  );
});
