import { expect, it } from 'vitest';
import type { ScriptHosts } from '../../model/messages/script-declarations.ts';
import { scriptsAfterPaint } from '../../model/messages/scripts-after-paint.ts';
import { contentSecurityPolicy, pageDocument } from './page-document.ts';

const html = '<html><head></head><body><script>1</script></body></html>';
const directives = (hosts?: ScriptHosts, page = html) =>
  Object.fromEntries(
    contentSecurityPolicy(page, hosts)
      .split('; ')
      .map((directive) => {
        const [name, ...sources] = directive.split(' ');
        return [name, sources];
      }),
  );

it('the content security policy of a page allows no other host by default', () => {
  const named =
    '<script type="application/json" id="survey-data">{"src":"https://a.example/x"}</script>';
  expect(contentSecurityPolicy(html)).not.toMatch(/https?:/);
  expect(contentSecurityPolicy(named)).not.toMatch(/https?:/);
});

it.each([
  [html, "'none'"],
  // A form without `method` would put the typed values into the URL.
  ['<form action="/x"><input name="a"></form>', "'none'"],
  ['<form class="x" action="/contact/" method="post"></form>', "'self'"],
])('a page may post forms only if the page has a form with the method POST', (page, target) => {
  expect(directives({}, page)).toMatchObject({ 'form-action': [target] });
});

it('the content security policy of a page allows each host only for the declared purpose', () => {
  const policy = directives({
    'script-src': ['https://a.example', 'http://127.0.0.1:4000'],
    'connect-src': ['https://b.example'],
    'img-src': ['https://c.example'],
    'frame-src': ['https://d.example'],
  });
  expect(policy).toMatchObject({
    'default-src': ["'self'"],
    'script-src': [
      "'self'",
      expect.stringMatching(/^'sha256-/),
      'https://a.example',
      'http://127.0.0.1:4000',
    ],
    'connect-src': ["'self'", 'https://b.example'],
    'img-src': ["'self'", 'data:', 'https://c.example'],
    'frame-src': ['https://d.example'],
    'frame-ancestors': ["'none'"],
  });
  expect(JSON.stringify(policy)).not.toContain('unsafe');
  expect(directives({ 'img-src': ['https://c.example'] })).not.toHaveProperty('frame-src');
});

it('pages and third-party scripts may not use camera, microphone, location or payment', async () => {
  const { headers } = await pageDocument({ status: 200, contentType: 'text/html', html }, []);
  for (const feature of ['camera', 'microphone', 'geolocation', 'payment']) {
    expect(headers['permissions-policy']?.split(', ')).toContain(`${feature}=()`);
  }
  // Chromium does not support `bluetooth` and would log a warning on every page.
  expect(headers['permissions-policy']).not.toContain('bluetooth');
});

const files = [
  { file: '/_astro/a.js', imports: ['/_astro/b.js'] },
  { file: '/_astro/later.js', imports: ['/_astro/b.js'], modules: { 'src/later.ts': 1 } },
];
const script = '<script type="module" src="/_astro/a.js"></script>';
const made = async (head: string, body: string) => {
  const rendered = `<html><head>${head}</head><body>${body}</body></html>`;
  const page = { status: 200, contentType: 'text/html', html: rendered };
  return (await pageDocument(page, files)).identity.toString();
};

it('scripts that load after the first paint are named only in the loader script', async () => {
  const html = await made(
    '<link rel="modulepreload" href="src/later.ts">',
    `${script}<script>${scriptsAfterPaint}</script>`,
  );
  const asked = { scripts: ['/_astro/a.js'], imports: ['/_astro/b.js', '/_astro/later.js'] };
  expect(html).toContain(`f=${JSON.stringify(asked)},`);
  expect(html).not.toMatch(/<link|src=/);
});
