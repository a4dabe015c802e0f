import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pack, unpack } from './packed-json.ts';
import { readFields, readRevision, revisionDocument } from './packed-rows.ts';

// Stored rows need every dictionary to the letter. A new one gets a line; a line never changes.
test.each([
  [
    1,
    '9beb8cb648c4bab1076aa0df0007f8612e84ee56ee1d463cb7e0357d468163a5',
    'AQRgtQAAeFvDqXTDqSIsbnVsbCwxXQEA9tYdIb7oNMM=',
  ],
])('values of dictionary %i stay readable', (version, sha256, packed) => {
  const words = readFileSync(new URL(`./packed-words-${version}.txt`, import.meta.url));
  expect(createHash('sha256').update(words).digest('hex')).toBe(sha256);
  expect(unpack(Buffer.from(packed, 'base64'))).toEqual(['with_Lawyer', 'été', null, 1]);
});

test('every JSON text comes back, and damage is found', async () => {
  for (const value of ['', {}, [], { été: '\u{1f600}' }, 'x'.repeat(100_000)]) {
    expect(unpack(await pack(JSON.stringify(value)))).toEqual(value);
  }
  const value = { answer: 'yes', other: 'no' };
  const packed = await pack(JSON.stringify(value));
  for (let at = 0; at < packed.length; at += 1) {
    const damaged = Buffer.from(packed);
    damaged[at] = (damaged[at] ?? 0) ^ 0x10;
    // A bit of the header may mean nothing.
    expect([undefined, value]).toContainEqual(unpack(damaged));
  }
  // Each is read after a whole one, and before one.
  for (let length = 0; length < packed.length; length += 1) {
    const missing = packed.length - length;
    expect([undefined, missing <= 4 && value]).toContainEqual(unpack(packed.subarray(0, length)));
    expect(unpack(packed)).toEqual(value);
  }
});

test('a dictionary has no address, number or name of a person', () => {
  const words = readFileSync(new URL('./packed-words-1.txt', import.meta.url), 'utf8');
  expect(words.match(/[\w.+-]+@[\w-]+/g) ?? []).toEqual([]);
  expect(words.match(/\d{7,}|\d+\.\d+\.\d+\.\d+(?=")/g) ?? []).toEqual([]);
  expect(words.match(/[0-9a-f]{8}-[0-9a-f]{4}-|T\d\d:\d\d/g) ?? []).toEqual([]);
  // Those of bench/made-visits.ts, from which a dictionary is made.
  expect(words).not.toMatch(/Sandoval|Okafor|Nguyen|Kowalski|Haddad|Brooks|Tanya|Kevin|Susan/);
  expect(words).not.toMatch(/"(?:10001|33101|78620|90001|60601)"|12 Main Street/);
});

test('an odd revision comes back as it was', async () => {
  const body = JSON.parse(
    '{"__proto__":"x","same":"a","zero":0,"list":["a"],"none":null,"deep":{"same":"a"},"toString":"é"}',
  );
  const row = {
    ...{ body, merged: { ...body, same: 'b' }, answers: { zero: '0', same: 'a', other: '' } },
    ...{
      fields: { same: 'a', constructor: 'b', ip_address: '', text: 'a,\n"b' },
      given: null,
      decisions: [{ a: 1 }],
    },
    ...{ overrides: [], differences: [0], flow_version: 'v' },
  };
  const document = revisionDocument(row);
  const onOneLine = JSON.stringify(JSON.parse(document));
  for (const text of [document, onOneLine]) {
    const packed = await pack(text);
    expect(JSON.stringify(readRevision({ packed }))).toBe(JSON.stringify(row));
    expect(JSON.stringify(readFields({ fields: {}, packed }))).toBe(JSON.stringify(row.fields));
  }
});
