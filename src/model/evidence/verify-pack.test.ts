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
} from '../../../tests/support/evidence-pack.ts';
import { consistencyPath, rootOf } from '../../../tests/support/merkle.ts';
import { type Bytes, fromUtf8, rulesVersionOf, toHex, utf8 } from './encoding.ts';
import type { ReaderInput, Report } from './formats.ts';
import { leafHash } from './merkle.ts';
import { verifyPack } from './verify-pack.ts';
import { writeZip } from './zip.ts';

let issuer: Issuer;
let thief: Issuer;
let pack: MadePack;
let input: ReaderInput;

beforeAll(async () => {
  issuer = await makeIssuer();
  thief = await makeIssuer();
  pack = await makePack({ issuer });
  input = { trusted: { keys: { keys: [issuer.key] }, from: 'https://example.test' }, now };
});

const failedOf = ({ checks }: Report) =>
  checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
const outcomeOf = ({ checks }: Report, id: string) =>
  checks.find((each) => each.id === id)?.outcome;
const read = (files: PackFiles, path: string) => JSON.parse(fromUtf8(files.get(path) as Bytes));
const flipped = (bytes: Bytes, at: number) =>
  bytes.with(at, (bytes[at] as number) ^ (1 << (at % 8))) as Bytes;

test('verifyPack returns the verdict "proven" for an unchanged pack', async () => {
  const report = await verifyPack(pack.bytes, input);
  expect(failedOf(report)).toEqual([]);
  expect(report.verdict).toBe('proven');
  expect(outcomeOf(report, 'history')).toBe('not-checked');
  expect(report.facts).toMatchObject({ manifest: { leadId }, kid: issuer.key.kid });
  expect(report.facts.logged.map(({ kind }) => kind).sort()).toEqual([
    ...['consent', 'delivery', 'revision'],
  ]);
});

test('verifyPack returns the verdict "unconfirmed" without trusted keys', async () => {
  const report = await verifyPack(pack.bytes, { now });
  expect(failedOf(report)).toEqual([]);
  expect([report.verdict, outcomeOf(report, 'signer')]).toEqual(['unconfirmed', 'not-checked']);
  const { bytes } = await makePack({ issuer: thief });
  expect((await verifyPack(bytes, { now })).verdict).toBe('unconfirmed');
  expect(failedOf(await verifyPack(bytes, input))).toEqual(['signer']);
});

test('verifyPack returns the verdict "failed" for a pack with one changed bit', async () => {
  const passed: string[] = [];
  for (const [path, content] of pack.files) {
    const step = ['manifest.json', 'signature.jws'].includes(path) ? 5 : 97;
    for (let at = 0; at < content.length; at += step) {
      const files = new Map(pack.files).set(path, flipped(content, at));
      const verdicts = [(await verifyPack(writeZip(files), input)).verdict];
      if (path.startsWith('log')) {
        await list(files, read(files, 'manifest.json'));
        await sign(files, issuer);
        verdicts.push((await verifyPack(writeZip(files), input)).verdict);
      }
      if (verdicts.some((verdict) => verdict !== 'failed')) passed.push(`${path}, byte ${at}`);
    }
  }
  expect(passed).toEqual([]);
});

test('verifyPack returns the verdict "failed" for a damaged pack', async () => {
  for (const length of [0, 4, 2000, pack.bytes.length - 1]) {
    expect((await verifyPack(pack.bytes.slice(0, length), input)).verdict).toBe('failed');
  }
  for (const path of ['manifest.json', 'log/proofs.json', 'logged/consent-1.json', 'keys.json']) {
    for (const content of ['', 'null', '[]', '{}', '.'.repeat(9)]) {
      const files = new Map(pack.files).set(path, utf8(content));
      if (path !== 'manifest.json') await list(files, read(pack.files, 'manifest.json'));
      await sign(files, issuer);
      expect((await verifyPack(writeZip(files), input)).verdict, path + content).toBe('failed');
    }
  }
});

type Change = (files: PackFiles) => void | Promise<void>;
const relisted = (files: PackFiles) => list(files, read(files, 'manifest.json'));

