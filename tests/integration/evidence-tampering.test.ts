/**
 * Alters packs that a server made of posted leads, and tries to have one taken as proven. `npm test -- evidence`
 * flips every byte; here one of many.
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Bytes, concat, sha256, toHex, utf8 } from '../../src/evidence/bytes.ts';
import { verifyPack } from '../../src/evidence/verify-pack.ts';
import { readZip, writeZip } from '../../src/evidence/zip.ts';
import {
  openSigningKey,
  readKeys,
  type SigningKey,
} from '../../src/server/operators/evidence/keys.ts';
import { makePack } from '../../src/server/operators/evidence/pack.ts';
import { createPublishedLog } from '../../src/server/operators/evidence/published.ts';
import { createOutgoingHttp } from '../../src/server/providers/outgoing-http.ts';
import {
  json,
  list,
  makeIssuer,
  makeStamper,
  type PackFiles,
  sign,
  signHead,
} from '../support/evidence-pack.ts';
import { siteWithEvidence } from '../support/evidence-site.ts';
import { rawZip } from '../support/raw-zip.ts';
import { freshLead } from '../support/server.ts';

/** One byte of so many is flipped. A prime, so that all places of a field have their turn. */
const EVERY = Number(process.env.EVIDENCE_EVERY ?? 211);
/** The same for packs that are made again, each of which costs as much as a whole check. */
const REMADE_EVERY = Math.max(EVERY, 13);
/** The long form takes some minutes. */
const PATIENCE = { timeout: 1_200_000 };

const { site, evidenceKey } = await siteWithEvidence();
const http = createOutgoingHttp({ allowPrivateNetworks: true });
afterAll(() => http.close());

let early: Bytes;
let pack: Bytes;
let other: Bytes;
let files: PackFiles;
let issuer: SigningKey;
let trusted: NonNullable<Parameters<typeof verifyPack>[1]['trusted']>;

/** Posts a lead, waits until it has arrived, and makes its pack. */
async function packOf(email: string, phone: string): Promise<Bytes> {
  const body = freshLead({ email, phone });
  expect((await site.post('/post-lead', body)).status).toBe(200);
  const arrived = async () =>
    (await site.leadOf(body.lead_id)).deliveries.some(
      ({ destination, state }) => destination === 'ingest' && state === 'delivered',
    );
  await vi.waitFor(async () => expect(await arrived()).toBe(true), { timeout: 60_000 });
  const { pool, db } = site.database;
  const { settings } = site;
  const { bytes } = await makePack({ pool, db, settings, http }, String(body.lead_id), 'ingest');
  expect(readZip(bytes).has('timestamp.tsr')).toBe(true);
  return bytes;
}

beforeAll(async () => {
  early = await packOf('first@mail.example', '(212) 555-0171');
  pack = await packOf('second@mail.example', '(212) 555-0172');
  other = await packOf('third@mail.example', '(212) 555-0173');
  files = new Map(readZip(pack));
  const { pool } = site.database;
  issuer = await openSigningKey(pool, { dataDir: '/nowhere', evidenceKey });
  trusted = { keys: await readKeys(pool), from: 'the site' };
});

/** Returns the verdict on a pack; `failed` too if the file is not as it was made. */
async function verdictOf(bytes: Bytes) {
  const { verdict, checks } = await verifyPack(bytes, { trusted, now: new Date() });
  return checks.find(({ id }) => id === 'container')?.outcome === 'passed' ? verdict : 'failed';
}

/**
 * Lists the files anew, and signs them with the issuer's own key, as only the issuer could; without the time stamp,
 * which no service gives for another list.
 */
async function signedByIssuer(changed: PackFiles, manifest: object): Promise<Bytes> {
  changed.delete('timestamp.tsr');
  await list(changed, manifest);
  const listed = changed.get('manifest.json') as Bytes;
  changed.set('signature.jws', utf8(await issuer.sign('evidence-manifest', listed)));
  return writeZip(changed);
}

const parsed = (from: ReadonlyMap<string, Bytes>, name: string) =>
  JSON.parse(Buffer.from(from.get(name) ?? []).toString());
const flipped = (bytes: Bytes, at: number) =>
  bytes.with(at, (bytes[at] as number) ^ (1 << (at % 8))) as Bytes;
/** Copies of the verifier, and the page with the step: their bytes are all alike to the check, and many. */
const isLong = (name: string) => name.startsWith('verify.') || name === 'consent-step.html';

