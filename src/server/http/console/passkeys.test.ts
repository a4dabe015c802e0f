import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAuthenticator } from '../../../../tests/support/authenticator.ts';
import { consoleForTests, emailOf, type TestConsole } from '../../../../tests/support/console.ts';
import { databaseForTests } from '../../../../tests/support/own-database.ts';
import { canHavePasskeys } from '../../people/passkeys.ts';

const database = await databaseForTests();
const { pool } = database;
const site = { origin: 'http://localhost:3001', rpId: 'localhost' };
let test: TestConsole;
beforeAll(async () => {
  test = await consoleForTests(database);
});
afterAll(() => test.app.close());
beforeEach(async () => {
  await pool.query('truncate operators, sign_in_secrets, console_sessions, passkeys, audit_log');
  test.forgetSessions();
});

async function add(device: ReturnType<typeof createAuthenticator>) {
  const options = await test.post('/api/passkeys/options', {}, 'viewer');
  const body = { name: 'Laptop', response: device.create(options.json()) };
  return test.post('/api/passkeys', body, 'viewer');
}
const challenge = async () => (await test.post('/api/sign-in/passkey/options', {}, null)).json();
const signIn = (answer: object) => test.post('/api/sign-in/passkey', answer, null);

describe('a passkey', () => {
  it('lets the owner sign in', async () => {
    const device = createAuthenticator(site);
    expect((await add(device)).statusCode).toBe(204);
    for (const counter of ['2', '3']) {
      const asked = await challenge();
      // `allowCredentials` would reveal which passkeys exist.
      expect(asked).not.toHaveProperty('allowCredentials');
      const answer = await signIn(device.get(asked));
      expect(answer.statusCode).toBe(204);
      expect(answer.cookies).toMatchObject([{ name: 'console-session-3001' }]);
      const { rows } = await pool.query('select counter from passkeys');
      expect(rows).toEqual([{ counter }]);
    }
    const own = await test.get('/api/passkeys', 'viewer');
    expect(own.json()).toMatchObject([{ name: 'Laptop', usedAt: expect.any(String) }]);
  });

  it.each<[string, (device: ReturnType<typeof createAuthenticator>) => Promise<object>]>([
    ['for a challenge that we did not make', async (device) => device.get({ challenge: 'guess' })],
    [
      'made at another port',
      async (device) => device.get(await challenge(), 'http://localhost:3000'),
    ],
    [
      'for a challenge of a registration',
      async (device) => device.get((await test.post('/api/passkeys/options', {}, 'viewer')).json()),
    ],
    [
      'with a changed signature',
      async (device) => {
        const answer = device.get(await challenge());
        const { signature } = device.get(await challenge()).response;
        return { ...answer, response: { ...answer.response, signature } };
      },
    ],
    ['of a device that nobody added', async () => createAuthenticator(site).get(await challenge())],
    ['without its parts', async (device) => ({ ...device.get(await challenge()), response: {} })],
  ])('is refused if the browser’s signed answer is invalid', async (_, answerOf) => {
    const device = createAuthenticator(site);
    await add(device);
    const answer = await signIn(await answerOf(device));
    expect(answer.statusCode).toBe(409);
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  it('is refused if the challenge has expired', async () => {
    const device = createAuthenticator(site);
    await add(device);
    const asked = await challenge();
    await pool.query(`update sign_in_secrets set expires_at = now() where kind = 'passkey'`);
    expect((await signIn(device.get(asked))).statusCode).toBe(409);
  });

  it('cannot sign in twice with the same challenge', async () => {
    const device = createAuthenticator(site);
    await add(device);
    const answer = device.get(await challenge());
    const [first, second] = await Promise.all([signIn(answer), signIn(answer)]);
    expect([first.statusCode, second.statusCode].sort()).toEqual([204, 409]);
  });

  it('cannot be added twice', async () => {
    const device = createAuthenticator(site);
    const options = await test.post('/api/passkeys/options', {}, 'operator');
    const body = { name: '', response: device.create(options.json()) };
    expect((await test.post('/api/passkeys', body, 'viewer')).statusCode).toBe(409);
    expect((await add(device)).statusCode).toBe(204);
    expect((await add(device)).statusCode).toBe(409);
  });

  it('is refused after the owner has lost access', async () => {
    const device = createAuthenticator(site);
    await add(device);
    const { id } = device.get(await challenge());
    expect((await test.post('/api/passkeys/remove', { id }, 'admin')).statusCode).toBe(404);
    await test.post('/api/people/revoke', { email: emailOf('viewer'), reason: 'has left' });
    expect((await signIn(device.get(await challenge()))).statusCode).toBe(409);
  });
});

it('passkeys work only at a host name with https or at localhost', () => {
  const allowed = ['http://localhost:3001', 'https://console.example.com'];
  const refused = ['http://127.0.0.1:3001', 'https://[::1]:3001', 'http://console.example.com'];
  expect([...allowed, ...refused].filter(canHavePasskeys)).toEqual(allowed);
});
