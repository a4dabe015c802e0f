import type { SiteSettings } from '../../contract/site-settings.ts';
import { pathOf, surveyPaths } from '../site-map.ts';
import { siteTexts } from '../texts/site-texts.ts';

/** What a visitor sees at an address that the site does not have: the ways on. */
export function NotFound({ settings }: { readonly settings: SiteSettings }) {
  return (
    <div className="container container--text lost">
      <h1 className="display">This page is not here</h1>
      <p className="lead">
        The address may be old or mistyped. Nothing that you entered is lost. You can go{' '}
        <a href={pathOf('home', 'en')}>home</a>, read{' '}
        <a href={pathOf('lawsuits', 'en')}>our guides</a>, or{' '}
        <a href={settings.phoneHref}>call {settings.phoneDisplay}</a>.
      </p>
      <p className="lost-ways">
        <a className="button button--fit" href={surveyPaths.en}>
          {siteTexts.en.startSurvey}
        </a>
      </p>
    </div>
  );
}
