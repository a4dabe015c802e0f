/** The inputs of building a lead except the body: sender, settings, checks, answers of services. */
import { hash } from 'node:crypto';
import { normaliseField } from '../fields/asked-fields.ts';
import type { CalendarDate } from '../fields/dates.ts';
import type { TextCheckAnswer, ZipAnswer } from '../messages/checks.ts';
import type { BlockedTermMatcher } from '../rules/blocked-terms.ts';
import { isGibberish } from '../rules/gibberish.ts';
import type { LimitationChoice } from '../rules/limitation-years.ts';
import { checkName } from '../rules/names.ts';
import type { ConsentRules } from './consent.ts';
import type { PersonKey } from './person-key.ts';

export type LeadRules = ConsentRules & {
  readonly descriptionLimit: number;
  readonly dateOfBirthStates: readonly string[];
  readonly partialFaultStates: readonly string[];
  /** Special states of all flows (docs/specification.md#special-states). Default: each flow's. */
  readonly specialStates: readonly string[] | undefined;
  readonly limitation: LimitationChoice;
  readonly forcesTreatment: boolean;
  /** The site's origin (setting PUBLIC_URL). */
  readonly siteOrigin: string | undefined;
};

/** Returns the place of a zip code. All fields are '' for an unknown zip code. */
export type ZipCheck = (zip: string) => ZipAnswer;

export type BuildContext = {
  readonly rules: LeadRules;
  readonly checks: TextChecks;
  readonly checkZip: ZipCheck;
  /** Returns the day of a moment in the configured time zone. */
  readonly calendar: (moment: Date) => CalendarDate;
  readonly personKey: PersonKey;
};

/** The sender of a request. */
export type Visitor = {
  /** The visitor's IP address, as trusted proxies report it. */
  readonly address: string;
  /** Key of rate limits: the IPv4 address, or the /64 prefix of an IPv6 address. */
  readonly addressKey: string;
  /** Key of rate limits for costly requests such as SMS. For an IPv6 address, its /48 prefix. */
  readonly networkKey: string;
  readonly userAgent: string;
  readonly secGpc: boolean;
  /** The cookies in `adCookieNames`. Empty if the request has the opt-out signal. */
  readonly adCookies?: Readonly<Record<string, string>>;
  /** The visitor's experiment variants, encoded by `assignmentText`. */
  readonly variants?: string;
  /** SHA-256 of the lead secret in the request. Null without a secret. */
  readonly secretSha256: string | null;
  /** URL of the page that sent the request, without query. Empty if unknown. */
  readonly page: string;
  readonly siteOrigin: string;
};

/** Our own checks of texts (docs/specification.md#gibberish-check). */
export type TextChecks = {
  ofDescription(text: string): TextCheckAnswer;
  ofName(
    name: string,
    leadSource: string,
  ): { name_gibberish: 'yes' | 'no'; name_bad_word: 'yes' | 'no' };
};

/** The only category of blocked terms for which names are checked. */
const PROFANITY = 'profanity';

/** Creates the checks of descriptions and names. */
export function createTextChecks(blockedTerms: BlockedTermMatcher): TextChecks {
  return {
    ofDescription(text) {
      return {
        is_gibberish: isGibberish(text) ? 'yes' : 'no',
        bad_words: blockedTerms(text).length > 0 ? 'yes' : 'no',
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

/** Answers of check services, stored with the revision so that its decision can be reproduced. */
export type ServiceAnswers = {
  /** Results of gibberish checks, by `askedKey` of the description. */
  readonly gibberish?: Readonly<Record<string, 'yes' | 'no'>>;
  readonly places?: Readonly<Record<string, ZipAnswer>>;
};

/** Returns a hash of a service and a value. It identifies an answer without revealing the value. */
export function askedKey(service: string, value: string): string {
  return hash('sha256', `${service} ${value}`, 'hex');
}

/** Returns the normalised description, which the gibberish service checks. */
export function checkedDescription(text: string): string {
  return normaliseField('case_description', text);
}

/** Returns the five digits of a zip code, or undefined if the zip code is invalid. */
export function checkedZip(given: string): string | undefined {
  const zip = normaliseField('zip_code', given);
  return /^\d{5}$/.test(zip) ? zip : undefined;
}

/** Returns a context whose checks return a stored answer if there is one. */
export function withAnswers(context: BuildContext, answers: ServiceAnswers | null): BuildContext {
  if (answers === null) return context;
  const { gibberish = {}, places = {} } = answers;
  const { checks, checkZip } = context;
  return {
    ...context,
    checkZip: (given) => places[checkedZip(given) ?? ''] ?? checkZip(given),
    checks: {
      ...checks,
      ofDescription(text) {
        const own = checks.ofDescription(text);
        const key = askedKey('gibberish', checkedDescription(text));
        return { ...own, is_gibberish: gibberish[key] ?? own.is_gibberish };
      },
    },
  };
}

/** Merges answers of services. Later answers replace earlier ones. */
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
