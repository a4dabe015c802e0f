/** The looks of thank-you pages, which follow the surveys (docs/specification.md#thank-you-pages). */
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

/** The looks of a thank-you page. */
export type PageLooks = {
  readonly names: ReadonlySet<string>;
  /**
   * Returns the look in which a visitor saw a survey, or undefined if it does not lead to the page.
   *
   * @param variants the value of the visitor's cookie
   */
  of(path: string, variants: string): string | undefined;
};

/** Returns the looks of a thank-you page, or undefined if all its surveys have the same look. */
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
      // A visitor new to an experiment counts as having seen its first variant, which is the row's look.
      const seen = assign(path, had, experiments, () => 0);
      return nameOf(survey, seen);
    },
  };
}

/**
 * Returns the query parameter for the look of a visitor's thank-you page, or '' for the default. The look comes
 * from the link to the other language, or from the survey in the `Referer` and the visitor's variants.
 */
export function lookQuery(looks: PageLooks, request: FastifyRequest): string {
  const asked = new URLSearchParams(request.raw.url?.split('?')[1] ?? '').get(ownQuery.look) ?? '';
  const look = looks.names.has(asked)
    ? asked
    : looks.of(surveyPathOf(request.headers.referer), variantsOf(request));
  return look === undefined ? '' : `${new URLSearchParams({ [ownQuery.look]: look })}`;
}

/** Returns the survey's path for an address of one of its pages; '' if the address is invalid. */
function surveyPathOf(referrer = ''): string {
  if (!URL.canParse(referrer)) return '';
  return new URL(referrer).pathname.replace(/\/+$/, '').replace(/\/continue$/, '');
}
