import { SignpostScene } from '../../survey/page/art/scene.tsx';
import { fill } from '../../survey/texts/fill.ts';
import { pathOf, siteMap, surveyPaths } from '../site-map.ts';
import { siteTexts } from '../texts/site-texts.ts';
import type { PageProps } from './page-parts.tsx';

/** The page for unknown addresses, with links to continue. */
export function NotFound({ language, settings }: Pick<PageProps, 'language' | 'settings'>) {
  const { notFound, startSurvey } = siteTexts[language];
  const guides = siteMap.lawsuits.paths[language];
  return (
    <div className="container container--text lost">
      <SignpostScene className="empty-art" />
      <h1 className="display">{notFound.heading}</h1>
      <p className="lead">{notFound.lead}</p>
      <ul className="plain-list lost-list">
        <li>
          <a href={pathOf('home', language)}>{notFound.home}</a>
        </li>
        {guides && (
          <li>
            <a href={guides}>{notFound.guides}</a>
          </li>
        )}
        <li>
          <a href={settings.phoneHref}>
            {fill(siteTexts[language].callNumber, { phone: settings.phoneDisplay })}
          </a>
        </li>
      </ul>
      <p className="lost-ways">
        <a className="button button--fit" href={surveyPaths[language]}>
          {startSurvey}
        </a>
      </p>
    </div>
  );
}
