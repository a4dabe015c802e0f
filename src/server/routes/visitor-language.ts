import type { FastifyRequest } from 'fastify';
import { type Language, languages } from '../../domain/language.ts';
import type { Survey } from '../../flows/surveys.ts';

/**
 * Returns the language of an error page. The address decides if it can (a Spanish page, a survey, `lang` of a
 * thank-you page). Otherwise it is the browser's first choice among ours, or English.
 */
export function languageOf(
  { url, headers }: Pick<FastifyRequest, 'url' | 'headers'>,
  surveys: readonly Pick<Survey, 'path' | 'language'>[],
): Language {
  const [path = '', query] = url.split('?');
  if (path === '/es' || path.startsWith('/es/')) return 'es';
  if (new URLSearchParams(query).get('lang') === 'es') return 'es';
  const survey = surveys.find((each) => `${path}/`.startsWith(`${each.path}/`));
  if (survey) return survey.language;
  // Browsers list languages in order of preference.
  const wanted = (headers['accept-language'] ?? '').split(',').map((range) => range.trim());
  const known = wanted.map((range) =>
    languages.find((each) => range.toLowerCase().slice(0, 2) === each),
  );
  return known.find((each) => each !== undefined) ?? 'en';
}
