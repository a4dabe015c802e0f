import { describe, expect, it } from 'vitest';
import type { ScriptHosts } from '../../contract/third-party-scripts.ts';
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

describe('the policy of a page', () => {
  it('allows no other host by itself, whatever stands in the page', () => {
    const named =
      '<script type="application/json" id="survey-data">{"src":"https://a.example/x"}</script>';
    expect(contentSecurityPolicy(html)).not.toMatch(/https?:/);
    expect(contentSecurityPolicy(named)).not.toMatch(/https?:/);
  });

  it('lets no form be sent by the browser itself: what was typed would stand in an address', () => {
    expect(directives()).toMatchObject({ 'form-action': ["'none'"] });
    const inAddress = '<form action="/x"><input name="a"></form>';
    expect(directives({}, inAddress)).toMatchObject({ 'form-action': ["'none'"] });
  });

  it('lets a page that has a posted form send it, to our own host', () => {
    const posted = '<form class="x" action="/contact/" method="post"></form>';
    expect(directives({}, posted)).toMatchObject({ 'form-action': ["'self'"] });
  });

  it('allows each declared host for what it is declared for, and inline nothing', () => {
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
});

it('a page may use no camera, microphone, place or payment, nor may a script of a third party', async () => {
  const { headers } = await pageDocument({ status: 200, contentType: 'text/html', html }, []);
  for (const feature of ['camera', 'microphone', 'geolocation', 'payment']) {
    expect(headers['permissions-policy']?.split(', ')).toContain(`${feature}=()`);
  }
});