test.each<[string, Change, string[]]>([
  ['a text changed', (files) => void files.set('readme.txt', utf8('Pay me.')), ['files']],
  ['a file added', (files) => void files.set('extra.txt', utf8('x')), ['files']],
  ['a file removed', (files) => void files.delete('readme.txt'), ['files']],
  [
    'no signature',
    (files) => void files.delete('signature.jws'),
    ['container', 'signature', 'signer'],
  ],
  [
    'a file changed and the list with it',
    (files) => relisted(files.set('readme.txt', utf8('Pay me.'))),
    ['signature'],
  ],
  [
    'all signed with a key of their own, which the pack names',
    async (files) => {
      files.set('keys.json', json({ keys: [issuer.key, thief.key] }));
      await relisted(files);
      await sign(files, thief);
    },
    ['signer'],
  ],
  [
    'the key replaced under its old name',
    async (files) => {
      const key = { ...thief.key, kid: issuer.key.kid };
      files.set('keys.json', json({ keys: [key] }));
      await relisted(files);
      await sign(files, { ...thief, key });
    },
    ['signature', 'signer', 'log', 'times'],
  ],
  [
    'the manifest with a member twice',
    (files) => {
      const text = fromUtf8(files.get('manifest.json') as Bytes);
      files.set('manifest.json', utf8(text.replace('{', '{"format":"evidence-pack/1",')));
    },
    ['files'],
  ],
  [
    'the signature of the head in place of the manifest’s',
    (files) => void files.set('signature.jws', files.get('log/head.jws') as Bytes),
    ['signature', 'signer'],
  ],
])(
  'verifyPack returns the verdict "failed" for a pack that was changed after the signing',
  async (_, change, expected) => {
    const files = new Map(pack.files);
    await change(files);
    expect(failedOf(await verifyPack(writeZip(files), input))).toEqual(expected);
  },
);

const OTHER = '019ab2c4-7d1e-7a10-9c55-000000000000';
const events = await sampleEvents();
const consent = 'logged/consent-1.json';
const delivery = 'logged/delivery-ingest-1.json';
const changed = (path: string, change: object): Partial<PackPlan> => ({
  events: { ...events, [path]: { ...events[path], ...change } },
});
const copy = (path: string, change: object): Partial<PackPlan> => ({
  files: (files) => void files.set(path, json({ ...read(files, path), ...change })),
});
const proofs = (change: (entries: object[]) => object[]): Partial<PackPlan> => ({
  files: (files) => {
    const { entries } = read(files, 'log/proofs.json');
    files.set('log/proofs.json', json({ entries: change(entries) }));
  },
});
const at = (day: string) => `${day}T21:00:00.000Z`;
const firms = { files: 'f', settings: 's', firms: [{ name: 'Firm & Sons', states: 'all' }] };
const rules = { rulesVersion: await rulesVersionOf(firms) };
const withFirms = (partners: object): Partial<PackPlan> => ({
  ...changed('logged/revision-1.json', rules),
  ...copy('partners.json', partners),
});
const withoutConsent = Object.fromEntries(
  Object.entries(events).filter(([path]) => path !== consent),
);

test.each<[string, Partial<PackPlan>, string[]]>([
  ['another lead’s consent', changed(consent, { leadId: OTHER }), ['record']],
  ['a text that is not the one its hash names', changed(consent, { text: 'Other' }), ['record']],
  ['no consent', { events: withoutConsent }, ['record']],
  [
    'the consent of another revision',
    { events: { ...withoutConsent, 'logged/consent-0.json': events[consent] as object } },
    ['record'],
  ],
  ['a consent after the fact', copy(consent, { page: '/another' }), ['log', 'record']],
  ['a readable copy that says something else', copy('consent.json', { text: 'Other' }), ['record']],
  ['other fields', copy('lead.json', { fields: { first_name: 'Eva' } }), ['record']],
  ['another lead’s fields', copy('lead.json', { leadId: OTHER }), ['record']],
  ['a recipient to whom nothing was sent', { manifest: { recipient: 'webhook' } }, ['record']],
  ['no recipient', { manifest: { recipient: null } }, []],
  ['another time of the lead', { manifest: { leadReceivedAt: at('2025-03-22') } }, ['record']],
  [
    'another time of the revision',
    { manifest: { revisionReceivedAt: at('2025-03-22') } },
    ['record'],
  ],
  ['the firms of the logged rules', withFirms(firms), []],
  ['a firm added', withFirms({ ...firms, firms: [...firms.firms, 'Added'] }), ['record']],
  ['a proof left out', proofs((all) => all.slice(1)), ['log']],
  ['an entry proven twice', proofs(([a = {}, ...all]) => [a, a, ...all]), ['log']],
  ['proofs in another order', proofs((all) => all.toReversed()), ['log']],
  ['a head before the events', { headAt: '2025-03-23T20:00:00.000Z' }, ['times']],
  ['a text shown after the consent', changed(consent, { shownAt: at('2025-03-24') }), ['times']],
  ['a consent after the post', changed(consent, { givenAt: at('2025-03-25') }), ['times']],
  ['a delivery before the post', changed(delivery, { endedAt: at('2025-03-22') }), ['times']],
  ['a pack before its head', { manifest: { madeAt: '2025-03-23T21:30:00.000Z' } }, ['times']],
  ['a pack from the future', { manifest: { madeAt: at('2025-03-25') } }, ['times']],
  [
    'a browser whose clock is a day ahead, as the server allows',
    changed(consent, { shownAt: null, givenAt: '2025-03-24T20:59:00.000Z' }),
    [],
  ],
  ['a key before its time', { manifest: { madeAt: at('2025-02-23') } }, ['signer', 'times']],
])('verifyPack detects false contents in a signed pack', async (_, plan, expected) => {
  const { bytes } = await makePack({ issuer, ...plan });
  expect(failedOf(await verifyPack(bytes, input))).toEqual(expected);
});

