import type { ReactNode } from 'react';
import type { SiteSettings } from '../../contract/site-settings.ts';
import type { Language } from '../../domain/language.ts';
import type { LogoName } from '../../domain/look.ts';
import { fill } from '../texts/fill.ts';
import { pageTexts, texts } from '../texts/texts.ts';
import { RoadScene } from './art/road-scene.tsx';
import { Logo } from './logo.tsx';

/** What the parts around the survey are rendered from; on the server only. */
export type PagePartProps = {
  readonly language: Language;
  readonly settings: SiteSettings;
};

/** The path of a page of the site that exists in both languages. */
export function inLanguage(path: string, language: Language): string {
  return language === 'es' ? `/es${path}` : path;
}

/** The link past the header, for the keyboard. The survey's heading is its target. */
export function SkipLink({ language }: Pick<PagePartProps, 'language'>) {
  return (
    <a className="skip" href="#question">
      {texts[language].page.skipToQuestion}
    </a>
  );
}

/** The top bar: logo, the way to the contact page, the phone number to call, and what a page adds. */
export function SurveyHeader({
  language,
  settings,
  logo,
  children,
}: PagePartProps & { readonly logo: LogoName; readonly children?: ReactNode }) {
  const { callUs, fileClaim } = texts[language].page;
  return (
    <header className="header">
      <Logo companyName={settings.companyName} logo={logo} />
      <a className="file-claim" href={inLanguage('/contact/', language)}>
        {fileClaim}
      </a>
      <a className="call" href={settings.phoneHref}>
        <svg className="call-icon" viewBox="0 0 24 24" aria-hidden="true">
          <path d="M6.6 10.8a15 15 0 0 0 6.6 6.6l2.2-2.2a1 1 0 0 1 1-.25 11.4 11.4 0 0 0 3.6.57 1 1 0 0 1 1 1V20a1 1 0 0 1-1 1A17 17 0 0 1 3 4a1 1 0 0 1 1-1h3.5a1 1 0 0 1 1 1c0 1.25.2 2.45.57 3.57a1 1 0 0 1-.25 1z" />
        </svg>
        <span className="sr-only">{callUs} </span>
        <span className="call-number">{settings.phoneDisplay}</span>
      </a>
      {children}
    </header>
  );
}

/** The info panel, beside the question where there is room: what happens next. */
export function SurveyPanel({
  language,
  settings,
  logo,
  flow,
}: PagePartProps & { readonly logo: LogoName; readonly flow: string }) {
  const { panelTitle, panelSteps, noScript } = pageTexts(language, flow);
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
      <noscript>
        <p className="panel-noscript">
          {fill(noScript, { phone: settings.phoneDisplay.replaceAll(' ', '\u00a0') })}
        </p>
      </noscript>
      <RoadScene className="panel-art" />
    </aside>
  );
}

/**
 * The one quiet line under a question; the whole text is in the footer, right below the fold. On phones, where
 * the header has the number as a sign only, it says the number.
 */
export function LegalLine({ language, settings }: PagePartProps) {
  const { legalLine, legalMore, callUs } = texts[language].page;
  return (
    <p className="legal">
      {legalLine} <a href="#legal">{legalMore}</a>
      <span className="legal-call">
        {callUs} <a href={settings.phoneHref}>{settings.phoneDisplay}</a>
      </span>
    </p>
  );
}

/**
 * What the law and fairness ask to be said on every page (docs/specification.md#site-layout), below what a
 * page has to say first.
 */
export function SurveyFooter({
  language,
  settings,
  note,
}: PagePartProps & { readonly note?: string }) {
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
