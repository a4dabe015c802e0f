/** The inputs of a lead besides its body: sender, settings, checks, and earlier answers of services. */
import { hash } from 'node:crypto';
import { normaliseField } from '../fields/asked-fields.ts';
import type { CalendarDate } from '../fields/dates.ts';
import type { TextCheckAnswer, ZipAnswer } from '../messages/checks.ts';
import { isGibberish } from '../rules/gibberish.ts';
import type { LimitationChoice } from '../rules/limitation-years.ts';
import { checkName } from '../rules/names.ts';
import type { ConsentRules } from './consent.ts';
import type { PersonKey } from './person-key.ts';

/** The settings that the rules depend on. */
export type LeadRules = ConsentRules & {
  readonly descriptionLimit: number;
  readonly dateOfBirthStates: readonly string[];
  readonly partialFaultStates: readonly string[];
  /** Overrides the special states of each flow. Undefined: each flow's own. */
  readonly specialStates: readonly string[] | undefined;
  readonly limitation: LimitationChoice;
  readonly forcesTreatment: boolean;
  /** The site's origin (setting PUBLIC_URL). */
  readonly siteOrigin: string | undefined;
};

/** Returns city, state and county of a zip code, or empty strings for an unknown zip code. */
export type ZipCheck = (zip: string) => ZipAnswer;

export type BuildContext = {
  readonly rules: LeadRules;
  readonly checks: TextChecks;
  readonly checkZip: ZipCheck;
  /** Returns the date of a moment in the time zone of the settings. */
  readonly calendar: (moment: Date) => CalendarDate;
  readonly personKey: PersonKey;
};

/** The sender of a request. */
export type Visitor = {
  /** The IP address, as seen through the trusted proxies. */
  readonly address: string;
  /** The key of rate limits: the IP address, or the /64 prefix of an IPv6 address. */
  readonly addressKey: string;
  /** The key of limits on costly requests, such as SMS: the IP address, or the /48 prefix of an IPv6 address. */
  readonly networkKey: string;
  readonly userAgent: string;
  /** The request has the opt-out signal `Sec-GPC: 1`. */
  readonly secGpc: boolean;
  /** The advertising cookies `adCookieNames`. Empty under the opt-out signal. */
  readonly adCookies?: Readonly<Record<string, string>>;
  /** The visitor's experiment variants, as `assignmentText` encodes them. */
  readonly variants?: string;
  /** SHA-256 of the lead secret in the request. Null without a secret. */
  readonly secretSha256: string | null;
  /** URL of the page that sent the request, without its query. Empty without a referrer. */
  readonly page: string;
  /** The origin that the request was sent to. */
  readonly siteOrigin: string;
};

/** Our own checks of free text (docs/specification.md#gibberish-check). */
export type TextChecks = {
  /** Checks a description up to the length limit of the form. */
  ofDescription(text: string): TextCheckAnswer;
  ofName(
    name: string,
    leadSource: string,
  ): { name_gibberish: 'yes' | 'no'; name_bad_word: 'yes' | 'no' };
};

/** Returns the blocked terms in a text, each with its category. */
export type BlockedTermCheck = (
  text: string,
) => readonly { readonly term: string; readonly category: string }[];

/** The category of blocked terms that names are checked for, too. */
const PROFANITY = 'profanity';

/**
 * Creates the checks of free text.
 * @param descriptionLimit the setting DESCRIPTION_LIMIT in characters, which limits the cost of a check
 */
export function createTextChecks(
  blockedTerms: BlockedTermCheck,
  descriptionLimit: number,
): TextChecks {
  return {
    ofDescription(text) {
      const read = text.slice(0, descriptionLimit);
      return {
        is_gibberish: isGibberish(read) ? 'yes' : 'no',
        bad_words: blockedTerms(read).length > 0 ? 'yes' : 'no',
      };
    },
    ofName(name, leadSource) {
      const problem = checkName(name, leadSource);
      const isProfane = blockedTerms(name).some((match) => match.category === PROFANITY);
      return {
        name_gibberish: problem === 'implausible' ? 'yes' : 'no',
        name_bad_word: problem === 'blocked' || isProfane ? 'yes' : 'no',
      };
    },
  };
}

/** The service answers that a decision used, stored with the revision so that it can be reproduced. */
export type ServiceAnswers = {
  /** `yes` for gibberish, by the `askedKey` of the description. */
  readonly gibberish?: Readonly<Record<string, 'yes' | 'no'>>;
  /** Cities, counties and states by zip code of five digits. */
  readonly places?: Readonly<Record<string, ZipAnswer>>;
};

/** Returns the SHA-256 of a service and a value, so that a stored answer does not reveal the value. */
export function askedKey(service: string, value: string): string {
  return hash('sha256', `${service} ${value}`, 'hex');
}

/** Returns the part of a description that checks read: normalised, truncated to DESCRIPTION_LIMIT. */
export function checkedDescription(text: string, limit: number): string {
  return normaliseField('case_description', text).slice(0, limit);
}

/** Returns the five digits of a zip code, or undefined if the zip code is invalid. */
export function checkedZip(given: string): string | undefined {
  const zip = normaliseField('zip_code', given);
  return /^\d{5}$/.test(zip) ? zip : undefined;
}

/** Returns a context that prefers the given service answers to our own checks. */
export function withAnswers(context: BuildContext, answers: ServiceAnswers | null): BuildContext {
  if (answers === null) return context;
  const { gibberish = {}, places = {} } = answers;
  const { checks, checkZip, rules } = context;
  return {
    ...context,
    checkZip: (given) => places[checkedZip(given) ?? ''] ?? checkZip(given),
    checks: {
      ...checks,
      ofDescription(text) {
        const own = checks.ofDescription(text);
        const key = askedKey('gibberish', checkedDescription(text, rules.descriptionLimit));
        return { ...own, is_gibberish: gibberish[key] ?? own.is_gibberish };
      },
    },
  };
}

/** Merges service answers. Later answers override earlier ones. */
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
