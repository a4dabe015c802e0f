/** Earlier answers of check services about a lead's values. The rules use them but never call a service. */
import { hash } from 'node:crypto';
import { normaliseField } from '../fields/asked-fields.ts';
import type { ZipAnswer } from '../messages/checks.ts';
import type { BuildContext } from './context.ts';

/**
 * The service answers that a decision used. They are stored with the revision, so the decision can be
 * reproduced. For all other values our own checks decided, in the version that the revision names.
 */
export type ServiceAnswers = {
  /** Whether a description is gibberish, by its `askedKey`. */
  readonly gibberish?: Readonly<Record<string, 'yes' | 'no'>>;
  /** By zip code of five digits. */
  readonly places?: Readonly<Record<string, ZipAnswer>>;
};

/** Returns the hexadecimal SHA-256 of a service and a value: finds an answer without storing the value. */
export function askedKey(service: string, value: string): string {
  return hash('sha256', `${service} ${value}`, 'hex');
}

/** Returns a description as it is checked: normalised and cut to the setting DESCRIPTION_LIMIT. */
export function checkedDescription(text: string, limit: number): string {
  return normaliseField('case_description', text).slice(0, limit);
}

/** Returns a zip code as it is looked up; undefined if it is not valid. */
export function checkedZip(given: string): string | undefined {
  const zip = normaliseField('zip_code', given);
  return /^\d{5}$/.test(zip) ? zip : undefined;
}

/** Returns a context whose checks and look-ups prefer the given service answers to our own. */
export function withAnswers(context: BuildContext, answers: ServiceAnswers | null): BuildContext {
  if (answers === null) return context;
  const { gibberish = {}, places = {} } = answers;
  const { checks, lookUpZip, rules } = context;
  return {
    ...context,
    lookUpZip: (given) => places[checkedZip(given) ?? ''] ?? lookUpZip(given),
    checks: {
      ...checks,
      ofDescription(text) {
        const own = checks.ofDescription(text);
        const checked = checkedDescription(text, rules.descriptionLimit);
        return {
          ...own,
          is_gibberish: gibberish[askedKey('gibberish', checked)] ?? own.is_gibberish,
        };
      },
    },
  };
}

/** Merges service answers; later ones override earlier ones. */
export function mergeAnswers(
  earlier: ServiceAnswers | null,
  later: ServiceAnswers | null,
): ServiceAnswers | null {
  if (earlier === null || later === null) return earlier ?? later;
  return {
    gibberish: { ...earlier.gibberish, ...later.gibberish },
    places: { ...earlier.places, ...later.places },
  };
}
