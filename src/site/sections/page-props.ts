import type { SiteSettings } from '../../contract/site-settings.ts';
import type { Language } from '../../domain/language.ts';
import type { PageId } from '../site-map.ts';

/** The props of every part of a page. */
export type PageProps = {
  readonly language: Language;
  readonly settings: SiteSettings;
  /** Undefined on pages outside the site map (404). */
  readonly page: PageId | undefined;
};
