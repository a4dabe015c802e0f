/** A pack with a time stamp: the signature names the stamp, and the reader's certificate says whose it is. */
import { beforeAll, expect, test } from 'vitest';
import {
  type Issuer,
  list,
  type MadePack,
  makeIssuer,
  makePack,
  makeStamper,
  now,
  type PackFiles,
  sign,
} from '../../tests/support/evidence-pack.ts';
import { type Bytes, fromUtf8, utf8 } from './bytes.ts';
import type { Kept } from './report.ts';
import { verifyPack } from './verify-pack.ts';
import { reportLines } from './words.ts';
import { writeZip } from './zip.ts';

/** Just after the pack was made. */
const service = makeStamper(new Date('2025-03-23T23:00:01.000Z'));
const impostor = makeStamper(new Date('2025-03-23T23:00:01.000Z'));
let issuer: Issuer;
let pack: MadePack;
let bare: MadePack;
let kept: Kept;

beforeAll(async () => {
  issuer = await makeIssuer();
  pack = await makePack({ issuer, stamp: service.stamp });
  bare = await makePack({ issuer });
  kept = { trusted: { keys: { keys: [issuer.key] }, from: 'https://example.test' }, now };
});

/** Returns the verdict, and what does not pass. */
async function outcomeOf(bytes: Bytes, more: Partial<Kept> = {}): Promise<string[]> {
  const { verdict, checks } = await verifyPack(bytes, { ...kept, ...more });
  const other = checks.filter(({ id, outcome }) => outcome !== 'passed' && id !== 'history');
  return [verdict, ...other.map(({ id, outcome }) => `${id} ${outcome}`)];
}
const changed = (change: (files: PackFiles) => void, from = pack) => {
  const files = new Map(from.files);
  change(files);
  return writeZip(files);
};
const failed = ['failed', 'timestamp failed'];

test('without a certificate to compare with, only the one in the stamp says whose it is', async () => {
  expect(await outcomeOf(pack.bytes)).toEqual(['proven', 'stamper not-checked']);
  const report = await verifyPack(pack.bytes, kept);
  const { by, certificate = '' } = report.facts.timestamp ?? {};
  expect([by, certificate]).toEqual(['Sandbox time stamps', expect.stringMatching(/^\w{64}$/)]);
  for (const language of ['en', 'es'] as const) {
    const lines = reportLines(report, language).filter((line) => line.includes(certificate));
    expect(lines.length).toBe(2);
  }
});

test('with the root of the service it is proven; with another root of the same name it fails', async () => {
  const stamper = async (...authorities: Bytes[]) => outcomeOf(pack.bytes, { authorities });
  expect(await stamper(service.root)).toEqual(['proven']);
  expect(await stamper(impostor.root, service.root)).toEqual(['proven']);
  expect(await stamper(impostor.root)).toEqual(['failed', 'stamper failed']);
});

test('a stamp that was removed, swapped or added fails', async () => {
  const manifest = pack.files.get('manifest.json') as Bytes;
  const swapped = await impostor.stamp(manifest);
  const again = await service.stamp(manifest);
  const ofAnother = await service.stamp(utf8('another'));
  expect(await outcomeOf(changed((files) => files.delete('timestamp.tsr')))).toEqual(failed);
  for (const stamp of [swapped, again, ofAnother, utf8('token'), utf8('')]) {
    const bytes = changed((files) => files.set('timestamp.tsr', stamp));
    expect((await outcomeOf(bytes)).slice(0, 2)).toEqual(failed);
    const added = changed((files) => files.set('timestamp.tsr', stamp), bare);
    expect((await outcomeOf(added)).slice(0, 2)).toEqual(failed);
  }
  // Without the stamp, the signature of a pack that never had one would do; there is none.
  const unnamed = changed((files) => {
    files.delete('timestamp.tsr');
    const [, ...rest] = fromUtf8(files.get('signature.jws') as Bytes).split('.');
    const [header] = fromUtf8(bare.files.get('signature.jws') as Bytes).split('.');
    files.set('signature.jws', utf8([header, ...rest].join('.')));
  });
  expect((await outcomeOf(unnamed))[0]).toBe('failed');
});

test('a stamp of another pack fails, though the issuer signs it anew', async () => {
  const files = new Map(pack.files).set('readme.txt', utf8('Other.\n'));
  await list(files, JSON.parse(fromUtf8(files.get('manifest.json') as Bytes)));
  await sign(files, issuer);
  expect((await outcomeOf(writeZip(files))).slice(0, 2)).toEqual(failed);
  const early = makeStamper(new Date('2025-03-20T00:00:00.000Z'));
  const { bytes } = await makePack({ issuer, stamp: early.stamp });
  expect((await outcomeOf(bytes)).slice(0, 2)).toEqual(failed);
});

test('a reader who expects a stamp is told that there is none', async () => {
  expect(await outcomeOf(bare.bytes)).toEqual(['proven']);
  expect(await outcomeOf(bare.bytes, { authorities: [service.root] })).toEqual([
    'unconfirmed',
    'stamper not-checked',
  ]);
});

test('a flipped byte of the stamp, or of what surrounds it, fails', async () => {
  const flipped = (bytes: Bytes, at: number) =>
    bytes.with(at, (bytes[at] as number) ^ (1 << (at % 8))) as Bytes;
  const stamp = pack.files.get('timestamp.tsr') as Bytes;
  const start = Buffer.from(pack.bytes).indexOf(stamp);
  expect(start).toBeGreaterThan(0);
  for (let at = 0; at < stamp.length; at += 1) {
    expect(await outcomeOf(flipped(pack.bytes, start + at)), `byte ${at}`).toContain('failed');
    if (at % 3 > 0) continue;
    const repacked = changed((files) => files.set('timestamp.tsr', flipped(stamp, at)));
    expect((await outcomeOf(repacked)).slice(0, 2), `byte ${at}, repacked`).toEqual(failed);
  }
  for (let at = 0; at < pack.bytes.length; at += 17) {
    const { verdict, checks } = await verifyPack(flipped(pack.bytes, at), kept);
    const isAsMade = checks.find(({ id }) => id === 'container')?.outcome === 'passed';
    expect(verdict === 'proven' && isAsMade, `byte ${at}`).toBe(false);
  }
});
