import { beforeAll, describe, expect, test } from 'vitest';
import {
  type Issuer,
  json,
  leadId,
  list,
  type MadePack,
  makeIssuer,
  makePack,
  now,
  type PackFiles,
  type PackPlan,
  sampleEvents,
  sign,
  signHead,
} from '../../tests/support/evidence-pack.ts';
import { type Bytes, fromUtf8, toBase64url, toHex, utf8 } from './bytes.ts';
import { canonicalJson } from './canonical-json.ts';
import { consistencyPath, leafHash, rootOf } from './merkle.ts';
import type { Kept, Report } from './report.ts';
import { verifyPack } from './verify-pack.ts';
import { writeZip } from './zip.ts';

let issuer: Issuer;
let thief: Issuer;
let pack: MadePack;
let kept: Kept;

beforeAll(async () => {
  issuer = await makeIssuer();
  thief = await makeIssuer();
  pack = await makePack({ issuer });
  kept = { trusted: { keys: { keys: [issuer.key] }, from: 'https://example.test' }, now };
});

const outcomeOf = (report: Report, id: string) =>
  report.checks.find((check) => check.id === id)?.outcome;
/** Returns whether a pack is taken for one whose file is also as it was made. */
const isAccepted = (report: Report) =>
  report.verdict === 'proven' && outcomeOf(report, 'container') === 'passed';
const failedOf = ({ checks }: Report) =>
  checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
/** Returns what an issuer's own pack fails at, if it is made as planned. */
const failsAt = async (plan: Partial<PackPlan>) =>
  failedOf(await verifyPack((await makePack({ issuer, ...plan })).bytes, kept));
/** Returns what a pack fails at after someone without the keys changed its files and packed them again. */
async function failsAfter(change: (files: PackFiles) => void | Promise<void>): Promise<string[]> {
  const files = new Map(pack.files);
  await change(files);
  return failedOf(await verifyPack(writeZip(files), kept));
}
const read = (files: PackFiles, path: string) => JSON.parse(fromUtf8(files.get(path) as Bytes));

test('a pack is proven, with what it says', async () => {
  const report = await verifyPack(pack.bytes, kept);
  expect(failedOf(report)).toEqual([]);
  expect(report.verdict).toBe('proven');
  expect(outcomeOf(report, 'history')).toBe('not-checked');
  expect(report.facts.manifest?.leadId).toBe(leadId);
  expect(report.facts.logged.map(({ kind }) => kind).sort()).toEqual([
    'consent',
    'delivery',
    'revision',
  ]);
  expect(report.facts.kid).toBe(issuer.key.kid);
});

test('without keys to compare with, nobody is said to have signed', async () => {
  const report = await verifyPack(pack.bytes, { now });
  expect(failedOf(report)).toEqual([]);
  expect(report.verdict).toBe('unconfirmed');
  expect(outcomeOf(report, 'signer')).toBe('not-checked');
});

test('a time stamp that is none fails', async () => {
  expect(await failsAfter((files) => void files.set('timestamp.tsr', utf8('token')))).toEqual([
    'timestamp',
  ]);
});

test('keys rotate: head and manifest are signed by two keys, both trusted', async () => {
  const newer = await makeIssuer();
  const { bytes } = await makePack({ issuer: newer, headIssuer: issuer });
  const trusted = { keys: { keys: [issuer.key, newer.key] }, from: 'file' };
  expect((await verifyPack(bytes, { now, trusted })).verdict).toBe('proven');
  expect(failedOf(await verifyPack(bytes, kept))).toEqual(['signer']);
});

