/**
 * Seeded requests of every kind to every route of the real server, with an embedded database and the sandbox.
 * No answer is a 5xx or takes a second, and every acknowledged lead is stored as posted. The requests come
 * through a trusted proxy. `npm test -- fuzz` sends `FUZZ_REQUESTS` of them, and as many directly;
 * `TEST_SEED=<n>` repeats a run.
 */
import { existsSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sandboxEnvironment } from '../../sandbox/environment.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { sendSlackMessagePath } from '../../src/contract/alerts.ts';
import { withExactNumbers } from '../../src/intake/storable.ts';
import { findRunningEmbeddedPostgres } from '../../src/postgres/embedded-postgres.ts';
import { parseSettings } from '../../src/server/config/settings.ts';
import type { UseCases } from '../../src/server/routes/use-cases.ts';
import { buildApp } from '../../src/server/wiring/app.ts';
import { preparedDataDir } from '../support/postgres.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { type ServerProcess, startServerProcess } from './crash-server.ts';
import { formRoutes } from './fuzz-forms.ts';
import { apiRoutes, type FuzzRequest, requestMaker } from './fuzz-requests.ts';
import { choices } from './fuzz-values.ts';
import { openWire, type WireAnswer } from './fuzz-wire.ts';

const { FUZZ_REQUESTS } = process.env;
const REQUESTS = Number(FUZZ_REQUESTS ?? 1_000);
/** With fewer requests, a route may get bent ones only. */
const ENOUGH_FOR_EACH_ROUTE = 5_000;
/** Generous for a busy machine: each answer's own limit detects a hang. */
const RUN_TIMEOUT_MS = Math.max(600_000, REQUESTS * 60);
const CONNECTIONS = 8;
const LONGEST_ANSWER_MS = 1_000;
/** A further unanswered request closes its connection (docs/specification.md#connections). */
const MOST_UNANSWERED = 32;
/** Well below the server's time-out for incomplete requests. */
const LONGEST_CLOSE_MS = 20_000;
const CLIENT_FILES = path.join(import.meta.dirname, '..', '..', 'dist', 'client');

test('the fuzzed routes are the server’s routes', async () => {
  const app = await buildApp({
    settings: parseSettings({ MEMORY_CEILING_MB: '1000000' }).settings,
    // No use case is called.
    useCases: {} as UseCases,
    log: pino({ level: 'silent' }),
  });
  const printed = app.printRoutes({ commonPrefix: false });
  await app.close();
  const routes = [...printed.matchAll(/(\/\S*) \(([A-Z, ]+)\)/g)].map(([, route, methods = '']) => {
    const method = methods.split(', ').find((each) => each !== 'HEAD');
    return `${method} ${route}`;
  });
  expect(routes.sort()).toEqual([...apiRoutes].sort());
});

/** A lead that the server has acknowledged. */
type Acknowledged = { readonly id: string; readonly body: string | undefined };

