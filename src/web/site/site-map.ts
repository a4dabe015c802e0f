import type { Language } from '../../model/fields/language.ts';

/** One page of the site: its canonical path by language, and its parent page. */
type SitePage = {
  readonly paths: { readonly en: string; readonly es?: string };
  /** The file in `layouts/` that renders the page. Default: `content-page`. */
  readonly layout?: 'home' | 'contact' | 'do-not-sell' | 'verify';
  readonly parent?: 'home' | 'lawsuits' | 'laws';
  /** True if the page loads no third-party script (docs/decisions/0011-third-party-scripts.md). */
  readonly withoutThirdParties?: true;
};

const english = (path: string, parent: SitePage['parent'] = 'home'): SitePage => {
  return { paths: { en: path }, parent };
};

const bilingual = (path: string, more: Partial<SitePage> = {}): SitePage => {
  return { paths: { en: path, es: `/es${path}` }, parent: 'home', ...more };
};

/** The pages besides surveys and thank-you pages (docs/specification.md#site-links). */
const pages = {
  home: { paths: { en: '/', es: '/es/' }, layout: 'home' },
  lawsuits: english('/car-accident-lawsuits/'),
  timeline: english('/car-accident-lawsuits/timeline/', 'lawsuits'),
  settlements: english('/car-accident-lawsuits/settlements/', 'lawsuits'),
  'filing-claim': english('/car-accident-lawsuits/filing-claim/', 'lawsuits'),
  elements: english('/car-accident-lawsuits/elements-that-make-up-auto-accidents/', 'lawsuits'),
  faqs: english('/car-accident-lawsuits/faqs/', 'lawsuits'),
  laws: english('/car-accident-laws/'),
  texas: english('/car-accident-laws/texas/', 'laws'),
  california: english('/car-accident-laws/california/', 'laws'),
  'video-gallery': english('/video-gallery/'),
  'about-us': english('/about-us/'),
  contact: bilingual('/contact/', { layout: 'contact' }),
  sponsors: bilingual('/sponsors/'),
  'privacy-policy': bilingual('/privacy-policy/'),
  'health-data': bilingual('/consumer-health-data/'),
  'terms-of-use': bilingual('/terms-of-use/'),
  'do-not-sell': bilingual('/do-not-sell-my-information/', {
    layout: 'do-not-sell',
    withoutThirdParties: true,
  }),
  verify: bilingual('/verify/', { layout: 'verify', withoutThirdParties: true }),
} satisfies Record<string, SitePage>;
export type PageId = keyof typeof pages;
export const pageIds = Object.keys(pages) as PageId[];
export const siteMap: Readonly<Record<PageId, SitePage>> = pages;

/** Every path of the site, with the language and the layout of its page. */
export const places = pageIds.flatMap((page) => {
  const { paths, layout = 'content-page', withoutThirdParties } = siteMap[page];
  return (Object.entries(paths) as [Language, string][]).map(([language, path]) => {
    return { page, language, path, layout, tracksCalls: !withoutThirdParties };
  });
});

/** Returns the site map's entry for a path. @throws if no page has the path */
export function placeAt(path: string) {
  const place = places.find((each) => each.path === path);
  if (!place) throw new Error(`The site map has no page at ${path}`);
  return place;
}

/** Returns a page's path in a language, or its English path if the page lacks the language. */
export function pathOf(page: PageId, language: Language): string {
  const { paths } = siteMap[page];
  return paths[language] ?? paths.en;
}

/** Returns the link for filing a claim: the contact page, or on the contact page its form. */
export function claimPath(page: PageId | undefined, language: Language): string {
  return `${pathOf('contact', language)}${page === 'contact' ? '#form' : ''}`;
}

/** Returns a page's breadcrumbs, from the home page to the page itself. */
export function trailOf(page: PageId): readonly PageId[] {
  const { parent } = siteMap[page];
  return parent === undefined ? [page] : [...trailOf(parent), page];
}

/** The survey that the site links, by language (docs/specification.md#site-links). */
export const surveyPaths: Readonly<Record<Language, string>> = {
  en: '/survey/v4nv',
  es: '/survey/v4nv-es',
};
