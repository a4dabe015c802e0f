import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { ana, clearLedger } from '../../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../../tests/support/own-database.ts';
import { personKey, testPersonSecret } from '../../../../tests/support/person-keys.ts';
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

describe('The secret of person keys', () => {
  test('is created in a file that only the owner can read', async () => {
    const source = { personKeySecret: undefined, dataDir: path.join(dataDir, 'new') };
    const [one, two] = await Promise.all([
      openPersonKeys(pool, source),
      openPersonKeys(pool, source),
    ]);
    expect(one('phone', ana.phone)).toBe(two('phone', ana.phone));
    const file = path.join(source.dataDir, 'person-key-secret');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const secret = (await readFile(file, 'utf8')).trim();
    expect(secret).toMatch(/^[\w-]{43}$/);
    const [row] = await rowsOf('select person_keys::text as text from person_keys');
    expect(row.text).not.toContain(secret);
  });

  test('prevents the start unless it is the secret of the stored person keys', async () => {
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
