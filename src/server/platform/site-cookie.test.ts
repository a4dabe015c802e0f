import Fastify from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { setSiteCookie, siteCookie } from './site-cookie.ts';

let app = Fastify();
afterEach(() => app.close());

async function appWith(isPublicHttps: boolean) {
  app = Fastify({ trustProxy: 'loopback' });
  app.decorate('isPublicHttps', isPublicHttps);
  app.get('/', (request, reply) => {
    setSiteCookie(reply, { name: 'seen', value: 'new', maxAgeSeconds: 60 });
    return reply.send(siteCookie(request, 'seen'));
  });
  return app;
}

const PREFIXED = '__Host-seen=new; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Lax';

it.each([
  ['PUBLIC_URL is https', true, {}],
  ['a trusted proxy received the request by https', false, { 'x-forwarded-proto': 'https' }],
])('under https, only a cookie named __Host-… is read', async (_, isPublicHttps, headers) => {
  await appWith(isPublicHttps);
  const ask = (cookie: string) => app.inject({ url: '/', headers: { ...headers, cookie } });
  expect((await ask('a=b')).headers['set-cookie']).toBe(PREFIXED);
  expect((await ask('seen=planted; __Host-seen=own')).body).toBe('own');
  // Without the prefix, a sibling subdomain could have set this cookie.
  expect((await ask('seen=planted')).body).toBe('');
});

it('without https, a cookie’s name has no prefix', async () => {
  await appWith(false);
  const answer = await app.inject({ url: '/', headers: { cookie: 'seen=own' } });
  expect(answer.headers['set-cookie']).toBe('seen=new; Max-Age=60; Path=/; HttpOnly; SameSite=Lax');
  expect(answer.body).toBe('own');
  const headers = { cookie: 'seen=planted; seen=own' };
  expect((await app.inject({ url: '/', headers })).body).toBe('');
});
