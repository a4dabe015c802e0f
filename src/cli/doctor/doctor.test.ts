import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { sandboxEnvironment } from '../../../sandbox/environment.ts';
import { type Sandbox, startSandbox } from '../../../sandbox/server.ts';
import { createOutgoingHttp } from '../../server/platform/outgoing-http.ts';
import { parseSettings } from '../../server/settings/settings.ts';
import {
  checkDisk,
  checkPublicAddress,
  checkSite,
  clockFinding,
  examine,
  type Finding,
  isSick,
  reportText,
} from './doctor.ts';

let sandbox: Sandbox;
let dataDir: string;
beforeAll(async () => {
  sandbox = await startSandbox();
  dataDir = await mkdtemp(path.join(tmpdir(), 'doctor-'));
});
afterEach(() => sandbox.reset());
afterAll(async () => {
  await sandbox.close();
  await rm(dataDir, { recursive: true });
});

const withSandbox = (changed: NodeJS.ProcessEnv = {}) => ({
  ...sandboxEnvironment(sandbox.url),
  DATA_DIR: dataDir,
  ...changed,
});
const of = (findings: readonly Finding[], part: string) =>
  findings.filter(({ about }) => about.includes(part));

test('npm run doctor reports working accounts after test calls that change nothing', async () => {
  const findings = await examine(withSandbox());
  const states = findings.filter(({ state }) => state === 'works').map(({ about }) => about);
  expect(states.length).toBeGreaterThanOrEqual(16);
  expect(findings.filter(({ state }) => state === 'wrong')).toEqual([]);
  expect(of(findings, 'the exchange')).toEqual([expect.objectContaining({ state: 'not_tried' })]);
  for (const silent of ['exchange', 'automation', 'save-data', 'verification', 'buyers'] as const) {
    expect(sandbox.received(silent)).toEqual([]);
  }
  expect(sandbox.received('slack').filter(({ effect }) => effect)).toEqual([]);
  expect(sandbox.codes()).toEqual([]);
});

test('npm run doctor reports a wrong credential or URL with the name of its setting', async () => {
  const wrong = {
    INGEST_KEY: 'the lead-ingest service (Lead Prosper)',
    CONTACT_KEY: 'contact form (Lead Prosper)',
    TRUSTEDFORM_API_KEY: 'the retention of consent certificates',
    PHONE_CHECK_KEY: 'phone validation',
    EMAIL_CHECK_KEY: 'e-mail validation',
    TWILIO_AUTH_TOKEN: 'SMS codes',
  };
  const changed = Object.keys(wrong).map((name) => [name, 'wrong-credential']);
  const url = `${sandbox.url}/services/no/such/hook`;
  const findings = await examine(
    withSandbox({ ...Object.fromEntries(changed), SLACK_WEBHOOK_URL: url }),
  );
  for (const [name, about] of Object.entries(wrong)) {
    const [found] = of(findings, about);
    expect(found).toMatchObject({ state: 'wrong', next: expect.stringContaining(name) });
  }
  expect(of(findings, 'alerts')).toMatchObject([
    {
      state: 'wrong',
      text: expect.stringContaining('the sandbox: HTTP 404'),
      next: 'check SLACK_WEBHOOK_URL',
    },
  ]);
  expect(isSick(findings)).toBe(true);
  expect(reportText(findings)).not.toContain('wrong-credential');
});

test('npm run doctor reports an unreachable database without the password', async () => {
  const findings = await examine({
    DATA_DIR: dataDir,
    DATABASE_URL: 'postgresql://u:hunter2@127.0.0.1:9/x',
  });
  expect(of(findings, 'database')).toMatchObject([{ state: 'wrong', next: 'see DATABASE_URL' }]);
  expect(reportText(findings)).not.toContain('hunter2');
});

test('npm run doctor reports a wrong clock if the difference is a minute', async () => {
  expect(clockFinding(1_000, 'x', 5_000)).toMatchObject({ state: 'works', text: '4000 ms apart' });
  expect(clockFinding(0, 'x', 60_000)).toMatchObject({ state: 'wrong' });
  const space = (freeBytes: number) => async () => ({ freeBytes, totalBytes: 2 ** 40 });
  expect(await checkDisk(dataDir, space(2 ** 30))).toMatchObject({ text: '1.0 GiB free' });
  expect(await checkDisk(dataDir, space(2 ** 20))).toMatchObject({ state: 'wrong' });
  expect(await checkDisk(path.join(dataDir, 'a', 'b'), space(2 ** 40))).toMatchObject({
    state: 'works',
  });
});

test('npm run doctor reports a public URL without TLS as wrong', async () => {
  const http = createOutgoingHttp({ allowPrivateNetworks: true });
  const check = async (publicUrl: string | undefined, trustedProxies: string[], live = true) =>
    (await checkPublicAddress({ publicUrl, trustedProxies }, http, live)).map(
      ({ about, state }) => `${about} ${state}`,
    );
  expect(await check(undefined, [])).toEqual(['public address wrong']);
  expect(await check(undefined, [], false)).toEqual(['public address unfinished']);
  expect(await check('http://claims.invalid', ['10.0.0.1'])).toContain('TLS wrong');
  expect(await check('https://claims.invalid', [])).toEqual([
    'proxy headers wrong',
    'public address wrong',
  ]);
  expect(await check(sandbox.url, [])).toContain(
    `clock, compared with ${new URL(sandbox.url).host} works`,
  );
  await http.close();
});

test('npm run doctor reports the default company phone number as wrong on a live site', () => {
  const at = new Date('2026-12-01T00:00:00Z');
  const { settings } = parseSettings({});
  const [early, live] = [checkSite(settings, at, false), checkSite(settings, at, true)];
  expect(of(early, 'phone number')).toMatchObject([{ state: 'unfinished' }]);
  expect(of(live, 'phone number')).toMatchObject([{ state: 'wrong', next: 'set PHONE_NUMBER' }]);
  expect(of(early, 'en/privacy-policy.md')).toMatchObject([{ state: 'not_tried' }]);
  const later = checkSite(settings, new Date('2028-12-01T00:00:00Z'), false);
  expect(of(later, 'en/privacy-policy.md')).toMatchObject([{ state: 'unfinished' }]);
});
