/** After an erasure the log still says that something was logged, and nothing ties that to the person. */
import { createHmac, hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { readZip } from '../../src/evidence/zip.ts';
import { erase } from '../../src/server/operators/erase.ts';
import { checkLog } from '../../src/server/operators/evidence/check.ts';
import { revisionEntries } from '../../src/server/operators/evidence/entries.ts';
import { makePack } from '../../src/server/operators/evidence/pack.ts';
import { findLeaves, leafHash } from '../../src/server/operators/evidence/tree.ts';
import { siteWithEvidence } from '../support/evidence-site.ts';
import { dumpOf } from '../support/ledger.ts';
import { people, personKey } from '../support/person-keys.ts';
import { freshLead, freshProgress } from '../support/server.ts';

const { site } = await siteWithEvidence();

const person = {
  first_name: 'Quillon',
  last_name: 'Zimmertree',
  email: 'quillon.zimmertree@mail.example',
  phone: '(646) 555-0142',
};
/** `npm test -- evidence` tries every number of the area code, else those of the person's own exchange. */
const isLong = process.env.EVIDENCE_EVERY === '1';
const exchanges = isLong ? Array.from({ length: 800 }, (_, at) => `${200 + at}`) : ['555'];
/** The long form takes some minutes. */
const PATIENCE = { timeout: 1_800_000 };

function* numbersOf(codes: readonly string[]): Generator<string> {
  for (const exchange of codes) {
    for (let last = 0; last < 10_000; last += 1) {
      yield `646${exchange}${`${last}`.padStart(4, '0')}`;
    }
  }
}

/** Returns the numbers that stand in a dump, in the open or hashed without a secret, alone or with the lead's id. */
function foundIn(dump: string, leadId: string, codes: readonly string[]): string[] {
  const inTheOpen = dump.matchAll(
    /(?<![0-9a-z])(?:\+?1[ .-]?)?\(?646\)?[ .-]*\d{3}[ .-]*\d{4}(?![0-9a-z])/gi,
  );
  const found = new Set([...inTheOpen].map(([text]) => text.replaceAll(/\D/g, '').slice(-10)));
  const words = dump.match(/[0-9a-z+/=_-]{16,}/gi) ?? [];
  const digests = new Set(
    words.flatMap((word) =>
      ['hex', 'base64'].map((form) => Buffer.from(word, form as 'hex').toString('hex')),
    ),
  );
  for (const number of numbersOf(codes)) {
    for (const text of [number, `+1${number}`]) {
      const isHashed =
        [text, leadId + text, text + leadId].some((each) => digests.has(hash('sha256', each))) ||
        digests.has(hash('sha1', text)) ||
        digests.has(hash('md5', text));
      if (isHashed) found.add(number);
    }
  }
  return [...found];
}

test(
  'an erased lead: its entry stays provable, and nothing that is left leads to the person',
  PATIENCE,
  async () => {
    const { pool, db } = site.database;
    const body = freshLead(person);
    const id = String(body.lead_id);
    await site.post('/api/save-data', {
      ...freshProgress(id),
      data: [
        { seq: 1, kind: 'answered', step: 'Contact', answers: person, seconds: 2, at: new Date() },
      ],
    });
    expect((await site.post('/post-lead', body)).status).toBe(200);
    const arrived = async () =>
      (await site.leadOf(id)).deliveries.every(({ state }) => state === 'delivered');
    await expect.poll(arrived).toBe(true);
    const { bytes } = await makePack({ pool, db, settings: site.settings }, id, 'ingest');
    const [entry] = await revisionEntries(pool, [{ ref: id, number: 1 }]);
    if (!entry) throw new Error('the lead is not logged');
    const before = await dumpOf(pool);
    const { rows } = await pool.query('select evidence_salt as salt from leads where id = $1', [
      id,
    ]);
    const salt = String(rows[0]?.salt);

    await erase(people(pool), id, 'test');
    const after = await dumpOf(pool);
    // What the search looks for was there before.
    expect(foundIn(before, id, ['555'])).toEqual(['6465550142']);
    expect(foundIn(after, id, exchanges)).toEqual([]);
    const secrets = [
      ...[person.first_name, person.last_name, person.email, 'TestBrowser/1.0'],
      ...[salt, salt.replaceAll('-', ''), entry.salt.toString('hex')],
      ...[personKey('phone', '6465550142'), personKey('email', person.email)],
    ];
    const left = secrets.filter((secret) => after.toLowerCase().includes(secret.toLowerCase()));
    expect(left).toEqual([]);

    // Something was logged then: the entry is in a log that is whole. A pack made before still has the salt.
    expect((await findLeaves(pool, [entry.leaf], new Date(0))).size).toBe(1);
    expect(await checkLog(pool)).toEqual([]);
    expect(readZip(bytes).get('logged/revision-1.json')).toEqual(Uint8Array.from(entry.bytes));

    // Whoever knows the whole record but the number, and has all that is left, cannot find the number.
    const logged = new Set(
      (await pool.query('select hashes from evidence_tiles where level = 0')).rows.flatMap(
        ({ hashes }) => hashes.toString('hex').match(/.{64}/g),
      ),
    );
    const [start = '', end = ''] = entry.bytes.toString().split('6465550142');
    /** Returns a function that says whether the record with a number is logged under a salt. */
    const asking = (salted: Uint8Array) => {
      const data = Buffer.concat([salted, Buffer.from(`${start}6465550142${end}`)]);
      const at = salted.length + Buffer.byteLength(start);
      return (number: string) => {
        data.write(number, at, 'latin1');
        return logged.has(leafHash(hash('sha256', data, 'buffer')).toString('hex'));
      };
    };
    expect(asking(entry.salt)('6465550142')).toBe(true);
    const kept =
      after.match(/\b[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}\b|\b[0-9a-f]{64}\b/g) ?? [];
    const salts = [...new Set(kept)].flatMap((text) => {
      const key = Buffer.from(text.replaceAll('-', ''), 'hex');
      return [key, createHmac('sha256', key).update(entry.path).digest()];
    });
    expect(salts.length).toBeGreaterThan(20);
    let tried = 0;
    const triedWith = (salted: readonly Uint8Array[], codes: readonly string[], from = '646') =>
      salted.flatMap((each) => {
        const isLogged = asking(each);
        const found: string[] = [];
        for (const number of numbersOf(codes)) {
          if (!number.startsWith(from)) continue;
          tried += 1;
          if (isLogged(number)) found.push(number);
        }
        return found;
      });
    expect(triedWith(salts, ['555'], isLong ? '646555' : '64655501')).toEqual([]);
    // Without a salt, and with what is known of the lead.
    const known = Buffer.from(id.replaceAll('-', ''), 'hex');
    const guessed = [Buffer.of(), known, createHmac('sha256', known).update(entry.path).digest()];
    expect(triedWith(guessed, exchanges)).toEqual([]);
    console.info(`${tried} pairs of a number and a salt were tried`);
  },
);
