import type { ReactNode } from 'react';
import { type Language, languages } from '../../../model/fields/language.ts';
import type { LogoName } from '../../../model/fields/look.ts';
import type { SiteSettings } from '../../../model/messages/site-settings.ts';
import { fill } from '../texts/shared.ts';
import { texts } from '../texts/texts.ts';

export type PagePartProps = {
  readonly language: Language;
  readonly settings: SiteSettings;
};

/** Returns the path of a site page in a language. The page must exist in both languages. */
export function inLanguage(path: string, language: Language): string {
  return language === 'es' ? `/es${path}` : path;
}

type HeaderProps = PagePartProps & { readonly logo: LogoName; readonly children?: ReactNode };

export function SurveyHeader({ language, settings, logo, children }: HeaderProps) {
  const { callUs } = texts[language].page;
  return (
    <header className="header">
      <Logo companyName={settings.companyName} logo={logo} />
      {children}
      <a className="call" href={settings.phoneHref}>
        <PhoneIcon className="call-icon" />
        <span className="sr-only">{callUs} </span>
        <span className="call-number">{settings.phoneDisplay}</span>
      </a>
    </header>
  );
}

/** A decorative phone icon beside text. */
export function PhoneIcon({ className = 'icon' }: { readonly className?: string }) {
  return (
    <svg className={className} viewBox="0 0 24 24" aria-hidden="true">
      <path d="M6.6 10.8a15 15 0 0 0 6.6 6.6l2.2-2.2a1 1 0 0 1 1-.25 11.4 11.4 0 0 0 3.6.57 1 1 0 0 1 1 1V20a1 1 0 0 1-1 1A17 17 0 0 1 3 4a1 1 0 0 1 1-1h3.5a1 1 0 0 1 1 1c0 1.25.2 2.45.57 3.57a1 1 0 0 1-.25 1z" />
    </svg>
  );
}

/** The disclosures and legal links of every page (docs/specification.md#site-layout). */
export function Disclosures({ language, settings }: PagePartProps) {
  const { notLawFirm, noEndorsement, jointAdvertising, footerNavigation, links } =
    texts[language].page;
  const company = settings.companyName;
  const to = (path: string) => inLanguage(path, language);
  return (
    <>
      <p>{fill(notLawFirm, { company })}</p>
      <p>{fill(noEndorsement, { company })}</p>
      <p>
        {jointAdvertising} <a href={to('/sponsors/')}>{links.sponsors}</a>.
      </p>
      <nav aria-label={footerNavigation}>
        <a href={to('/privacy-policy/')}>{links.privacy}</a>
        <a href={to('/privacy-policy/#california-resident')}>{links.california}</a>
        <a href={to('/consumer-health-data/')}>{links.health}</a>
        <a href={to('/terms-of-use/')}>{links.terms}</a>
        <a href={to('/do-not-sell-my-information/')}>{links.doNotSell}</a>
      </nav>
    </>
  );
}

/** The company that publishes the site, with its postal address. */
export function PublisherAddress({ settings }: Pick<PagePartProps, 'settings'>) {
  const { entity, address } = settings.publisher;
  if (!entity && !address) return null;
  return (
    <address>
      {entity}
      {entity && address && <br />}
      {address}
    </address>
  );
}

export const languageNames: Readonly<Record<Language, string>> = { en: 'English', es: 'Español' };

/** The link to the same page in the other language. A script adds the query of the URL. */
export function LanguageSwitch({ language, path }: { language: Language; path: string }) {
  const other = languages.find((each) => each !== language) as Language;
  return (
    <p className="language-switch">
      <a href={path} hrefLang={other} lang={other} id="other-language">
        {languageNames[other]}
      </a>
    </p>
  );
}

/** Maps a logo to its symbol, as SVG paths for two colours in a 32 by 32 view box. */
const marks: Partial<Record<LogoName, { readonly body: string; readonly spark: string }>> = {
  road: {
    body: 'M2 16a14 14 0 0 1 28 0c0 3.4-1.2 6.5-3.2 9L19.2 16h-6.4L5.2 25A14 14 0 0 1 2 16zM7.3 27 13 19.5h6L24.7 27A14 14 0 0 1 16 30a14 14 0 0 1-8.7-3z',
    spark: 'M16 7a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7z',
  },
  wheel: {
    body: 'M16 2a14 14 0 1 1 0 28 14 14 0 0 1 0-28zm0 4A10 10 0 0 0 6.2 14h19.6A10 10 0 0 0 16 6zM6 17.5A10 10 0 0 0 14 25.8v-3.5c0-3-2-4.8-5-4.8zm12 8.300a10 10 0 0 0 8-8.300h-3c-3 0-5 1.8-5 4.8z',
    spark: 'M16 15.3a2.2 2.2 0 1 1 0 4.4 2.2 2.2 0 0 1 0-4.4z',
  },
  arch: {
    body: 'M2 27V19a14 14 0 0 1 28 0v8h-5v-8a9 9 0 0 0-18 0v8z',
    spark: 'M11 27v-8a5 5 0 0 1 10 0v8z',
  },
  marker: {
    body: 'M16 2a11 11 0 0 1 11 11c0 7.5-6.5 12.5-11 17C11.5 25.5 5 20.5 5 13A11 11 0 0 1 16 2zm0 5.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11z',
    spark: 'M16 10a3 3 0 1 1 0 6 3 3 0 0 1 0-6z',
  },
};

/** The logo as inline SVG, because the first paint would wait for an image file. */
export function Logo({ companyName, logo }: { companyName: string; logo: LogoName }) {
  const mark = marks[logo];
  return (
    <span className="logo">
      {mark && (
        <svg className="logo-mark" viewBox="0 0 32 32" fillRule="evenodd" aria-hidden="true">
          <path fill="var(--logo-body, var(--accent))" d={mark.body} />
          <path fill="var(--logo-spark, var(--highlight))" d={mark.spark} />
        </svg>
      )}
      <span className="logo-name">{companyName}</span>
    </span>
  );
}
