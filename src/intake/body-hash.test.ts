/** Pins the body hash: stored hashes must stay valid. */
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { bodySha256 } from './body-hash.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url');

it('bodySha256 hashes the JSON with its keys sorted at every depth', () => {
  const body = { b: 1, a: { d: [true, { z: null, y: 'é' }], c: 'x' }, B: '' };
  expect(bodySha256(body)).toBe(
    sha256('{"B":"","a":{"c":"x","d":[true,{"y":"é","z":null}]},"b":1}'),
  );
});

it('bodySha256 differs for similar but different bodies', () => {
  const bodies = [
    { a: '1' },
    { a: 1 },
    { a: ['1'] },
    { a: null },
    { a: '1', b: '' },
    { 'a":"1","b': '' },
    { a: ['1', 2] },
    { a: [2, '1'] },
  ];
  expect(new Set(bodies.map(bodySha256)).size).toBe(bodies.length);
});
