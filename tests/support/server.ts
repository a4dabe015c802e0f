import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import { afterAll, beforeAll } from 'vitest';
import type { Site } from '../../src/server/http/site.ts';
import { readConsents, readRevisions } from '../../src/server/leads/lead-history.ts';
import type { JobClock } from '../../src/server/platform/database/jobs.ts';
import type {
  ClickRow,
  DeliveryRow,
  LeadRow,
  ProgressRow,
} from '../../src/server/platform/database/schema.ts';
import { parseSettings, type Settings } from '../../src/server/settings/settings.ts';
import { type RunningServer, startServer } from '../../src/server/wiring/server.ts';
import { secretHeader, testLead, testSecret } from './leads.ts';
import { testPersonSecret } from './person-keys.ts';
import { patientTimeouts, type TestDatabase, testLog, withDatabase } from './postgres.ts';

export type TestAnswer = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
};

type VisitRow = {
  readonly secret_sha256: string | null;
  readonly account: object | null;
  readonly offers: object;
  readonly form: object | null;
};

/** Maps every table with rows about leads to the column with the lead's id. */
const tablesOfLeads = {
  visits: 'lead_id',
  leads: 'id',
  lead_revisions: 'lead_id',
  clicks: 'lead_id',
  consents: 'lead_id',
  progress: 'lead_id',
  phone_codes: 'lead_id',
  deliveries: 'lead_id',
  lead_checks: 'lead_id',
  lead_events: 'lead_id',
} as const;

/** Returns a lead as a page would post it now, with new ids. */
export function freshLead(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return testLead({
    lead_id: randomUUID(),
    ef_transaction_id: randomUUID().replaceAll('-', ''),
    consent_shown_at: new Date().toISOString(),
    submitted_at: new Date().toISOString(),
    ...overrides,
  });
}

/** Returns the body of the first post that saves a visitor's progress. */
export function freshProgress(leadId: unknown, session: Record<string, unknown> = {}) {
  const at = new Date().toISOString();
  return {
    session: {
      lead_id: leadId,
      survey: '/survey/v4nv',
      click_id: String(leadId).replaceAll('-', ''),
      landing_page: 'https://claims.example.com/survey/v4nv',
      params: { s1: 'abc' },
      referer: 'https://ads.example.net/',
      started_at: at,
      ...session,
    },
    data: [
      { seq: 1, kind: 'answered', step: 'AtFault', answers: { at_Fault: 'no' }, seconds: 2, at },
    ],
  };
}

/** Posts JSON with a visit's secret, as the survey's page does. Null sends no secret. */
export async function postAsBrowser(
  url: string,
  body: unknown,
  secret: string | null = testSecret,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestAnswer> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'TestBrowser/1.0',
      ...secretHeader(secret),
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const read = (await answer.json()) as Record<string, unknown>;
  return { status: answer.status, headers: answer.headers, body: read };
}

/** Returns the settings of a server for tests, without limits per IP address. */
export function testSettings(environment: NodeJS.ProcessEnv): Settings {
  const own = {
    PORT: '0',
    HOST: '127.0.0.1',
    CONSOLE_PORT: 'off',
    PERSON_KEY_SECRET: testPersonSecret,
    LEADS_PER_ADDRESS_PER_HOUR: '0',
    BYTES_PER_ADDRESS_PER_HOUR: '0',
    CHECKS_PER_ADDRESS_PER_MINUTE: '100000',
    PAID_CHECKS_PER_ADDRESS_PER_HOUR: '100000',
    PAID_CHECKS_PER_HOUR: '100000',
    SAVES_PER_ADDRESS_PER_MINUTE: '100000',
    // The limit is high, because other tests in the same process use memory, too.
    MEMORY_CEILING_MB: '1000000',
    EMAIL_MX_LOOKUP: 'off',
    DELIVERY_CONCURRENCY: '0',
    INGEST_URL: 'http://127.0.0.1:9',
    INGEST_CAMPAIGN_ID: '1',
    INGEST_SUPPLIER_ID: '2',
    INGEST_KEY: 'k',
  };
  return parseSettings({ ...own, ...environment });
}

