/** In which look a thank-you page is shown to whom (docs/specification.md#thank-you-pages). */
import type { FastifyRequest } from 'fastify';
import { ownQuery } from '../../contract/page-manifest.ts';
import { lookName } from '../../domain/look.ts';
import type { Survey } from '../../flows/surveys.ts';

/** The looks of the surveys that lead to one address, by the surveys' paths. */
export type PageLooks = ReadonlyMap<string, string>;

/** Returns the looks of a thank-you page, or undefined where all surveys that lead there have the same. */
export function looksAt(address: string, surveys: readonly Survey[]): PageLooks | undefined {
  const leading = surveys.filter(({ thankYouPath }) => thankYouPath === address);
  const looks = new Map(leading.map((survey) => [survey.path, lookName(survey)]));
  return new Set(looks.values()).size > 1 ? looks : undefined;
}

/**
 * Returns the part of the query that asks for the look of the survey that a visitor comes from: the browser says
 * which page that is (`Referer`), and the link to the other language names the look. '' where neither does.
 */
export function lookQuery(
  looks: PageLooks,
  request: Pick<FastifyRequest, 'headers' | 'raw'>,
): string {
  const asked = new URLSearchParams(request.raw.url?.split('?')[1] ?? '').get(ownQuery.look) ?? '';
  const isKnown = [...looks.values()].includes(asked);
  const look = isKnown ? asked : looks.get(surveyPathOf(request.headers.referer));
  return look === undefined ? '' : `${new URLSearchParams({ [ownQuery.look]: look })}`;
}

/** The survey's path of an address of one of its pages; '' for what is no address. */
function surveyPathOf(referrer = ''): string {
  if (!URL.canParse(referrer)) return '';
  return new URL(referrer).pathname.replace(/\/+$/, '').replace(/\/continue$/, '');
}
