import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { optOutWords } from '../../content/opt-out.ts';
import { scriptSettings } from '../../sandbox/environment.ts';
import { buildPages } from '../../scripts/build.ts';
import { demoSite } from '../../scripts/demo-site.ts';
import { gzipBytes, weighPage } from '../../scripts/page-weight.ts';
import { type Language, languages } from '../../src/model/fields/language.ts';
import { surveys } from '../../src/model/flows/surveys.ts';
import { pageDocument } from '../../src/server/http/page-document.ts';
import { readPageManifest } from '../../src/server/http/site.ts';
import { type AstroPages, loadAstroPages } from '../../src/server/http/site-renderer.ts';
import { type PageId, pageIds, siteMap, surveyPaths } from '../../src/web/site/site-map.ts';

/** Tests rules for all pages of the built site, and the links between the pages. */

const dist = join(import.meta.dirname, '..', '..', 'dist');
const origin = 'https://claims.example.com';

/** The maximum size of a content page's scripts, in bytes of gzip. */
const scriptBytes = 3_100;
const contactScriptBytes = 3_600;
/** The maximum size of the verifier page's scripts, in bytes of gzip. */
const verifyScriptBytes = 20_000;
const pageBytes = 60_000;

type Page = {
  readonly id: PageId;
  readonly language: Language;
  readonly path: string;
  readonly html: string;
};

let site: AstroPages;
let pages: readonly Page[];
/** The surveys to which the site links, and a thank-you page in each language. */
let surveyPages: readonly Omit<Page, 'id'>[];
/** Maps each path of the site to its content. */
let known: ReadonlyMap<string, string>;

beforeAll(async () => {
  buildPages();
  site = await loadAstroPages(dist, demoSite(surveys, { PUBLIC_URL: origin }));
  const wanted = pageIds.flatMap((id) =>
    languages.map((language) => ({ id, language, path: siteMap[id].paths[language] })),
  );
  const render = async (path: string) => (await site.render(path)).html;
  pages = await Promise.all(
    wanted.map(async (page) => ({ ...page, html: await render(page.path) })),
  );
  const ofSurveys = languages.flatMap((language) => [
    { language, path: surveyPaths[language] },
    { language, path: `/thank-you/?q=y&lang=${language}` },
  ]);
  surveyPages = await Promise.all(
    ofSurveys.map(async (page) => ({ ...page, html: await render(page.path) })),
  );
  known = new Map([...pages, ...surveyPages].map(({ path, html }) => [pathname(path), html]));
}, 240_000);

const pathname = (path: string) => new URL(path, origin).pathname;
const all = (html: string, pattern: RegExp) => [...html.matchAll(pattern)].map((m) => m[1] ?? '');
const one = (html: string, pattern: RegExp) => {
  const found = all(html, pattern);
  expect(found, String(pattern)).toHaveLength(1);
  return unescaped(found[0] ?? '');
};
const unescaped = (text: string) =>
  text
    .replaceAll('&#x27;', "'")
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&#34;', '"')
    .replaceAll('&amp;', '&');
/** Calls `check` for every page. The message of a failure names the page. */
function onEveryPage(check: (page: Page) => void): void {
  onEach(pages, check);
}
function onEach<Each extends { path: string }>(list: readonly Each[], check: (page: Each) => void) {
  for (const page of list) {
    try {
      check(page);
    } catch (error) {
      throw new Error(`${page.path}: ${(error as Error).message}`);
    }
  }
}

