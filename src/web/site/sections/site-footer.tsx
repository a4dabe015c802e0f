import { themes } from '../../styles/themes.ts';
import { Disclosures, Logo, PhoneIcon } from '../../survey/page/survey-page.tsx';
import { claimPath } from '../site-map.ts';
import { siteTexts } from '../site-texts.ts';
import type { PageProps } from './page-parts.tsx';
import { PageLink } from './site-header.tsx';

/** The footer (docs/specification.md#site-layout), with the disclosures. */
export function SiteFooter(props: PageProps) {
  const { language, settings } = props;
  const words = siteTexts[language];
  const about = (['about-us', 'sponsors', 'video-gallery', 'contact'] as const).filter(
    (page) => words.pageNames[page],
  );
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
          <p>
            <a href={settings.phoneHref}>{settings.phoneDisplay}</a>
            <br />
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

/** The bar at the bottom of phone screens: call, or file a claim. Pages with a form have no bar. */
export function CallBar({ language, settings, page }: PageProps) {
  if (page === 'contact' || page === 'do-not-sell') return null;
  const words = siteTexts[language];
  return (
    <nav
      className="call-bar"
      aria-label={words.callBar}
      data-waiting={page === 'home' ? '' : undefined}
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
