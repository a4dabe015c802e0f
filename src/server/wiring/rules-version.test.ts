import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readRulesVersion, ruleFolders } from './rules-version.ts';

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
