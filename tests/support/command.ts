import process from 'node:process';
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { run as runLeads } from '../../src/cli/leads.ts';
import { clearLedger, type SeededLead, seedLead } from './ledger.ts';
import { testPersonSecret } from './person-keys.ts';
import { type TestDatabase, withDatabase } from './postgres.ts';

export type CommandEnd = { readonly code: number; readonly out: string; readonly err: string };

/** Collects the output of commands until the mocks are restored. */
export function collectOutput() {
  const written = { out: '', err: '' };
  const to =
    (stream: 'out' | 'err', end = '') =>
    (text: unknown) => {
      written[stream] += `${text}${end}`;
      return true;
    };
  vi.spyOn(console, 'log').mockImplementation(to('out', '\n'));
  vi.spyOn(console, 'error').mockImplementation(to('err', '\n'));
  vi.spyOn(process.stdout, 'write').mockImplementation(to('out'));
  vi.spyOn(process.stderr, 'write').mockImplementation(to('err'));
  return written;
}

/**
 * Provides a command and a database for the tests of a file. The database is empty before each
 * test.
 */
export function commandForTests(run = runLeads) {
  let database: TestDatabase | undefined;
  let written = { out: '', err: '' };
  beforeAll(async () => {
    database = await withDatabase();
  }, 60_000);
  afterAll(() => database?.drop());
  beforeEach(async () => {
    vi.stubEnv('DATABASE_URL', opened().connectionString);
    vi.stubEnv('PERSON_KEY_SECRET', testPersonSecret);
    vi.stubEnv('OPERATORS_TIME_ZONE', 'America/New_York');
    written = collectOutput();
    vi.spyOn(process, 'stdin', 'get').mockReturnValue({ isTTY: false } as typeof process.stdin);
    await clearLedger(opened().pool);
    await opened().pool.query(
      'truncate opt_out_requests, person_keys, visit_summaries, plans, plan_items, audit_log',
    );
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });
  const opened = () => {
    if (!database) throw new Error('the database is open in tests only');
    return database;
  };
  const query = async (text: string, values: readonly unknown[] = []) =>
    (await opened().pool.query(text, [...values])).rows;
  return {
    get pool() {
      return opened().pool;
    },
    query,
    seed: (lead: SeededLead) => seedLead(opened().pool, lead),
    /** Updates the list of leads, as the server's counting job does. */
    async count(): Promise<void> {
      await query(
        `insert into visit_summaries (lead_id, began_at, survey, received_at, lead_state, revision, qualified, is_test,
           reason, holds, deliveries)
         select l.id, l.created_at, l.survey, l.created_at, l.state, l.revision, l.qualified, l.is_test, l.dq_reason,
           array(select problem->>'reason' from lead_revisions r cross join json_array_elements(r.problems) as problem
             where r.lead_id = l.id and r.revision = l.revision and l.state = 'held'),
           array(select destination || ':' || state from deliveries d where d.lead_id = l.id and event_key = '')
         from leads l`,
      );
      await query('update counting set counted_until = now()');
    },
    /** Runs the command. Returns its exit code and its output. */
    async leads(...argv: readonly string[]): Promise<CommandEnd> {
      Object.assign(written, { out: '', err: '' });
      const code = await run(argv);
      return { code, ...written };
    },
    async stateOf(leadId: string, event = ''): Promise<string | undefined> {
      const text = 'select state from deliveries where lead_id = $1 and event_key = $2';
      return (await query(text, [leadId, event]))[0]?.state;
    },
  };
}
