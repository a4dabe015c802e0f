import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { databaseForTests } from '../../../tests/support/own-database.ts';
import type { StateRuleSettings } from '../../model/rules/state-rules.ts';
import { auditStateRules, readRulesVersion, ruleFolders } from './rules-version.ts';

const firms = [{ name: 'Real & Sons', office: 'Austin, Texas', states: ['TX'] }];
const settings = { limitation: 'coded', dateOfBirthStates: ['AL', 'NE'] };

/** Creates a project that has one file in each of `ruleFolders`. */
async function smallProject(): Promise<string> {
  const root = await mkdtemp(path.join(tmpdir(), 'rules-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const folder of ruleFolders) {
    await mkdir(path.join(root, folder), { recursive: true });
    await writeFile(path.join(root, folder, 'rule.ts'), folder);
  }
  return root;
}

describe('The version of the rules', () => {
  it('is a hash of every file that decides about leads', async () => {
    const names = Object.keys((await readRulesVersion(settings, firms)).files);
    for (const name of [
      'src/model/rules/qualification.ts',
      'src/model/lead/consent.ts',
      'src/model/flows/surveys.ts',
      'src/server/leads/accept-lead.ts',
      'src/model/visit/lead-body.ts',
      'src/model/lead/read.ts',
      'content/consent/2026-11-20.ts',
    ]) {
      expect(names).toContain(name);
    }
    expect(names.some((name) => name.startsWith('content/') && name.endsWith('.json'))).toBe(true);
    expect(names.filter((name) => name.includes('.test.'))).toEqual([]);
    expect(names).toEqual(names.toSorted());
  });

  it('changes if the settings, the firms or the files of the rules change', async () => {
    const root = await smallProject();
    const versionOf = async (given: unknown = settings, listed = firms) =>
      (await readRulesVersion(given, listed, root)).version;
    const write = (name: string) => writeFile(path.join(root, name), 'new');
    const first = await versionOf();
    await write('src/model/rules/new.test.ts');
    expect(await versionOf()).toBe(first);
    const versions = new Set([first, await versionOf({ ...settings, limitation: 'present' })]);
    versions.add(await versionOf(settings, []));
    for (const name of ['src/model/rules/rule.ts', 'src/model/flows/new.ts', 'content/new.json']) {
      await write(name);
      versions.add(await versionOf());
    }
    expect(versions.size).toBe(6);
  });
});

const database = await databaseForTests((pool) => pool.query('truncate audit_log'));

it('a change of the state rules adds one entry to the audit log, also if processes start at once', async () => {
  const { pool } = database;
  const entries = async () =>
    (await pool.query('select subject, reason, detail from audit_log order by id')).rows;
  const defaults: StateRuleSettings = { changes: {}, undecided: 'deliver' };
  const decided: StateRuleSettings = {
    ...defaults,
    changes: { CA: [{ decision: 'allowed', from: '2026-12-01', reason: 'Certified, no. 123' }] },
  };
  await auditStateRules(pool, defaults);
  expect(await entries()).toEqual([]);
  await Promise.all([1, 2, 3, 4].map(() => auditStateRules(pool, decided)));
  const change = { before: defaults, after: decided };
  expect(await entries()).toEqual([
    { subject: 'STATE_RULES', reason: 'CA allowed: Certified, no. 123', detail: change },
  ]);
  for (const settings of [defaults, defaults, decided]) await auditStateRules(pool, settings);
  expect((await entries()).map(({ detail }) => detail.after)).toEqual([decided, defaults, decided]);
});
