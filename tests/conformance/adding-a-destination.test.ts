/**
 * A destination is two files: its definition, which the list in src/server/destinations/index.ts names, and its strict
 * stand-in in sandbox/services/. Settings, surveys, deliveries and the sandbox derive from them. These tests add one
 * that nothing in `src/` and `sandbox/` knows.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sandboxEnvironment } from '../../sandbox/environment.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { parseSettings } from '../../src/server/config/settings.ts';
import { SettingsError } from '../../src/server/config/settings-error.ts';
import { destinations } from '../../src/server/destinations/index.ts';
import type { OutgoingAnswer, OutgoingRequest } from '../../src/server/providers/outgoing-http.ts';
import { type RunningServer, startServer } from '../../src/server/wiring/server.ts';
import { testLead } from '../support/leads.ts';
import { testPersonSecret } from '../support/person-keys.ts';
import { patientTimeouts, type TestDatabase, withDatabase } from '../support/postgres.ts';
import { prepared, sendRequest } from '../support/send-request.ts';
import { caseDesk, readDesk } from './example/case-desk.ts';
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

describe('golden examples', () => {
  const fields = {
    zip_code: '10001',
    first_name: 'José',
    last_name: "O'Neil & Sons",
    email: 'jose+mva@mail.example',
    phone: '2125550123',
    state: 'NY',
    case_description: 'They said "100%" = my fault;\nsecond line',
  };
  const golden =
    '{"test":false,"client":{"name":"José O\'Neil & Sons","phone":"2125550123"},"state":"NY",' +
    '"story":"They said \\"100%\\" = my fault;\\nsecond line"}';

  const calls: OutgoingRequest[] = [];
  const answer: OutgoingAnswer = {
    status: 201,
    headers: {},
    text: '{"case":7}',
    truncated: false,
    durationMs: 3,
  };
  const desk = caseDesk.connect(
    { EXAMPLE_DESK_URL: url, EXAMPLE_DESK_TOKEN: token },
    {
      async request(call) {
        calls.push(call);
        return answer;
      },
      close: async () => undefined,
    },
  );

  test('version 1: this lead makes these bytes, and this request is sent', async () => {
    const toSend = prepared(desk, { fields });
    expect(toSend.body).toBe(golden);
    expect(await toSend.send()).toMatchObject({ outcome: 'delivered', externalId: '7' });
    expect(calls).toEqual([
      {
        method: 'POST',
        url: 'https://desk.example.com/api/cases',
        headers: {
          authorization: 'Bearer the-token',
          'content-type': 'application/json',
          'idempotency-key': sendRequest().leadId,
        },
        body: golden,
        timeoutMs: 30_000,
      },
    ]);
  });

  test('an unknown version fails for good, and sends nothing', () => {
    const { payloadVersion: _, ...rest } = sendRequest({ fields });
    expect(desk.prepare({ ...rest, payloadVersion: 2 })).toMatchObject({ outcome: 'failed' });
  });

  test.each([
    [201, '{"case":7}', { outcome: 'delivered', externalId: '7' }],
    [201, 'hello', { outcome: 'unknown' }],
    [409, '', { outcome: 'duplicate' }],
    [401, 'no the-token', { outcome: 'failed', response: 'no [secret]' }],
  ])('HTTP %i %j: %o', (status, body, expected) => {
    expect(readDesk({ ...answer, status, text: body }, token)).toMatchObject(expected);
  });

  test.each([
    [true, 'NY', true],
    [false, 'NY', false],
    [true, 'TX', false],
  ])('qualified %s in %s: accepted? %s', (qualified, state, expected) => {
    const lead = {
      survey: '/survey/v4nv',
      flow: 'v4',
      qualified,
      isTest: false,
      fields: { state },
    };
    expect(caseDesk.appliesTo(lead, undefined)).toBe(expected);
  });
});

describe('its settings', () => {
  const settingOf = (environment: NodeJS.ProcessEnv) =>
    parseSettings(environment, definitions).settings.destinations.find(
      ({ definition }) => definition === caseDesk,
    );

  test('without them it is off', () => {
    expect(settingOf({})).toEqual({ definition: caseDesk, values: undefined });
  });

  test('are read as it declares them', () => {
    const values = { EXAMPLE_DESK_URL: url, EXAMPLE_DESK_TOKEN: token };
    expect(settingOf({ ...values, EXAMPLE_DESK_URL: ` ${url} ` })?.values).toEqual(values);
  });

  test('that are invalid are all named at start, a secret without its value', () => {
    const read = () =>
      parseSettings(
        { EXAMPLE_DESK_URL: 'ftp://desk.example.com', EXAMPLE_DESK_TOKEN: 'short', PORT: 'x' },
        definitions,
      );
    expect(read).toThrow(SettingsError);
    expect(read).toThrow(
      /EXAMPLE_DESK_URL is "ftp:.*, whose scheme is "ftp:": expected the http or https address of the desk/,
    );
    expect(read).toThrow(
      /EXAMPLE_DESK_TOKEN is secret and not shown; .*: expected the token of the desk$/m,
    );
    expect(read).toThrow(/PORT is /);
    expect(read).not.toThrow(/short/);
  });

  test('that are incomplete are named', () => {
    const read = () => parseSettings({ EXAMPLE_DESK_URL: url }, definitions);
    expect(read).toThrow(/EXAMPLE_DESK_TOKEN is missing: the case desk in New York needs all of/);
  });

  test('with a misspelled name get a hint', () => {
    const { warnings } = parseSettings({ EXAMPLE_DESK_ULR: url }, definitions);
    expect(warnings).toEqual(['EXAMPLE_DESK_ULR is not a setting; did you mean EXAMPLE_DESK_URL?']);
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
