import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { formFields, takePostedForms } from './form-post.ts';
import { handleError } from './problem.ts';

let open: FastifyInstance | undefined;
afterEach(() => open?.close());

async function testApp(publicUrl?: string) {
  const app = Fastify();
  open = app;
  app.setErrorHandler(handleError);
  await app.register(async (forms) => {
    await takePostedForms(forms, publicUrl);
    forms.post('/form', async (request) => formFields(request.body));
  });
  return (headers: Record<string, string>, payload = 'name=Ann+Lee&name=Bo&note=a%26b%0Ac') =>
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
}

it('if a posted form has a name twice, the first value is used', async () => {
  const post = await testApp();
  expect((await post({})).json()).toEqual({ name: 'Ann Lee', note: 'a&b\nc' });
  const hostile = await post({}, '__proto__=x&constructor=y&=z&toString');
  expect(hostile.statusCode).toBe(200);
  expect(({} as { x?: unknown }).x).toBeUndefined();
});

it.each([['text/plain'], ['application/json'], ['multipart/form-data; boundary=x']])(
  'a posted form with type %s gets 415',
  async (type) => {
    const post = await testApp();
    const answer = await post({ 'content-type': type }, '{}');
    expect(answer.statusCode).toBe(415);
    expect(answer.json()).toMatchObject({ reason: 'unsupported_media_type' });
  },
);

it('a posted form larger than 64 KiB gets 413', async () => {
  const post = await testApp();
  expect((await post({}, `note=${'a'.repeat(64 * 1024)}`)).statusCode).toBe(413);
});

it.each<[string, Record<string, string>, status: number]>([
  ['the site itself', { 'sec-fetch-site': 'same-origin' }, 200],
  ['a manual reload', { 'sec-fetch-site': 'none' }, 200],
  ['an older browser', { origin: 'https://site.example' }, 200],
  ['the public address behind a proxy', { origin: 'https://public.example' }, 200],
  ['a client without either header', {}, 200],
  ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://site.example' }, 403],
  ['another host of the same domain', { 'sec-fetch-site': 'same-site' }, 403],
  ['another site in an older browser', { origin: 'https://site.example.evil.example' }, 403],
  ['a frame with an opaque origin', { origin: 'null' }, 403],
])('a form gets 403 only if a page of another site sent the form', async (_, headers, status) => {
  const post = await testApp('https://public.example');
  const answer = await post(headers);
  expect(answer.statusCode).toBe(status);
  if (status === 403) expect(answer.json()).toMatchObject({ reason: 'foreign_page', status });
});
