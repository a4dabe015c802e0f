import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { json, makeIssuer, makePack, signHead } from '../../tests/support/evidence-pack.ts';
import { consistencyPath, rootOf } from '../../tests/support/merkle.ts';
import { toHex } from '../model/evidence/encoding.ts';
import { run } from './verify.ts';

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'verify-'));
  const issuer = await makeIssuer();
  const pack = await makePack({ issuer });
  const { bytes, leaves, head } = pack;
  const old = { ...head, treeSize: 9, rootHash: toHex(await rootOf(leaves.slice(0, 9))) };
  const path = (await consistencyPath(leaves, 9)).map(toHex);
  const files = {
    'pack.zip': bytes,
    'keys.json': json({ keys: [issuer.key] }),
    'stranger.json': json({ keys: [(await makeIssuer()).key] }),
    'head.jws': await signHead(old, issuer),
    'proof.json': json({ from: 9, to: 40, path }),
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each<[string[], number, string]>([
  [['pack.zip', '--keys', 'keys.json'], 0, 'Genuine, as far as it was checked'],
  [['pack.zip', '--keys', 'stranger.json'], 1, 'not signed with a valid key from stranger.json'],
  [['pack.zip'], 2, 'Who signed is not known'],
  [['pack.zip', '--keys', 'keys.json', '--head', 'head.jws'], 2, 'needs /consistency?from=9&to=40'],
  [
    ['pack.zip', '--keys', 'keys.json', '--head', 'head.jws', '--consistency', 'proof.json'],
    0,
    'Nothing in it was rewritten',
  ],
  [[], 2, 'Usage: node verify.mjs pack.zip'],
  [['pack.zip', '--keys', 'pack.zip'], 2, 'JSON'],
])('verify.mjs ends with the exit code of the verdict', async (args, code, said) => {
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
