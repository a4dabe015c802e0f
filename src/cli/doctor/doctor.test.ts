import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { sandboxEnvironment } from '../../../sandbox/environment.ts';
import { type Sandbox, startSandbox } from '../../../sandbox/server.ts';
import { databaseForTests } from '../../../tests/support/own-database.ts';
import { planning } from '../../../tests/support/plans.ts';
import { saleRules } from '../../../tests/support/sale-rules.ts';
import { createOutgoingHttp } from '../../server/platform/outgoing-http.ts';
import { parseSettings } from '../../server/settings/settings.ts';
import {
  checkDisk,
  checkPublicAddress,
  checkSite,
  checkStateRules,
  clockFinding,
  examine,
  type Finding,
  isSick,
  readRecentStates,
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
  expect(sandbox.received('slack').filter(({ answer }) => answer?.status === 200)).toEqual([]);
  expect(sandbox.codes()).toEqual([]);
  expect(of(findings, 'wishes for the call')).toMatchObject([{ state: 'off' }]);
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
  const settings = parseSettings({});
  const [early, live] = [checkSite(settings, at, false), checkSite(settings, at, true)];
  expect(of(early, 'phone number')).toMatchObject([{ state: 'unfinished' }]);
  expect(of(live, 'phone number')).toMatchObject([{ state: 'wrong', next: 'set PHONE_NUMBER' }]);
  expect(of(early, 'en/privacy-policy.md')).toMatchObject([{ state: 'not_tried' }]);
  const later = checkSite(settings, new Date('2028-12-01T00:00:00Z'), false);
  expect(of(later, 'en/privacy-policy.md')).toMatchObject([{ state: 'unfinished' }]);
});

test('npm run doctor names each fact about the company that the pages lack', () => {
  const settings = parseSettings({});
  const at = new Date('2026-12-01T00:00:00Z');
  const next = checkSite(settings, at, false).map((finding) => finding.next);
  const names = 'LEGAL_ENTITY POSTAL_ADDRESS FOUNDER_NAME FOUNDER_NOTE FOUNDER_NOTE_ES REVIEWER';
  for (const name of [...names.split(' '), 'CALL_HOURS', 'CALL_HOURS_ES']) {
    expect(next).toContain(`set ${name}`);
  }
});

test('npm run doctor reports a company or people of the demo as wrong on a live site', () => {
  const settings = parseSettings({ LEGAL_ENTITY: 'Example Media LLC' });
  const ofDemo = {
    about: 'names of the demo',
    state: 'wrong',
    next: expect.stringContaining('LEGAL_ENTITY'),
  };
  const at = new Date('2026-12-01T00:00:00Z');
  expect(of(checkSite(settings, at, true), 'names of the demo')).toMatchObject([ofDemo]);
  for (const given of [{}, { LEGAL_ENTITY: 'First Example Law LLC' }]) {
    expect(of(checkSite(parseSettings(given), at, true), 'names of the demo')).toEqual([]);
  }
});

const database = await databaseForTests();

test('npm run doctor lists states with recent leads whose rule is undecided or was checked long ago', async () => {
  await database.pool.query(
    `insert into hourly_counts (dimension, survey, hour, value, visits, first_answers, completed, accepted, held,
       qualified, delivered, rejected, refusals)
     select dimension, survey, now() - n * interval '1 hour', state, 1, 1, 1, 1, 0, 1, 1, 0, 0
     from generate_series(1, 9000) n cross join (values ('state', ''), ('state', '/survey/v4'), ('all', ''))
       as of(dimension, survey)
     cross join lateral (values ('CA'), ('OH'), (case when n > 721 then 'FL' end)) as at(state)
     where state is not null`,
  );
  await database.pool.query('vacuum analyze hourly_counts');
  const { pool, plans } = planning(database.connectionString);
  expect(await readRecentStates(pool)).toEqual(['CA', 'OH']);
  await pool.end();
  expect(plans.join()).toMatch(/Index (Only )?Scan using hourly_counts_\w+|Bitmap Index Scan/);
  expect(plans.join()).not.toContain('Seq Scan');

  const { connectionString: DATABASE_URL } = database;
  expect(of(await examine({ DATABASE_URL }), 'rule of')).toMatchObject([
    { about: 'rule of CA', state: 'unfinished', next: expect.stringContaining('STATE_RULES') },
  ]);

  const day = (month: number) => ({ year: 2027, month, day: 1 });
  const check = (states: string[], month: number, rules = saleRules) =>
    checkStateRules(states, rules, day(month)).map(({ about }) => about);
  expect(check(['CA', 'OH'], 5)).toEqual(['rule of CA']);
  expect(check(['OH'], 6)).toContain('rule US.contact_hours');
  expect(check(['OH'], 6).join()).not.toMatch(/FL|CA/);
  expect(check([], 6)).toEqual([]);
  const changes = { CA: [{ decision: 'allowed', reason: 'Certified' }] } as const;
  const decided = { ...saleRules, stateRules: { ...saleRules.stateRules, changes } };
  expect(check(['CA'], 5, decided)).toEqual([]);
});
