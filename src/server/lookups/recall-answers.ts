import type { ZipAnswer } from '../../contract/checks.ts';
import {
  askedKey,
  checkedDescription,
  checkedZip,
  type ServiceAnswers,
} from '../../intake/service-answers.ts';
import type { AnswerStore } from './ask.ts';

/**
 * Creates the function that recalls what services answered about a post's values during the survey. It calls no
 * service: for unknown values our own checks decide. Never throws.
 *
 * @param services the configured services; if there is none, the result is undefined and posts don't wait
 */
export function createRecallAnswers(options: {
  readonly answers: Pick<AnswerStore, 'recallAll'>;
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
