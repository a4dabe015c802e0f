import type { Language } from '../domain/language.ts';

/** The pages of the site besides surveys and thank-you pages, as code and content name them. */
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
  'verify',
] as const;
export type PageId = (typeof pageIds)[number];

/** A page's place in the site: its canonical path by language, and its parent. */
type SitePage = {
  readonly paths: { readonly en: string; readonly es?: string };
  /** The parent in the breadcrumbs; undefined for the home page. */
  readonly parent?: PageId;
  /** Loads no third-party script, whatever the settings. */
  readonly withoutThirdParties?: true;
};

/** Returns a page with the same name in both languages, the Spanish one under `/es`. */
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
 * The pages and their paths, each with a trailing slash (docs/specification.md#site-links). The sub-paths
 * are ours.
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
  verify: { ...inBoth('/verify/'), withoutThirdParties: true },
};

/** Returns a page's path in a language, else in English. */
export function pathOf(page: PageId, language: Language): string {
  const { paths } = siteMap[page];
  return paths[language] ?? paths.en;
}

/** Returns a page's link for filing a claim: the contact page, or the form if it is that page. */
export function claimPath(page: PageId | undefined, language: Language): string {
  return `${pathOf('contact', language)}${page === 'contact' ? '#form' : ''}`;
}

/**
 * Returns whether the page at a path may load call tracking: every page but the opt-out page
 * (docs/decisions/0011-third-party-scripts.md).
 */
export function tracksCalls(path: string): boolean {
  return Object.values(siteMap).some(
    ({ paths, withoutThirdParties }) => !withoutThirdParties && Object.values(paths).includes(path),
  );
}

/** Returns the pages from the home page down to the page itself. */
export function trailOf(page: PageId): readonly PageId[] {
  const { parent } = siteMap[page];
  return parent === undefined ? [page] : [...trailOf(parent), page];
}

/** The survey that the site leads to, by language (docs/specification.md#site-links). */
export const surveyPaths: Readonly<Record<Language, string>> = {
  en: '/survey/v4nv',
  es: '/survey/v4nv-es',
};
