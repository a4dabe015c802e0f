/**
 * Sends random requests to every route of a real server. The message of a failure names the seed,
 * which repeats the run.
 */

import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import { sandboxEnvironment } from '../../sandbox/environment.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { storable, withExactNumbers } from '../../src/model/lead/body.ts';
import type { UseCases } from '../../src/server/http/use-cases.ts';
import { parseSettings } from '../../src/server/settings/settings.ts';
import { buildApp } from '../../src/server/wiring/app.ts';
import { builtSiteForTests } from '../support/built-site.ts';
import { bytesOf, gets, outcomeSecret, posts, requests } from './fuzz-requests.ts';

const REQUESTS = 4_000;

const sandbox = await startSandbox();
afterAll(() => sandbox.close());
const OUTCOME_SECRETS = JSON.stringify({ ingest: outcomeSecret });
const site = builtSiteForTests(() => ({
  ...sandboxEnvironment(sandbox.url),
  TRUSTED_PROXIES: 'loopback',
  OUTCOME_SECRETS,
  SURVEY_OVERRIDES: JSON.stringify({ '/survey/v4nv': { verifiesPhone: true } }),
}));

test('the fuzz test covers every route of the server', async () => {
  const app = await buildApp({
    settings: parseSettings({ MEMORY_CEILING_MB: '1000000', OUTCOME_SECRETS }),
    useCases: {} as UseCases,
    log: pino({ level: 'silent' }),
  });
  const printed = app.printRoutes({ commonPrefix: false });
  await app.close();
  const routes = [...printed.matchAll(/(\/\S*) \([A-Z, ]+\)/g)].map(([, route]) => route);
  expect(routes.sort()).toEqual([...Object.keys(posts), ...gets].sort());
});

/** Sends bytes on a new connection. Returns the response, or undefined if there is none. */
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

test('the server answers no random request with a 5xx status', async () => {
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
      if (status === 200 && request.method === 'POST' && request.target === '/post-lead') {
        acknowledged += 1;
        const [, id = ''] = /"lead_id":"([^"]+)"/.exec(body) ?? [];
        await expectStored(id, String(request.body));
      }
    }),
    { numRuns: REQUESTS, endOnFailure: true, includeErrorInReport: true },
  );
  // The test proves something only if the server has accepted enough leads.
  expect(acknowledged).toBeGreaterThan(REQUESTS / 50);
}, 1_800_000);

/** Expects that the server has stored a body under this lead id or in a separate lead. */
async function expectStored(id: string, body: string): Promise<void> {
  const { revisions, claims } = await site.leadOf(id);
  const others = await Promise.all(claims.map((claim) => site.leadOf(claim.id)));
  const stored = [...revisions, ...others.flatMap((each) => each.revisions)];
  const bodies = [parsed(body), ...stored.map((each) => each.body)].map(
    ({ lead_id: _, ...rest }) => {
      // The server may omit a consent text or user agent that is null.
      for (const name of ['tcpa', 'user_agent']) if (rest[name] === null) delete rest[name];
      return rest;
    },
  );
  expect(bodies.slice(1)).toContainEqual(bodies[0]);
}

/**
 * Returns the body that the server stores, without keys that would change an object's prototype.
 */
function parsed(text: string): Record<string, unknown> {
  const safe = (name: string, value: unknown) => {
    const isPrototype = name === 'constructor' && Object.hasOwn(Object(value), 'prototype');
    return name === '__proto__' || isPrototype ? undefined : value;
  };
  return JSON.parse(JSON.stringify(storable(JSON.parse(withExactNumbers(text)))), safe);
}
