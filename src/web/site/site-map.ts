import { type Language, languages } from '../../model/fields/language.ts';

/** One page of the site: its canonical path by language, and its parent page. */
type SitePage = {
  readonly paths: Readonly<Record<Language, string>>;
  /** The file in `layouts/` that renders the page. Default: `content-page`. */
  readonly layout?: 'home' | 'contact' | 'do-not-sell' | 'verify';
  readonly parent?: 'home' | 'lawsuits' | 'laws';
  /** True if the page loads no third-party script (docs/decisions/0011-third-party-scripts.md). */
  readonly withoutThirdParties?: true;
};

const article = (en: string, es: string, parent: SitePage['parent'] = 'home'): SitePage => {
  return { paths: { en, es }, parent };
};

/** A page whose Spanish address is the English one below `/es/`, as consent texts link it. */
const bilingual = (path: string, more: Partial<SitePage> = {}): SitePage => {
  return { paths: { en: path, es: `/es${path}` }, parent: 'home', ...more };
};

const lawsuits = ['/car-accident-lawsuits/', '/es/demandas-por-accidentes-de-auto/'] as const;
const laws = ['/car-accident-laws/', '/es/leyes-de-accidentes-de-auto/'] as const;

const guide = (en: string, es: string) =>
  article(`${lawsuits[0]}${en}/`, `${lawsuits[1]}${es}/`, 'lawsuits');
const stateLaw = (state: string) => article(`${laws[0]}${state}/`, `${laws[1]}${state}/`, 'laws');

/** The pages besides surveys and thank-you pages (docs/specification.md#site-links). */
const pages = {
  home: { paths: { en: '/', es: '/es/' }, layout: 'home' },
  lawsuits: article(...lawsuits),
  timeline: guide('timeline', 'cuanto-tarda'),
  settlements: guide('settlements', 'acuerdos'),
  'filing-claim': guide('filing-claim', 'presentar-un-reclamo'),
  elements: guide('elements-that-make-up-auto-accidents', 'elementos-de-un-caso'),
  faqs: guide('faqs', 'preguntas-frecuentes'),
  laws: article(...laws),
  texas: stateLaw('texas'),
  california: stateLaw('california'),
  'video-gallery': article('/video-gallery/', '/es/videos/'),
  'about-us': article('/about-us/', '/es/sobre-nosotros/'),
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
  return languages.map((language) => {
    return { page, language, path: paths[language], layout, tracksCalls: !withoutThirdParties };
  });
});

/** Returns the site map's entry for a path. @throws if no page has the path */
export function placeAt(path: string) {
  const place = places.find((each) => each.path === path);
  if (!place) throw new Error(`The site map has no page at ${path}`);
  return place;
}

/** Returns a page's path in a language. */
export function pathOf(page: PageId, language: Language): string {
  return siteMap[page].paths[language];
}

/** Returns the link for filing a claim: the contact page, or on the contact page its form. */
export function claimPath(page: PageId | undefined, language: Language): string {
  return `${pathOf('contact', language)}${page === 'contact' ? '#form' : ''}`;
}

const withoutOffer: readonly PageId[] = [
  'contact',
  'do-not-sell',
  'verify',
  'sponsors',
  'privacy-policy',
  'health-data',
  'terms-of-use',
];

/** Returns whether a page offers the survey near its top. The call bar then waits until it is out of view. */
export function offersSurvey(page: PageId): boolean {
  return !withoutOffer.includes(page);
}

/** Returns a page's breadcrumbs, from the home page to the page itself. */
export function trailOf(page: PageId): readonly PageId[] {
  const { parent } = siteMap[page];
  return parent === undefined ? [page] : [...trailOf(parent), page];
}

/** Returns whether a page is a guide, which an attorney reviews. */
export function isGuide(page: PageId): boolean {
  return trailOf(page).some((id) => id === 'lawsuits' || id === 'laws');
}

/** The survey that the site links, by language (docs/specification.md#site-links). */
export const surveyPaths: Readonly<Record<Language, string>> = {
  en: '/survey/v4nv',
  es: '/survey/v4nv-es',
};
