import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { handleError } from './errors.ts';
import { methodTable } from './method-table.ts';
import type { PageDocument } from './page-document.ts';
import { pagesPlugin, type SitePages } from './pages.ts';

const clientDir = mkdtempSync(join(tmpdir(), 'pages-'));
afterAll(() => rmSync(clientDir, { recursive: true }));

let open: FastifyInstance | undefined;
afterEach(() => open?.close());

function page(text: string, status = 200): PageDocument {
  const identity = Buffer.from(text);
  return { status, headers: { etag: `"${text}"` }, identity, gzip: identity, br: identity };
}

async function serving(render: SitePages['render'], today = () => '2026-11-20') {
  const app = Fastify();
  open = app;
  app.setErrorHandler(handleError);
  methodTable(app);
  const pages = { render, clientDir, close: () => undefined };
  await app.register(pagesPlugin, { pages, surveys: [], today });
  return app;
}

const asBrowser = (url: string) => ({ url, headers: { accept: 'text/html' } });

describe('a page', () => {
  it('is rendered once a day', async () => {
    let day = '2026-11-20';
    const render = vi.fn<SitePages['render']>(async () => page(day));
    const app = await serving(render, () => day);
    expect((await app.inject('/')).body).toBe('2026-11-20');
    await app.inject('/');
    expect(render).toHaveBeenCalledOnce();
    day = '2026-11-21';
    expect((await app.inject('/')).body).toBe('2026-11-21');
  });

  it.each([
    ['fails', () => Promise.reject(new Error('broken'))],
    ['comes as an error', async () => page('Internal Server Error', 500)],
    ['comes as another page', async () => page('nothing here', 404)],
  ])('that %s is not kept, and rendered again for the next who asks', async (_, fail) => {
    const render = vi.fn<SitePages['render']>(async () => page('home'));
    render.mockImplementationOnce(fail);
    const app = await serving(render);
    const failed = await app.inject(asBrowser('/'));
    expect(failed.statusCode).toBe(500);
    expect(failed.headers['cache-control']).toBe('no-store');
    expect(failed.headers['content-type']).toContain('application/problem+json');
    const next = await app.inject(asBrowser('/'));
    expect([next.statusCode, next.body]).toEqual([200, 'home']);
  });

  it('of what is not there is one of 404, and as little kept when it fails', async () => {
    const render = vi.fn<SitePages['render']>(async () => page('nothing here', 404));
    render.mockImplementationOnce(async () => page('Internal Server Error', 500));
    const app = await serving(render);
    expect((await app.inject(asBrowser('/none'))).statusCode).toBe(500);
    const next = await app.inject(asBrowser('/none'));
    expect([next.statusCode, next.body]).toEqual([404, 'nothing here']);
  });
});
