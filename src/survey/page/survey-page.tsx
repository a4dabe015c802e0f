import type { SiteSettings } from '../../contract/site-settings.ts';
import type { Language } from '../../domain/language.ts';
import { fill } from '../texts/fill.ts';
import { pageTexts, texts } from '../texts/texts.ts';
import { Logo } from './logo.tsx';

/** What the parts around the survey are rendered from; on the server only. */
export type PagePartProps = {
  readonly language: Language;
  readonly settings: SiteSettings;
};

/** The link past the header, for the keyboard. The survey's heading is its target. */
export function SkipLink({ language }: Pick<PagePartProps, 'language'>) {
  return (
    <a className="skip" href="#question">
      {texts[language].page.skipToQuestion}
    </a>
  );
}

/** Logo and the phone number to call. */
export function SurveyHeader({ language, settings }: PagePartProps) {
  const { callUs } = texts[language].page;
  return (
    <header className="header">
      <Logo companyName={settings.companyName} />
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

/** The info panel: beside the question on a desktop, one line above it on a phone. */
export function SurveyPanel({
  language,
  settings,
  flow,
}: PagePartProps & { readonly flow: string }) {
  const { panelTitle, panelPoints, noScript } = pageTexts(language, flow);
  return (
    <aside className="panel" aria-label={settings.companyName}>
      <div className="panel-logo">
        <Logo companyName={settings.companyName} />
      </div>
      <p className="panel-title">{panelTitle}</p>
      <ul className="panel-points">
        {panelPoints.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
      <noscript>
        <p className="panel-noscript">
          {fill(noScript, { phone: settings.phoneDisplay.replaceAll(' ', '\u00a0') })}
        </p>
      </noscript>
    </aside>
  );
}

/** What the law and fairness ask to be said on every page (docs/specification.md#site-layout). */
export function SurveyFooter({ language, settings }: PagePartProps) {
  const { notLawFirm, noEndorsement, jointAdvertising, footerNavigation, links } =
    texts[language].page;
  const company = settings.companyName;
  return (
    <footer className="footer">
      <p>{fill(notLawFirm, { company })}</p>
      <p>{fill(noEndorsement, { company })}</p>
      <p>
        {jointAdvertising} <a href="/sponsors/">{links.sponsors}</a>.
      </p>
      <nav aria-label={footerNavigation}>
        <a href="/privacy-policy/">{links.privacy}</a>
        <a href="/privacy-policy/#california-resident">{links.california}</a>
        <a href="/terms-of-use/">{links.terms}</a>
        <a href="/do-not-sell-my-information/">{links.doNotSell}</a>
      </nav>
    </footer>
  );
}