test(
  'no flipped byte passes: in the file, repacked, listed anew, or signed by the issuer',
  PATIENCE,
  async () => {
    expect(await verdictOf(pack)).toBe('proven');
    const passed: string[] = [];
    let tried = 0;
    const expectRefused = async (name: string, bytes: Bytes) => {
      tried += 1;
      if ((await verdictOf(bytes)) === 'proven') passed.push(name);
    };
    const long = [...files]
      .filter(([name]) => isLong(name))
      .map(([name, { length }]) => {
        const at = Buffer.from(pack).indexOf(utf8(name)) + name.length;
        return [at, at + length] as const;
      });
    for (let at = 0; at < pack.length; at += EVERY) {
      if (long.some(([from, to]) => at >= from && at < to) && at % 997 !== 0) continue;
      await expectRefused(`byte ${at}`, flipped(pack, at));
    }
    const manifest = parsed(files, 'manifest.json');
    for (const [name, content] of files) {
      const step = isLong(name) ? 9_973 : REMADE_EVERY;
      for (let at = 0; at < content.length; at += step) {
        const changed: PackFiles = new Map([...files, [name, flipped(content, at)]]);
        await expectRefused(`${name}, byte ${at}, repacked`, writeZip(changed));
        if (['manifest.json', 'signature.jws', 'timestamp.tsr'].includes(name)) continue;
        await list(changed, manifest);
        await expectRefused(`${name}, byte ${at}, listed anew`, writeZip(changed));
        if (!name.startsWith('logged/')) continue;
        const forged = await signedByIssuer(changed, manifest);
        await expectRefused(`${name}, byte ${at}, signed by the issuer`, forged);
      }
    }
    expect(passed).toEqual([]);
    console.info(`${tried} alterations were refused`);
    expect(tried).toBeGreaterThan(EVERY === 1 ? 5_000 : 250);
  },
);

test('no structured attack on the contents passes', async () => {
  const thief = await makeIssuer();
  const [earlier, others] = [new Map(readZip(early)), new Map(readZip(other))];
  const manifest = parsed(files, 'manifest.json');
  const taken = (from: PackFiles, ...names: string[]): PackFiles =>
    new Map([...files, ...names.map((name) => [name, from.get(name) as Bytes] as const)]);
  const impostor = makeStamper(new Date());
  const listed = files.get('manifest.json') as Bytes;
  const stampedByIssuer = async (stamp: Bytes) => {
    const signature = await issuer.sign('evidence-manifest', listed, toHex(await sha256(stamp)));
    const stamped = new Map([...files, ['timestamp.tsr', stamp] as const]);
    return writeZip(stamped.set('signature.jws', utf8(signature)));
  };
  const byThief = async (changed: PackFiles, keys: unknown[]) => {
    changed.set('keys.json', json({ keys }));
    changed.delete('timestamp.tsr');
    await list(changed, manifest);
    await sign(changed, thief);
    return writeZip(changed);
  };
  const head = { ...manifest.log, at: manifest.madeAt };
  const thiefs = new Map(files).set('log/head.jws', await signHead(head, thief));
  const proofs = parsed(files, 'log/proofs.json');
  const reproved = (change: (entry: Record<string, unknown>, at: number) => object) => {
    const entries = proofs.entries.map(change);
    return signedByIssuer(new Map(files).set('log/proofs.json', json({ entries })), manifest);
  };
  const consent = 'logged/consent-1.json';
  const attacks: Record<string, Bytes> = {
    'the consent of another lead': await signedByIssuer(taken(others, consent), manifest),
    'the consent of another lead, with its proof': await signedByIssuer(
      taken(others, consent, 'consent.json', 'log/proofs.json'),
      manifest,
    ),
    'the record of another lead, under the name of this one': await signedByIssuer(
      new Map(others).set('lead.json', files.get('lead.json') as Bytes),
      { ...parsed(others, 'manifest.json'), leadId: manifest.leadId },
    ),
    "another's time stamp": writeZip(taken(others, 'timestamp.tsr')),
    "a time stamp of someone under the service's name": writeZip(
      new Map([...files, ['timestamp.tsr', await impostor.stamp(listed)]]),
    ),
    'no time stamp': writeZip(new Map([...files].filter(([name]) => name !== 'timestamp.tsr'))),
    "an impostor's time stamp, signed by the issuer for another list": await stampedByIssuer(
      await impostor.stamp(utf8('another list')),
    ),
    "another's signature": writeZip(taken(others, 'signature.jws')),
    'a head from before the entry': await signedByIssuer(taken(earlier, 'log/head.jws'), {
      ...manifest,
      log: parsed(earlier, 'manifest.json').log,
    }),
    'a head from before the entry, and its proofs': await signedByIssuer(
      taken(earlier, 'log/head.jws', 'log/proofs.json'),
      { ...manifest, log: parsed(earlier, 'manifest.json').log },
    ),
    'a root of its own': await signedByIssuer(new Map(files), {
      ...manifest,
      log: { ...manifest.log, rootHash: toHex(new Uint8Array(32)) },
    }),
    'no consent': await signedByIssuer(
      new Map([...files].filter(([name]) => name !== consent)),
      manifest,
    ),
    'no proofs': await signedByIssuer(
      new Map([...files].filter(([name]) => name !== 'log/proofs.json')),
      manifest,
    ),
    'an index one further': await reproved((entry) => ({
      ...entry,
      index: Number(entry.index) + 1,
    })),
    'a path cut short': await reproved((entry) => ({
      ...entry,
      path: (entry.path as []).slice(1),
    })),
    'paths swapped': await reproved((entry, at) => ({
      ...entry,
      path: proofs.entries.at(at - 1).path,
    })),
    'salts swapped': await reproved((entry, at) => ({
      ...entry,
      salt: proofs.entries.at(at - 1).salt,
    })),
    'for nobody it was sent to': await signedByIssuer(new Map(files), {
      ...manifest,
      recipient: 'exchange',
    }),
    'before its head': await signedByIssuer(new Map(files), {
      ...manifest,
      madeAt: new Date(Date.parse(manifest.madeAt) - 600_000).toISOString(),
    }),
    "a thief's key": await byThief(new Map(thiefs), [thief.key]),
    "a thief's key beside the issuer's": await byThief(new Map(files), [
      ...trusted.keys.keys,
      thief.key,
    ]),
    "a thief's key under the issuer's id": await byThief(new Map(thiefs), [
      { ...thief.key, kid: issuer.kid },
    ]),
  };
  for (const [name, bytes] of Object.entries(attacks)) {
    expect([name, await verdictOf(bytes)]).toEqual([name, 'failed']);
  }
  // Without the issuer's keys a thief's own pack fits together, but proves nothing, and names the thief's key.
  const own = attacks["a thief's key"] as Bytes;
  const alone = await verifyPack(own, { now: new Date() });
  expect(alone).toMatchObject({ verdict: 'unconfirmed', facts: { kid: thief.key.kid } });
});

