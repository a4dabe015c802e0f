/** What third parties had answered about values of a lead: given to the rules, never asked by them. */
import { hash } from 'node:crypto';
import type { ZipAnswer } from '../contract/checks.ts';
import { normaliseField } from '../domain/lead/asked-fields.ts';
import type { BuildContext } from './context.ts';

/**
 * Kept on the revision, so that it can be decided again. What is not in it was decided by our own
 * checks, whose version the revision names.
 */
export type ServiceAnswers = {
  /** Whether a description is gibberish, by its `askedKey`. */
  readonly gibberish?: Readonly<Record<string, 'yes' | 'no'>>;
  /** By zip code of five digits. */
  readonly places?: Readonly<Record<string, ZipAnswer>>;
};

/** SHA-256, hexadecimal, of the service and what it was asked: a value is found again without being kept. */
export function askedKey(service: string, value: string): string {
  return hash('sha256', `${service} ${value}`, 'hex');
}

/** A description as it is checked: no more of it than a page takes (setting DESCRIPTION_LIMIT). */
export function checkedDescription(text: string, limit: number): string {
  return normaliseField('case_description', text).slice(0, limit);
}

/** A zip code as it is looked up; undefined: it is none. */
export function checkedZip(given: string): string | undefined {
  const zip = normaliseField('zip_code', given);
  return /^\d{5}$/.test(zip) ? zip : undefined;
}

/** The checks and look-ups of a lead: by what services had answered, else our own. */
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

/** Later answers over earlier ones; null: there are none at all. */
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