describe('the pages of the site', () => {
  it('are built at the paths of the site map', () => {
    const manifest = readPageManifest(dist);
    const built = manifest.flatMap(({ at }) => (typeof at === 'string' ? [] : at));
    const files = built.filter((path) => /\.\w+$/.test(path));
    expect(built.filter((path) => !files.includes(path)).sort()).toEqual(
      pages.map(({ path }) => path).sort(),
    );
    expect(files.sort()).toEqual(['/robots.txt', '/site.webmanifest', '/sitemap.xml']);
  });

  it('contain links to their canonical URL and their translations', () => {
    onEveryPage(({ id, html, language }) => {
      const { paths } = siteMap[id];
      expect(one(html, /<link rel="canonical" href="([^"]*)"/g)).toBe(origin + paths[language]);
      const alternates = html.matchAll(/<link rel="alternate" hreflang="([^"]*)" href="([^"]*)"/g);
      const expected = { en: paths.en, es: paths.es, 'x-default': paths.en };
      expect([...alternates].map(([, name, href]) => [name, href])).toEqual(
        Object.entries(expected).map(([name, path]) => [name, origin + path]),
      );
      expect(one(html, /<meta property="og:url" content="([^"]*)"/g)).toBe(
        origin + paths[language],
      );
      const picture = one(html, /<meta property="og:image" content="([^"]*)"/g);
      expect(existsSync(join(dist, 'client', new URL(picture).pathname))).toBe(true);
      expect(html).not.toContain('noindex');
    });
  });

  it('link only to existing pages and anchors, in their own language', () => {
    onEach([...pages, ...surveyPages], ({ language, html, path }) => {
      for (const [tag, written = ''] of html.matchAll(/<\w[^>]*\shref="([^"]*)"[^>]*>/g)) {
        const href = unescaped(written);
        if (/^(tel|mailto|data):/.test(href)) continue;
        const url = new URL(href, origin + path);
        if (url.origin !== origin) {
          expect(url.protocol, href).toBe('https:');
          continue;
        }
        const linked = pages.find((each) => each.path === url.pathname);
        if (linked && !/hreflang/i.test(tag))
          expect(linked.language, `${href} must be a page in the same language`).toBe(language);
        if (/\.\w+$/.test(url.pathname)) {
          const isBuilt = url.pathname === '/site.webmanifest';
          expect(isBuilt || existsSync(join(dist, 'client', url.pathname)), href).toBe(true);
          continue;
        }
        const target = known.get(url.pathname);
        expect(target, href).toBeDefined();
        if (url.hash)
          expect(target, href).toContain(`id="${decodeURIComponent(url.hash.slice(1))}"`);
      }
    });
  });

  it('state the configured retention periods', async () => {
    const days = {
      VISITS: 21,
      LEADS: 1000,
      CLICKS: 40,
      ATTEMPTS: 50,
      CONSENTS: 2200,
      REQUESTS: 800,
    };
    const env = Object.entries(days).map(([what, kept]) => [`KEEP_${what}_DAYS`, String(kept)]);
    const own = { ...Object.fromEntries(env), CHECK_ANSWERS_DAYS: '11', PUBLIC_URL: origin };
    const other = await loadAstroPages(dist, demoSite(surveys, own));
    const spanish = (words: string) => words.replace('days', 'días').replace('months', 'meses');
    const kept = '21 days,33 months,40 days,50 days,72 months,26 months,11 days'.split(',');
    for (const [path, periods] of [
      ['/privacy-policy/', kept],
      ['/es/privacy-policy/', kept.map(spanish)],
    ] as const) {
      const { html } = await other.render(path);
      for (const words of periods) expect(html.replaceAll('\u00a0', ' '), path).toContain(words);
      // The policy must explain the cookie of an ad click.
      expect(html).toMatch(/advertisement or a link|anuncio o un enlace/);
      expect(html).toMatch(/90 (days|días)/);
    }
  });

  it('load at most the allowed number of bytes', async () => {
    const own = scriptSettings('https://scripts.example');
    const tracked = await loadAstroPages(dist, demoSite(surveys, own));
    const most = new Map<PageId, number>([
      ['contact', contactScriptBytes],
      ['verify', verifyScriptBytes],
    ]);
    for (const { id, path } of pages) {
      // The contact page may load more, because it also loads the scripts of the form and of call
      // tracking.
      const more = id === 'contact' ? 1_800 : 0;
      for (const [built, additional] of [
        [site, 0],
        [tracked, more],
      ] as const) {
        const page = await pageDocument(await built.render(path), built.scripts);
        const html = page.identity.toString();
        const scripts = html.replace(/<script type="application.*?<\/script>/gs, '');
        const { javascript } = weighPage(
          { ...page, identity: Buffer.from(scripts) },
          built.scripts,
        );
        const wanted = (most.get(id) ?? scriptBytes) + additional;
        expect(javascript, path).toBeLessThanOrEqual(wanted);
        const fonts = [...new Set(all(html, /url\(["']?(\/[^"')]+\.woff2)/g))];
        const fontBytes = fonts.map((font) => statSync(join(dist, 'client', font)).size);
        const whole = fontBytes.reduce((sum, bytes) => sum + bytes, gzipBytes(html) + javascript);
        expect(whole, path).toBeLessThanOrEqual(pageBytes);
      }
    }
  });
});

it('the page of the evidence verifier needs no other file', () => {
  for (const name of ['verify.html', 'verify.mjs']) {
    const [packed, offered] = ['evidence', 'client'].map((folder) =>
      readFileSync(join(dist, folder, name), 'utf8'),
    );
    expect(packed).toBe(offered);
  }
  const page = readFileSync(join(dist, 'evidence', 'verify.html'), 'utf8');
  expect(page).not.toMatch(/<link|\bsrc=|@font-face|@import|url\((?!["']?data:)/);
  const program = join(dist, 'evidence', 'verify.mjs');
  const { status, stderr } = spawnSync(process.execPath, [program], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([2, expect.stringContaining('Usage: node verify.mjs')]);
});

describe('the site’s data for search engines', () => {
  it('lists every page of the site', async () => {
    const sitemap = (await site.render('/sitemap.xml')).html;
    const listed = all(sitemap, /<loc>([^<]*)<\/loc>/g);
    const paths = [...pages.map(({ path }) => path), ...Object.values(surveyPaths)];
    expect(listed.sort()).toEqual(paths.map((path) => origin + path).sort());
    expect(sitemap).toContain(`hreflang="es" href="${origin}${surveyPaths.es}"`);
  });

  it('contains noindex for each survey to which no page links', async () => {
    for (const { path } of surveys) {
      const { html } = await site.render(path);
      const isFound = (Object.values(surveyPaths) as string[]).includes(path);
      expect(html.includes('<meta name="robots" content="noindex"'), path).toBe(!isFound);
    }
    const robots = (await site.render('/robots.txt')).html;
    expect(robots).toContain(`Sitemap: ${origin}/sitemap.xml`);
    expect(robots).not.toContain('Disallow: /survey');
  }, 60_000);
});

it.each([
  ['/survey/v4nv', 'en'],
  ['/survey/es', 'es'],
  ['/form', 'en'],
  ['/contact/', 'en'],
  ['/es/contact/', 'es'],
] as const)(
  'the page %s explains the opt-out signal only to browsers that send the signal',
  async (path, language) => {
    const { delivered } = optOutWords[language];
    expect((await site.render(`${path}?_signal=1`)).html).toContain(delivered);
    expect((await site.render(path)).html).not.toContain(delivered);
  },
);

it('a live site shows no examples of testimonials or law firms', async () => {
  const locals = demoSite(surveys, { PUBLIC_URL: origin });
  const live = await loadAstroPages(dist, { ...locals, showsExamples: false });
  for (const path of ['/', '/es/', siteMap.sponsors.paths.en]) {
    const shown = (await site.render(path)).html;
    const liveHtml = (await live.render(path)).html;
    expect(shown, path).toMatch(/class="example-label"|Partner Law Firm/);
    expect(liveHtml, path).not.toMatch(/class="example-|class="quotes"|Partner Law Firm/);
  }
});

it('names who is behind the site only as far as the settings say', async () => {
  const reviewer = { name: 'Ann Doe', barState: 'TX', barNumber: '77', reviewedOn: '2099-01-02' };
  const env = {
    LEGAL_ENTITY: 'Doe & Co LLC',
    POSTAL_ADDRESS: '1 Elm Street',
    FOUNDER_NOTE: 'We answer.',
    CALL_HOURS: 'Daily, 9 to 5',
    REVIEWER: JSON.stringify({ ...reviewer, record: 'https://bar.example/77' }),
  };
  const named = await loadAstroPages(dist, demoSite(surveys, env));
  const textOf = async (built: AstroPages, path: string) =>
    unescaped((await built.render(path)).html.replaceAll(/<[^>]*>/g, ' ')).replaceAll(/\s+/g, ' ');
  const guide = pages.find(({ id, language }) => id === 'texas' && language === 'en')?.path ?? '';
  const byline = 'Ann Doe , Texas bar no. 77, on January 2, 2099';
  const company = ['Doe & Co LLC', '1 Elm Street'];
  for (const [path, words] of [
    ['/survey/v4nv', company],
    ['/about-us/', [...company, 'We answer.', 'Daily, 9 to 5', byline]],
    [guide, [...company, 'Daily, 9 to 5', `Reviewed by attorney ${byline}`]],
  ] as const) {
    const [text, without] = [await textOf(named, path), await textOf(site, path)];
    for (const word of words) expect(text, path).toContain(word);
    expect(without, path).not.toMatch(/Reviewed by|Run by|Founder|Address/);
  }
  expect(await textOf(site, guide)).toContain('Last checked');
});
