/**
 * The survey's checks and look-ups on top of the configured services. If a service fails, phone and e-mail pass,
 * and our own check or table judges text and zip code (docs/specification.md#errors).
 */
import type { TextCheckAnswer, ZipAnswer } from '../../contract/checks.ts';
import { checkField } from '../../domain/asked-fields.ts';
import type { TextChecks } from '../../intake/check-texts.ts';
import type { ZipLookup } from '../../intake/context.ts';
import type { PersonKey } from '../../intake/person-key.ts';
import {
  askedKey,
  checkedDescription,
  checkedZip,
  type ServiceAnswers,
} from '../../intake/service-answers.ts';
import type { OwnedLead } from '../base/owned-lead.ts';
import type { Ask } from './ask.ts';
import { type AskOnceOptions, createAskOnce } from './ask-once.ts';
import type { CheckAnswers } from './check-answers.ts';
import type { EmailCheck, EmailReport, PhoneCheck, PhoneReport } from './check-contact.ts';

type Shared = Pick<AskOnceOptions<never>, 'answers' | 'record' | 'now' | 'permit'>;

/** Plain hashes of phone numbers and e-mail addresses could be guessed, so their answers are stored under keys. */
type OfPerson = Shared & { readonly personKey: PersonKey };

/** Creates the phone check of a service. Its answers are cached and recorded with the lead. */
export function phoneCheckBy(ask: Ask<string, PhoneReport>, options: OfPerson): PhoneCheck {
  const { personKey, ...shared } = options;
  return createAskOnce<PhoneReport>({
    ...shared,
    service: 'phone',
    ask,
    asked: (number) => personKey('phone', number),
    summary: ({ valid, active, fraud_score, line_type }) => ({
      valid,
      active,
      fraud_score,
      line_type,
    }),
  });
}

const noDate = { today: { year: 1970, month: 1, day: 1 } };

/** Creates the e-mail check of a service, which is not asked about malformed addresses. */
export function emailCheckBy(ask: Ask<string, EmailReport>, options: OfPerson): EmailCheck {
  const { personKey, ...shared } = options;
  const askOnce = createAskOnce<EmailReport>({
    ...shared,
    service: 'email',
    ask,
    asked: (address) => personKey('email', address),
    // Not cached, because the mail server may answer next time.
    isKept: ({ timed_out = false }) => !timed_out,
    summary: ({ valid, disposable, fraud_score, dns_valid, timed_out }) => ({
      valid,
      disposable,
      fraud_score,
      dns_valid,
      ...(timed_out ? { timed_out } : {}),
    }),
  });
  return async (email, lead, networkKey) =>
    checkField('email', email, noDate)
      ? { valid: false, disposable: false }
      : askOnce(email, lead, networkKey);
}

/** Creates the text check. Our own check decides if the gibberish service has no answer. */
export function createCheckText(
  options: Shared & {
    readonly ask: Ask<string, 'yes' | 'no'> | undefined;
    readonly checks: TextChecks;
    readonly descriptionLimit: number;
  },
): (text: string, lead?: OwnedLead) => Promise<TextCheckAnswer> {
  const { ask, checks, descriptionLimit, ...shared } = options;
  const askOnce =
    ask &&
    createAskOnce<'yes' | 'no'>({
      ...shared,
      service: 'gibberish',
      ask,
      summary: (is_gibberish) => ({ is_gibberish }),
    });
  return async (text, lead) => {
    const own = checks.ofDescription(text);
    const checked = checkedDescription(text, descriptionLimit);
    if (askOnce === undefined || checked === '') return own;
    return { ...own, is_gibberish: (await askOnce(checked, lead)) ?? own.is_gibberish };
  };
}

/** Creates the zip look-up. Our own table answers if the zip service has no answer. */
export function createLookUpZip(
  options: Shared & { readonly ask: Ask<string, ZipAnswer> | undefined; readonly own: ZipLookup },
): (zip: string, lead?: OwnedLead) => Promise<ZipAnswer> {
  const { ask, own, ...shared } = options;
  const askOnce =
    ask &&
    createAskOnce<ZipAnswer>({
      ...shared,
      service: 'zip',
      ask,
      // The place is personal data; that the zip code is known is not.
      summary: ({ city, state, state_long, county }) => ({
        known: Boolean(city && state && state_long && county),
      }),
    });
  return async (given, lead) => {
    const zip = checkedZip(given);
    if (askOnce === undefined || zip === undefined) return own(given);
    return (await askOnce(zip, lead)) ?? own(zip);
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
