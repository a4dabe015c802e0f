import type { Language } from '../../../model/fields/language.ts';
import type { SiteSettings } from '../../../model/messages/site-settings.ts';
import type { Frontmatter } from '../content.ts';
import { type PageId, pathOf, trailOf } from '../site-map.ts';
import { siteTexts } from '../site-texts.ts';

/** Structured data for search engines. The site is not a law firm, so it must not be a `LegalService`. */

const context = 'https://schema.org';

/** Serialises an object for a `<script type="application/ld+json">`. */
export function jsonLd(data: object): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c');
}

/** Returns the data of the site and its operator, for the home page. */
export function websiteData(settings: SiteSettings, origin: string, language: Language): object {
  const organization = `${origin}/#organization`;
  return {
    '@context': context,
    '@graph': [
      {
        '@type': 'Organization',
        '@id': organization,
        name: settings.companyName,
        url: `${origin}/`,
        logo: `${origin}/icon-512.png`,
        email: settings.contactEmail,
        telephone: settings.phoneHref.replace('tel:', ''),
      },
      {
        '@type': 'WebSite',
        '@id': `${origin}/#website`,
        name: settings.companyName,
        url: origin + pathOf('home', language),
        inLanguage: language,
        publisher: { '@id': organization },
      },
    ],
  };
}

/** Returns a page's breadcrumbs. */
export function breadcrumbData(page: PageId, language: Language, origin: string): object {
  return {
    '@context': context,
    '@type': 'BreadcrumbList',
    itemListElement: trailOf(page).map((id, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name: siteTexts[language].pageNames[id],
      item: origin + pathOf(id, language),
    })),
  };
}

/** Returns an article's data. */
export function articleData(
  page: PageId,
  language: Language,
  { title, description, checked }: Frontmatter,
  settings: SiteSettings,
  origin: string,
): object {
  const organization = { '@type': 'Organization', name: settings.companyName, url: `${origin}/` };
  return {
    '@context': context,
    '@type': 'Article',
    headline: title,
    description,
    inLanguage: language,
    dateModified: checked,
    image: `${origin}/social-${language}.png`,
    mainEntityOfPage: origin + pathOf(page, language),
    author: organization,
    publisher: organization,
  };
}
