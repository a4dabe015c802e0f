import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { commandForTests } from '../../tests/support/command.ts';
import { seedPending } from '../../tests/support/ledger.ts';
import { readZip } from '../model/evidence/zip.ts';

const command = commandForTests();
const dataDir = await mkdtemp(path.join(tmpdir(), 'evidence-'));
afterAll(() => rm(dataDir, { recursive: true }));
beforeEach(() => {
  vi.stubEnv('DATA_DIR', dataDir);
  vi.stubEnv('PUBLIC_URL', 'https://claims.example');
});
const file = path.join(dataDir, 'pack.zip');

async function loggedLead(): Promise<string> {
  const id = await command.seed({ deliveries: [{ state: 'delivered', revision: 1 }] });
  await seedPending(command.pool, id);
  return id;
}

test('leads evidence writes an evidence pack that only the file’s owner can read', async () => {
  const id = await loggedLead();
  vi.stubEnv('PUBLIC_URL', '');
  const made = await command.leads('evidence', id, '--out', file);
  expect(made).toMatchObject({ code: 0 });
  expect(made.err).toMatch(/names localhost as its issuer.*set PUBLIC_URL/);
  expect(made.out).toMatch(/^Wrote .*pack\.zip \(\d+ KiB\)\.$/m);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect([...readZip(Uint8Array.from(await readFile(file))).keys()]).toContain('readme.txt');
  const shown = await command.leads('show', id);
  expect(shown.out).toContain('Evidence ready.');
});

test('each command that reads or changes leads adds an audit entry with the system user’s name', async () => {
  const id = await loggedLead();
  const held = await command.seed({ state: 'held', revisions: [{ email: 'bea@mail.example' }] });
  await command.query('truncate audit_log');
  for (const argv of [
    ['show', id],
    ['export', '--format', 'csv'],
    ['evidence', id, '--out', file],
    ['release', held, '--yes'],
    ['resend', id, '--force'],
    ['suppress', id],
    ['suppress', id, '--undo'],
  ]) {
    expect([argv, (await command.leads(...argv)).code]).toEqual([argv, 0]);
  }
  const log = await command.query('select actor, action, detail from audit_log order by at, id');
  expect(log.map(({ action }) => action)).toEqual([
    ...['lead.opened', 'leads.exported', 'lead.evidence_made', 'lead.released', 'lead.resent'],
    ...['person.suppressed', 'person.unsuppressed'],
  ]);
  for (const { actor, detail } of log) {
    expect([actor, detail.by]).toEqual([userInfo().username, 'command line']);
  }
});

test('leads evidence-keys lists, rotates and ends keys', async () => {
  const rotated = (await command.leads('evidence-keys', '--rotate')).out.trim().split('\n');
  expect(rotated.map((line) => / {2}signs here$/.test(line))).toEqual([false, true]);
  const unknown = await command.leads('evidence-keys', '--end', 'nobody');
  expect(unknown).toMatchObject({ code: 3 });
  const stolen = rotated[1]?.split(' ')[0] ?? '';
  const ended = (await command.leads('evidence-keys', '--end', stolen, '--now')).out;
  expect(ended).toContain('signs nothing here any more');
  const id = await loggedLead();
  const refused = await command.leads('evidence', id, '--out', file);
  expect(refused).toMatchObject({ code: 1, out: '' });
  expect(refused.err).toContain('has ended');
  expect((await command.leads('evidence-keys', '--now')).code).toBe(2);
});
