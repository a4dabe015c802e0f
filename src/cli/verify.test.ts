import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import {
  json,
  makeIssuer,
  makePack,
  makeStamper,
  signHead,
} from '../../tests/support/evidence-pack.ts';
import { rawZip } from '../../tests/support/raw-zip.ts';
import { type Bytes, toHex, utf8 } from '../evidence/bytes.ts';
import { consistencyPath, rootOf } from '../evidence/merkle.ts';
import { run } from './verify.ts';

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'verify-'));
  const issuer = await makeIssuer();
  const service = makeStamper(new Date('2025-03-23T23:00:01.000Z'));
  const pack = await makePack({ issuer, stamp: service.stamp });
  const { bytes, leaves, head } = pack;
  const old = { ...head, treeSize: 9, rootHash: toHex(await rootOf(leaves.slice(0, 9))) };
  const path = (await consistencyPath(leaves, 9)).map(toHex);
  const files = {
    'pack.zip': bytes,
    'changed.zip': bytes.with(2000, (bytes[2000] as number) ^ 1),
    'again.zip': packedAgain(pack.files),
    'other.zip': packedAgain(new Map(pack.files).set('readme.txt', utf8('Pay me.'))),
    'root.der': service.root,
    'other.der': makeStamper(new Date()).root,
    'keys.json': json({ keys: [issuer.key] }),
    'stranger.json': json({ keys: [(await makeIssuer()).key] }),
    'head.jws': await signHead(old, issuer),
    'proof.json': json({ from: 9, to: 40, path }),
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Packs files as another program would: in a folder, in another order, one of them compressed. */
function packedAgain(files: ReadonlyMap<string, Bytes>): Bytes {
  const [last, ...entries] = [...files].map(
    ([path, content]) => [`pack/${path}`, content] as const,
  );
  const [name = '', content = new Uint8Array()] = last ?? [];
  const compressed = Uint8Array.from(deflateRawSync(content));
  return rawZip([...entries.reverse(), [name, compressed]], { method: 8 });
}

test.each<[string[], number, string]>([
  [['pack.zip', '--keys', 'keys.json'], 0, 'Genuine, as far as it was checked'],
  [['pack.zip', '--keys', 'keys.json', '--language', 'es'], 0, 'Auténtico, hasta donde'],
  [['pack.zip', '--keys', 'stranger.json'], 1, 'not among the keys from stranger.json'],
  [['changed.zip', '--keys', 'keys.json'], 1, 'Do not rely on this pack'],
  [['again.zip', '--keys', 'keys.json'], 0, 'a file is compressed'],
  [['other.zip', '--keys', 'keys.json'], 1, 'readme.txt has another size'],
  [['pack.zip'], 2, 'Who signed is not known'],
  [['pack.zip', '--keys', 'keys.json'], 0, 'proven only against the certificate in the time stamp'],
  [['pack.zip', '--keys', 'keys.json', '--tsa', 'root.der'], 0, 'vouches for the service'],
  [['pack.zip', '--keys', 'keys.json', '--tsa', 'other.der'], 1, 'do not vouch'],
  [['pack.zip', '--keys', 'keys.json', '--tsa', 'keys.json'], 2, 'is not a certificate'],
  [['pack.zip', '--keys', 'keys.json', '--head', 'head.jws'], 2, 'needs /consistency?from=9&to=40'],
  [
    ['pack.zip', '--keys', 'keys.json', '--head', 'head.jws', '--consistency', 'proof.json'],
    0,
    'Nothing in it was rewritten',
  ],
  [[], 2, 'Usage: node verify.mjs pack.zip'],
  [['missing.zip'], 2, 'ENOENT'],
  [['pack.zip', '--keys', 'pack.zip'], 2, 'JSON'],
])('verify.mjs %j ends with %i', async (args, code, said) => {
  let output = '';
  for (const way of ['log', 'error'] as const) {
    vi.spyOn(console, way).mockImplementation((text) => {
      output += text;
    });
  }
  const inFolder = args.map((each) => (/\.\w+$/.test(each) ? join(folder, each) : each));
  expect(await run(inFolder)).toBe(code);
  expect(output).toContain(said);
});
