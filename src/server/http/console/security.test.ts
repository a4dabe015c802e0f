/** Tests access to every route by every role, and searches answers and logs for personal values. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ConsoleRoute,
  consoleForTests,
  type TestConsole,
} from '../../../../tests/support/console.ts';
import {
  addressesOf,
  CANARY,
  type Canary,
  seedCanary,
} from '../../../../tests/support/console-canary.ts';
import { clearLedger } from '../../../../tests/support/ledger.ts';
import { databaseForTests } from '../../../../tests/support/own-database.ts';
import { type Role, roles } from '../../../model/messages/console/people.ts';
import { countingOptions, recount } from '../../insight/counting.ts';
import { parseSettings } from '../../settings/settings.ts';

const database = await databaseForTests();
let test: TestConsole;
let canary: Canary;
const lines: string[] = [];
beforeAll(async () => {
  await clearLedger(database.pool);
  test = await consoleForTests(database, { lines });
  canary = await seedCanary(database.pool);
  await recount(database.pool, await countingOptions(parseSettings({})));
});
afterAll(() => test.app.close());

/** The routes that need no session (docs/decisions/0067-console.md). */
const openRoutes = [
  'GET /api/sign-in',
  'POST /api/sign-in/link',
  'POST /api/sign-in/passkey/options',
  'POST /api/sign-in/passkey',
  'GET /api/sign-in/oidc',
  'GET /api/sign-in/oidc/callback',
];

const nameOf = ({ method, url }: ConsoleRoute) => `${method} ${url}`;
const isHead = ({ method }: ConsoleRoute) => method === 'HEAD';
const closedRoutes = () => test.routes.filter(({ role }) => role !== 'none');
/** Replaces the parameters by any text, because access is checked before parameters are read. */
const anyAddress = ({ url }: ConsoleRoute) => url.replaceAll(/:\w+|\*/g, 'x');
const methodOf = ({ method }: ConsoleRoute) => method as 'GET' | 'POST';

describe('every route', () => {
  it('needs a session unless `openRoutes` lists the route', () => {
    const open = test.routes.filter(({ role }) => role === 'none');
    expect(
      open
        .filter((route) => !isHead(route))
        .map(nameOf)
        .sort(),
    ).toEqual([...openRoutes].sort());
  });

  it('answers 401 to a request without a session', async () => {
    for (const route of closedRoutes()) {
      for (const cookie of [undefined, `console-session-3001=${'A'.repeat(43)}`]) {
        const answer = await test.app.inject({
          method: methodOf(route),
          url: anyAddress(route),
          headers: { ...(await test.headersOf(null)), ...(cookie && { cookie }) },
        });
        expect(answer.statusCode, nameOf(route)).toBe(401);
      }
    }
  });

  it('answers 404 or 405 to a method for which there is no route', async () => {
    const headers = await test.headersOf('admin');
    for (const url of new Set(closedRoutes().map(anyAddress))) {
      for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
        const { statusCode } = await test.app.inject({ method, url, headers });
        expect([404, 405], `${method} ${url}`).toContain(statusCode);
      }
    }
  });

  it('answers 403 to a person whose role is too low', async () => {
    for (const route of closedRoutes()) {
      for (const role of roles.slice(0, roles.indexOf(route.role as Role))) {
        const answer = await test.app.inject({
          method: methodOf(route),
          url: anyAddress(route),
          headers: await test.headersOf(role),
        });
        expect(answer.statusCode, `${role}: ${nameOf(route)}`).toBe(403);
      }
    }
  });

  it('refuses a request to change something from a page of another site', async () => {
    const own = await test.headersOf('admin');
    const { 'x-console': _, ...withoutHeader } = own;
    const refused: readonly (readonly [number, Record<string, string>])[] = [
      [403, withoutHeader],
      [403, { ...own, origin: 'https://evil.example' }],
      [403, { ...own, origin: 'null' }],
      // A page at another port receives the console's cookies but must be refused.
      [403, { ...own, origin: 'http://localhost:3000' }],
      [403, { ...own, 'sec-fetch-site': 'same-site' }],
      [403, { ...own, 'sec-fetch-site': 'cross-site' }],
      [415, { ...own, 'content-type': 'application/x-www-form-urlencoded' }],
      [415, { ...own, 'content-type': 'text/plain' }],
    ];
    const changing = test.routes.filter(({ method }) => method !== 'GET' && method !== 'HEAD');
    for (const route of changing) {
      for (const [status, headers] of refused) {
        const answer = await test.app.inject({
          method: methodOf(route),
          url: anyAddress(route),
          payload: 'a=1',
          headers: { 'content-type': 'application/json', ...headers },
        });
        expect(answer.statusCode, `${nameOf(route)} ${JSON.stringify(headers)}`).toBe(status);
      }
    }
  });

  it('refuses GET requests from pages of other sites', async () => {
    const headers = { ...(await test.headersOf('admin')), 'sec-fetch-site': 'same-site' };
    for (const route of closedRoutes().filter(({ method }) => method === 'GET')) {
      const { statusCode } = await test.app.inject({ url: anyAddress(route), headers });
      expect(statusCode, nameOf(route)).toBe(403);
    }
  });

  it('answers with the security headers', async () => {
    for (const role of ['admin', null] as const) {
      for (const route of test.routes.filter(isHead)) {
        const answer = await test.app.inject({
          method: 'HEAD',
          url: anyAddress(route),
          headers: await test.headersOf(role),
        });
        expect(answer.headers, nameOf(route)).toMatchObject({
          'cache-control': 'no-store',
          'content-security-policy': expect.stringContaining("default-src 'none'"),
          'cross-origin-opener-policy': 'same-origin',
          'cross-origin-resource-policy': 'same-origin',
          'x-content-type-options': 'nosniff',
          'x-frame-options': 'DENY',
        });
        expect(answer.headers['access-control-allow-origin']).toBeUndefined();
      }
    }
  });
});

