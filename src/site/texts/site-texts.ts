import type { Language } from '../../domain/language.ts';
import type { PageId } from '../site-map.ts';
import { en } from './en.ts';
import { es } from './es.ts';

/** One entry of the main menu: a page, or a group of pages that drops down. */
export type MenuEntry =
  | PageId
  | { readonly label: string; readonly pages: readonly [PageId, ...PageId[]] };

/** The words that stand on every page of the site around its content. `{…}` are places that `fill` fills. */
export type SiteTexts = {
  readonly skipToContent: string;
  readonly home: string;
  readonly menu: string;
  readonly closeMenu: string;
  readonly mainNavigation: string;
  readonly breadcrumbs: string;
  readonly menuEntries: readonly MenuEntry[];
  /** What links call a page. */
  readonly pageNames: Readonly<Partial<Record<PageId, string>>>;
  readonly fileClaim: string;
  /** The same button where there is little room. */
  readonly fileClaimShort: string;
  readonly call: string;
  readonly callNumber: string;
  readonly phoneStrip: string;
  /** The name of the two ways at the bottom of a phone's screen. */
  readonly callBar: string;
  readonly onThisPage: string;
  /** `{date}`: when the page was last checked. */
  readonly checked: string;
  readonly sources: string;
  readonly nextTitle: string;
  readonly otherLanguage: { readonly label: string; readonly language: Language };
  readonly footerTitles: {
    readonly lawsuits: string;
    readonly laws: string;
    readonly more: string;
    readonly legal: string;
  };
  /** The page that stands where there is none. */
  readonly notFound: {
    readonly title: string;
    readonly description: string;
    readonly heading: string;
    readonly lead: string;
    readonly home: string;
    readonly guides: string;
  };
  readonly startSurvey: string;
  readonly startNote: string;
};

/** All of them by language. */
export const siteTexts: Readonly<Record<Language, SiteTexts>> = { en, es };
