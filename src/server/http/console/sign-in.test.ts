/** Tests sign-in links, sessions and their cookies, and people of the identity provider. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  consoleForTests,
  cookieOf,
  ownHeaders,
  type TestConsole,
} from '../../../../tests/support/console.ts';
import { databaseForTests } from '../../../../tests/support/own-database.ts';
import { root } from '../../../../tests/support/program.ts';
import { signInByOidc } from '../../people/oidc.ts';
import { FIRST_ADMIN, invite, makeStartLink, revokePerson } from '../../people/people.ts';
import { signInByLink } from '../../people/sign-in.ts';

const database = await databaseForTests();
const { pool } = database;
let test: TestConsole;
beforeAll(async () => {
  test = await consoleForTests(database);
});
afterAll(() => test.app.close());
beforeEach(async () => {
  await pool.query('truncate operators, sign_in_secrets, console_sessions, passkeys, audit_log');
  test.forgetSessions();
});

const actor = 'ana@example.com';
const browser = { userAgent: 'TestBrowser/1.0', formerSecret: undefined };
const inviteBea = async () =>
  (await invite(pool, { email: 'bea@example.com', role: 'viewer', actor })).secret;
let visitors = 0;
const nextAddress = () => {
  visitors += 1;
  return `198.51.100.${visitors}`;
};
const openLink = (secret: string, headers: Record<string, string> = {}) =>
  test.app.inject({
    method: 'POST',
    url: '/api/sign-in/link',
    payload: { secret },
    // Uses a new IP address for each request, so that the limit per IP address is never reached.
    remoteAddress: nextAddress(),
    headers: { ...ownHeaders, ...headers },
  });
type Answer = Awaited<ReturnType<typeof openLink>>;
const secretIn = (answer: Answer) => answer.cookies[0]?.value ?? '';
const me = (secret: string, headers = {}) =>
  test.app.inject({ url: '/api/me', headers: { ...ownHeaders, ...cookieOf(secret), ...headers } });
const auditOf = async () =>
  (await pool.query('select actor, action, subject from audit_log order by id')).rows;

describe('a sign-in link', () => {
  it('starts a session whose cookie is HttpOnly and SameSite=Strict', async () => {
    const answer = await openLink(await inviteBea());
    expect(answer.statusCode).toBe(204);
    expect(answer.cookies).toMatchObject([
      { name: 'console-session-3001', path: '/', httpOnly: true, sameSite: 'Strict' },
    ]);
    expect(answer.body).toBe('');
    const found = await me(secretIn(answer));
    expect(found.json()).toMatchObject({ email: 'bea@example.com', role: 'viewer' });
    expect(await auditOf()).toMatchObject([
      { actor, action: 'person.invited', subject: 'bea@example.com' },
      { actor: 'bea@example.com', action: 'session.started' },
    ]);
  });

  it('starts only one session if eight requests use the link at the same time', async () => {
    const secret = await inviteBea();
    const answers = await Promise.all(Array.from({ length: 8 }, () => openLink(secret)));
    const statuses = answers.map(({ statusCode }) => statusCode).sort();
    expect(statuses).toEqual([204, ...Array(7).fill(409)]);
    expect((await pool.query('select 1 from console_sessions')).rowCount).toBe(1);
  });

  it('is refused with the same message, whatever the reason', async () => {
    const used = await inviteBea();
    await openLink(used);
    const expired = await inviteBea();
    await pool.query(`update sign_in_secrets set expires_at = now() - interval '1 second'`);
    const replaced = await inviteBea();
    const revoked = await inviteBea();
    await revokePerson(pool, 'bea@example.com', { actor });
    const sentences = new Set<string>();
    for (const secret of ['guess', used, expired, replaced, revoked]) {
      const answer = await openLink(secret);
      expect(answer.statusCode).toBe(409);
      expect(answer.headers['set-cookie']).toBeUndefined();
      sentences.add(answer.json().detail);
    }
    expect(sentences.size).toBe(1);
  });

  it('is stored only as a hash', async () => {
    const secret = await inviteBea();
    const session = secretIn(await openLink(secret));
    const { rows } = await pool.query(
      `select s::text from sign_in_secrets s union all select c::text from console_sessions c`,
    );
    expect(rows).toHaveLength(2);
    for (const each of [secret, session]) expect(JSON.stringify(rows)).not.toContain(each);
    expect(Buffer.from(session, 'base64url')).toHaveLength(32);
  });

  it('is refused with 429 at the 21st attempt from one IP address within a minute', async () => {
    const ask = () =>
      test.app.inject({
        method: 'POST',
        url: '/api/sign-in/link',
        payload: { secret: 'guess' },
        headers: ownHeaders,
        remoteAddress: '203.0.113.9',
      });
    const statuses: number[] = [];
    for (let asked = 0; asked < 21; asked += 1) statuses.push((await ask()).statusCode);
    expect(statuses).toEqual([...Array(20).fill(409), 429]);
  });
});

describe('a session', () => {
  it('has the role of the newest invitation', async () => {
    const session = secretIn(await openLink(await inviteBea()));
    await invite(pool, { email: 'bea@example.com', role: 'operator', actor });
    expect((await me(session)).json()).toMatchObject({ role: 'operator' });
  });

  it('ends when the same browser signs in again', async () => {
    const planted = secretIn(await openLink(await inviteBea()));
    const answer = await openLink(await inviteBea(), cookieOf(planted));
    expect(secretIn(answer)).not.toBe(planted);
    expect((await me(planted)).statusCode).toBe(401);
    expect((await me(secretIn(answer))).statusCode).toBe(200);
  });

  it.each([
    ['after 7 days', 'ends_at = now()'],
    ['after 8 hours without a request', `seen_at = now() - interval '481 minutes'`],
    ['when it is revoked', 'revoked_at = now()'],
  ])('ends when it expires or is revoked', async (_, change) => {
    const secret = secretIn(await openLink(await inviteBea()));
    await pool.query(`update console_sessions set seen_at = now() - interval '7 hours'`);
    expect((await me(secret)).statusCode).toBe(200);
    await pool.query(`update console_sessions set seen_at = seen_at - interval '7 hours'`);
    expect((await me(secret)).statusCode).toBe(200);
    await pool.query(`update console_sessions set ${change}`);
    expect((await me(secret)).statusCode).toBe(401);
  });

  it('is not prolonged by requests with the header x-unattended', async () => {
    const secret = secretIn(await openLink(await inviteBea()));
    await pool.query(`update console_sessions set seen_at = now() - interval '7 hours'`);
    expect((await me(secret, { 'x-unattended': '1' })).statusCode).toBe(200);
    await pool.query(`update console_sessions set seen_at = seen_at - interval '2 hours'`);
    expect((await me(secret)).statusCode).toBe(401);
  });

  it('gets the new role as soon as the role of the person changes', async () => {
    const secret = secretIn(await openLink(await inviteBea()));
    await pool.query(`update operators set role = 'operator'`);
    expect((await me(secret)).json()).toMatchObject({ role: 'operator' });
    await pool.query('update operators set disabled_at = now()');
    expect((await me(secret)).statusCode).toBe(401);
  });

  it('is refused with 401 if the request has the cookie twice', async () => {
    const secret = secretIn(await openLink(await inviteBea()));
    const { cookie } = cookieOf(secret);
    const headers = { ...ownHeaders, cookie: `${cookieOf('planted').cookie}; ${cookie}` };
    expect((await test.app.inject({ url: '/api/me', headers })).statusCode).toBe(401);
  });

  it('ends when the person signs out', async () => {
    const secret = secretIn(await openLink(await inviteBea()));
    const headers = { ...ownHeaders, ...cookieOf(secret) };
    const answer = await test.app.inject({ method: 'POST', url: '/api/sign-out', headers });
    expect(answer.cookies[0]).toMatchObject({ value: '', maxAge: 0 });
    expect((await me(secret)).statusCode).toBe(401);
  });

  it('has a cookie with the prefix __Host- under https', async () => {
    const env = { CONSOLE_URL: 'https://console.example.com' };
    const { app } = await consoleForTests(database, { env });
    const headers = { ...ownHeaders, host: 'console.example.com' };
    const answer = await app.inject({
      method: 'POST',
      url: '/api/sign-in/link',
      payload: { secret: await inviteBea() },
      headers: { ...headers, origin: 'https://console.example.com' },
    });
    expect(answer.cookies).toMatchObject([{ name: '__Host-console-session', secure: true }]);
    await app.close();
  });

  it('can be listed and ended only by the signed-in person and by admins', async () => {
    const bea = secretIn(await openLink(await inviteBea()));
    const { secret } = await invite(pool, { email: 'cy@example.com', role: 'viewer', actor });
    const cy = secretIn(await openLink(secret));
    const asBea = { ...ownHeaders, ...cookieOf(bea) };
    const own = await test.app.inject({ url: '/api/sessions', headers: asBea });
    expect(own.json()).toMatchObject([
      { email: 'bea@example.com', isOwn: true, way: 'link', linkBy: actor },
    ]);
    const { rows } = await pool.query<{ id: string }>(
      `select s.id from console_sessions s join operators o on o.id = operator_id
       where email = 'cy@example.com'`,
    );
    const url = `/api/sessions/${rows[0]?.id}/revoke`;
    const foreign = await test.app.inject({ method: 'POST', url, headers: asBea });
    expect(foreign.statusCode).toBe(404);
    expect((await me(cy)).statusCode).toBe(200);
    expect((await test.post(url)).statusCode).toBe(204);
    expect((await me(cy)).statusCode).toBe(401);
  });
});

describe('access to the console', () => {
  it('is offered to the first admin by a new link each time the server starts', async () => {
    const first = (await makeStartLink(pool)) ?? '';
    const second = (await makeStartLink(pool)) ?? '';
    await expect(signInByLink(pool, first, browser)).rejects.toThrow('used or has expired');
    await signInByLink(pool, second, browser);
    await revokePerson(pool, FIRST_ADMIN, { actor });
    expect(await makeStartLink(pool)).toBeUndefined();
    const dan = { email: 'not an address', role: 'viewer' };
    expect((await test.post('/api/people', dan)).statusCode).toBe(400);
  });

  it('cannot be changed or revoked by the same person', async () => {
    const email = 'admin@example.com';
    const invited = await test.post('/api/people', { email, role: 'viewer' });
    const revoked = await test.post('/api/people/revoke', { email, reason: 'r' });
    expect([invited, revoked].map(({ statusCode }) => statusCode)).toEqual([409, 409]);
  });
});

describe('a person of the identity provider', () => {
  const bea = { subject: 'sub-1', email: 'bea@example.com' };
  const enter = (person: typeof bea) => signInByOidc(pool, person, browser);

  it('gets no access with the e-mail address of another person', async () => {
    await invite(pool, { email: bea.email, role: 'viewer', actor });
    await enter(bea);
    const heir = { ...bea, subject: 'sub-3' };
    await expect(enter(heir)).rejects.toThrow('no access');
    await revokePerson(pool, bea.email, { actor });
    await expect(enter(bea)).rejects.toThrow('no access');
  });
});

it('only one SQL statement in the code changes audit entries', () => {
  const files = globSync(['src/**/*.ts', 'migrations/*'], { cwd: root });
  expect(files.length).toBeGreaterThan(100);
  const change = /(?:update|delete\s+from|truncate|drop\s+table)\s+(?:only\s+)?audit_log[^`';]*/gi;
  const changes = files
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => readFileSync(path.join(root, file), 'utf8').match(change) ?? []);
  expect(changes).toEqual([
    'update audit_log set reason = $2 where subject = any($1::text[]) and reason <> all($3::text[])',
  ]);
});
