import type { PageEntry } from '../../contract/page-manifest.ts';
import {
  declaredScripts,
  declaredSiteScripts,
  merged,
} from '../../contract/script-declarations.ts';
import type { ScriptHosts } from '../../contract/third-party-scripts.ts';
import { flowOf, surveyAt } from '../../flows/surveys.ts';
import type { PageLocals } from './astro-pages.ts';

/**
 * What a page's policy allows beside our own host: what the scripts of its survey are declared to need, or
 * call tracking of a page of the site. No other page has any; least of all the thank-you pages, with the
 * contact details in their address.
 *
 * @param url path of the page, with or without a query
 */
export async function scriptHostsOf(
  url: string,
  { site, surveys }: Pick<PageLocals, 'site' | 'surveys'>,
  manifest: readonly PageEntry[],
): Promise<ScriptHosts> {
  const path = url.split('?')[0] ?? '';
  const survey = surveyAt(path, surveys);
  const tracksCalls = manifest.some((page) => page.source === path && page.tracksCalls);
  const ofSurvey = survey ? declaredScripts(await flowOf(survey), site.scripts) : [];
  const ofSite = tracksCalls ? declaredSiteScripts(site.scripts) : [];
  return merged([...ofSurvey, ...ofSite].map(({ hosts }) => hosts));
}
