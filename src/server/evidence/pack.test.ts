import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { ana, clearLedger, dumpOf, seedLoggedLead } from '../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../tests/support/own-database.ts';
import { noted, people } from '../../../tests/support/person-keys.ts';
import type { Bytes } from '../../model/evidence/encoding.ts';
import { verifyPack } from '../../model/evidence/verify-pack.ts';
import { readZip } from '../../model/evidence/zip.ts';
import { readHistory } from '../leads/lead-history.ts';
import { erase } from '../privacy/erase.ts';
import { suppress } from '../privacy/suppress.ts';
import { parseSettings } from '../settings/settings.ts';
import { evidenceText, readProven } from './facts.ts';
import { endKey, openSigningKey, readKeys, rotateKey } from './keys.ts';
import { appendPending } from './log.ts';
import { makePack, packsForListeners } from './pack.ts';

const { pool } = await databaseForTests(clearLedger);
const dataDir = await mkdtemp(path.join(tmpdir(), 'pack-'));
afterAll(() => rm(dataDir, { recursive: true }));
const settings = parseSettings({ DATA_DIR: dataDir, PUBLIC_URL: 'https://claims.example.com' });
const pack = (id: string, recipient?: string) => makePack({ pool, settings }, id, recipient);

async function verdictOf(bytes: Bytes, heads: readonly Bytes[] = []) {
  const { verdict, checks } = await verifyPack(bytes, {
    trusted: { keys: await readKeys(pool), from: 'the site' },
    heads,
    now: new Date(),
  });
  return { verdict, failed: checks.filter(({ outcome }) => outcome === 'failed') };
}
const proven = { verdict: 'proven', failed: [] };

function fileOf(bytes: Bytes, name: string): string {
  return Buffer.from(readZip(bytes).get(name) ?? []).toString();
}

let id = '';
beforeEach(async () => {
  id = await seedLoggedLead(pool);
});

test('the readme of a pack names the person, the consent, the firms and the deliveries', async () => {
  const { name, bytes } = await pack(id);
  expect(name).toBe(`evidence-${id}.zip`);
  expect(await verdictOf(bytes)).toEqual(proven);
  const readme = fileOf(bytes, 'readme.txt');
  for (const answer of [
    `${ana.first_name} ${ana.last_name}, ${ana.phone}`,
    '“I, Anastasia, agree.”',
    '2 shown, chosen: Firm & Sons',
    'ingest: delivered',
  ]) {
    expect(readme).toContain(answer);
  }
  expect(JSON.parse(fileOf(bytes, 'consent.json'))).toMatchObject({
    how: 'button',
    agreedTo: [{ name: 'Firm & Sons' }],
  });
  expect(fileOf(bytes, 'certification.txt')).toContain(id);
});

test('a pack about a person on the suppression list has the warning "DO NOT CONTACT"', async () => {
  expect(fileOf((await pack(id)).bytes, 'readme.txt')).not.toContain('DO NOT CONTACT');
  await suppress(people(pool), ana.email, noted);
  expect(fileOf((await pack(id)).bytes, 'readme.txt')).toContain('DO NOT CONTACT: this person');
});

test('neither the database nor a pack contains the private key', async () => {
  const { bytes } = await pack(id, 'ingest');
  const stored = (await readFile(path.join(dataDir, 'evidence-key'), 'utf8')).trim();
  const der = Buffer.from(stored, 'base64');
  // The last 32 bytes of the PKCS#8 encoding are the private key.
  const spellings = [der, der.subarray(-32)].flatMap((key) =>
    (['latin1', 'base64', 'base64url', 'hex'] as const).map((spelling) => key.toString(spelling)),
  );
  const files = [...readZip(bytes).values()].map((each) => Buffer.from(each).toString('latin1'));
  const { kid } = JSON.parse(fileOf(bytes, 'keys.json')).keys[0];
  for (const place of [await dumpOf(pool), Buffer.from(bytes).toString('latin1'), files.join()]) {
    expect(place).toContain(kid);
    expect(spellings.filter((each) => place.toLowerCase().includes(each.toLowerCase()))).toEqual(
      [],
    );
  }
});

