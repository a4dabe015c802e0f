import { declaredScripts, merged } from '../../contract/script-declarations.ts';
import type { ScriptHosts } from '../../contract/third-party-scripts.ts';
import { flowOf, surveyAt } from '../../flows/surveys.ts';
import type { PageLocals } from './astro-pages.ts';

/**
 * What a page's policy allows beside our own host: what the scripts of its survey are declared to need.
 * No other page has any; least of all the thank-you pages, with the contact details in their address.
 *
 * @param url path of the page, with or without a query
 */
export async function scriptHostsOf(
  url: string,
  { site, surveys }: Pick<PageLocals, 'site' | 'surveys'>,
): Promise<ScriptHosts> {
  const survey = surveyAt(url.split('?')[0] ?? '', surveys);
  if (!survey) return {};
  const declared = declaredScripts(await flowOf(survey), site.scripts);
  return merged(declared.map(({ hosts }) => hosts));
}
