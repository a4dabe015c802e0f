import { themes } from '../../styles/themes.ts';
import {
  Disclosures,
  Logo,
  languageNames,
  PhoneIcon,
  PublisherAddress,
} from '../../survey/page/survey-page.tsx';
import { claimPath, offersSurvey, type PageId, pathOf } from '../site-map.ts';
import { type MenuGroup, siteTexts } from '../site-texts.ts';
import type { PageProps } from './page-parts.tsx';

/** The top bar, whose menu works without JavaScript (docs/specification.md#site-layout). */
export function SiteHeader(props: PageProps) {
  const { language, settings, page } = props;
  const words = siteTexts[language];
  return (
    <header className="site-header">
      <a className="skip" href="#content">
        {words.skipToContent}
      </a>
      <div className="top-bar container">
        <a className="brand" href={pathOf('home', language)}>
          <Logo companyName={settings.companyName} logo={themes.default.look.logo} />
        </a>
        <Menu {...props} />
        <a className="top-call" href={settings.phoneHref}>
          <PhoneIcon />
          <span className="sr-only">{words.call} </span>
          <span className="top-call-number">{settings.phoneDisplay}</span>
        </a>
        <a className="button button--fit top-claim" href={claimPath(page, language)}>
          {words.fileClaim}
        </a>
        <OtherLanguage {...props} className="top-language" />
        <button type="button" className="menu-toggle" popoverTarget="menu">
          {words.menu}
        </button>
      </div>
    </header>
  );
}

function Menu(props: PageProps) {
  const words = siteTexts[props.language];
  return (
    <nav className="menu" id="menu" popover="auto" aria-label={words.mainNavigation}>
      <ul className="menu-entries">
        {words.menuEntries.map((entry) => (
          <li key={typeof entry === 'string' ? entry : entry.label}>
            {typeof entry === 'string' ? (
              <PageLink {...props} to={entry} />
            ) : (
              <Group {...props} {...entry} />
            )}
          </li>
        ))}
        <li>
          <OtherLanguage {...props} />
        </li>
      </ul>
    </nav>
  );
}

function Group(props: PageProps & MenuGroup) {
  const { label, pages } = props;
  const isHere = props.page !== undefined && pages.includes(props.page);
  return (
    <details className="menu-group" name="menu-group">
      <summary className={isHere ? 'is-here' : undefined}>{label}</summary>
      <ul>
        {pages.map((page) => (
          <li key={page}>
            <PageLink {...props} to={page} />
          </li>
        ))}
      </ul>
    </details>
  );
}

/** A link to a page. The link to the current page is marked. */
function PageLink({ language, page, to }: PageProps & { readonly to: PageId }) {
  return (
    <a href={pathOf(to, language)} aria-current={page === to ? 'page' : undefined}>
      {siteTexts[language].pageNames[to]}
    </a>
  );
}

/** A link to this page in the other language. */
function OtherLanguage({ language, page, className }: PageProps & { className?: string }) {
  const other = language === 'en' ? 'es' : 'en';
  return (
    <a className={className} href={pathOf(page ?? 'home', other)} lang={other} hrefLang={other}>
      {languageNames[other]}
    </a>
  );
}

/** The footer (docs/specification.md#site-layout), with the disclosures. */
export function SiteFooter(props: PageProps) {
  const { language, settings } = props;
  const words = siteTexts[language];
  const hours = settings.callHours[language];
  const about = ['about-us', 'sponsors', 'video-gallery', 'contact'] as const;
  const columns = [
    ...words.menuEntries.filter((entry) => typeof entry === 'object'),
    { label: words.aboutUs, pages: about },
  ];
  return (
    <footer className="site-footer">
      <a className="phone-strip" href={settings.phoneHref}>
        {words.phoneStrip} <strong>{settings.phoneDisplay}</strong>
      </a>
      <div className="footer-inside container">
        <div className="footer-brand">
          <Logo companyName={settings.companyName} logo={themes.default.look.logo} />
          <PublisherAddress settings={settings} />
          <p>
            <a href={settings.phoneHref}>{settings.phoneDisplay}</a>
            {hours ? <span className="footer-hours">{hours}</span> : <br />}
            <a href={`mailto:${settings.contactEmail}`}>{settings.contactEmail}</a>
          </p>
        </div>
        {columns.map(({ label, pages }) => (
          <nav key={label} aria-label={label}>
            <p className="footer-title">{label}</p>
            <ul>
              {pages.map((page) => (
                <li key={page}>
                  <PageLink {...props} to={page} />
                </li>
              ))}
            </ul>
          </nav>
        ))}
      </div>
      <div className="footer-legal container">
        <Disclosures language={language} settings={settings} />
      </div>
    </footer>
  );
}

/** The bar at the bottom of phone screens, with two links: call, and file a claim. */
export function CallBar({ language, settings, page }: PageProps) {
  if (page === 'contact' || page === 'do-not-sell') return null;
  const words = siteTexts[language];
  return (
    <nav
      className="call-bar"
      aria-label={words.callBar}
      data-waiting={page && offersSurvey(page) ? '' : undefined}
    >
      <a className="button button--quiet" href={settings.phoneHref}>
        <PhoneIcon />
        {words.call}
      </a>
      <a className="button" href={claimPath(page, language)}>
        {words.fileClaimShort}
      </a>
    </nav>
  );
}
