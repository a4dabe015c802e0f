import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Bytes, fromBase64url, fromHex, sha256, toBase64url, toHex, utf8 } from './bytes.ts';
import { canonicalJson, parseCanonical } from './canonical-json.ts';
import { isSignedBy, parseJws, signJws, thumbprint } from './jws.ts';
import {
  auditPath,
  consistencyPath,
  leafHash,
  rootOf,
  verifyConsistency,
  verifyInclusion,
} from './merkle.ts';

test('the example of RFC 8785, section 3.2.2', () => {
  const value = JSON.parse(String.raw`{
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
    "literals": [null, true, false]
  }`);
  expect(canonicalJson(value)).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
      String.raw`"string":"€$\u000f\nA'B\"\\\\\"/"}`,
  );
});

test('members are sorted as in RFC 8785, section 3.2.3', () => {
  const value = JSON.parse(String.raw`{
    "\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh",
    "1": "One", "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control", "\u00f6": "Latin Small Letter O With Diaeresis"
  }`);
  const sorted = [...canonicalJson(value).matchAll(/":"([^"]*)"/g)].map(([, text]) => text);
  expect(sorted).toEqual([
    'Carriage Return',
    'One',
    'Control',
    'Latin Small Letter O With Diaeresis',
    'Euro Sign',
    'Emoji: Grinning Face',
    'Hebrew Letter Dalet With Dagesh',
  ]);
});

test('numbers as in RFC 8785, appendix B', () => {
  const numbers: [string, string][] = [
    ['-0', '0'],
    ['5e-324', '5e-324'],
    ['1.7976931348623157e308', '1.7976931348623157e+308'],
    ['9007199254740992', '9007199254740992'],
    ['295147905179352830000', '295147905179352830000'],
    ['9.999999999999997e22', '9.999999999999997e+22'],
    ['1e23', '1e+23'],
    ['0.000001', '0.000001'],
    ['0.0000001', '1e-7'],
    ['333333333.33333325', '333333333.33333325'],
  ];
  for (const [given, canonical] of numbers) {
    expect(canonicalJson(JSON.parse(given))).toBe(canonical);
  }
});

test.each([
  ['duplicate keys', '{"a":1,"a":1}'],
  ['unsorted keys', '{"b":1,"a":1}'],
  ['a space', '{"a": 1}'],
  ['a newline at the end', '{"a":1}\n'],
  ['another spelling of a number', '[1.0]'],
  ['minus zero', '[-0]'],
  ['too large a number', '[1e400]'],
  ['an escape that is not needed', String.raw`["\u0041"]`],
  ['half a character', String.raw`["\ud800"]`],
  ['deep nesting', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ['a byte order mark', '\ufeff{}'],
  ['nothing', ''],
])('JSON with %s is refused', (_, text) => {
  expect(() => parseCanonical(utf8(text))).toThrow();
});

test('JSON that is not UTF-8 is refused', () => {
  expect(() => parseCanonical(Uint8Array.of(0x22, 0xc3, 0x22))).toThrow('not JSON');
});

test('canonical JSON is read back', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5, noUnicodeString: false }), (value) => {
      let text: string;
      try {
        text = canonicalJson(value);
      } catch {
        return;
      }
      expect(canonicalJson(parseCanonical(utf8(text)))).toBe(text);
    }),
  );
});

test('base64url and hex have one spelling for bytes', () => {
  for (const length of [0, 1, 2, 3, 31, 20_000]) {
    const bytes = new Uint8Array(randomBytes(length));
    expect(toBase64url(bytes)).toBe(Buffer.from(bytes).toString('base64url'));
    expect(fromBase64url(toBase64url(bytes))).toEqual(bytes);
    expect(fromHex(toHex(bytes))).toEqual(bytes);
  }
  for (const wrong of ['AB', 'AA==', 'A', 'A A', 'AA\n', '++']) {
    expect(() => fromBase64url(wrong), wrong).toThrow();
  }
  for (const wrong of ['A0', '0', 'zz']) expect(() => fromHex(wrong), wrong).toThrow();
});

/** The leaves and roots that implementations of RFC 6962 test with (certificate-transparency-go). */
const leafInputs = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
];
const knownRoots = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

test('roots as other implementations of RFC 6962 have them', async () => {
  expect(toHex(await rootOf([]))).toBe(createHash('sha256').digest('hex'));
  const leaves = await Promise.all(leafInputs.map((hex) => leafHash(fromHex(hex))));
  for (const [at, root] of knownRoots.entries()) {
    expect(toHex(await rootOf(leaves.slice(0, at + 1)))).toBe(root);
  }
});

async function someLeaves(size: number): Promise<Bytes[]> {
  return Promise.all(Array.from({ length: size }, (_, at) => leafHash(utf8(`${at}`))));
}