describe('every byte', () => {
  test('flipped, is noticed', async () => {
    for (let at = 0; at < pack.bytes.length; at += 1) {
      const bytes = pack.bytes.slice();
      (bytes[at] as number) ^= 1 << (at % 8);
      expect(isAccepted(await verifyPack(bytes, kept)), `byte ${at}`).toBe(false);
    }
    expect(pack.bytes.length).toBeGreaterThan(5000);
  });

  test('of every file, flipped in a repaired container, fails', async () => {
    let alterations = 0;
    for (const [path, content] of pack.files) {
      // Elsewhere the hash of the file decides, wherever the byte is.
      const step = ['manifest.json', 'signature.jws'].includes(path) ? 3 : 23;
      for (let at = 0; at < content.length; at += step) {
        const changed = content.slice();
        (changed[at] as number) ^= 1 << (at % 8);
        const bytes = writeZip(new Map(pack.files).set(path, changed));
        const { verdict } = await verifyPack(bytes, kept);
        expect(verdict, `${path}, byte ${at}`).toBe('failed');
        alterations += 1;
      }
    }
    expect(alterations).toBeGreaterThan(1000);
  });

  test('of a signed file, flipped by an issuer who signs again, fails at the log', async () => {
    for (const path of ['log/head.jws', 'log/proofs.json', 'logged/consent-1.json']) {
      const content = pack.files.get(path) as Bytes;
      for (let at = 0; at < content.length; at += 11) {
        const changed = content.slice();
        (changed[at] as number) ^= 1 << (at % 8);
        const files = new Map(pack.files).set(path, changed);
        await list(files, read(files, 'manifest.json'));
        await sign(files, issuer);
        const { verdict } = await verifyPack(writeZip(files), kept);
        expect(verdict, `${path}, byte ${at}`).toBe('failed');
      }
    }
  });

  test('cut off at any length, or added, is noticed', async () => {
    for (let length = 0; length < pack.bytes.length; length += 7) {
      const { verdict } = await verifyPack(pack.bytes.slice(0, length), kept);
      expect(verdict, `${length} bytes`).toBe('failed');
    }
    for (const bytes of [Uint8Array.of(...pack.bytes, 0), Uint8Array.of(0, ...pack.bytes)]) {
      expect(isAccepted(await verifyPack(bytes, kept))).toBe(false);
    }
  });
});

describe('files changed without the keys', () => {
  test.each<[string, (files: PackFiles) => void | Promise<void>, string[]]>([
    [
      'a text changed',
      (files) => files.set('readme.txt', utf8('Pay me.\n')) && undefined,
      ['files'],
    ],
    ['a file added', (files) => files.set('extra.txt', utf8('x')) && undefined, ['files']],
    ['a file removed', (files) => void files.delete('readme.txt'), ['files']],
    [
      'a file changed and the list with it',
      async (files) => {
        files.set('readme.txt', utf8('Pay me.\n'));
        await list(files, read(files, 'manifest.json'));
      },
      ['signature'],
    ],
    [
      'all signed with a key of their own, which the pack names',
      async (files) => {
        files.set('keys.json', json({ keys: [issuer.key, thief.key] }));
        await list(files, read(files, 'manifest.json'));
        await sign(files, thief);
      },
      ['signer'],
    ],
    [
      'the key replaced under its old name',
      async (files) => {
        files.set('keys.json', json({ keys: [{ ...thief.key, kid: issuer.key.kid }] }));
        await list(files, read(files, 'manifest.json'));
        await sign(files, { ...thief, key: { ...thief.key, kid: issuer.key.kid } });
      },
      ['signature', 'validity', 'signer', 'head', 'times'],
    ],
    [
      'the manifest with a member twice',
      (files) => {
        const text = fromUtf8(files.get('manifest.json') as Bytes);
        files.set('manifest.json', utf8(text.replace('{', '{"format":"evidence-pack/1",')));
      },
      ['manifest'],
    ],
    [
      'the manifest with spaces',
      (files) => {
        const value = read(files, 'manifest.json');
        files.set('manifest.json', utf8(JSON.stringify(value, null, 1)));
      },
      ['manifest'],
    ],
    [
      'the signature of the head in place of the manifest’s',
      (files) => void files.set('signature.jws', files.get('log/head.jws') as Bytes),
      ['signature', 'validity', 'signer'],
    ],
  ])('%s', async (_, change, expected) => {
    expect(await failsAfter(change)).toEqual(expected);
  });

  test('no signature', async () => {
    const failed = await failsAfter((files) => void files.delete('signature.jws'));
    expect(failed).toEqual(['container', 'signature', 'validity', 'signer']);
  });

  test('a whole pack of someone else is unconfirmed without keys, and fails with them', async () => {
    const { bytes } = await makePack({ issuer: thief });
    expect((await verifyPack(bytes, { now })).verdict).toBe('unconfirmed');
    expect(failedOf(await verifyPack(bytes, kept))).toEqual(['signer']);
  });
});

