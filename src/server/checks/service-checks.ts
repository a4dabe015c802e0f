/**
 * The survey's text check and zip look-up. If the service fails, our own check or table decides
 * (docs/specification.md#errors).
 */

import {
  askedKey,
  checkedDescription,
  checkedZip,
  type ServiceAnswers,
  type TextChecks,
  type ZipLookup,
} from '../../model/lead/context.ts';
import type { TextCheckAnswer, ZipAnswer } from '../../model/messages/checks.ts';
import type { OwnedLead } from '../platform/owned-lead.ts';
import type { AskCheck } from './check.ts';
import type { CheckAnswers } from './check-answers.ts';

/** Creates the text check. Our own check decides if the gibberish service has no answer. */
export function createCheckText(
  ask: AskCheck<string, 'yes' | 'no'> | undefined,
  checks: TextChecks,
  descriptionLimit: number,
) {
  return async (text: string, lead?: OwnedLead): Promise<TextCheckAnswer> => {
    const own = checks.ofDescription(text);
    const checked = checkedDescription(text, descriptionLimit);
    if (ask === undefined || checked === '') return own;
    return { ...own, is_gibberish: (await ask(checked, lead)) ?? own.is_gibberish };
  };
}

/** Creates the zip look-up. Our own table answers if the zip service has no answer. */
export function createLookUpZip(ask: AskCheck<string, ZipAnswer> | undefined, own: ZipLookup) {
  return async (given: string, lead?: OwnedLead): Promise<ZipAnswer> => {
    const zip = checkedZip(given);
    if (ask === undefined || zip === undefined) return own(given);
    return (await ask(zip, lead)) ?? own(zip);
  };
}

/**
 * Creates the function that recalls what services answered about a post's values during the survey. It calls no
 * service: for unknown values our own checks decide. Never throws.
 *
 * @param services the configured services; if there is none, the result is undefined and posts don't wait
 */
export function createRecallAnswers(options: {
  readonly answers: Pick<CheckAnswers, 'recallAll'>;
  readonly services: { readonly gibberish: boolean; readonly zip: boolean };
  readonly descriptionLimit: number;
}): ((body: Readonly<Record<string, unknown>>) => Promise<ServiceAnswers | null>) | undefined {
  const { answers, services, descriptionLimit } = options;
  if (!services.gibberish && !services.zip) return undefined;
  return async ({ case_description, zip_code }) => {
    const text =
      services.gibberish && typeof case_description === 'string' && case_description !== ''
        ? askedKey('gibberish', checkedDescription(case_description, descriptionLimit))
        : undefined;
    const zip = services.zip && typeof zip_code === 'string' ? checkedZip(zip_code) : undefined;
    const place = zip && askedKey('zip', zip);
    const found = await answers.recallAll([
      ...(text ? [{ service: 'gibberish', asked: text } as const] : []),
      ...(place ? [{ service: 'zip', asked: place } as const] : []),
    ]);
    const isGibberish = text && found.get(text);
    const where = place && found.get(place);
    const known: ServiceAnswers = {
      ...(text && isGibberish ? { gibberish: { [text]: isGibberish as 'yes' | 'no' } } : {}),
      ...(zip && where ? { places: { [zip]: where as ZipAnswer } } : {}),
    };
    return Object.keys(known).length === 0 ? null : known;
  };
}
