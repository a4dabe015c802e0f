import type { SiteSettings } from '../../contract/site-settings.ts';
import type { Language } from '../../domain/language.ts';
import type { PageId } from '../site-map.ts';

/** What every part of a page of the site is rendered from. */
export type PageProps = {
  readonly language: Language;
  readonly settings: SiteSettings;
  /** Which page it is; undefined on pages that are not in the site map (404). */
  readonly page: PageId | undefined;
};
