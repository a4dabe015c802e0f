import type { Language } from '../../../model/fields/language.ts';
import type { SiteSettings } from '../../../model/messages/site-settings.ts';
import { type PageId, pathOf, trailOf } from '../site-map.ts';
import { siteTexts } from '../site-texts.ts';

/** Serialises an object for a `<script type="application/ld+json">`. */
export function jsonLd(data: object): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c');
}

/** Returns the operator's data. The site is not a law firm, so it must not be a `LegalService`. */
export function organizationData(settings: SiteSettings, origin: string): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'Organization',
    name: settings.companyName,
    url: `${origin}/`,
    logo: `${origin}/icon-512.png`,
    email: settings.contactEmail,
    telephone: settings.phoneHref.replace('tel:', ''),
  };
}

/** Returns a page's breadcrumbs. */
export function breadcrumbData(page: PageId, language: Language, origin: string): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'BreadcrumbList',
    itemListElement: trailOf(page).map((id, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name: siteTexts[language].pageNames[id],
      item: origin + pathOf(id, language),
    })),
  };
}
