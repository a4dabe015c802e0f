/** Makes evidence packs for tests of the verifier. */
import {
  type Bytes,
  canonicalJson,
  sha256,
  toBase64url,
  toHex,
  utf8,
} from '../../src/model/evidence/encoding.ts';
import type { Manifest, PublicKey, TreeHead } from '../../src/model/evidence/formats.ts';
import { signJws, thumbprint } from '../../src/model/evidence/keys.ts';
import { leafHash } from '../../src/model/evidence/merkle.ts';
import { writeZip } from '../../src/model/evidence/zip.ts';
import { auditPath, rootOf } from './merkle.ts';

export type Issuer = { readonly key: PublicKey; readonly privateKey: CryptoKey };
export type PackFiles = Map<string, Bytes>;

export async function makeIssuer(): Promise<Issuer> {
  const pair = await crypto.subtle.generateKey({ name: 'Ed25519' }, false, ['sign', 'verify']);
  const { publicKey, privateKey } = pair as CryptoKeyPair;
  const x = toBase64url(new Uint8Array(await crypto.subtle.exportKey('raw', publicKey)));
  const key: PublicKey = {
    kty: 'OKP',
    crv: 'Ed25519',
    x,
    kid: await thumbprint(x),
    use: 'sig',
    alg: 'EdDSA',
    validFrom: '2025-03-01T00:00:00.000Z',
    validUntil: null,
  };
  return { key, privateKey };
}

export const json = (value: unknown): Bytes => utf8(canonicalJson(value));

export const leadId = '019ab2c4-7d1e-7a10-9c55-3f0a6b1d2e4f';
export const text = 'I agree that Example Firm may call me. “Sí”, at any time.';
/** The time at which tests verify a pack, which is later than the time in the pack. */
export const now = new Date('2025-03-24T00:00:00.000Z');

const RECEIVED_AT = '2025-03-23T21:00:02.000Z';

/** Returns the logged events of the pack, by path. */
export async function sampleEvents(): Promise<Record<string, object>> {
  const shared = { leadId, revision: 1 };
  return {
    'logged/revision-1.json': {
      ...shared,
      kind: 'revision',
      receivedAt: RECEIVED_AT,
      accepted: true,
      reasons: [],
      rulesVersion: '7',
      fields: { first_name: 'Ana', last_name: 'Diaz', phone: '2125550123' },
      address: '203.0.113.9',
      userAgent: 'Browser/1',
      page: '/survey/v4nv',
    },
    'logged/consent-1.json': {
      ...shared,
      kind: 'consent',
      text,
      textSha256: toHex(await sha256(utf8(text))),
      version: '2025-03-01',
      language: 'en',
      page: '/survey/v4nv',
      pageVersion: 'b1',
      shownAt: '2025-03-23T20:59:00.000Z',
      givenAt: '2025-03-23T21:00:01.000Z',
      how: 'button',
      visibility: { inView: [0, 100], wholeInViewMs: 4200, fontSize: 13, contrast: 7.1 },
      buyers: null,
    },
    'logged/delivery-ingest-1.json': {
      ...shared,
      kind: 'delivery',
      destination: 'ingest',
      attempt: 1,
      startedAt: '2025-03-23T21:00:03.000Z',
      endedAt: '2025-03-23T21:00:04.000Z',
      outcome: 'delivered',
      requestSha256: null,
    },
  };
}

export type PackPlan = {
  readonly issuer: Issuer;
  /** The issuer that signs the tree head of the evidence log. Default: the pack's issuer. */
  readonly headIssuer?: Issuer;
  readonly events?: Record<string, object>;
  readonly manifest?: Partial<Manifest>;
  readonly headAt?: string;
  /** Changes the pack's files before the manifest is made. */
  readonly files?: (files: PackFiles) => void | Promise<void>;
};

export type MadePack = Awaited<ReturnType<typeof makePack>>;

/** The index of the pack's first event in the evidence log. */
const FIRST_INDEX = 17;
const LOG_SIZE = 40;

export async function makePack(plan: PackPlan) {
  const { issuer, headIssuer = issuer, events = await sampleEvents() } = plan;
  const files: PackFiles = new Map();
  const leaves: Bytes[] = [];
  for (let at = 0; at < LOG_SIZE; at += 1) leaves.push(await leafHash(await sha256(utf8(`${at}`))));
  const entries = [];
  for (const [at, [file, event]] of Object.entries(events).entries()) {
    const salt = await sha256(utf8(`salt ${file}`));
    files.set(file, json(event));
    leaves[FIRST_INDEX + at] = await leafHash(await sha256(salt, json(event)));
    entries.push({ index: FIRST_INDEX + at, file, salt: toBase64url(salt) });
  }
  const tree = {
    origin: 'https://example.test/log',
    treeSize: leaves.length,
    rootHash: toHex(await rootOf(leaves)),
  };
  const head = { ...tree, at: plan.headAt ?? '2025-03-23T22:00:00.000Z' };
  const proofs = [];
  for (const each of entries) {
    proofs.push({ ...each, path: (await auditPath(leaves, each.index)).map(toHex) });
  }
  const { 'logged/consent-1.json': consent = {} } = events;
  files.set('log/head.jws', await signHead(head, headIssuer));
  files.set('log/proofs.json', json({ entries: proofs }));
  const keys = [...new Set([issuer.key, headIssuer.key])];
  files.set('keys.json', json({ keys }));
  files.set('consent.json', json({ ...consent, agreed: ['Example Firm'] }));
  files.set('lead.json', json({ leadId, revision: 1, fields: { first_name: 'Ana' } }));
  files.set('partners.json', json({ firms: null, why: 'not kept' }));
  files.set('readme.txt', utf8('Read me.\n'));
  await plan.files?.(files);
  const manifest = {
    format: 'evidence-pack/1',
    leadId,
    revision: 1,
    madeAt: '2025-03-23T23:00:00.000Z',
    issuer: 'https://example.test',
    recipient: 'ingest',
    log: tree,
    leadReceivedAt: RECEIVED_AT,
    revisionReceivedAt: RECEIVED_AT,
    ...plan.manifest,
  };
  await list(files, manifest);
  await sign(files, issuer);
  return { bytes: writeZip(files), files, leaves, head };
}

export async function signHead(head: TreeHead, { key, privateKey }: Issuer): Promise<Bytes> {
  return utf8(await signJws('evidence-head', json(head), key.kid, privateKey));
}

/** Writes a manifest of these files into the pack. */
export async function list(files: PackFiles, manifest: object): Promise<void> {
  const listed = [];
  for (const [path, content] of files) {
    if (['manifest.json', 'signature.jws'].includes(path)) continue;
    listed.push({ path, bytes: content.length, sha256: toHex(await sha256(content)) });
  }
  listed.sort((a, b) => (a.path < b.path ? -1 : 1));
  files.set('manifest.json', json({ ...manifest, files: listed }));
}

/** Signs the manifest of a changed pack. */
export async function sign(files: PackFiles, { key, privateKey }: Issuer): Promise<void> {
  const manifest = files.get('manifest.json') as Bytes;
  files.set(
    'signature.jws',
    utf8(await signJws('evidence-manifest', manifest, key.kid, privateKey)),
  );
}
