/**
 * SMS codes under attack: sends and guesses from 100 addresses, at two servers on one database, one of which
 * is killed and restarted midway. No limit is exceeded by a single code. `TEST_ATTEMPTS=10000` runs the whole
 * attack (about 15 s); `TEST_SEED=<n>` repeats a run.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { leadSecretHeader } from '../../src/contract/lead.ts';
import { type PhoneCodeAnswer, phoneCodePath } from '../../src/contract/phone-code.ts';
import { type TestDatabase, withDatabase } from '../support/postgres.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';

const ATTEMPTS = Number(process.env.TEST_ATTEMPTS ?? 2_000);
const ADDRESSES = 100;
const NUMBERS = 150;
const AT_ONCE = 32;
const survey = '/survey/v4nv';
const secret = '0'.repeat(32);

let sandbox: Sandbox;
let database: TestDatabase;
let dataDir: string;
let servers: ServerProcess[] = [];

beforeAll(async () => {
  sandbox = await startSandbox();
  dataDir = await mkdtemp(path.join(tmpdir(), 'funnel-codes-'));
  database = await withDatabase();
  servers = await Promise.all([start(), start()]);
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await database?.drop();
  await sandbox?.close();
  await rm(dataDir, { recursive: true, force: true });
});

function start(): Promise<ServerProcess> {
  const { twilioAccountSid, twilioAuthToken, twilioServiceSid } = sandbox.credentials;
  return startServerProcess(dataDir, {
    DATABASE_URL: database.connectionString,
    SURVEY_OVERRIDES: JSON.stringify({ [survey]: { verifiesPhone: true } }),
    TWILIO_ACCOUNT_SID: twilioAccountSid,
    TWILIO_AUTH_TOKEN: twilioAuthToken,
    TWILIO_VERIFY_SERVICE_SID: twilioServiceSid,
    TWILIO_VERIFY_URL: sandbox.url,
    OUTGOING_PRIVATE_NETWORKS: 'allow',
    TRUSTED_PROXIES: 'loopback',
    PAGES: 'off',
    // This limit is per process; here the database's limits must hold alone.
    CHECKS_PER_ADDRESS_PER_MINUTE: '1000000',
  });
}

test(`${ATTEMPTS} attempts from ${ADDRESSES} addresses at two servers`, async () => {
  const random = seededRandom('codes');
  const agent = new Agent({ connections: AT_ONCE });
  const numberOf = (index: number) => `+1212555${String(1000 + index)}`;
  const addressOf = (index: number) => `198.51.${index}.7`;

  /** Returns undefined if the server was killed during the call. */
  async function ask(
    lead: string,
    phone: string,
    code: string,
    address: string,
  ): Promise<PhoneCodeAnswer | undefined> {
    const server = servers[random.integer(0, servers.length)] as ServerProcess;
    try {
      const answer = await request(server.url + phoneCodePath, {
        dispatcher: agent,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-forwarded-for': address,
          [leadSecretHeader]: secret,
        },
        body: JSON.stringify({
          lead_id: lead,
          survey,
          twilio: { phone, sent_status: false, code },
        }),
      });
      return (await answer.body.json()) as PhoneCodeAnswer;
    } catch (error) {
      if (server === victim) return undefined;
      throw error;
    }
  }

  /** Visits that received a code, so that they can guess. */
  const visits: { lead: string; phone: string }[] = [];
  const sentFrom = new Map<string, number>();
  const answers: Record<string, number> = {};
  let lost = 0;
  async function attempt(): Promise<void> {
    // Half of the attempts come from ten addresses.
    const loud = random.next() < 0.5 ? 10 : ADDRESSES;
    const address = addressOf(random.integer(0, loud));
    const target = random.next() < 0.6 ? visits[random.integer(0, visits.length)] : undefined;
    if (target) {
      const guess = String(random.integer(0, 1_000_000)).padStart(6, '0');
      const answer = await ask(target.lead, target.phone, guess, address);
      const status = answer?.status ?? 'lost';
      answers[`guess ${status}`] = (answers[`guess ${status}`] ?? 0) + 1;
      return;
    }
    // A new visit each time: a bot has no reason to keep one.
    const visit = { lead: randomUUID(), phone: numberOf(random.integer(0, NUMBERS)) };
    const answer = await ask(visit.lead, visit.phone, '', address);
    if (!answer) lost += 1;
    const status = answer?.status ?? 'lost';
    answers[`send ${status}`] = (answers[`send ${status}`] ?? 0) + 1;
    if (!answer?.sent) return;
    visits.push(visit);
    sentFrom.set(address, (sentFrom.get(address) ?? 0) + 1);
  }

  let attempts = 0;
  let victim: ServerProcess | undefined;
  let restart: Promise<void> | undefined;
  const startedAtMs = performance.now();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (attempts < ATTEMPTS) {
        attempts += 1;
        if (attempts === Math.floor(ATTEMPTS / 2)) {
          // The other server goes on meanwhile.
          victim = servers.pop();
          restart = victim
            ?.killTree()
            .then(start)
            .then((server) => void servers.push(server));
        }
        await attempt();
      }
    }),
  );
  await restart;
  console.log(
    `${attempts} attempts in ${Math.round(performance.now() - startedAtMs)} ms:`,
    answers,
  );

  /** Counts the calls that really reached the service, by number. */
  const byNumber = (call: string) => {
    const counts = new Map<string, number>();
    for (const { path: called, body } of sandbox.received('sms')) {
      const { To: to } = body as { To: string };
      if (called.endsWith(call)) counts.set(to, (counts.get(to) ?? 0) + 1);
    }
    return counts;
  };
  const sends = byNumber('/Verifications');
  const guesses = byNumber('/VerificationCheck');
  expect(Math.max(...sends.values())).toBe(3);
  expect(Math.max(...guesses.values())).toBe(5);
  expect(Math.max(...sentFrom.values())).toBeLessThanOrEqual(10);
  const { rows } = await database.pool.query<{ most: number; full: number }>(
    `select max(cardinality(times)) as most, (count(*) filter (where cardinality(times) = 10))::int as full
     from phone_code_limits where key <> 'sends of everybody'`,
  );
  // The ten loud addresses all reached their limit, and none exceeded it.
  expect(rows[0]?.most).toBe(10);
  expect(rows[0]?.full).toBeGreaterThanOrEqual(10);
  // The killed server's unfinished sends are counted, too.
  const total = [...sends.values()].reduce((sum, each) => sum + each, 0);
  // A visit that coincides with another's send gets an answer without a new send.
  expect(total).toBeLessThanOrEqual(visits.length + lost);
  expect(total).toBeLessThanOrEqual(Math.min(3 * NUMBERS, 10 * ADDRESSES));
  // The service's own limits were never reached, and every request was well formed.
  const refused = sandbox.received('sms').filter(({ answer }) => (answer?.status ?? 200) === 429);
  expect(refused).toEqual([]);
  expect(sandbox.violations()).toEqual([]);
  await agent.close();
});
