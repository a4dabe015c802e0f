import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { bodySha256, mergeBodies, storable } from './body.ts';

it('storable replaces characters that PostgreSQL refuses by U+FFFD', () => {
  expect(storable({ a: 'x\u0000y', b: '\ud800!', 'c\u0000': { d: ['\udfff'] } })).toEqual({
    a: 'x\uFFFDy',
    b: '\uFFFD!',
    'c\uFFFD': { d: ['\uFFFD'] },
  });
});

it('storable encodes a deeply nested value as text', () => {
  let nested: unknown = 'x';
  for (let depth = 0; depth < 40; depth += 1) nested = [nested];
  expect(storable({ nested }).nested).toBe(JSON.stringify(nested));
  const bottomless = JSON.parse(`${'['.repeat(30_000)}${']'.repeat(30_000)}`);
  expect(typeof storable({ bottomless }).bottomless).toBe('string');
});

/** Computes hashes without the tested code, because stored hashes must stay valid. */
const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url');

it('bodySha256 returns the SHA-256 of the JSON with sorted keys', () => {
  const body = { b: 1, a: { d: [true, { z: null, y: 'é' }], c: 'x' }, B: '' };
  expect(bodySha256(body)).toBe(
    sha256('{"B":"","a":{"c":"x","d":[true,{"y":"é","z":null}]},"b":1}'),
  );
});

it('mergeBodies omits earlier answers if a later body answers the whole survey', () => {
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

it('mergeBodies returns the earlier consent fields if the later body has no consent text', () => {
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
