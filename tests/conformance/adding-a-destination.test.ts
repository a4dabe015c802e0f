/**
 * A destination is two files: its definition, which the list in src/server/destinations/index.ts names, and its strict
 * stand-in in sandbox/services/. Settings, surveys, deliveries and the sandbox derive from them. These tests add one
 * that nothing in `src/` and `sandbox/` knows. How each
 * handles every answer: src/server/destinations/contract.test.ts.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sandboxEnvironment } from '../../sandbox/environment.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { parseSettings, SettingsError } from '../../src/server/config/settings.ts';
import { destinations } from '../../src/server/destinations/index.ts';
import { type RunningServer, startServer } from '../../src/server/wiring/server.ts';
import { testLead } from '../support/leads.ts';
import { testPersonSecret } from '../support/person-keys.ts';
import { patientTimeouts, type TestDatabase, withDatabase } from '../support/postgres.ts';
import { caseDesk } from './example/case-desk.ts';
import { caseDeskStandIn } from './example/case-desk-stand-in.ts';

const definitions = [...destinations, caseDesk];
const url = 'https://desk.example.com/api';
const token = 'the-token';

test('nothing in the source knows it', () => {
  const root = join(import.meta.dirname, '..', '..');
  const all = ['src', 'sandbox'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
      join(root, folder, file),
    ),
  );
  const knowing = all
    .filter((file) => /\.tsx?$/.test(file))
    .filter((file) => /case-desk|EXAMPLE_DESK/.test(readFileSync(file, 'utf8')));
  expect(knowing).toEqual([]);
});

describe('its settings', () => {
  const settingOf = (environment: NodeJS.ProcessEnv) =>
    parseSettings(environment, definitions).settings.destinations.find(
      ({ definition }) => definition === caseDesk,
    );

  test('are read as it declares them; without them it is off', () => {
    expect(settingOf({})).toEqual({ definition: caseDesk, values: undefined });
    const values = { EXAMPLE_DESK_URL: url, EXAMPLE_DESK_TOKEN: token };
    expect(settingOf({ ...values, EXAMPLE_DESK_URL: ` ${url} ` })?.values).toEqual(values);
  });

  test.each([
    [
      { EXAMPLE_DESK_URL: 'ftp://desk.example.com' },
      /EXAMPLE_DESK_URL is "ftp:.*expected the http/,
    ],
    [{ EXAMPLE_DESK_TOKEN: 'short' }, /EXAMPLE_DESK_TOKEN is secret and not shown; .*the token of/],
    [{ EXAMPLE_DESK_URL: url }, /EXAMPLE_DESK_TOKEN is missing: the case desk in New York needs/],
  ])('%j: what is wrong is said at start', (environment, says) => {
    expect(() => parseSettings(environment, definitions)).toThrow(says);
    expect(() => parseSettings(environment, definitions)).not.toThrow(/short/);
  });

  test('a survey may name it, but no destination that does not exist', () => {
    const overrides = (names: string[]) =>
      JSON.stringify({ '/survey/v4nv': { destinations: names } });
    const read = (names: string[], known = definitions) =>
      parseSettings({ SURVEY_OVERRIDES: overrides(names) }, known);
    expect(() => read(['ingest', 'case-desk'])).not.toThrow();
    const ofSurveys = definitions.flatMap(({ name, takes }) => (takes ? [] : [name]));
    expect(() => read(['case-desks'])).toThrow(
      `"/survey/v4nv" has no destination "case-desks"; there are ${ofSurveys.join(', ')}`,
    );
    expect(() => read(['case-desk'], [...destinations])).toThrow(SettingsError);
  });
});

describe('beside the ingest service', () => {
  // The server writes its key for evidence there.
  const dataDir = mkdtempSync(join(tmpdir(), 'case-desk-'));
  let sandbox: Sandbox;
  let database: TestDatabase;
  let server: RunningServer;

  beforeAll(async () => {
    sandbox = await startSandbox({ more: [caseDeskStandIn] });
    database = await withDatabase();
    const ofSandbox = sandboxEnvironment(sandbox.url, sandbox.credentials, [caseDeskStandIn]);
    const { settings } = parseSettings(
      {
        ...Object.fromEntries(
          Object.entries(ofSandbox).filter(([name]) => /^(INGEST|EXAMPLE|OUTGOING)_/.test(name)),
        ),
        PORT: '0',
        MEMORY_CEILING_MB: '1000000',
        DATA_DIR: dataDir,
        HOST: '127.0.0.1',
        DATABASE_URL: database.connectionString,
        PERSON_KEY_SECRET: testPersonSecret,
        LEADS_PER_ADDRESS_PER_HOUR: '0',
        BYTES_PER_ADDRESS_PER_HOUR: '0',
        EMAIL_MX_LOOKUP: 'off',
        SURVEY_OVERRIDES: JSON.stringify({ '/survey/v7': { destinations: ['case-desk'] } }),
      },
      definitions,
    );
    server = await startServer(settings, {
      log: pino({ level: 'silent' }),
      // Other tests in this process may delay the event loop.
      maxEventLoopDelayMs: 0,
      databaseTimeouts: patientTimeouts,
    });
  });
  beforeEach(() => sandbox.reset());
  afterAll(async () => {
    await server.close();
    await sandbox.close();
    await database.drop();
    rmSync(dataDir, { recursive: true });
  });

  /** Posts a lead, and waits until each of its deliveries has ended or awaits its retry. */
  async function post(changes: Record<string, unknown> = {}) {
    const leadId = uuidv7();
    const now = new Date().toISOString();
    const times = { injury_year: now.slice(0, 4), injury_month: '01', consent_shown_at: now };
    const answer = await fetch(`${server.url}/post-lead`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(testLead({ lead_id: leadId, ...times, submitted_at: now, ...changes })),
    });
    expect(answer.status).toBe(200);
    const deliveries = async () => {
      const { rows } = await database.pool.query<{ state: string }>(
        `select destination, state, attempts, revision, account, payload_version, external_id
         from deliveries where lead_id = $1 order by destination desc`,
        [leadId],
      );
      return rows;
    };
    await expect
      .poll(async () => (await deliveries()).map(({ state }) => state))
      .not.toEqual(expect.arrayContaining([expect.stringMatching(/waiting|sending/)]));
    return { leadId, deliveries: await deliveries() };
  }

  const taken = (service: string) => sandbox.effects(service).map(({ key, count }) => [key, count]);

  test('a lead that it accepts goes to both', async () => {
    const { leadId, deliveries } = await post();
    expect(deliveries).toMatchObject([
      { destination: 'ingest', state: 'delivered', attempts: 1 },
      {
        destination: 'case-desk',
        state: 'delivered',
        attempts: 1,
        revision: 1,
        account: null,
        payload_version: 1,
        external_id: '1',
      },
    ]);
    expect(taken('ingest')).toEqual([[leadId, 1]]);
    expect(taken('case-desk')).toEqual([[leadId, 1]]);
    expect(sandbox.violations()).toEqual([]);
  });

  test('a survey that names only it sends its leads nowhere else; its stand-in fails on request', async () => {
    sandbox.fail({ service: 'case-desk', mode: 'credentials', times: 1 });
    const { leadId, deliveries } = await post({ survey: '/survey/v7' });
    expect(deliveries).toMatchObject([{ destination: 'case-desk', state: 'dead' }]);
    expect(sandbox.received('case-desk')).toMatchObject([{ key: leadId, failure: 'credentials' }]);
    expect(sandbox.received('ingest')).toEqual([]);
  });
});
