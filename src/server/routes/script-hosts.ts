import type { PageLocals } from '../../contract/page-locals.ts';
import type { PageEntry } from '../../contract/page-manifest.ts';
import {
  declaredScripts,
  declaredSiteScripts,
  merged,
} from '../../contract/script-declarations.ts';
import type { ScriptHosts } from '../../contract/third-party-scripts.ts';
import { flowOf, surveyAt } from '../../flows/surveys.ts';

/**
 * Returns the third-party hosts that a page's policy allows: those of its survey's scripts, or of call
 * tracking on a site page. Thank-you pages get none, because contact details are in their address.
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