test('verifyPack fails the check "signer" if the key expired before the signing', async () => {
  const ended = { ...issuer.key, validUntil: '2025-03-23T22:30:00.000Z' };
  const trusted = { keys: { keys: [ended] }, from: 'file' };
  expect(failedOf(await verifyPack(pack.bytes, { now, trusted }))).toEqual(['signer']);
});

test('verifyPack fails the check "log" if the tree head is older than the proofs', async () => {
  const rootHash = toHex(await rootOf(pack.leaves.slice(0, 20)));
  const old = { ...pack.head, treeSize: 20, rootHash };
  const files = async (made: PackFiles) =>
    void made.set('log/head.jws', await signHead(old, issuer));
  const { at: _, ...log } = old;
  for (const manifest of [{}, { log }]) {
    const { bytes } = await makePack({ issuer, files, manifest });
    expect(failedOf(await verifyPack(bytes, input))).toEqual(['log']);
  }
});

describe('verifyPack with an earlier tree head of the log', () => {
  const keep = async (leaves: readonly Bytes[], by = issuer, change = {}) => {
    const head = { ...pack.head, treeSize: leaves.length, rootHash: toHex(await rootOf(leaves)) };
    return signHead({ ...head, ...change }, by);
  };
  const proofOf = async (leaves: readonly Bytes[], from: number) => ({
    from,
    to: leaves.length,
    path: (await consistencyPath(leaves, from)).map(toHex),
  });
  const withHead = (head: Bytes, ...consistency: NonNullable<ReaderInput['consistency']>) =>
    verifyPack(pack.bytes, { ...input, heads: [head], consistency });

  test('returns the verdict "proven" if the log has only grown', async () => {
    const later = [...pack.leaves, await leafHash(utf8('later'))];
    const early = pack.leaves.slice(0, 9);
    for (const report of [
      await withHead(await keep(pack.leaves)),
      await withHead(await keep(early), await proofOf(pack.leaves, 9)),
      await withHead(await keep(later), await proofOf(later, 40)),
    ]) {
      expect([report.verdict, outcomeOf(report, 'history')]).toEqual(['proven', 'passed']);
    }
  });

  test('returns the verdict "unconfirmed" without a consistency proof', async () => {
    const report = await withHead(await keep(pack.leaves.slice(0, 9)));
    expect(report.verdict).toBe('unconfirmed');
    expect(report.checks.find(({ id }) => id === 'history')?.details).toEqual([
      'needs /consistency?from=9&to=40',
    ]);
  });

  test('fails the check "history" if the issuer changed old entries of the log', async () => {
    const fork = pack.leaves.with(3, await leafHash(utf8('other')));
    const longer = [await leafHash(utf8('gone')), ...pack.leaves];
    for (const report of [
      await withHead(await keep(fork)),
      await withHead(await keep(fork.slice(0, 9)), await proofOf(pack.leaves, 9)),
      await withHead(await keep(fork.slice(0, 9)), await proofOf(fork, 9)),
      // This tree head has 41 entries. Later the issuer removed one entry from the log.
      await withHead(await keep(longer), await proofOf(longer, 40)),
      await withHead(await keep(pack.leaves, issuer, { origin: 'https://other.test/log' })),
      await withHead(await keep(pack.leaves, thief)),
      await withHead(await keep(pack.leaves, issuer, { at: '2020-01-01T00:00:00.000Z' })),
      await withHead(utf8('no head')),
    ]) {
      expect(failedOf(report)).toEqual(['history']);
    }
  });
});
