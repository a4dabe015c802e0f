import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { commandForTests } from '../../tests/support/command.ts';
import { signInByLink } from '../server/people/sign-in.ts';
import { storeConsoleAddress } from '../server/settings/environment.ts';
import { run } from './console.ts';

const command = commandForTests(run);
const { leads: people, query } = command;
const browser = { userAgent: '', formerSecret: undefined };

test('npm run console can invite operators and revoke their access', async () => {
  const { code, out } = await people('invite', 'Bea@Example.com', '--role', 'operator');
  expect(code).toBe(0);
  const [, secret = ''] = /^http:\/\/localhost:3001\/sign-in#([\w-]{43})$/m.exec(out) ?? [];
  await signInByLink(command.pool, secret, browser);
  expect(await people('revoke', 'bea@example.com')).toEqual({
    code: 0,
    out: 'bea@example.com is shut out; 1 session ended.\n',
    err: '',
  });
  const log = await query('select action, subject from audit_log order by id');
  expect(log.map(({ action }) => action)).toEqual([
    ...['person.invited', 'session.started', 'person.revoked'],
  ]);
});

test('the link of an invitation leads to the running console', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'address-'));
  vi.stubEnv('DATA_DIR', dataDir);
  storeConsoleAddress(dataDir, 'http://localhost:4312');
  const { out } = await people('invite', 'cy@example.com', '--role', 'viewer');
  await rm(dataDir, { recursive: true });
  expect(out).toContain('http://localhost:4312/sign-in#');
});
