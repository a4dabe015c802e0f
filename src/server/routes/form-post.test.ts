import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { handleError } from './errors.ts';
import { formFields, seeOther, takePostedForms } from './form-post.ts';

let open: FastifyInstance | undefined;
afterEach(() => open?.close());

async function testApp(publicUrl?: string) {
  const app = Fastify();
  open = app;
  app.setErrorHandler(handleError);
  await app.register(async (forms) => {
    await takePostedForms(forms, publicUrl);
    forms.post('/form', async (request) => formFields(request.body));
    forms.post('/gone', async (_request, reply) => seeOther(reply, '/form?sent=1#end'));
  });
  app.post('/json', async (request) => request.body);
  const post = (headers: Record<string, string>, payload = 'name=Ann+Lee&name=Bo&note=a%26b%0Ac') =>
    app.inject({
      method: 'POST',
      url: '/form',
      headers: {
        host: 'site.example',
        'content-type': 'application/x-www-form-urlencoded',
        ...headers,
      },
      payload,
    });
  return { app, post };
}

describe('a posted form', () => {
  it('is read by name, the first value of each, whatever the names are', async () => {
    const { post } = await testApp();
    expect((await post({})).json()).toEqual({ name: 'Ann Lee', note: 'a&b\nc' });
    const hostile = await post({}, '__proto__=x&constructor=y&=z&toString');
    expect(hostile.statusCode).toBe(200);
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });

  it.each([['text/plain'], ['application/json'], ['multipart/form-data; boundary=x']])(
    'is not taken as %s',
    async (type) => {
      const { post } = await testApp();
      const answer = await post({ 'content-type': type }, '{}');
      expect(answer.statusCode).toBe(415);
      expect(answer.json()).toMatchObject({ reason: 'unsupported_media_type' });
    },
  );

  it('is taken where forms are taken only', async () => {
    const { app } = await testApp();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await app.inject({ method: 'POST', url: '/json', headers, payload: 'a=b' });
    expect(answer.statusCode).toBe(415);
  });

  it('is not taken above 64 KiB', async () => {
    const { post } = await testApp();
    expect((await post({}, `note=${'a'.repeat(64 * 1024)}`)).statusCode).toBe(413);
  });

  it('is followed by a page that the browser gets by itself, and that no cache keeps', async () => {
    const { app } = await testApp();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await app.inject({ method: 'POST', url: '/gone', headers, payload: 'a=b' });
    expect(answer.statusCode).toBe(303);
    expect(answer.headers).toMatchObject({
      location: '/form?sent=1#end',
      'cache-control': 'no-store',
    });
  });
});

describe('whose page a form is posted from', () => {
  it.each([
    ['the site itself', { 'sec-fetch-site': 'same-origin' }],
    ['a form that the visitor sends again by hand', { 'sec-fetch-site': 'none' }],
    ['an older browser', { origin: 'https://site.example' }],
    ['the public address behind a proxy', { origin: 'https://public.example' }],
    ['no browser of today', {}],
  ])('%s: taken', async (_, headers: Record<string, string>) => {
    const { post } = await testApp('https://public.example');
    expect((await post(headers)).statusCode).toBe(200);
  });

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://site.example' }],
    ['another host of the same domain', { 'sec-fetch-site': 'same-site' }],
    ['another site in an older browser', { origin: 'https://site.example.evil.example' }],
    ['a frame that hides where it is from', { origin: 'null' }],
  ])('%s: 403', async (_, headers: Record<string, string>) => {
    const { post } = await testApp('https://public.example');
    const answer = await post(headers);
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toMatchObject({ reason: 'foreign_page', status: 403 });
  });
});
