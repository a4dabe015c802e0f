/** Tests signing in at a fake identity provider that can return wrong tokens. */
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  consoleForTests,
  ownHeaders,
  type TestConsole,
} from '../../../../tests/support/console.ts';
import { databaseForTests } from '../../../../tests/support/own-database.ts';
import { invite } from '../../people/people.ts';

const database = await databaseForTests();
const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
const foreign = generateKeyPairSync('rsa', { modulusLength: 2048 });
let provider: FastifyInstance;
let issuer: string;
let test: TestConsole;
/** The identity provider's next token is made from these claims and signed with this key. */
let says: { claims: Record<string, unknown>; key: KeyObject; challenge: string };

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

beforeAll(async () => {
  provider = Fastify();
  provider.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: unknown, body: string | Buffer) =>
      Object.fromEntries(new URLSearchParams(String(body))),
  );
  provider.get('/.well-known/openid-configuration', async () => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  }));
  provider.get('/jwks', async () => ({
    keys: [{ ...keys.publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'RS256', use: 'sig' }],
  }));
  provider.post('/token', async (request, reply) => {
    const { code_verifier = '', client_secret } = request.body as Record<string, string>;
    const challenge = createHash('sha256').update(code_verifier).digest('base64url');
    if (challenge !== says.challenge || client_secret !== 'client-secret') {
      return reply.code(400).send({ error: 'invalid_grant' });
    }
    const token = `${encode({ alg: 'RS256', kid: 'k' })}.${encode(says.claims)}`;
    const signature = sign('RSA-SHA256', Buffer.from(token), says.key).toString('base64url');
    return { access_token: 'a', token_type: 'Bearer', id_token: `${token}.${signature}` };
  });
  issuer = await provider.listen({ port: 0, host: '127.0.0.1' });
  test = await consoleForTests(database, {
    env: {
      CONSOLE_OIDC_ISSUER: issuer,
      CONSOLE_OIDC_CLIENT_ID: 'console',
      CONSOLE_OIDC_CLIENT_SECRET: 'client-secret',
    },
  });
});
afterAll(async () => {
  await test.app.close();
  await provider.close();
});
beforeEach(async () => {
  await database.pool.query('truncate operators, sign_in_secrets, console_sessions, passkeys');
  await invite(database.pool, { email: 'bea@example.com', role: 'operator', actor: 'test' });
});

/** Begins a sign-in. Returns the browser's cookie and the callback's URL. */
async function begin(claims: Record<string, unknown> = {}, key = keys.privateKey) {
  const answer = await test.app.inject({ url: '/api/sign-in/oidc', headers: ownHeaders });
  expect(answer.statusCode).toBe(303);
  const asked = new URL(String(answer.headers.location)).searchParams;
  expect(asked.get('code_challenge_method')).toBe('S256');
  expect(asked.get('redirect_uri')).toBe('http://localhost:3001/api/sign-in/oidc/callback');
  expect(answer.cookies).toMatchObject([{ httpOnly: true, sameSite: 'Lax' }]);
  const now = Math.floor(Date.now() / 1_000);
  says = {
    claims: {
      iss: issuer,
      aud: 'console',
      sub: 'sub-1',
      iat: now,
      exp: now + 300,
      nonce: asked.get('nonce'),
      email: 'Bea@Example.com',
      email_verified: true,
      ...claims,
    },
    key,
    challenge: asked.get('code_challenge') ?? '',
  };
  const cookie = `${answer.cookies[0]?.name}=${answer.cookies[0]?.value}`;
  return { cookie, url: `/api/sign-in/oidc/callback?code=c&state=${asked.get('state')}` };
}

const comeBack = ({ cookie, url }: { cookie?: string; url: string }) =>
  test.app.inject({
    url,
    headers: { host: ownHeaders.host, 'sec-fetch-site': 'cross-site', ...(cookie && { cookie }) },
  });

it('the callback signs in an invited person', async () => {
  const begun = await begin();
  const answer = await comeBack({ ...begun, url: `${begun.url}&next=https://evil.example` });
  expect([answer.statusCode, answer.headers.location]).toEqual([303, '/']);
  expect(answer.cookies.at(-1)).toMatchObject({ name: 'console-session-3001', sameSite: 'Strict' });
});

it('the callback refuses a sign-in with a forged cookie', async () => {
  const asked = await begin();
  const [name = '', content = ''] = asked.cookie.split('=');
  const [state = '', ...rest] = content.split('.');
  const forged = [Buffer.alloc(54, 1).toString('base64url'), ...rest].join('.');
  for (const value of [forged, state]) {
    const answer = await comeBack({ ...asked, cookie: `${name}=${value}` });
    expect(answer.headers.location).toBe('/sign-in?oidc=refused');
  }
});

it('the callback refuses a sign-in that another browser began', async () => {
  const begun = await begin();
  expect((await comeBack({ url: begun.url })).headers.location).toBe('/sign-in?oidc=refused');
  const others = await begin();
  const mixed = await comeBack({ cookie: begun.cookie, url: others.url });
  expect(mixed.headers.location).toBe('/sign-in?oidc=failed');
  const again = await begin();
  expect((await comeBack(again)).headers.location).toBe('/');
  expect((await comeBack(again)).headers.location).toBe('/sign-in?oidc=refused');
});

it.each<[string, string, Record<string, unknown>, KeyObject?]>([
  ['failed', 'with another nonce', { nonce: 'other' }],
  ['failed', 'for another client', { aud: 'other' }],
  ['failed', 'of another issuer', { iss: 'https://evil.example' }],
  ['failed', 'that has expired', { exp: 1 }],
  ['failed', 'signed with another key', {}, foreign.privateKey],
  ['refused', 'without a verified address', { email_verified: false }],
  ['refused', 'without an address', { email: undefined }],
  ['refused', 'of a person who was not invited', { email: 'cy@example.com' }],
])('the callback explains a refused token with the reason "%s"', async (why, _, claims, key) => {
  const answer = await comeBack(await begin(claims, key));
  expect(answer.headers.location).toBe(`/sign-in?oidc=${why}`);
  expect(answer.cookies.map(({ name }) => name)).not.toContain('console-session-3001');
});
