import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import rateLimit from '@fastify/rate-limit';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { experiments } from '../../model/flows/experiments.ts';
import { surveys } from '../../model/flows/surveys.ts';
import type { PageEntry } from '../../model/messages/page-manifest.ts';
import { parseSettings } from '../settings/settings.ts';
import { methodTable } from './new-app.ts';
import type { PageDocument } from './page-document.ts';
import { type PagesOptions, pagesPlugin, servesPreview } from './pages.ts';
import { handleError } from './problem.ts';
import type { Site } from './site.ts';

const clientDir = mkdtempSync(join(tmpdir(), 'pages-'));
afterAll(() => rmSync(clientDir, { recursive: true }));

let open: FastifyInstance | undefined;
afterEach(() => open?.close());

function page(text: string, status = 200): PageDocument {
  const identity = Buffer.from(text);
  return { status, headers: { etag: `"${text}"` }, identity, gzip: identity, br: identity };
}

const entry = (source: string, declared: Partial<PageEntry> = {}): PageEntry => ({
  source,
  at: [source],
  query: {},
  headers: {},
  ...declared,
});
const home = entry('/');
const notFound = entry('/404/', { at: 'not-found' });

type Given = Partial<
  Pick<PagesOptions['settings'], 'surveys' | 'experiments' | 'publicUrl'> &
    Pick<PagesOptions, 'today' | 'rendered'> &
    Pick<Site, 'manifest'>
>;

async function serving(render: Site['render'], given: Given = {}): Promise<FastifyInstance> {
  const app = Fastify();
  open = app;
  const { manifest = [home, notFound], today = () => '2026-11-20', rendered, ...settings } = given;
  app.decorate('experiments', given.experiments ?? experiments);
  app.setErrorHandler(handleError);
  methodTable(app);
  await app.register(rateLimit, { global: false });
  const unused = () => Promise.reject(new Error('unused'));
  await app.register(pagesPlugin, {
    site: { render, manifest, clientDir, close: () => undefined, forms: unused },
    settings: { ...parseSettings({}), surveys: [], experiments, ...settings },
    useCases: {
      takeContactForm: unused,
      takeOptOut: unused,
      surveyForms: { take: unused, show: unused },
    },
    today,
    ...(rendered && { rendered }),
  });
  return app;
}

const asBrowser = (url: string) => ({ url, headers: { accept: 'text/html' } });

it('an earlier page is served only if the page of today cannot be rendered', async () => {
  let day = '2026-11-20';
  let isBroken = false;
  const render = vi.fn<Site['render']>(async () => {
    if (isBroken) throw new Error('broken');
    return page(day);
  });
  const app = await serving(render, { today: () => day });
  const body = async () => (await app.inject('/')).body;
  expect(await body()).toBe('2026-11-20');
  await body();
  expect(render).toHaveBeenCalledOnce();
  day = '2026-11-21';
  isBroken = true;
  expect([await body(), await body()]).toEqual(['2026-11-20', '2026-11-20']);
  isBroken = false;
  expect(await body()).toBe('2026-11-21');
  const renderings = render.mock.calls.length;
  await body();
  expect(render).toHaveBeenCalledTimes(renderings);
});

it.each([
  ['fails', () => Promise.reject(new Error('broken'))],
  ['comes as an error', async () => page('Internal Server Error', 500)],
  ['comes with another status', async () => page('nothing here', 404)],
])('a page that could not be rendered is rendered again for the next request', async (_, fail) => {
  let isBroken = true;
  const render: Site['render'] = async () => (isBroken ? fail() : page('home'));
  const app = await serving(render);
  const failed = await app.inject(asBrowser('/'));
  expect(failed.statusCode).toBe(500);
  expect(failed.headers['cache-control']).toBe('no-store');
  expect(failed.headers['content-type']).toContain('text/html');
  expect(failed.headers['content-security-policy']).toContain("default-src 'self'");
  expect(failed.body).toContain('it’s our fault');
  expect(failed.body).toContain('es culpa nuestra');
  const program = await app.inject({ url: '/', headers: { accept: 'application/json' } });
  expect(program.headers['content-type']).toContain('application/problem+json');
  isBroken = false;
  const next = await app.inject(asBrowser('/'));
  expect([next.statusCode, next.body]).toEqual([200, 'home']);
});

