/** After an erasure the log still says that something was logged, and nothing ties that to the person. */
import { createHmac, hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { canonicalJson } from '../../src/evidence/canonical-json.ts';
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

const { site, sandbox } = await siteWithEvidence();

const person = {
  first_name: 'Quillon',
  last_name: 'Zimmertree',
  email: 'quillon.zimmertree@mail.example',
  phone: '(646) 555-0142',
};
/**
 * `npm test -- evidence` tries every number of the area code, and ten exchanges where each number is tried with each
 * value that is left as its salt; else those of the person's own exchange.
 */
const isLong = process.env.EVIDENCE_EVERY === '1';
const exchanges = isLong
  ? Array.from({ length: 1000 }, (_, at) => `${at}`.padStart(3, '0'))
  : ['555'];
const near = isLong ? exchanges.slice(550, 560) : exchanges;
/** The long form takes some minutes. */
const PATIENCE = { timeout: 1_800_000 };

function* numbersOf(codes: readonly string[]): Generator<string> {
  for (const exchange of codes) {
    for (let last = 0; last < 10_000; last += 1) {
      yield `646${exchange}${`${last}`.padStart(4, '0')}`;
    }
  }
}

/** Everything that somebody may know of what was posted or sent: the text of a number, in place of the number. */
type Known = (number: string) => string;

/** Returns a text with another number in place of the person's, which stands in it once. */
function without(text: string, spelled: (number: string) => string): Known {
  const parts = text.split(spelled('6465550142'));
  expect(parts.length).toBeGreaterThan(1);
  return (number) => parts.join(spelled(number));
}
const asPosted = (number: string) => number.replace(/(...)(...)(....)/, '($1) $2-$3');

/**
 * Returns the numbers that stand in a dump, in the open or hashed without a secret: alone, with the lead's id, or as part
 * of what is known.
 */
function foundIn(
  dump: string,
  leadId: string,
  codes: readonly string[],
  known: readonly Known[],
): string[] {
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
    if (known.some((textOf) => digests.has(hash('sha256', textOf(number))))) found.add(number);
  }
  return [...found];
}

/** Returns what could be a salt in a dump: its values of 16 or 32 bytes, and the salts that a path has under them. */
function saltsIn(dump: string, path: string): Uint8Array[] {
  const inHex =
    /(?<![0-9a-f])([0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}|[0-9a-f]{64})(?![0-9a-f])/g;
  const values = [
    ...(dump.match(inHex) ?? []).map((text) => Buffer.from(text.replaceAll('-', ''), 'hex')),
    ...(dump.match(/(?<![\w-])[\w-]{43}(?![\w-])/g) ?? []).map((text) =>
      Buffer.from(text, 'base64url'),
    ),
  ];
  const distinct = new Map(values.map((value) => [value.toString('hex'), value]));
  return [...distinct.values()].flatMap((key) => {
    return [key, createHmac('sha256', key).update(path).digest()];
  });
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
    const stored = await pool.query(
      `select r.body, r.body_sha256, a.sent_sha256 from lead_revisions r, deliveries d, delivery_attempts a
       where r.lead_id = $1 and d.lead_id = $1 and d.destination = 'ingest' and d.event is null and a.delivery_id = d.id`,
      [id],
    );
    const [{ body: storedBody, ...hashes }] = stored.rows;
    const sent = readZip(bytes).get('sent.json') ?? new Uint8Array();
    const [{ sent: masked }] = JSON.parse(Buffer.from(sent).toString());
    const request = masked.replace(/•+/, sandbox.credentials.lpKey);
    // The post, and what the firm got, each as its hash is of it.
    const posted = canonicalJson(storedBody);
    expect(hash('sha256', posted, 'base64url')).toBe(hashes.body_sha256);
    expect(hash('sha256', request)).toBe(hashes.sent_sha256);
    const texts = [without(posted, asPosted), without(request, (number) => number)];
    const { rows } = await pool.query('select evidence_salt as salt from leads where id = $1', [
      id,
    ]);
    const salt = String(rows[0]?.salt);

    await erase(people(pool), id, 'test');
    const after = await dumpOf(pool);
    // What the search looks for was there before.
    expect(foundIn(before, id, ['555'], [])).toEqual(['6465550142']);
    const hashed = `${hashes.body_sha256} ${hashes.sent_sha256}`;
    for (const each of texts) expect(foundIn(hashed, id, ['555'], [each])).toEqual(['6465550142']);
    expect(foundIn(after, id, exchanges, texts)).toEqual([]);
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
    const salts = saltsIn(after, entry.path);
    expect(salts.length).toBeGreaterThan(20);
    let tried = 0;
    const triedWith = (salted: readonly Uint8Array[], codes: readonly string[]) =>
      salted.flatMap((each) => {
        const isLogged = asking(each);
        const found: string[] = [];
        for (const number of numbersOf(codes)) {
          tried += 1;
          if (isLogged(number)) found.push(number);
        }
        return found;
      });
    expect(triedWith(salts, near)).toEqual([]);
    // Without a salt, and with what is known of the lead.
    const known = saltsIn(id, entry.path);
    expect(triedWith([Buffer.of(), ...known], exchanges)).toEqual([]);
    console.info(`${tried} pairs of a number and one of ${salts.length + 1} salts were tried`);
  },
);