describe('a personal value', () => {
  it.each(roles)('is missing in all answers to GET requests of the role %s', async (role) => {
    const routes = closedRoutes().filter(({ method }) => method === 'GET');
    expect(routes.length).toBeGreaterThan(5);
    const leaks: string[] = [];
    let all = '';
    for (const route of routes) {
      for (const url of addressesOf(route, canary)) {
        const { status, text } = await read(url, role);
        const statuses = statusesOf(route, role, url);
        if (!statuses.includes(status)) leaks.push(`${url}: ${status} ${text.slice(0, 200)}`);
        all += text;
        const found = CANARY.exec(text);
        if (found) leaks.push(`${url}: ${text.slice(found.index - 100, found.index + 100)}`);
      }
    }
    expect(leaks).toEqual([]);
    // The lead's id shows that the collected answers are about this lead.
    expect(all).toContain(canary.leadId);
  });

  it('is never logged', async () => {
    await test.get(`/api/leads?q=canary.bird%40mail.example&x=Kanarienvogel`);
    await test.get(`/api/nothing/Kanarienvogel`);
    await test.post('/api/sign-in/link', { secret: 'canary-secret' }, null);
    const { cookie = '' } = await test.headersOf('admin');
    const log = lines.join('');
    expect(log).toContain('console request');
    expect(log).not.toMatch(CANARY);
    expect(log).not.toContain(cookie.split('=')[1]);
  });
});

/** Returns the HTTP statuses with which a route may answer a request of a role. */
function statusesOf(route: ConsoleRoute, role: Role, url: string): number[] {
  if (roles.indexOf(role) < roles.indexOf(route.role as Role)) return [403];
  // A viewer gets 403 for a search, because the number of matches would reveal names.
  return role === 'viewer' && url.includes('q=') ? [200, 403] : [200];
}

async function read(url: string, role: Role): Promise<{ status: number; text: string }> {
  const headers = await test.headersOf(role);
  const { statusCode: status, body: text } = await test.app.inject({ url, headers });
  return { status, text };
}
