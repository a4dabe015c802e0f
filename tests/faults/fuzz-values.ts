/** Values and texts that a server does not expect, chosen by a seeded generator. */
import type { SeededRandom } from '../support/seeded-random.ts';

export type Choices = {
  readonly random: SeededRandom;
  /** Returns true with this probability. */
  chance(part: number): boolean;
  of<Value>(values: readonly Value[]): Value;
  /** Returns a generated UUID of version 4. */
  uuid(): string;
  hex(digits: number): string;
};

export function choices(random: SeededRandom): Choices {
  const hex = (digits: number) =>
    Array.from({ length: digits }, () => random.integer(0, 16).toString(16)).join('');
  return {
    random,
    hex,
    chance: (part) => random.next() < part,
    of: (values) => values[random.integer(0, values.length)] as (typeof values)[number],
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`,
  };
}

/** Texts that are known to break software. */
const hostileTexts = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udfffy',
  '\ufeff',
  '\u202etxet\u202c',
  '👩‍👩‍👧‍👦'.repeat(30),
  'ﷺ'.repeat(50),
  'Zalgơ̶̢̡̧̨̛̛̛',
  'line\r\nSet-Cookie: a=b',
  "'; drop table leads; --",
  '<script>alert(1)</script>',
  '{{7*7}}%s%n',
  '../../../../etc/passwd',
  '%00%ff%zz',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'NaN',
  'true',
  '[object Object]',
  '0',
  '-0',
  '-1',
  '1e309',
  '00000',
  '99999',
  '2147483648',
  '9223372036854775808',
  '0x1f',
  '1,2,3',
  '=1+1',
  'maria@',
  '@',
  '"quoted name"@mail.example',
  'a@b.c'.repeat(40),
  '+1 (212) 555-0123 ext. 9',
  '٢١٢٥٥٥٠١٢٣',
  'http://',
  'https://[::1',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'https://user:word@example.com:99999/',
];

/** Names that every object inherits: a look-up that trusts them finds a function. */
export const inheritedNames: readonly string[] = Object.getOwnPropertyNames(Object.prototype);

/** Times that a calendar or a database rejects. */
const hostileTimes = [
  '0000-00-00',
  '0000-01-01T00:00:00Z',
  '-000001-12-31T23:59:59Z',
  '-271821-04-20T00:00:00.000Z',
  '+275760-09-13T00:00:00.000Z',
  '+275760-09-13T00:00:00.001Z',
  '2026-02-30',
  '2026-13-45T99:99:99Z',
  '1969-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59.999Z',
  '2024-02-29T24:00:00Z',
  '2026-11-01T01:30:00-05:00',
  'Thu Jan 01 1970',
  '0',
  '13',
];

/** Placeholder for a value too deep for `JSON.stringify`, which `oddJson` fills in. */
const NESTED = '(nested)';

export function hostileText({ of, chance, random }: Choices): string {
  if (chance(0.15)) return of(hostileTimes);
  if (chance(0.06)) {
    // An odd offset makes a cut go through a surrogate pair.
    return of(['', 'x']) + of(['a', 'ä', '字', '😀', ' ', '\n']).repeat(random.integer(20, 9_000));
  }
  if (chance(0.2)) {
    // Any characters, including single surrogates.
    const codes = Array.from({ length: random.integer(1, 40) }, () => random.integer(0, 0x1_0000));
    return String.fromCharCode(...codes);
  }
  return of(hostileTexts);
}

/** Returns a random JSON value of any kind. */
export function hostileValue(any: Choices): unknown {
  const { random, chance, of } = any;
  if (chance(0.5)) return hostileText(any);
  if (chance(0.5)) {
    return of<unknown>([
      null,
      true,
      false,
      0,
      -1,
      1.5,
      1e21,
      5e-324,
      Number.MAX_SAFE_INTEGER + 2,
      2 ** 31,
      -(2 ** 63),
      [],
      {},
      [[]],
      [null],
      // `String()` throws for this value.
      { toString: 'x', valueOf: 1, toJSON: 'y', length: -1 },
      NESTED,
      NESTED,
    ]);
  }
  const items = Array.from({ length: random.integer(0, 5) }, () => hostileText(any));
  return chance(0.5) ? items : Object.fromEntries(items.map((name) => [name, hostileText(any)]));
}

/** Encodes the object as JSON, sometimes in unusual ways: duplicate keys, odd numbers, spaces. */
export function oddJson(any: Choices, object: Readonly<Record<string, unknown>>): string {
  const { chance, of, random } = any;
  const plain = JSON.stringify(object).replaceAll(`"${NESTED}"`, () => {
    const depth = random.integer(2, chance(0.5) ? 50 : 10_000);
    return of([
      `${'['.repeat(depth)}${']'.repeat(depth)}`,
      `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
    ]);
  });
  if (chance(0.6)) return plain;
  const extras = of([
    '"phone":"1",',
    '"lead_id":7,',
    '"__proto__":{"isAdmin":true},',
    '"constructor":{"prototype":{"x":1}},',
    '"a":1e999,"b":-0,"c":123456789012345678901234567890,',
    '"\\u0000":"\\ud83d","\\ud83d":"\\u0000",',
    '"":"",',
    '"toString":"x","valueOf":"y","length":"z","then":"w",',
  ]);
  // Placed before the object's own keys: of two equal keys the last counts.
  return plain === '{}' ? plain : `{${extras}${of(['', ' ', '\n\t'])}${plain.slice(1)}`;
}

/** Returns bytes that are not a JSON object. */
export function noObject(any: Choices): Buffer {
  const { of, chance, random } = any;
  if (chance(0.2)) {
    return Buffer.from(
      Array.from({ length: random.integer(0, 300) }, () => random.integer(0, 256)),
    );
  }
  if (chance(0.1)) return Buffer.from('['.repeat(random.integer(1_000, 60_000)));
  if (chance(0.1)) return Buffer.alloc(random.integer(64 * 1024, 200_000), 'x');
  return Buffer.from(
    of([
      '',
      ' ',
      'null',
      'true',
      '[]',
      '"text"',
      '12',
      '{',
      '{}',
      '{"lead_id"}',
      '{"lead_id":}',
      "{'lead_id':'x'}",
      '{"lead_id":null}',
      '{"lead_id":["01939999-1111-7111-8111-111111111111"]}',
      '{"lead_id":"01939999-1111-7111-8111-11111111111g"}',
      '{"session":{},"data":[]}',
      '{"session":null,"data":{}}',
      'lead_id=01939999-1111-7111-8111-111111111111',
      '\ufeff{}',
      '{}{}',
      '<lead/>',
    ]),
  );
}
