import { describe, expect, it } from 'vitest';
import { contentSecurityPolicy } from './page-document.ts';

const page = (data: unknown) =>
  `<html><head></head><body><script type="application/json" id="survey-data">${JSON.stringify(data)}</script></body></html>`;
const directives = (html: string) =>
  Object.fromEntries(
    contentSecurityPolicy(html)
      .split('; ')
      .map((directive) => {
        const [name, ...sources] = directive.split(' ');
        return [name, sources];
      }),
  );

describe('the policy of a page', () => {
  it('allows no other host where its survey loads no script of a third party', () => {
    for (const html of ['<html></html>', page({}), page({ scripts: [] })]) {
      expect(contentSecurityPolicy(html)).not.toMatch(/https?:/);
    }
  });

  it('allows exactly the hosts of its own scripts, each once, and inline nothing', () => {
    const scripts = [
      { src: 'https://ads.example/a.js?id=1' },
      { src: 'https://ads.example/b.js' },
      { src: 'http://127.0.0.1:4000/pixel.js' },
    ];
    const hosts = ['https://ads.example', 'http://127.0.0.1:4000'];
    expect(directives(page({ scripts }))).toMatchObject({
      'default-src': ["'self'"],
      'script-src': ["'self'", ...hosts],
      'img-src': ["'self'", 'data:', ...hosts],
      'connect-src': ["'self'", ...hosts],
      'frame-ancestors': ["'none'"],
    });
    expect(contentSecurityPolicy(page({ scripts }))).not.toContain('unsafe');
  });
});