describe('what not even the issuer can do unseen', () => {
  const other = '019ab2c4-7d1e-7a10-9c55-000000000000';

  test('another lead’s consent', async () => {
    const events = await sampleEvents();
    const consent = { ...events['logged/consent-1.json'], leadId: other };
    expect(await failsAt({ events: { ...events, 'logged/consent-1.json': consent } })).toEqual([
      'record',
    ]);
  });

  test('the consents of two revisions swapped', async () => {
    const { 'logged/consent-1.json': consent = {}, ...events } = await sampleEvents();
    const swapped = {
      ...events,
      'logged/consent-0.json': consent,
      'logged/consent-1.json': { ...consent, revision: 0 },
    };
    expect(await failsAt({ events: swapped })).toEqual(['record']);
  });

  test('a consent that was never logged, or after the fact', async () => {
    const forge = (files: PackFiles) => {
      const consent = { ...read(files, 'logged/consent-1.json'), page: '/another' };
      files.set('logged/consent-1.json', json(consent));
      files.set('consent.json', json(consent));
    };
    expect(await failsAt({ files: forge })).toEqual(['inclusion']);
    const { 'logged/consent-1.json': _, ...without } = await sampleEvents();
    expect(await failsAt({ events: without })).toEqual(['record']);
  });

  test('a readable copy that says something else', async () => {
    const reads = (path: string, change: object) => (files: PackFiles) =>
      void files.set(path, json({ ...read(files, path), ...change }));
    expect(await failsAt({ files: reads('consent.json', { text: 'Other' }) })).toEqual(['record']);
    expect(await failsAt({ files: reads('lead.json', { fields: { first_name: 'Eva' } }) })).toEqual(
      ['record'],
    );
    expect(await failsAt({ files: reads('lead.json', { leadId: other }) })).toEqual(['record']);
  });

  test('a text that is not the one its hash names', async () => {
    const events = await sampleEvents();
    const consent = { ...events['logged/consent-1.json'], text: 'Other' };
    expect(await failsAt({ events: { ...events, 'logged/consent-1.json': consent } })).toEqual([
      'record',
    ]);
  });

  test('a recipient to whom nothing was sent', async () => {
    expect(await failsAt({ manifest: { recipient: 'webhook' } })).toEqual(['record']);
    expect(await failsAt({ manifest: { recipient: null } })).toEqual([]);
  });

  test('a proof left out, or an entry proven twice', async () => {
    const proofs = (change: (entries: object[]) => object[]) => (files: PackFiles) => {
      const { entries } = read(files, 'log/proofs.json');
      files.set('log/proofs.json', json({ entries: change(entries) }));
    };
    expect(await failsAt({ files: proofs((all) => all.slice(1)) })).toEqual(['inclusion']);
    expect(await failsAt({ files: proofs(([a, ...all]) => [a ?? {}, a ?? {}, ...all]) })).toEqual([
      'inclusion',
    ]);
    expect(await failsAt({ files: proofs((all) => all.toReversed()) })).toEqual(['inclusion']);
  });

  test('an older head, and a head of another tree', async () => {
    const old = {
      ...pack.head,
      treeSize: 20,
      rootHash: toHex(await rootOf(pack.leaves.slice(0, 20))),
    };
    const withOld = async (files: PackFiles) =>
      void files.set('log/head.jws', await signHead(old, issuer));
    expect(await failsAt({ files: withOld })).toEqual(['head']);
    const { at: _, ...tree } = old;
    expect(await failsAt({ files: withOld, manifest: { log: tree } })).toEqual(['inclusion']);
    expect(await failsAt({ headAt: '2025-03-23T20:00:00.000Z' })).toEqual(['times']);
  });

  test('times out of order, or in the future', async () => {
    const events = await sampleEvents();
    const change = (path: string, times: object) => ({
      events: { ...events, [path]: { ...events[path], ...times } },
    });
    const consent = 'logged/consent-1.json';
    const delivery = 'logged/delivery-ingest-1.json';
    const day = (text: string) => `${text}T21:00:00.000Z`;
    expect(await failsAt(change(consent, { shownAt: day('2025-03-24') }))).toEqual(['times']);
    expect(await failsAt(change(consent, { givenAt: day('2025-03-25') }))).toEqual(['times']);
    expect(await failsAt(change(delivery, { endedAt: day('2025-03-22') }))).toEqual(['times']);
    expect(await failsAt({ manifest: { madeAt: '2025-03-23T21:30:00.000Z' } })).toEqual(['times']);
    expect(await failsAt({ manifest: { madeAt: day('2025-03-25') } })).toEqual(['times']);
    // A browser's clock may be a day ahead, as the server allows, and a time may be unknown.
    const near = { shownAt: null, givenAt: '2025-03-24T20:59:00.000Z' };
    expect(await failsAt(change(consent, near))).toEqual([]);
  });

  test('a signature outside of its key’s validity', async () => {
    const ended = { ...issuer.key, validUntil: '2025-03-23T22:30:00.000Z' };
    const trusted = { keys: { keys: [ended] }, from: 'file' };
    expect(failedOf(await verifyPack(pack.bytes, { now, trusted }))).toEqual(['validity']);
    const early = { manifest: { madeAt: '2025-02-23T23:00:00.000Z' } };
    expect(await failsAt(early)).toEqual(['validity', 'times']);
  });
});

