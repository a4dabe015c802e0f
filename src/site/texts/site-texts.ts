import type { Language } from '../../domain/language.ts';
import type { PageId } from '../site-map.ts';
import { en } from './en.ts';
import { es } from './es.ts';

/** One entry of the main menu: a page, or a drop-down group of pages. */
export type MenuEntry =
  | PageId
  | { readonly label: string; readonly pages: readonly [PageId, ...PageId[]] };

/** The texts around the content of every page. `fill` replaces `{…}`. */
export type SiteTexts = {
  readonly skipToContent: string;
  readonly home: string;
  readonly menu: string;
  readonly closeMenu: string;
  readonly mainNavigation: string;
  readonly breadcrumbs: string;
  readonly menuEntries: readonly MenuEntry[];
  /** Link texts. */
  readonly pageNames: Readonly<Partial<Record<PageId, string>>>;
  readonly fileClaim: string;
  /** A shorter label for the same button. */
  readonly fileClaimShort: string;
  readonly call: string;
  readonly callNumber: string;
  readonly phoneStrip: string;
  /** Accessible name of the call bar. */
  readonly callBar: string;
  readonly onThisPage: string;
  /** `{date}`: the day on which the page was last checked. */
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
  /** The not-found page. */
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

export const siteTexts: Readonly<Record<Language, SiteTexts>> = { en, es };