test('a pack for one recipient contains no deliveries to other destinations', async () => {
  const { bytes } = await pack(id, 'ingest');
  expect(await verdictOf(bytes)).toEqual(proven);
  expect(JSON.parse(fileOf(bytes, 'manifest.json'))).toMatchObject({ recipient: 'ingest' });
  expect(JSON.parse(fileOf(bytes, 'sent.json'))).toMatchObject([{ destination: 'ingest' }]);
  await expect(pack(id, 'contact')).rejects.toThrow('did not take lead');
  // The destination `exchange` gets neither name nor phone number.
  await expect(pack(id, 'exchange')).rejects.toThrow('got no contact details');
});

test('a pack stays valid after the signing key is replaced', async () => {
  const other = await seedLoggedLead(pool, {
    revisions: [{ ...ana, email: 'other@mail.example', phone: '5125550199' }],
  });
  const old = await pack(id);
  const oldHead = readZip(old.bytes).get('log/head.jws') as Bytes;
  await rotateKey(pool, settings);
  await erase(people(pool), other, 'test');
  for (let count = 0; count < 3; count += 1) await seedLoggedLead(pool);
  expect(await verdictOf(old.bytes, [oldHead])).toEqual(proven);
  const again = await pack(id);
  expect(await verdictOf(again.bytes)).toEqual(proven);
  expect(fileOf(again.bytes, 'logged/consent-1.json')).toBe(
    fileOf(old.bytes, 'logged/consent-1.json'),
  );
  await expect(pack(other)).rejects.toThrow('its data was erased');
});

test.each([
  ["update consents set text = 'I agree to more.' where lead_id = $1", 'consent-1'],
  ['update lead_revisions set received_at = now() where lead_id = $1', 'revision-1'],
])('makePack throws if a logged row was changed', async (change, file) => {
  await pack(id);
  await pool.query(change, [id]);
  await expect(pack(id)).rejects.toThrow(`logged/${file}.json is not in the log`);
  const found = await readProven(pool, await readHistory(pool, id));
  expect(evidenceText(found, settings)).toContain('There is no evidence pack');
});

const forListener = packsForListeners({ pool, settings });
test('makePack throws if a tile of any level of the log is damaged', async () => {
  await pool.query(
    `with ids as (select gen_random_uuid() as id from generate_series(1, 300)), new_leads as (
       insert into leads
         (id, survey, flow, language, qualified, lead_is_qualified, do_not_send_to_dq, evidence_salt)
       select id, '', '', 'en', true, true, 'no', gen_random_uuid() from ids
     ), revisions as (
       insert into lead_revisions (lead_id, revision, body, body_sha256, rules_version, flow_version)
       select id, 1, '{}', '', '', '' from ids
     ) insert into evidence_pending (ref, number, is_delivery) select id, 1, false from ids`,
  );
  await appendPending(pool);
  const flip = () =>
    pool.query(
      `update evidence_tiles
       set hashes = set_byte(hashes, length(hashes) - 1, 255 - get_byte(hashes, length(hashes) - 1))
       where level = 1 and tile = 0`,
    );
  await flip();
  await expect(pack(id)).rejects.toThrow(/logged\/revision-1.json is not entry \d of the log/);
  await expect(forListener(id, 'ingest')).rejects.toThrow(/is not entry \d of the log/);
  await pool.query('delete from evidence_heads');
  await flip();
  await pack(id);
  await flip();
  await expect(pack(id)).rejects.toThrow('its newest head has another root than the log');
  await pool.query('delete from evidence_tiles where level = 1');
  await expect(pack(id)).rejects.toThrow('Tile 1/0 lacks hashes');
});

test('makePack throws if the signing key has ended', async () => {
  const { kid } = await openSigningKey(pool, settings);
  await endKey(pool, kid, { isNow: true });
  await expect(pack(id)).rejects.toThrow('has ended');
  await expect(forListener(id, 'ingest')).rejects.toThrow('has ended');
  await rotateKey(pool, settings);
  expect(await verdictOf((await pack(id)).bytes)).toEqual(proven);
  await pool.query(`update evidence_keys set x = '' where kid = $1`, [kid]);
  await expect(forListener(id, 'ingest')).rejects.toThrow('keys.0.x');
  await pool.query('update leads set evidence_salt = null where id = $1', [id]);
  expect(await forListener(id, 'ingest')).toBeUndefined();
});
