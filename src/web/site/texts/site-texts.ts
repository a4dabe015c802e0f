import type { Language } from '../../../model/fields/language.ts';
import type { PageId } from '../site-map.ts';
import { en } from './en.ts';
import { es } from './es.ts';

/** One entry of the main menu: a page, or a drop-down group of pages. */
export type MenuEntry =
  | PageId
  | { readonly label: string; readonly pages: readonly [PageId, ...PageId[]] };

/** The texts around the content of every page, with the names of the English ones. `fill` replaces `{…}`. */
export type SiteTexts = Omit<typeof en, 'menuEntries' | 'pageNames' | 'otherLanguage'> & {
  readonly menuEntries: readonly MenuEntry[];
  /** Link texts of the pages that exist in the language. */
  readonly pageNames: Readonly<Partial<Record<PageId, string>>>;
  readonly otherLanguage: { readonly label: string; readonly language: Language };
};

export const siteTexts: Readonly<Record<Language, SiteTexts>> = {
  // The menu's lists are longer than any type that TypeScript infers for them.
  en: en as SiteTexts,
  es,
};
