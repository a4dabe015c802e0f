import type { Language } from '../domain/language.ts';

/** Every page of the site beside surveys and thank-you pages, by its name in code and content. */
export const pageIds = [
  'home',
  'lawsuits',
  'timeline',
  'settlements',
  'filing-claim',
  'elements',
  'faqs',
  'laws',
  'texas',
  'california',
  'video-gallery',
  'about-us',
  'contact',
  'sponsors',
  'privacy-policy',
  'terms-of-use',
  'do-not-sell',
] as const;
export type PageId = (typeof pageIds)[number];

/** Where a page stands: its canonical path in each language that it exists in, and above it which page. */
export type SitePage = {
  readonly paths: { readonly en: string; readonly es?: string };
  /** The page above it in the breadcrumbs; only the home page has none. */
  readonly parent?: PageId;
  /** No script of a third party is in it, whatever is set. */
  readonly withoutThirdParties?: true;
};

/** Both languages at the same name, Spanish under `/es`. */
const inBoth = (path: string): SitePage => ({
  paths: { en: path, es: `/es${path}` },
  parent: 'home',
});
const guide = (name: string): SitePage => ({
  paths: { en: `/car-accident-lawsuits/${name}/` },
  parent: 'lawsuits',
});
const law = (name: string): SitePage => ({
  paths: { en: `/car-accident-laws/${name}/` },
  parent: 'laws',
});
const inEnglish = (path: string): SitePage => ({ paths: { en: path }, parent: 'home' });

/**
 * The pages and their paths (docs/specification.md#site-links; the sub-paths are ours,
 * docs/decisions/0033-site-pages.md). Each ends in a slash.
 */
export const siteMap: Readonly<Record<PageId, SitePage>> = {
  home: { paths: { en: '/', es: '/es/' } },
  lawsuits: inEnglish('/car-accident-lawsuits/'),
  timeline: guide('timeline'),
  settlements: guide('settlements'),
  'filing-claim': guide('filing-claim'),
  elements: guide('elements-that-make-up-auto-accidents'),
  faqs: guide('faqs'),
  laws: inEnglish('/car-accident-laws/'),
  texas: law('texas'),
  california: law('california'),
  'video-gallery': inEnglish('/video-gallery/'),
  'about-us': inEnglish('/about-us/'),
  contact: inBoth('/contact/'),
  sponsors: inBoth('/sponsors/'),
  'privacy-policy': inBoth('/privacy-policy/'),
  'terms-of-use': inBoth('/terms-of-use/'),
  'do-not-sell': { ...inBoth('/do-not-sell-my-information/'), withoutThirdParties: true },
};

/** A page's path in a language, or in English where it has no other. */
export function pathOf(page: PageId, language: Language): string {
  const { paths } = siteMap[page];
  return paths[language] ?? paths.en;
}

/** The way to file a claim from a page: to the contact page, and there to its form. */
export function claimPath(page: PageId | undefined, language: Language): string {
  return `${pathOf('contact', language)}${page === 'contact' ? '#form' : ''}`;
}

/**
 * Whether a page loads call tracking where that is set: all of the site but the one to opt out on
 * (docs/decisions/0041-call-tracking.md).
 */
export function tracksCalls(path: string): boolean {
  return Object.values(siteMap).some(
    ({ paths, withoutThirdParties }) => !withoutThirdParties && Object.values(paths).includes(path),
  );
}

/** From the page above all others down to the page itself. */
export function trailOf(page: PageId): readonly PageId[] {
  const { parent } = siteMap[page];
  return parent === undefined ? [page] : [...trailOf(parent), page];
}

/** The survey that the site leads to, by language (docs/specification.md#site-links). */
export const surveyPaths: Readonly<Record<Language, string>> = {
  en: '/survey/v4nv',
  es: '/survey/v4nv-es',
};
