/** In which look a thank-you page is shown to whom (docs/specification.md#thank-you-pages). */
import type { FastifyRequest } from 'fastify';
import { ownQuery } from '../../contract/page-manifest.ts';
import { lookName } from '../../domain/look.ts';
import {
  type Assignment,
  assign,
  assignmentsOn,
  type Experiment,
  readAssignment,
  withVariants,
} from '../../flows/experiments.ts';
import type { Survey } from '../../flows/surveys.ts';
import { variantsOf } from './experiments.ts';

/** The looks that a thank-you page has. */
export type PageLooks = {
  readonly names: ReadonlySet<string>;
  /**
   * Returns the look in which a visitor saw a survey; undefined for one that does not lead there.
   *
   * @param variants those of the visitor's cookie
   */
  of(path: string, variants: string): string | undefined;
};

/** Returns the looks of a thank-you page, or undefined where all surveys that lead there have the same. */
export function looksAt(
  address: string,
  surveys: readonly Survey[],
  experiments: readonly Experiment[],
): PageLooks | undefined {
  const leading = surveys.filter(({ thankYouPath }) => thankYouPath === address);
  const nameOf = (survey: Survey, assignment: Assignment) =>
    lookName(withVariants(survey, assignment, experiments));
  const names = new Set(
    leading.flatMap((survey) =>
      assignmentsOn(survey.path, experiments).map((assignment) => nameOf(survey, assignment)),
    ),
  );
  if (names.size < 2) return undefined;
  return {
    names,
    of(path, variants) {
      const survey = leading.find((each) => each.path === path);
      if (!survey) return undefined;
      const had = readAssignment(variants, experiments);
      // Of an experiment that the visitor is new to, the first variant: how the row says it.
      const seen = assign(path, had, experiments, () => 0);
      return nameOf(survey, seen);
    },
  };
}

/**
 * Returns the part of the query that asks for the look of the survey that a visitor comes from: the browser says
 * which page that is (`Referer`) and which variants it had, and the link to the other language names the look. ''
 * where neither does.
 */
export function lookQuery(looks: PageLooks, request: FastifyRequest): string {
  const asked = new URLSearchParams(request.raw.url?.split('?')[1] ?? '').get(ownQuery.look) ?? '';
  const look = looks.names.has(asked)
    ? asked
    : looks.of(surveyPathOf(request.headers.referer), variantsOf(request));
  return look === undefined ? '' : `${new URLSearchParams({ [ownQuery.look]: look })}`;
}

/** The survey's path of an address of one of its pages; '' for what is no address. */
function surveyPathOf(referrer = ''): string {
  if (!URL.canParse(referrer)) return '';
  return new URL(referrer).pathname.replace(/\/+$/, '').replace(/\/continue$/, '');
}