it('the error page for an unknown URL has the language of the URL', async () => {
  const [survey] = surveys.filter(({ language }) => language === 'es');
  const app = await serving(
    async (url) => (url.startsWith('/404/') ? page(url, 404) : Promise.reject(new Error('no'))),
    { surveys, manifest: [home, notFound, entry('/survey/', { at: 'surveys' })] },
  );
  const spanish = { 'accept-language': 'fr, es-MX;q=0.9, en;q=0.8' };
  const english = { 'accept-language': 'en-US,es;q=0.5' };
  for (const [url, headers, language] of [
    ['/none', {}, 'en'],
    ['/none', spanish, 'es'],
    ['/es/none', english, 'es'],
    [`${survey?.path}/none`, english, 'es'],
    ['/survey/v4nv/none', spanish, 'en'],
    ['/none?lang=es', english, 'es'],
  ] as const) {
    const answer = await app.inject({ url, headers: { accept: 'text/html', ...headers } });
    expect(answer.body, url).toBe(language === 'es' ? '/404/?_language=es' : '/404/');
  }
});

it('a page is compressed better after the second request', async () => {
  const text = `<html>${'A page of many words, some of them again and again. '.repeat(400)}`;
  const quick = async (): Promise<PageDocument> => {
    const identity = Buffer.from(text);
    const level = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
    const br = brotliCompressSync(identity, level);
    return { status: 200, headers: { etag: '"a"' }, identity, gzip: identity, br };
  };
  const render = vi.fn<Site['render']>(quick);
  const app = await serving(render);
  const get = () => app.inject({ url: '/', headers: { 'accept-encoding': 'br' } });
  await app.ready();
  const first = (await get()).rawPayload;
  expect(first).toEqual((await quick()).br);
  await expect.poll(async () => (await get()).rawPayload.length).toBeLessThan(first.length);
  const later = await get();
  expect(brotliDecompressSync(later.rawPayload).toString()).toBe(text);
  expect(later.headers.etag).toBe('"a"');
  expect(render).toHaveBeenCalledOnce();
});

const manifest = [
  notFound,
  home,
  entry('/contact/', { query: { sent: ['1'] }, headers: { 'x-robots-tag': 'noindex' } }),
  entry('/robots.txt'),
  entry('/preview/', { at: 'preview' }),
  entry('/[...survey]', { at: 'surveys' }),
  entry('/thank-you/', { at: 'thank-you', query: { q: ['y', 'n'], lang: ['es'] } }),
];
const rendering = () => vi.fn<Site['render']>(async (url) => page(url));

it('a page is rendered only for query values that the manifest lists', async () => {
  const app = await serving(rendering(), { manifest });
  const sent = await app.inject('/contact/?email=a@b.example&sent=1&sent=2&_marks=1');
  expect(sent.body).toBe('/contact/?sent=1');
  expect(sent.headers['x-robots-tag']).toBe('noindex');
  expect((await app.inject('/contact/?sent=2')).body).toBe('/contact/');
  const other = await app.inject('/contact?a=b');
  expect([other.statusCode, other.headers.location]).toEqual([308, '/contact/?a=b']);
  expect((await app.inject('/robots.txt')).body).toBe('/robots.txt');
  expect((await app.inject('/robots.txt/')).headers.location).toBe('/robots.txt');
});

it('the thank-you page is rendered for the thank-you path of each survey', async () => {
  const app = await serving(rendering(), { manifest, surveys });
  const addresses = new Set(surveys.map(({ thankYouPath }) => thankYouPath));
  expect(addresses.size).toBe(5);
  for (const address of addresses) {
    const at = encodeURIComponent(address);
    expect((await app.inject(`${address}?q=n&_at=x`)).body).toBe(`/thank-you/?_at=${at}&q=n`);
  }
  expect((await app.inject('/thank-you/')).statusCode).toBe(404);
});

it('all pages are rendered before the first request', async () => {
  const render = rendering();
  const app = await serving(render, { manifest, surveys: surveys.slice(0, 2) });
  await app.ready();
  const urls = render.mock.calls.map(([url]) => url);
  expect(urls.slice(0, 2)).toEqual(surveys.slice(0, 2).map(({ path }) => path));
  expect(urls).toEqual(expect.arrayContaining(['/', '/contact/', '/robots.txt']));
  expect(urls).not.toContain('/preview/');
});

