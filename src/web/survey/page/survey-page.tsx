import type { ReactNode } from 'react';
import { type Language, languages } from '../../../model/fields/language.ts';
import type { LogoName, SceneName } from '../../../model/fields/look.ts';
import type { SiteSettings } from '../../../model/messages/site-settings.ts';
import { fill } from '../texts/shared.ts';
import { pageTexts, texts } from '../texts/texts.ts';
import { Scene } from './art/scene.tsx';
import { Logo } from './logo.tsx';

export type PagePartProps = {
  readonly language: Language;
  readonly settings: SiteSettings;
};

/** Returns the path of a site page in a language, for pages that exist in both. */
export function inLanguage(path: string, language: Language): string {
  return language === 'es' ? `/es${path}` : path;
}

export function SkipLink({ language }: Pick<PagePartProps, 'language'>) {
  return (
    <a className="skip" href="#question">
      {texts[language].page.skipToQuestion}
    </a>
  );
}

type HeaderProps = PagePartProps & { readonly logo: LogoName; readonly children?: ReactNode };

export function SurveyHeader({ language, settings, logo, children }: HeaderProps) {
  const { callUs } = texts[language].page;
  return (
    <header className="header">
      <Logo companyName={settings.companyName} logo={logo} />
      {children}
      <a className="call" href={settings.phoneHref}>
        <svg className="call-icon" viewBox="0 0 24 24" aria-hidden="true">
          <path d="M6.6 10.8a15 15 0 0 0 6.6 6.6l2.2-2.2a1 1 0 0 1 1-.25 11.4 11.4 0 0 0 3.6.57 1 1 0 0 1 1 1V20a1 1 0 0 1-1 1A17 17 0 0 1 3 4a1 1 0 0 1 1-1h3.5a1 1 0 0 1 1 1c0 1.25.2 2.45.57 3.57a1 1 0 0 1-.25 1z" />
        </svg>
        <span className="sr-only">{callUs} </span>
        <span className="call-number">{settings.phoneDisplay}</span>
      </a>
    </header>
  );
}

type PanelProps = PagePartProps & { logo: LogoName; flow: string; scene: SceneName };

/**
 * The info panel beside the question on wide screens: what happens next, above the scene. On a phone only the scene
 * shows, as a strip behind the header.
 */
export function SurveyPanel({ language, settings, logo, flow, scene }: PanelProps) {
  const { panelTitle, panelSteps } = pageTexts(language, flow);
  return (
    <aside className="panel" aria-label={settings.companyName}>
      <div className="panel-logo">
        <Logo companyName={settings.companyName} logo={logo} />
      </div>
      <div className="panel-next">
        <h2 className="title">{panelTitle}</h2>
        <ol className="numbered">
          {panelSteps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </div>
      <Scene name={scene} className="panel-art" />
    </aside>
  );
}

/** The short legal notice under a question. The footer below the fold has the full text. */
export function LegalLine({ language, settings, flow }: PagePartProps & { readonly flow: string }) {
  const { legalLine, legalMore } = texts[language].page;
  const phone = settings.phoneDisplay.replaceAll(' ', '\u00a0');
  return (
    <p className="legal">
      {legalLine} <a href="#legal">{legalMore}</a>
      <noscript>
        <span className="legal-noscript">
          {fill(pageTexts(language, flow).noScript, { phone })}
        </span>
      </noscript>
    </p>
  );
}

/**
 * The footer: the disclosures required on every page (docs/specification.md#site-layout), below the page's own note.
 */
export function SurveyFooter({ language, settings, note }: PagePartProps & { note?: string }) {
  const { notLawFirm, noEndorsement, jointAdvertising, footerNavigation, links } =
    texts[language].page;
  const company = settings.companyName;
  const to = (path: string) => inLanguage(path, language);
  return (
    <footer className="footer" id="legal">
      {note && <p>{note}</p>}
      <p>{fill(notLawFirm, { company })}</p>
      <p>{fill(noEndorsement, { company })}</p>
      <p>
        {jointAdvertising} <a href={to('/sponsors/')}>{links.sponsors}</a>.
      </p>
      <nav aria-label={footerNavigation}>
        <a href={to('/privacy-policy/')}>{links.privacy}</a>
        <a href={to('/privacy-policy/#california-resident')}>{links.california}</a>
        <a href={to('/terms-of-use/')}>{links.terms}</a>
        <a href={to('/do-not-sell-my-information/')}>{links.doNotSell}</a>
      </nav>
    </footer>
  );
}

const names: Readonly<Record<Language, string>> = { en: 'English', es: 'Español' };

/**
 * The link to the same survey or thank-you page in the other language. The page's script (`entry.tsx`,
 * `thank-you-entry.ts`) adds the visitor's query, so that the click is kept.
 */
export function LanguageSwitch({ language, path }: { language: Language; path: string }) {
  const other = languages.find((each) => each !== language) as Language;
  return (
    <p className="language-switch">
      <a href={path} hrefLang={other} lang={other} id="other-language">
        {names[other]}
      </a>
    </p>
  );
}
