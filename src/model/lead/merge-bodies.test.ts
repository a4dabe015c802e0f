import { expect, it } from 'vitest';
import { changedFields, mergeBodies } from './merge-bodies.ts';

it('mergeBodies drops earlier answers for a body that answers the whole survey', () => {
  const first = { phone: '1', selected_buyers: '7', gclid: 'g', sub_id: 's' };
  const second = { phone: '2', gclid: '', whole: true };
  const isWhole = (body: Readonly<Record<string, unknown>>) => body.whole === true;
  expect(mergeBodies([first, second], isWhole)).toEqual({
    phone: '2',
    gclid: 'g',
    sub_id: 's',
    whole: true,
  });
});

it('mergeBodies keeps the consent fields if a later body has no consent text', () => {
  const first = { tcpa: 'I agree.', consent_version: '1', submitted_at: 'then' };
  const without = { tcpa: '', consent_version: '2', consent_shown_at: 'now', submitted_at: 'now' };
  expect(mergeBodies([first, without])).toEqual(first);
  const anew = { ...without, tcpa: 'I agree anew.' };
  expect(mergeBodies([first, anew])).toEqual(anew);
  expect(mergeBodies([without, { consent_version: '3' }])).toEqual({
    ...without,
    consent_version: '3',
  });
});

it('changedFields compares nested JSON by value', () => {
  expect(changedFields({ a: [{ b: null }] }, { a: [{ b: null }] })).toEqual([]);
  for (const other of [{ a: [{ b: '' }] }, { a: [{}] }, { a: { 0: { b: null } } }, { a: null }]) {
    expect(changedFields({ a: [{ b: null }] }, other)).toEqual(['a']);
  }
});