describe.each([
  ['through a trusted proxy', 'loopback'],
  // The code behind a proxy's headers stays unused; long runs send these requests, too.
  ...(FUZZ_REQUESTS === undefined ? [] : [['directly', '']]),
])(`${REQUESTS} requests %s`, (_, trusted) => {
  let sandbox: Sandbox;
  let dataDir: string;
  let server: ServerProcess;

  beforeAll(async () => {
    if (!existsSync(CLIENT_FILES)) throw new Error('The pages are not built: npm run build');
    sandbox = await startSandbox();
    dataDir = await preparedDataDir('funnel fuzz ');
    server = await startServerProcess(dataDir, {
      ...sandboxEnvironment(sandbox.url, sandbox.credentials),
      TRUSTED_PROXIES: trusted,
      // Most requests share one address; its limits would hide the code behind them.
      LEADS_PER_ADDRESS_PER_HOUR: '0',
      BYTES_PER_ADDRESS_PER_HOUR: '0',
      CHECKS_PER_ADDRESS_PER_MINUTE: '1000000',
      SAVES_PER_ADDRESS_PER_MINUTE: '1000000',
      EMAIL_MX_LOOKUP: 'off',
      SURVEY_OVERRIDES: JSON.stringify({ '/survey/v4nv': { verifiesPhone: true } }),
      LOG_LEVEL: 'warn',
    });
  });
  afterAll(async () => {
    await server?.stop();
    await sandbox?.close();
    if (dataDir) await rm(dataDir, { recursive: true, force: true });
  });

  const acknowledged: Acknowledged[] = [];
  const wrong: string[] = [];
  const answers = new Map<string, number>();
  /** Requests that took a second or were refused with 503, which can happen on a busy machine. */
  const slow: FuzzRequest[] = [];
  let slowestMs = 0;
  let sent = 0;

  /** Records an error with enough detail to find the request again. */
  function complain(what: string, { method, route, bytes }: FuzzRequest): void {
    wrong.push(
      `${what}: ${method} ${route}: ${JSON.stringify(bytes.toString('latin1', 0, 3_000))}`,
    );
  }

  function judge(request: FuzzRequest, answer: WireAnswer): void {
    const { status, headers, body, ms } = answer;
    const key = `${request.route} ${status}`;
    answers.set(key, (answers.get(key) ?? 0) + 1);
    slowestMs = Math.max(slowestMs, ms);
    if (ms > LONGEST_ANSWER_MS) slow.push(request);
    // An overloaded server answers 503 with Retry-After. It counts as a hang only if it happens again.
    if (status === 503 && headers['retry-after']) slow.push(request);
    else if (status < 200 || status >= 500) complain(`${status} ${body}`, request);
    const isRefusal = status >= 400 && request.isHttp && request.method !== 'HEAD';
    if (isRefusal && !headers['content-type']?.startsWith('text/html')) {
      const isProblem = headers['content-type']?.startsWith('application/problem+json');
      if (!isProblem || !/"reason":"\w+"/.test(String(body)))
        complain(`no problem ${body}`, request);
    }
    if (status === 303 && request.formLead) {
      acknowledged.push({ id: request.formLead, body: undefined });
    }
    if (status !== 200 || request.route !== '/post-lead' || request.method !== 'POST') return;
    const { lead_id: id } = JSON.parse(String(body)) as { lead_id: string };
    acknowledged.push({ id, body: request.leadBody });
  }

  test(
    'get an answer within a second, and none of them a 5xx',
    async () => {
      const any = choices(seededRandom('fuzz'));
      const { random, chance, of } = any;
      const files = readdirSync(CLIENT_FILES, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => `/${path.relative(CLIENT_FILES, path.join(entry.parentPath, entry.name))}`);
      const next = requestMaker(any, new Date(), files);

      /** Sends some requests on one connection: in turn, pipelined, or in drops. */
      async function talk(): Promise<void> {
        const isLong = chance(0.03);
        const length = isLong ? random.integer(20, 60) : random.integer(1, 6);
        const requests = Array.from({ length }, next);
        const firstBroken = requests.findIndex(({ isHttp }) => !isHttp);
        if (firstBroken >= 0) requests.splice(firstBroken + 1);
        // A broken request ends the connection at once, with all outstanding answers.
        const modes = ['in turn', 'in turn', 'in drops', 'half'];
        const canPipeline = firstBroken < 0;
        const mode =
          isLong && canPipeline ? 'pipelined' : of(canPipeline ? [...modes, 'pipelined'] : modes);
        const mayBeClosed = mode === 'pipelined' && requests.length > MOST_UNANSWERED;
        const cut = chance(0.5) ? 'end' : 'destroy';
        const drops = random.integer(2, 6);
        const cutAt = random.next();
        sent += requests.length;

        const wire = openWire(server.url);
        const expectAnswer = async (request: FuzzRequest): Promise<boolean> => {
          const answer = await wire.answer(request.method, LONGEST_ANSWER_MS + 500);
          if (answer === 'late') slow.push(request);
          else if (answer === 'closed' && request.isHttp && !mayBeClosed)
            complain('closed', request);
          else if (answer !== 'closed') judge(request, answer);
          return typeof answer === 'object' && answer.headers.connection !== 'close';
        };
        if (mode === 'pipelined') {
          for (const request of requests) wire.write(request.bytes);
          for (const request of requests) if (!(await expectAnswer(request))) break;
        } else {
          for (const [index, request] of requests.entries()) {
            const { bytes } = request;
            if (mode === 'half' && index === requests.length - 1) {
              wire.write(bytes.subarray(0, Math.floor(cutAt * bytes.length)));
              await turn();
              if (cut === 'end' && !(await wire.end(LONGEST_CLOSE_MS))) complain('open', request);
              break;
            }
            const size = mode === 'in drops' ? Math.ceil(bytes.length / drops) : bytes.length;
            for (let at = 0; at < bytes.length; at += size) {
              wire.write(bytes.subarray(at, at + size));
              if (size < bytes.length) await turn();
            }
            if (!(await expectAnswer(request))) break;
          }
        }
        wire.destroy();
      }

      /** Repeats a request alone, up to five times: a real hang is reproducible, a busy machine's pause is not. */
      async function again(request: FuzzRequest): Promise<void> {
        let said = '';
        for (let time = 0; time < 5; time += 1) {
          const wire = openWire(server.url);
          wire.write(request.bytes);
          const answer = await wire.answer(request.method, LONGEST_ANSWER_MS);
          wire.destroy();
          if (answer === 'closed') return;
          if (answer !== 'late' && answer.status < 500) return;
          said = answer === 'late' ? 'no answer within a second' : `${answer.status}`;
          await sleep(1_000);
        }
        complain(`${said}, again and again`, request);
      }

      const workers = Array.from({ length: CONNECTIONS }, async () => {
        while (sent < REQUESTS && wrong.length < 20) await talk();
      });
      const startedAtMs = performance.now();
      await Promise.all(workers);
      for (const request of slow) await again(request);
      const seconds = Math.round((performance.now() - startedAtMs) / 1_000);
      console.log(
        `${sent} requests in ${seconds} s, the slowest ${Math.round(slowestMs)} ms (${slow.length} late or refused); ` +
          `${acknowledged.length} leads acknowledged`,
      );
      expect(wrong).toEqual([]);
      expect(server.isRunning()).toBe(true);
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
      // The requests were not all refused.
      expect(acknowledged.length).toBeGreaterThan(REQUESTS / 20);
      if (REQUESTS < ENOUGH_FOR_EACH_ROUTE) return;
      for (const route of apiRoutes.map((each) => each.replace(/^\w+ /, ''))) {
        // This route allows an address five requests a minute, valid or not, so all may be refused.
        const statuses = route === sendSlackMessagePath ? [204, 429] : [200];
        const done = statuses.map((status) => answers.get(`${route} ${status}`) ?? 0);
        expect(Math.max(...done), route).toBeGreaterThan(0);
      }
      for (const route of formRoutes) {
        const taken = [200, 303].map((status) => answers.get(`${route} ${status}`) ?? 0);
        // A made-up cookie belongs to no visit.
        if (route !== '(continued form)') expect(Math.max(...taken), route).toBeGreaterThan(0);
      }
      expect(server.output()).not.toContain('A request failed');
    },
    RUN_TIMEOUT_MS,
  );

  test(
    'leave every acknowledged lead in the database, as it was posted',
    async () => {
      expect(acknowledged.length).toBeGreaterThan(REQUESTS / 10);
      const running = await findRunningEmbeddedPostgres(dataDir);
      const client = new pg.Client({ connectionString: running?.connectionString });
      await client.connect();
      try {
        for (const { id, body } of acknowledged) {
          const { rows } = await client.query<{ body: unknown }>(
            `select r.body from leads l join lead_revisions r on r.lead_id = l.id
           where l.id = $1 or l.claims_id = $1`,
            [id],
          );
          const stored = rows.map((row) => row.body);
          if (body === undefined) expect(stored, id).not.toEqual([]);
          else expect(stored, body.slice(0, 2_000)).toContainEqual(kept(body));
        }
      } finally {
        await client.end();
      }
    },
    RUN_TIMEOUT_MS,
  );
});

/** Values nested deeper than this are stored as text. */
const MAX_DEPTH = 20;

/**
 * Returns the part of a body that must be stored: everything except prototype keys and characters that cannot be
 * stored. Numbers that JavaScript would change are stored as their text.
 */
function kept(text: string): unknown {
  const body = JSON.parse(withExactNumbers(text)) as Record<string, unknown>;
  const flat = Object.entries(body).map(([name, value]): [string, unknown] => [
    name,
    isWithin(value, MAX_DEPTH) ? value : expect.any(String),
  ]);
  return storedValue(Object.fromEntries(flat));
}

function isWithin(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every((inner) => isWithin(inner, depth - 1));
}

function storedValue(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\u0000', '\ufffd');
  if (typeof value === 'number') return value + 0;
  if (Array.isArray(value)) return value.map(storedValue);
  const isPlain = typeof value === 'object' && value !== null && !('asymmetricMatch' in value);
  if (!isPlain) return value;
  const entries = Object.entries(value)
    .filter(([name, inner]) => name !== '__proto__' && !(name === 'constructor' && isClass(inner)))
    .map(([name, inner]) => [storedValue(name), storedValue(inner)]);
  return Object.fromEntries(entries);
}

function isClass(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype');
}
