import type { FastifyRequest } from 'fastify';
import { type Language, languages } from '../../domain/language.ts';
import type { Survey } from '../../flows/surveys.ts';

/**
 * The language of a page that stands in for another: that of the address where it tells (a Spanish page, a
 * survey, `lang` of a thank-you page), else the first of ours that the browser asks for, else English.
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
  // Browsers name them in the order in which their user wants them.
  const wanted = (headers['accept-language'] ?? '').split(',').map((range) => range.trim());
  const known = wanted.map((range) =>
    languages.find((each) => range.toLowerCase().slice(0, 2) === each),
  );
  return known.find((each) => each !== undefined) ?? 'en';
}
