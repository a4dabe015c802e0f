import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { auditPath, consistencyPath, rootOf } from '../../../tests/support/merkle.ts';
import {
  type Bytes,
  canonicalJson,
  fromHex,
  parseCanonical,
  Refusal,
  toBase64url,
  utf8,
} from './encoding.ts';
import { signJws, thumbprint, verifyJws } from './keys.ts';
import { leafHash, verifyConsistency, verifyInclusion } from './merkle.ts';
import { readZip, writeZip } from './zip.ts';

test('canonicalJson encodes the example of RFC 8785, section 3.2.2, as the RFC prescribes', () => {
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

test.each([
  ['duplicate keys', '{"a":1,"a":1}'],
  ['unsorted keys', '{"b":1,"a":1}'],
  ['a space', '{"a": 1}'],
  ['a number that is not canonical', '[1.0]'],
  ['a number that is too large', '[1e400]'],
  ['half of a surrogate pair', String.raw`["\ud800"]`],
  ['a byte order mark', '\ufeff{}'],
  ['no content', ''],
])('parseCanonical throws for JSON with %s', (_, text) => {
  expect(() => parseCanonical(utf8(text))).toThrow();
});

/** The test tree of the RFC 6962 implementation certificate-transparency-go. */
const leafInputs = [
  ...['', '00', '10', '2021', '3031', '40414243', '5051525354555657'],
  '606162636465666768696a6b6c6d6e6f',
];
const KNOWN_ROOT = '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328';

test('verifyInclusion accepts a proof of the test tree that other RFC 6962 implementations use', async () => {
  const leaves = await Promise.all(leafInputs.map((hex) => leafHash(fromHex(hex))));
  const path = await auditPath(leaves, 2);
  const claim = { leaf: leaves[2] as Bytes, index: 2, size: 8, path, root: fromHex(KNOWN_ROOT) };
  expect(await verifyInclusion(claim)).toBe(true);
});

async function someLeaves(size: number): Promise<Bytes[]> {
  return Promise.all(Array.from({ length: size }, (_, at) => leafHash(utf8(`${at}`))));
}

test('verifyInclusion accepts only unchanged proofs', async () => {
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
      for (const each of wrong) expect(await verifyInclusion(each)).toBe(false);
    }
  }
});

test('verifyConsistency accepts only unchanged proofs', async () => {
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

test('thumbprint returns the thumbprint that RFC 8037 gives for its example key', async () => {
  const x = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo';
  expect(await thumbprint(x)).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k');
});

test('verifyJws throws for a JWS that differs from the output of signJws', async () => {
  const pair = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify']);
  const { publicKey, privateKey } = pair as CryptoKeyPair;
  const x = toBase64url(new Uint8Array(await crypto.subtle.exportKey('raw', publicKey)));
  const key = { kty: 'OKP', crv: 'Ed25519', x, kid: 'k', use: 'sig', alg: 'EdDSA' } as const;
  const keys = new Map([['k', { ...key, validFrom: '', validUntil: null }]]);
  const verify = (text: string) => verifyJws(utf8(text), 'evidence-head', keys);
  const text = await signJws('evidence-head', utf8('{}'), 'k', privateKey);
  expect(await verify(text)).toEqual({ kid: 'k', payload: utf8('{}') });
  const [, payload, signature = ''] = text.split('.');
  const headers = [
    '{"alg":"none","kid":"k","typ":"evidence-head"}',
    '{"alg":"EdDSA","kid":"k","typ":"evidence-manifest"}',
    '{"alg":"EdDSA","crit":["x"],"kid":"k","typ":"evidence-head"}',
    '{"kid":"k","alg":"EdDSA","typ":"evidence-head"}',
    '{"alg":"EdDSA","kid":"other","typ":"evidence-head"}',
    'null',
    'x',
  ];
  for (const header of headers) {
    const signed = `${toBase64url(utf8(header))}.${payload}`;
    const bytes = await crypto.subtle.sign('Ed25519', privateKey, utf8(signed));
    const forged = `${signed}.${toBase64url(new Uint8Array(bytes))}`;
    await expect(verify(forged), header).rejects.toThrow();
  }
  // Changes only padding bits of the signature, which most base64url decoders ignore.
  const last = String.fromCharCode((signature.at(-1) ?? 'A').charCodeAt(0) + 1);
  for (const forged of [`${text}.`, `${text.slice(0, -1)}${last}`, `${text}=`, ` ${text}`, '..']) {
    await expect(verify(forged), forged).rejects.toThrow();
  }
  await expect(
    verify(await signJws('evidence-manifest', utf8('{}'), 'k', privateKey)),
  ).rejects.toThrow('another algorithm, type or header');
});

const file = utf8('content');
const zipOf = (files: Record<string, Uint8Array>) => Uint8Array.from(zipSync(files));

test('readZip accepts a ZIP file in which a folder contains all files', () => {
  const files = new Map([
    ['manifest.json', file],
    ['a/b.json', file],
  ]);
  expect(readZip(writeZip(files))).toEqual(files);
  const inFolder = [...files].map(([path, bytes]) => [`Pack (1)/${path}`, bytes] as const);
  expect(readZip(zipOf({ 'Pack (1)/': file, ...Object.fromEntries(inFolder) }))).toEqual(files);
});

test.each<[string, Bytes]>([
  ['a path outside of the pack', zipOf({ '../up': file })],
  [
    'a file beside the folder of the other files',
    zipOf({ 'x/manifest.json': file, 'x/a': file, a: file }),
  ],
  ['a ZIP bomb', zipOf({ a: new Uint8Array(21 * 1024 * 1024) })],
  [
    'too many files',
    zipOf(Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`${n}`, file]))),
  ],
  ['bytes that are not a ZIP file', file],
])('readZip throws for %s', (_, bytes) => {
  expect(() => readZip(bytes)).toThrow(Refusal);
});