test('every leaf of trees up to 17 leaves is proven, and nowhere else', async () => {
  const all = await someLeaves(17);
  for (let size = 1; size <= all.length; size += 1) {
    const leaves = all.slice(0, size);
    const root = await rootOf(leaves);
    for (const [index, leaf] of leaves.entries()) {
      const path = await auditPath(leaves, index);
      const claim = { leaf, index, size, path, root };
      expect(await verifyInclusion(claim)).toBe(true);
      const wrong = [
        { ...claim, index: index + 1 },
        { ...claim, index: index - 1 },
        { ...claim, leaf: root === leaf ? (all[16] as Bytes) : root },
        { ...claim, path: [...path, leaf] },
        ...(path.length > 0 ? [{ ...claim, path: path.slice(1) }] : []),
        ...(path.length > 1 ? [{ ...claim, path: path.toReversed() }] : []),
      ];
      for (const each of wrong) {
        // A tree of one leaf has its leaf as root.
        expect(await verifyInclusion(each)).toBe(false);
      }
    }
  }
});

test('each tree up to 17 leaves begins with each smaller one, and with no other', async () => {
  const leaves = await someLeaves(17);
  const other = await leafHash(utf8('other'));
  for (let to = 1; to <= leaves.length; to += 1) {
    const toRoot = await rootOf(leaves.slice(0, to));
    for (let from = 1; from <= to; from += 1) {
      const fromRoot = await rootOf(leaves.slice(0, from));
      const path = await consistencyPath(leaves.slice(0, to), from);
      const claim = { from, fromRoot, to, toRoot, path };
      expect(await verifyConsistency(claim)).toBe(true);
      const forked = await rootOf([...leaves.slice(0, from - 1), other]);
      const wrong = [
        { ...claim, fromRoot: forked },
        { ...claim, toRoot: forked },
        { ...claim, path: [...path, other] },
        ...(path.length > 0 ? [{ ...claim, path: path.slice(1) }] : []),
        { ...claim, from: 0 },
        { ...claim, from: to + 1 },
      ];
      for (const each of wrong) expect(await verifyConsistency(each)).toBe(false);
    }
  }
});

test('the example key and signature of RFC 8037, appendix A', async () => {
  const x = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo';
  expect(await thumbprint(x)).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k');
  const signed = utf8('eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc');
  const signature = fromBase64url(
    'hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg',
  );
  const jws = { kid: '', payload: signed, signed, signature };
  expect(await isSignedBy(jws, x)).toBe(true);
  expect(await isSignedBy({ ...jws, signed: utf8('another') }, x)).toBe(false);
  // The same signature with the group's order added to its scalar: a second spelling.
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;
  const scalar = BigInt(`0x${toHex(signature.slice(32).toReversed())}`) + order;
  const second = fromHex(scalar.toString(16).padStart(64, '0')).toReversed();
  const spelled = Uint8Array.from([...signature.slice(0, 32), ...second]);
  expect(await isSignedBy({ ...jws, signature: spelled }, x)).toBe(false);
});

test('a JWS with another header is refused', async () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const key = await crypto.subtle.importKey(
    'pkcs8',
    new Uint8Array(privateKey.export({ type: 'pkcs8', format: 'der' })),
    { name: 'Ed25519' },
    false,
    ['sign'],
  );
  const text = await signJws('evidence-head', utf8('{}'), 'k', key);
  expect(parseJws(utf8(text), 'evidence-head').kid).toBe('k');
  const [, payload, signature] = text.split('.');
  const headers = [
    '{"alg":"none","kid":"k","typ":"evidence-head"}',
    '{"alg":"HS256","kid":"k","typ":"evidence-head"}',
    '{"alg":"EdDSA","kid":"k","typ":"evidence-manifest"}',
    '{"alg":"EdDSA","kid":"k"}',
    '{"alg":"EdDSA","crit":["x"],"kid":"k","typ":"evidence-head"}',
    '{"alg":"EdDSA","kid":"k","kid":"k","typ":"evidence-head"}',
    '{"kid":"k","alg":"EdDSA","typ":"evidence-head"}',
    '{"alg":"EdDSA","kid":1,"typ":"evidence-head"}',
    '{"alg":"EdDSA","typ":"evidence-head"}',
    'null',
    'x',
  ];
  for (const header of headers) {
    const forged = `${toBase64url(utf8(header))}.${payload}.${signature}`;
    expect(() => parseJws(utf8(forged), 'evidence-head'), header).toThrow();
  }
  for (const forged of [`${text}.`, text.slice(0, -1), `${text}=`, `${text}\n`, ` ${text}`, '..']) {
    expect(() => parseJws(utf8(forged), 'evidence-head'), forged).toThrow();
  }
});

test('hashes several parts as one', async () => {
  expect(toHex(await sha256(utf8('a'), utf8('bc')))).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});
