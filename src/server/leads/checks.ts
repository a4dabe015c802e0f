/**
 * The checks and look-ups of a survey over the services that are set up, each with its default: the
 * phone and the e-mail check pass, text and zip code are judged by our own (docs/specification.md#errors).
 */
import type { TextCheckAnswer, ZipAnswer } from '../../contract/checks.ts';
import { checkField } from '../../domain/lead/asked-fields.ts';
import { checkText, type TextChecks } from '../../intake/check-texts.ts';
import type { ZipLookup } from '../../intake/context.ts';
import type { PersonKey } from '../../intake/person-key.ts';
import { checkedDescription, checkedZip } from '../../intake/service-answers.ts';
import { type AskOnceOptions, createAskOnce } from './ask-once.ts';
import type { Ask, EmailCheck, EmailReport, OwnedLead, PhoneCheck, PhoneReport } from './ports.ts';

/** What all of them share. */
type Shared = Pick<AskOnceOptions<never>, 'answers' | 'record' | 'now' | 'permit'>;

/** What the checks of a person's number and address share. Their values are few enough to be tried all. */
type OfPerson = Shared & { readonly personKey: PersonKey };

/** The phone check by a service. What it says of a number is kept, and recorded with the lead. */
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

/** The e-mail check by a service; it is not asked about what is no address at all. */
export function emailCheckBy(ask: Ask<string, EmailReport>, options: OfPerson): EmailCheck {
  const { personKey, ...shared } = options;
  const askOnce = createAskOnce<EmailReport>({
    ...shared,
    service: 'email',
    ask,
    asked: (address) => personKey('email', address),
    // Another time the mail server may answer.
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

/** The text check; where the gibberish service says nothing, our own check judges. */
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
    const own = checkText(checks, text);
    const checked = checkedDescription(text, descriptionLimit);
    if (askOnce === undefined || checked === '') return own;
    return { ...own, is_gibberish: (await askOnce(checked, lead)) ?? own.is_gibberish };
  };
}

/** The zip look-up; where the zip service says nothing, our own table answers. */
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
      // The zip code says where somebody lives; that it is known does not.
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