/** Starts a server that waits long for its database, because the machine may be busy. */
export function startTestServer(
  settings: Settings,
  options: Partial<Parameters<typeof startServer>[1]> = {},
): Promise<RunningServer> {
  const patience = { maxEventLoopDelayMs: 0, databaseTimeouts: patientTimeouts };
  return startServer(settings, { log: testLog, ...patience, ...options });
}

/** Provides a server with its own database for the tests of a file. */
export function serverForTests(
  environment: (
    database: TestDatabase,
  ) => Promise<NodeJS.ProcessEnv> | NodeJS.ProcessEnv = () => ({}),
  {
    siteOf,
    log = testLog,
    jobClock,
  }: {
    siteOf?: (settings: Settings) => Site;
    log?: Logger;
    jobClock?: JobClock;
  } = {},
) {
  let database: TestDatabase | undefined;
  let server: RunningServer | undefined;
  let settings: Settings | undefined;
  beforeAll(async () => {
    database = await withDatabase();
    const { connectionString: DATABASE_URL } = database;
    settings = testSettings({ DATABASE_URL, ...(await environment(database)) });
    const site = siteOf?.(settings);
    server = await startTestServer(settings, {
      log,
      ...(site && { site }),
      ...(jobClock && { jobClock }),
    });
  }, 60_000);
  afterAll(async () => {
    await server?.close();
    await database?.drop();
  }, 60_000);

  const running = () => {
    if (!server || !database || !settings) throw new Error('the server runs in tests only');
    return { server, database, settings };
  };

  /** Posts JSON to a path with a visit's secret. Null sends no secret. */
  const post: typeof postAsBrowser = (path, ...request) =>
    postAsBrowser(running().server.url + path, ...request);

  /** Returns every row about a lead as text, for an exact comparison. */
  async function everythingOf(leadId: unknown): Promise<Record<string, string[]>> {
    const { pool } = running().database;
    const found: Record<string, string[]> = {};
    for (const [table, column] of Object.entries(tablesOfLeads)) {
      const { rows } = await pool.query<{ row: string }>(
        `select t::text as row from ${table} as t where ${column} = $1 order by 1`,
        [leadId],
      );
      found[table] = rows.map(({ row }) => row);
    }
    return found;
  }

  /** Returns a lead with all rows about the lead. */
  async function leadOf(leadId: unknown) {
    const { pool } = running().database;
    const id = String(leadId);
    const rowsOf = async <Row extends pg.QueryResultRow>(from: string): Promise<Row[]> =>
      (await pool.query<Row>(`select * from ${from}`, [id])).rows;
    const [[visit], [lead], revisions, deliveries, clicks, consents, progress, claims] =
      await Promise.all([
        rowsOf<VisitRow>('visits where lead_id = $1'),
        rowsOf<LeadRow>('leads where id = $1'),
        readRevisions(pool, id),
        rowsOf<DeliveryRow>('deliveries where lead_id = $1'),
        rowsOf<ClickRow>('clicks where lead_id = $1'),
        readConsents(pool, id),
        rowsOf<ProgressRow>('progress where lead_id = $1 order by seq'),
        rowsOf<LeadRow>('leads where claims_id = $1'),
      ]);
    revisions.sort((a, b) => a.revision - b.revision);
    consents.sort((a, b) => a.revision - b.revision);
    claims.sort((a, b) => Number(a.created_at) - Number(b.created_at));
    return {
      visit,
      lead,
      revisions,
      last: revisions.at(-1),
      deliveries,
      clicks,
      consents,
      progress,
      claims,
    };
  }

  return {
    post,
    everythingOf,
    leadOf,
    get database() {
      return running().database;
    },
    get settings() {
      return running().settings;
    },
    get server() {
      return running().server;
    },
  };
}

/**
 * Waits for the next clock hour if this hour ends soon, because limits per IP address apply to a
 * clock hour.
 */
export function withinAnHour(): void {
  beforeAll(async () => {
    const leftMs = 3_600_000 - (Date.now() % 3_600_000);
    if (leftMs < 60_000) await sleep(leftMs);
  }, 90_000);
}
