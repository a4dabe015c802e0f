/** The hashes by which bodies are found again: what is stored must not change its meaning. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodySha256 } from '../../intake/body-hash.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url');

describe('bodySha256', () => {
  it('is that of the JSON with its keys sorted, at every depth', () => {
    const body = { b: 1, a: { d: [true, { z: null, y: 'é' }], c: 'x' }, B: '' };
    expect(bodySha256(body)).toBe(
      sha256('{"B":"","a":{"c":"x","d":[true,{"y":"é","z":null}]},"b":1}'),
    );
  });

  it('is the same in any order, and after a way through JSON', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (body) => {
        const reversed = Object.fromEntries(Object.entries(body).reverse());
        expect(bodySha256(reversed)).toBe(bodySha256(body));
        expect(bodySha256(JSON.parse(JSON.stringify(body)))).toBe(bodySha256(body));
      }),
    );
  });

  it('is another for another body, as near as it may be', () => {
    const bodies = [
      {},
      { a: '1' },
      { a: 1 },
      { a: ['1'] },
      { a: null },
      { a: '' },
      { a: '1', b: '' },
      { 'a":"1","b': '' },
      { a: [1, 2] },
      { a: [2, 1] },
      { a: [[1], 2] },
    ];
    expect(new Set(bodies.map(bodySha256)).size).toBe(bodies.length);
  });
});