it('the callback `rendered` is called once after all pages are rendered', async () => {
  const path = surveys[0]?.path ?? '';
  const running = experiments.map((each) =>
    each.id === 'buttons' ? { ...each, surveys: [path] } : each,
  );
  const ends: (() => void)[] = [];
  const render = vi.fn<Site['render']>(
    (url) => new Promise((resolve) => ends.push(() => resolve(page(url)))),
  );
  const rendered = vi.fn();
  const options: Given = {
    surveys: surveys.slice(0, 1),
    experiments: running,
    rendered,
    manifest,
  };
  const app = await serving(render, options);
  await app.ready();
  const [last, ...others] = ends;
  for (const end of others) end();
  await setImmediate();
  expect(rendered).not.toHaveBeenCalled();
  last?.();
  await vi.waitFor(() => expect(rendered).toHaveBeenCalledOnce());
  const renderings = render.mock.calls.length;
  for (const query of ['', '?q=y', '?q=n', '?lang=es', '?q=n&lang=es&email=x', '?q=maybe']) {
    expect((await app.inject(`${surveys[0]?.thankYouPath}${query}`)).statusCode).toBe(200);
  }
  for (const seen of ['plain', 'rounded']) {
    const headers = { cookie: `variants=buttons.${seen}` };
    expect((await app.inject({ url: path, headers })).body).toContain(seen);
  }
  expect(render).toHaveBeenCalledTimes(renderings);
});

it('the preview is rendered anew for each request', async () => {
  const at = asBrowser('/preview/');
  const preview = rendering();
  const app = await serving(preview, { manifest });
  for (const times of [1, 2]) {
    expect((await app.inject(at)).statusCode).toBe(200);
    expect(preview.mock.calls.flat().filter((url) => url === '/preview/')).toHaveLength(times);
  }
  await open?.close();
  const render = vi.fn<Site['render']>(async (url) => page(url, url === '/404/' ? 404 : 200));
  const production = await serving(render, { manifest, publicUrl: 'https://claims.example' });
  expect((await production.inject(at)).statusCode).toBe(404);
  expect(render.mock.calls.flat()).not.toContain('/preview/');
});

it('a visitor always sees the same variant of a survey’s page', async () => {
  const path = surveys[0]?.path ?? '';
  const running = experiments.map((each) =>
    each.id === 'buttons' ? { ...each, surveys: [path] } : each,
  );
  const render = rendering();
  const app = await serving(render, { manifest, surveys, experiments: running });
  const seen = new Map<string, string>();
  for (let visitor = 0; visitor < 40; visitor += 1) {
    const { headers, body } = await app.inject(`${path}?_variant=buttons.other`);
    const cookie = String(headers['set-cookie']);
    expect(cookie).toMatch(
      /^variants=buttons\.\w+; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    seen.set(cookie.split(';')[0] ?? '', body);
  }
  expect([...seen].sort()).toEqual([
    ['variants=buttons.plain', `${path}?_variant=buttons.plain`],
    ['variants=buttons.rounded', `${path}?_variant=buttons.rounded`],
  ]);
  for (const [cookie, body] of seen) {
    const again = await app.inject({ url: path, headers: { cookie: `a=b; ${cookie}` } });
    expect([again.body, again.headers['set-cookie']]).toEqual([body, undefined]);
  }
  const other = await app.inject(surveys[1]?.path ?? '');
  expect(other.headers['set-cookie']).toBeUndefined();
});

it.each([
  ['localhost', undefined, '', true],
  ['127.0.0.1', undefined, 'development', true],
  ['localhost', undefined, 'production', false],
  ['localhost', 'https://claims.example', '', false],
  ['0.0.0.0', undefined, 'development', false],
  ['127.evil.example', undefined, '', false],
])(
  'servesPreview returns true only on a developer’s machine',
  (host, publicUrl, mode, isServed) => {
    vi.stubEnv('NODE_ENV', mode);
    const settings = parseSettings({});
    expect(servesPreview({ ...settings, host, publicUrl })).toBe(isServed);
    vi.unstubAllEnvs();
  },
);
