import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { ana, clearLedger, seedLead } from '../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../tests/support/own-database.ts';
import { personKey, testPersonSecret } from '../../../tests/support/person-keys.ts';
import { unkeyedPersonKey } from '../../intake/person-key.ts';
import { openPersonKeys } from './person-keys.ts';

const { pool } = await databaseForTests(clearLedger);
let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'person-keys-'));
  await pool.query('truncate person_keys');
  return () => rm(dataDir, { recursive: true });
});

const given = (personKeySecret: string | undefined = testPersonSecret) => ({
  personKeySecret,
  dataDir,
});
const rowsOf = async (text: string) => (await pool.query(text)).rows;

describe('the secret', () => {
  test('is created as a file that only its owner can read, without a setting', async () => {
    const source = { personKeySecret: undefined, dataDir: path.join(dataDir, 'new') };
    // Two processes that start at once get the same secret.
    const [one, two] = await Promise.all([
      openPersonKeys(pool, source),
      openPersonKeys(pool, source),
    ]);
    expect(one('phone', ana.phone)).toBe(two('phone', ana.phone));
    const file = path.join(source.dataDir, 'person-key-secret');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const secret = (await readFile(file, 'utf8')).trim();
    expect(secret).toMatch(/^[\w-]{43}$/);
    // The database does not contain the secret.
    const [row] = await rowsOf('select person_keys::text as text from person_keys');
    expect(row.text).not.toContain(secret);
  });

  test('stops the start if it is missing or different', async () => {
    await openPersonKeys(pool, given());
    await expect(openPersonKeys(pool, given('x'.repeat(40)))).rejects.toThrow(
      'PERSON_KEY_SECRET is not the secret that this database',
    );
    await expect(openPersonKeys(pool, { personKeySecret: undefined, dataDir })).rejects.toThrow(
      'The secret of the person keys is missing: set PERSON_KEY_SECRET, or restore',
    );
    const key = await openPersonKeys(pool, given());
    expect(key('email', ana.email)).toBe(personKey('email', ana.email));
  });
});

describe('the hashes of an earlier version', () => {
  const unkeyed = {
    email: (address: string) => unkeyedPersonKey('email', address.toLowerCase()),
    phone: (digits: string) => unkeyedPersonKey('phone', digits),
  };
  /** Gives a lead the unkeyed hashes of an earlier version. */
  const age = async (leadId: string, email: string, phone: string) => {
    for (const [table, id] of [
      ['leads', 'id'],
      ['lead_revisions', 'lead_id'],
    ]) {
      await pool.query(`update ${table} set email_key = $2, phone_key = $3 where ${id} = $1`, [
        leadId,
        unkeyed.email(email),
        unkeyed.phone(phone),
      ]);
    }
  };

  test('are replaced everywhere; the suppression list stays, erased persons lose their keys', async () => {
    const gmail = { ...ana, email: 'Ana.Diaz@gmail.com' };
    const first = await seedLead(pool, { revisions: [gmail] });
    await age(first, gmail.email, gmail.phone);
    const erased = await seedLead(pool, { revisions: [{}] });
    await age(erased, 'bea@mail.example', '7375550199');
    await pool.query(
      `insert into lead_events (id, lead_id, kind, actor) values (gen_random_uuid(), $1, 'erased', 'x')`,
      [erased],
    );
    // Only the hash of this number is left, not its value.
    const unknown = unkeyed.phone('5125550100');
    await pool.query(
      `insert into suppressions (key, kind, actor, created_at) values
         ($1, 'phone', 'a', '2026-01-02'), ($2, 'email', 'b', '2026-01-03')`,
      [unknown, unkeyed.email(gmail.email)],
    );
    await pool.query(
      `insert into opt_out_requests (id, language, name, email, phone, state, email_key, phone_key,
         sec_gpc, page, leads, stopped, receipts)
       values (gen_random_uuid(), 'en', '', $1, '', '', $2, null, false, '/', 0, 0, '[]'),
         (gen_random_uuid(), 'en', '', '', '', '', $3, null, false, '/', 0, 0, '[]')`,
      [gmail.email, unkeyed.email(gmail.email), unkeyed.email('bea@mail.example')],
    );

    await openPersonKeys(pool, given());
    const keys = {
      email_key: personKey('email', gmail.email),
      phone_key: personKey('phone', gmail.phone),
    };
    const none = { email_key: null, phone_key: null };
    const read = (leadId: string) =>
      rowsOf(`select email_key, phone_key from lead_revisions where lead_id = '${leadId}'`);
    expect(await read(first)).toEqual([keys]);
    expect(await read(erased)).toEqual([none]);
    expect(await rowsOf('select distinct email_key, phone_key from leads')).toEqual([none]);
    expect(await rowsOf(`select email_key from opt_out_requests order by email = ''`)).toEqual([
      { email_key: keys.email_key },
      { email_key: null },
    ]);
    const list = await rowsOf(
      'select key, actor, created_at from suppressions order by actor, key',
    );
    // Both the mailbox and the spelling that was hashed are on the list.
    expect(new Set(list.map(({ key }) => key))).toEqual(
      new Set([personKey('phone', '5125550100'), keys.email_key, expect.stringMatching(/^k1\./)]),
    );
    expect(list[0]).toMatchObject({ actor: 'a', created_at: new Date('2026-01-02T00:00:00Z') });
    const left = (await rowsOf('select s::text as text from suppressions s')).map(
      ({ text }) => text,
    );
    expect(left.join()).not.toContain(unknown);
  });

  test('are replaced by the next start after an interrupted one', async () => {
    const before = await seedLead(pool);
    const stopped = await seedLead(pool);
    await age(stopped, ana.email, ana.phone);
    await openPersonKeys(pool, given());
    await openPersonKeys(pool, given());
    expect(
      await rowsOf(
        `select distinct email_key, phone_key from lead_revisions
         where lead_id in ('${before}', '${stopped}')`,
      ),
    ).toEqual([
      { email_key: personKey('email', ana.email), phone_key: personKey('phone', ana.phone) },
    ]);
    expect(await rowsOf('select rekeyed_at is not null as done from person_keys')).toEqual([
      { done: true },
    ]);
  });
});
