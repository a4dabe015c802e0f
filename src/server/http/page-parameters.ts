/** Computes the query parameters with which a page is rendered for a request. */
import { randomInt } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Language, languages } from '../../model/fields/language.ts';
import { lookName } from '../../model/fields/look.ts';
import {
  assign,
  assignmentsOn,
  assignmentText,
  readAssignment,
  runningOn,
  withVariants,
} from '../../model/flows/experiments.ts';
import type { Survey } from '../../model/flows/surveys.ts';
import { ownQuery, type PageEntry } from '../../model/messages/page-manifest.ts';
import { setSiteCookie } from '../platform/site-cookie.ts';
import type { Settings } from '../settings/settings.ts';
import { VARIANTS_COOKIE, variantsOf } from './visitor.ts';

/** Number of days for which a visitor sees the same experiment variants. */
const VARIANTS_DAYS = 90;

/** A query parameter of a page. The value '' means that the parameter is absent. */
export type PageParameter = {
  readonly name: string;
  readonly values: readonly string[];
  /** Returns the value for the visitor who sent a request. */
  of(request: FastifyRequest, reply: FastifyReply): string;
};

type Surveys = Pick<Settings, 'surveys' | 'experiments'>;

/** Returns the query parameters of a page at the path `path`, always in the same order. */
export function parametersOf(entry: PageEntry, path: string, given: Surveys): PageParameter[] {
  const { at, query, saysSignal, form } = entry;
  const parameters: PageParameter[] = Object.entries(query).map(([name, declared]) => ({
    name,
    values: ['', ...declared],
    of: (request) => declared.find((value) => value === askedValue(request, name)) ?? '',
  }));
  const add = (name: string, values: readonly string[], of: PageParameter['of']) =>
    parameters.push({ name, values: ['', ...values], of });
  if (saysSignal) {
    add(ownQuery.signal, ['1'], ({ headers }) => (headers['sec-gpc'] === '1' ? '1' : ''));
  }
  if (form) add(ownQuery.marks, ['1'], ({ method }) => (method === 'POST' ? '1' : ''));
  if (at === 'not-found') {
    add(ownQuery.language, ['es'], (request) =>
      languageOf(request, given.surveys) === 'es' ? 'es' : '',
    );
  }
  const look = at === 'thank-you' ? lookParameter(path, given) : undefined;
  const variant = at === 'surveys' ? variantParameter(path, given) : undefined;
  return [...parameters, ...[look, variant].filter((each) => each !== undefined)];
}

/** Returns the query with which the page for this request is rendered. */
export function queryFor(parameters: readonly PageParameter[], reply: FastifyReply): string {
  const { request } = reply;
  return parameters.reduce((query, { name, of }) => withValue(query, name, of(request, reply)), '');
}

/** Returns every combination of the parameters' values as a query. */
export function everyQuery(parameters: readonly PageParameter[]): string[] {
  return parameters.reduce<string[]>(
    (queries, { name, values }) =>
      queries.flatMap((query) => values.map((value) => withValue(query, name, value))),
    [''],
  );
}

function withValue(query: string, name: string, value: string): string {
  const own = value === '' ? '' : `${new URLSearchParams({ [name]: value })}`;
  return [query, own].filter(Boolean).join('&');
}

function askedValue(request: FastifyRequest, name: string): string | null {
  return new URLSearchParams(request.raw.url?.split('?')[1]).get(name);
}

/** Returns the parameter for the visitor's experiment variants; undefined without an experiment. */
function variantParameter(path: string, { experiments }: Surveys): PageParameter | undefined {
  const values = assignmentsOn(path, experiments).map(assignmentText);
  if (values.length === 1) return undefined;
  return {
    name: ownQuery.variant,
    values,
    of(request, reply) {
      if (runningOn(path, experiments).length === 0) return '';
      const value = variantsOf(request);
      const had = readAssignment(value, experiments);
      const seen = assign(path, had, experiments, () => randomInt(2 ** 32) / 2 ** 32);
      const next = assignmentText({ ...had, ...seen });
      if (next !== value) {
        const maxAgeSeconds = VARIANTS_DAYS * 86_400;
        setSiteCookie(reply, { name: VARIANTS_COOKIE, value: next, maxAgeSeconds });
      }
      return assignmentText(seen);
    },
  };
}

/**
 * Returns the parameter `look` of a thank-you page
 * (docs/specification.md#thank-you-pages).
 */
function lookParameter(
  address: string,
  { surveys, experiments }: Surveys,
): PageParameter | undefined {
  const leading = surveys.filter(({ thankYouPath }) => thankYouPath === address);
  const nameOf = (survey: Survey, assignment: ReturnType<typeof readAssignment>) =>
    lookName(withVariants(survey, assignment, experiments));
  const names = new Set(
    leading.flatMap((survey) =>
      assignmentsOn(survey.path, experiments).map((assignment) => nameOf(survey, assignment)),
    ),
  );
  if (names.size < 2) return undefined;
  return {
    name: ownQuery.look,
    values: ['', ...names],
    of(request) {
      const asked = askedValue(request, ownQuery.look) ?? '';
      if (names.has(asked)) return asked;
      const path = surveyPathOf(request.headers.referer);
      const survey = leading.find((each) => each.path === path);
      if (!survey) return '';
      const had = readAssignment(variantsOf(request), experiments);
      // For a visitor without a variant, `() => 0` selects the first variant.
      const shown = assign(path, had, experiments, () => 0);
      return nameOf(survey, shown);
    },
  };
}

/** Returns the path of the survey to which a page's URL belongs; '' if the URL is invalid. */
function surveyPathOf(referrer = ''): string {
  const path = URL.parse(referrer)?.pathname ?? '';
  return path.replace(/\/+$/, '').replace(/\/continue$/, '');
}

/** Returns the language of the error page, from the URL or else from the browser's languages. */
function languageOf({ url, headers }: FastifyRequest, surveys: readonly Survey[]): Language {
  const [path = '', query] = url.split('?');
  if (path === '/es' || path.startsWith('/es/')) return 'es';
  if (new URLSearchParams(query).get('lang') === 'es') return 'es';
  const survey = surveys.find((each) => `${path}/`.startsWith(`${each.path}/`));
  if (survey) return survey.language;
  const wanted = (headers['accept-language'] ?? '').toLowerCase().split(',');
  const ours = wanted.map((range) => languages.find((each) => range.trim().startsWith(each)));
  return ours.find((each) => each !== undefined) ?? 'en';
}