describe('a head that the reader kept', () => {
  const keep = async (leaves: readonly Bytes[], by = issuer, change = {}) => {
    const head = { ...pack.head, treeSize: leaves.length, rootHash: toHex(await rootOf(leaves)) };
    return signHead({ ...head, ...change }, by);
  };
  const proofOf = async (leaves: readonly Bytes[], from: number) => ({
    from,
    to: leaves.length,
    path: (await consistencyPath(leaves, from)).map(toHex),
  });
  const withHead = (head: Bytes, ...consistency: NonNullable<Kept['consistency']>) =>
    verifyPack(pack.bytes, { ...kept, heads: [head], consistency });

  test('of the same tree, an earlier or a later one: consistent', async () => {
    const later = [...pack.leaves, await leafHash(utf8('later'))];
    expect((await withHead(await keep(pack.leaves))).verdict).toBe('proven');
    const older = await withHead(
      await keep(pack.leaves.slice(0, 9)),
      await proofOf(pack.leaves, 9),
    );
    expect(older.verdict).toBe('proven');
    expect(outcomeOf(older, 'history')).toBe('passed');
    const newer = await withHead(await keep(later), await proofOf(later, 40));
    expect(outcomeOf(newer, 'history')).toBe('passed');
  });

  test('without a proof: not checked, and so not proven', async () => {
    const report = await withHead(await keep(pack.leaves.slice(0, 9)));
    expect(report.verdict).toBe('unconfirmed');
    expect(report.checks.find(({ id }) => id === 'history')?.details).toEqual([
      'needs /consistency?from=9&to=40',
    ]);
  });

  test('of a fork, a truncated log, another log or another key: fails', async () => {
    const fork = pack.leaves.with(3, await leafHash(utf8('other')));
    const cases = [
      await withHead(await keep(fork)),
      await withHead(await keep(fork.slice(0, 9)), await proofOf(pack.leaves, 9)),
      await withHead(await keep(fork.slice(0, 9)), await proofOf(fork, 9)),
      // The pack's tree has 40 entries; the reader saw 41, of which the issuer took one back.
      await withHead(
        await keep([await leafHash(utf8('gone')), ...pack.leaves]),
        await proofOf([await leafHash(utf8('gone')), ...pack.leaves], 40),
      ),
      await withHead(await keep(pack.leaves, issuer, { origin: 'https://other.test/log' })),
      await withHead(await keep(pack.leaves, thief)),
      await withHead(await keep(pack.leaves, issuer, { at: '2020-01-01T00:00:00.000Z' })),
      await withHead(utf8('no head')),
    ];
    for (const report of cases) expect(failedOf(report)).toEqual(['history']);
  });
});

test('any bytes at all are answered', async () => {
  const heads = [json([]), utf8('PK'), new Uint8Array(), utf8(canonicalJson(null))];
  for (const bytes of heads) expect((await verifyPack(bytes, kept)).verdict).toBe('failed');
  for (const path of pack.files.keys()) {
    for (const content of ['', 'null', '[]', '{}', '"x"', '.'.repeat(9), toBase64url(json({}))]) {
      const files = new Map(pack.files).set(path, utf8(content));
      const before = read(pack.files, 'manifest.json');
      if (path !== 'manifest.json') await list(files, before);
      if (path !== 'signature.jws') await sign(files, issuer);
      // A text for readers is whatever the issuer signs.
      const expected = path === 'readme.txt' ? 'proven' : 'failed';
      expect((await verifyPack(writeZip(files), kept)).verdict, path + content).toBe(expected);
    }
  }
});
