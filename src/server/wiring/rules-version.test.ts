import { cp, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestDatabase, withDatabase } from '../../../tests/support/postgres.ts';
import { readRulesVersion, recordRulesVersion, ruleFolders } from './rules-version.ts';

const project = path.join(import.meta.dirname, '..', '..', '..');
const settings = { limitation: 'coded', dateOfBirthStates: ['AL', 'NE'] };
let root: string;

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'rules-'));
  for (const each of ruleFolders) {
    await cp(path.join(project, each), path.join(root, each), { recursive: true });
  }
});
afterAll(() => rm(root, { recursive: true, force: true }));

describe('the version of the rules', () => {
  it('is the same for the same files and settings in another folder', async () => {
    const own = await readRulesVersion(settings);
    expect(await readRulesVersion({ ...settings })).toEqual(own);
    expect(await readRulesVersion(settings, root)).toEqual(own);
    expect(own.version).toMatch(/^[\w-]{43}$/);
  });

  it('covers everything that decides, but no tests', async () => {
    const names = Object.keys((await readRulesVersion(settings)).files);
    for (const name of [
      'src/domain/qualification.ts',
      'src/domain/consent.ts',
      'src/flows/surveys.ts',
      'src/server/accept/accept-lead.ts',
      'src/journey/lead-body.ts',
      'src/intake/walk.ts',
      'content/consent/2026-11-20.ts',
    ]) {
      expect(names).toContain(name);
    }
    expect(names.some((name) => name.startsWith('content/') && name.endsWith('.json'))).toBe(true);
    expect(names.filter((name) => name.includes('.test.'))).toEqual([]);
    expect(names).toEqual(names.toSorted());
  });

  it('changes with a setting', async () => {
    const { version } = await readRulesVersion(settings);
    const changed = await readRulesVersion({ ...settings, dateOfBirthStates: ['AL'] });
    expect(changed.version).not.toBe(version);
  });

  it('changes if a file is changed, renamed or added, but not with a test', async () => {
    const first = await readRulesVersion(settings, root);
    const file = path.join(root, 'src/domain/qualification.ts');
    await writeFile(path.join(root, 'src/domain/new.test.ts'), 'a test');
    expect(await readRulesVersion(settings, root)).toEqual(first);
    const versions = new Set([first.version]);
    await writeFile(file, 'changed');
    versions.add((await readRulesVersion(settings, root)).version);
    await rename(file, path.join(root, 'src/domain/qualified.ts'));
    versions.add((await readRulesVersion(settings, root)).version);
    await writeFile(path.join(root, 'src/flows/variants/new.ts'), 'new');
    versions.add((await readRulesVersion(settings, root)).version);
    await writeFile(path.join(root, 'content/new.json'), '{}');
    versions.add((await readRulesVersion(settings, root)).version);
    expect(versions.size).toBe(5);
  });
});

describe('rule_versions', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await withDatabase();
  }, 60_000);
  afterAll(() => database.drop());

  it('stores each version once, at its first use, with its files and settings', async () => {
    const { pool } = database;
    const version = await readRulesVersion(settings);
    await Promise.all([1, 2, 3].map(() => recordRulesVersion(pool, version)));
    const first = await pool.query('select * from rule_versions');
    expect(first.rows).toMatchObject([
      { version: version.version, files: version.files, settings, first_used_at: expect.any(Date) },
    ]);
    await recordRulesVersion(pool, version);
    expect((await pool.query('select * from rule_versions')).rows).toEqual(first.rows);
    await recordRulesVersion(pool, await readRulesVersion({}));
    expect((await pool.query('select * from rule_versions')).rows).toHaveLength(2);
  });
});
