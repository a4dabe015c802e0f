import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { PageLocals } from '../../model/messages/site-settings.ts';
import { loadAstroPages } from './site-renderer.ts';

const dist = mkdtempSync(join(tmpdir(), 'site-renderer-'));
afterAll(() => rmSync(dist, { recursive: true }));
mkdirSync(join(dist, 'server'));
writeFileSync(join(dist, 'page-scripts.json'), '[]');
// Writes a fake build that answers like Astro's adapter: with a page, with 500, or incompletely.
writeFileSync(
  join(dist, 'server', 'entry.mjs'),
  `export const handler = async (request, response, next) => {
    const path = request.url;
    if (path === '/whole') response.end('<html></html>\\n');
    else if (path === '/robots.txt') response.writeHead(200, { 'content-type': 'text/plain' }).end('a');
    else if (path === '/missing') next();
    else if (path === '/error') { response.statusCode = 500; response.end('<html>Error</html>'); }
    else if (path === '/empty') response.end();
    else if (path === '/cut') { response.write('<html><body>'); response.end('Internal server error'); }
    else if (path === '/destroyed') { response.write('<html><body>'); response.destroy(); }
  };`,
);

it('render throws an error for failed, incomplete and missing pages', async () => {
  const { render } = await loadAstroPages(dist, { timeZone: 'UTC' } as PageLocals);
  expect(await render('/whole')).toEqual({
    status: 200,
    contentType: 'text/html; charset=utf-8',
    html: '<html></html>\n',
  });
  expect(await render('/robots.txt')).toMatchObject({ contentType: 'text/plain', html: 'a' });
  for (const path of ['/error', '/empty', '/cut']) {
    await expect(render(path), path).rejects.toThrow(`incomplete page at ${path}`);
  }
  await expect(render('/missing')).rejects.toThrow('no page at /missing');
  await expect(render('/destroyed')).rejects.toThrow();
});
