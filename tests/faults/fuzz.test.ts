/**
 * Requests of every kind to every route of the real server, with the sandbox. No answer is a 5xx, and every
 * acknowledged lead is stored as posted. A failure prints the request and its seed.
 */

import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import { sandboxEnvironment } from '../../sandbox/environment.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { withExactNumbers } from '../../src/model/lead/body.ts';
import type { UseCases } from '../../src/server/http/use-cases.ts';
import { parseSettings } from '../../src/server/settings/settings.ts';
import { buildApp } from '../../src/server/wiring/app.ts';
import { builtSiteForTests } from '../support/built-site.ts';
import { bytesOf, gets, posts, requests } from './fuzz-requests.ts';

const REQUESTS = 4_000;

const sandbox = await startSandbox();
afterAll(() => sandbox.close());
const site = builtSiteForTests(() => ({
  ...sandboxEnvironment(sandbox.url),
  // Most requests come through a trusted proxy, so that the code for its headers runs, too.
  TRUSTED_PROXIES: 'loopback',
  SURVEY_OVERRIDES: JSON.stringify({ '/survey/v4nv': { verifiesPhone: true } }),
}));

test('the fuzzed routes are the server’s routes', async () => {
  const app = await buildApp({
    settings: parseSettings({ MEMORY_CEILING_MB: '1000000' }).settings,
    // Listing the routes calls no use case.
    useCases: {} as UseCases,
    log: pino({ level: 'silent' }),
  });
  const printed = app.printRoutes({ commonPrefix: false });
  await app.close();
  const routes = [...printed.matchAll(/(\/\S*) \([A-Z, ]+\)/g)].map(([, route]) => route);
  expect(routes.sort()).toEqual([...Object.keys(posts), ...gets].sort());
});

/** Sends bytes on a new connection, and returns the answer; undefined if there is none. */
async function answerTo(bytes: Buffer) {
  const { hostname, port } = new URL(site.server.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined).write(bytes);
  const received = (await buffer(socket).catch(() => Buffer.alloc(0))).toString('latin1');
  const answer = received.replace(/^HTTP\/1\.1 100 .*?\r\n\r\n/s, '');
  const [head = '', ...rest] = answer.split('\r\n\r\n');
  const [, status] = /^HTTP\/1\.1 (\d+)/.exec(head) ?? [];
  const body = rest.join('\r\n\r\n');
  return status === undefined ? undefined : { status: Number(status), head, body };
}

test('every request gets an answer that is no 5xx, and every acknowledged lead is stored as posted', async () => {
  let acknowledged = 0;
  await fc.assert(
    fc.asyncProperty(requests, fc.boolean(), async (request, isChunked) => {
      const answer = await answerTo(bytesOf(request, isChunked));
      if (!answer) throw new Error('The server closed the connection without an answer');
      const { status, head, body } = answer;
      expect(status).toBeLessThan(500);
      if (status >= 400 && request.method !== 'HEAD' && !/content-type: text\/html/i.test(head)) {
        expect(head).toMatch(/content-type: application\/problem\+json/i);
        expect(body).toMatch(/"reason":"\w+"/);
      }
      if (status === 303 && request.formLead) await expectStored(request.formLead, undefined);
      if (status === 200 && request.method === 'POST' && request.target === '/post-lead') {
        acknowledged += 1;
        const [, id = ''] = /"lead_id":"([^"]+)"/.exec(body) ?? [];
        await expectStored(id, String(request.body));
      }
    }),
    { numRuns: REQUESTS, endOnFailure: true, includeErrorInReport: true },
  );
  // Enough requests were accepted for the test to mean something.
  expect(acknowledged).toBeGreaterThan(REQUESTS / 50);
}, 1_800_000);

async function expectStored(id: string, body: string | undefined): Promise<void> {
  const { revisions, claims } = await site.leadOf(id);
  const unauthorized = await Promise.all(claims.map((claim) => site.leadOf(claim.id)));
  const stored = [...revisions, ...unauthorized.flatMap((each) => each.revisions)].map(
    ({ body: { lead_id: _, ...rest } }) => rest,
  );
  if (body === undefined) expect(stored).not.toEqual([]);
  else {
    // An unauthorized post has its own id. A null consent text or browser counts as absent; a body with odd values keeps it.
    const { lead_id: _, ...rest } = kept(body) as Record<string, unknown>;
    for (const each of [rest, ...stored]) {
      for (const name of ['tcpa', 'user_agent']) if (each[name] === null) delete each[name];
    }
    expect(stored).toContainEqual(rest);
  }
}

/** Values nested deeper than this are stored as text. */
const MAX_DEPTH = 20;

/**
 * Returns the part of a body that must be stored, without prototype keys and characters that cannot be stored. Numbers
 * that JavaScript would change become text.
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