test('a fork of the log, a truncated one, and an old head are told by a head that was kept', async () => {
  const { pool } = site.database;
  const heads = [files.get('log/head.jws') as Bytes];
  const size = parsed(files, 'manifest.json').log.treeSize;
  const compare = async (bytes: Bytes) => {
    const to = parsed(readZip(bytes), 'manifest.json').log.treeSize;
    const proof = await createPublishedLog(pool).consistency(
      Math.min(size, to),
      Math.max(size, to),
    );
    const consistency = proof ? [proof] : [];
    return (await verifyPack(bytes, { trusted, heads, consistency, now: new Date() })).verdict;
  };
  expect([await compare(early), await compare(other)]).toEqual(['proven', 'proven']);
  // The issuer rewrites its first entry, and all hashes above it as the next head needs them.
  await pool.query(
    `update evidence_tiles set hashes = overlay(hashes placing '\\x00' from 1) where tile = 0`,
  );
  // Else the server would see that its own newest head is of another log, and make no pack.
  await pool.query('delete from evidence_heads');
  const context = { pool, db: site.database.db, settings: site.settings };
  const fork = await makePack(context, parsed(readZip(other), 'manifest.json').leadId);
  expect(await verdictOf(fork.bytes)).toBe('proven');
  expect(await compare(fork.bytes)).toBe('failed');
  // The issuer forgets the last entries, and with them that there was such a head.
  await pool.query('update evidence_log set size = $1', [size - 2]);
  expect(await compare(fork.bytes)).not.toBe('proven');
});

test('no trick with the container passes', async () => {
  const entries = [...readZip(pack)];
  expect(rawZip(entries)).toEqual(pack);
  const [first = ['', pack] as const] = entries;
  const tricks: Record<string, Bytes> = {
    'a byte before': concat(Uint8Array.of(0), pack),
    'a byte after': concat(pack, Uint8Array.of(0)),
    'two packs, one after the other': concat(pack, other),
    'cut short': pack.slice(0, -1),
    'a file twice': rawZip([...entries, first]),
    'a file twice, once in the directory': rawZip([...entries, first], { hidden: entries.length }),
    'a file that the directory leaves out': rawZip([...entries, ['x', pack]], {
      hidden: entries.length,
    }),
    'an absolute path': rawZip([...entries, ['/etc/passwd', pack]]),
    'a path that climbs': rawZip([...entries, ['logged/../../x', pack]]),
    'a drive': rawZip([...entries, ['c:x', pack]]),
    backslashes: rawZip([...entries, ['logged\\x', pack]]),
    'a name that the directory tells otherwise': rawZip(entries, { directoryName: 'x' }),
    'a comment': rawZip(entries, { comment: 'x' }),
    'an extra field': rawZip(entries, { extra: 'abcd' }),
    'a data descriptor': rawZip(entries, { flags: 8 }),
    'an encrypted file': rawZip(entries, { flags: 1 }),
    'a compressed file': rawZip(entries, { method: 8 }),
    'a size that is a bomb': rawZip(entries, { unpacked: 0x7fffffff }),
    'another time of the file': rawZip(entries, { time: 1 }),
    '201 files': rawZip([
      ...entries,
      ...Array.from({ length: 200 }, (_, at) => [`x${at}`, utf8('')] as const),
    ]),
  };
  for (const [name, bytes] of Object.entries(tricks)) {
    expect([name, await verdictOf(bytes)]).toEqual([name, 'failed']);
  }
});
