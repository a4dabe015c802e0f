import { hash } from 'node:crypto';
import { normaliseField } from '../fields/asked-fields.ts';
import type { CalendarDate } from '../fields/dates.ts';
import type { TextCheckAnswer, ZipAnswer } from '../messages/checks.ts';
import type { AuthorizationRules } from '../rules/authorization-text.ts';
import type { BlockedTermMatcher } from '../rules/blocked-terms.ts';
import { isGibberish } from '../rules/gibberish.ts';
import type { LimitationChoice } from '../rules/limitation-years.ts';
import { checkName } from '../rules/names.ts';
import type { StateRuleSettings } from '../rules/state-rules.ts';
import type { FindZipZone } from './call-times.ts';
import type { ConsentRules } from './consent.ts';
import type { PersonKey } from './person-key.ts';

export type LeadRules = ConsentRules & {
  readonly descriptionLimit: number;
  readonly dateOfBirthStates: readonly string[];
  readonly partialFaultStates: readonly string[];
  /** The special states that apply to all flows (docs/specification.md#special-states). */
  readonly specialStates: readonly string[] | undefined;
  readonly limitation: LimitationChoice;
  readonly forcesTreatment: boolean;
  readonly stateRules: StateRuleSettings;
  readonly siteOrigin: string | undefined;
  /** Default: no lead needs an authorization to sell health answers. */
  readonly authorization?: AuthorizationRules;
};

/** Returns the city, the county and the U.S. state of a zip code, with '' for unknown values. */
export type ZipCheck = (zip: string) => ZipAnswer;

export type BuildContext = {
  readonly rules: LeadRules;
  readonly checks: TextChecks;
  readonly checkZip: ZipCheck;
  readonly zipZone: FindZipZone;
  /** Returns the day in the configured time zone. */
  readonly calendar: (moment: Date) => CalendarDate;
  readonly personKey: PersonKey;
};

/** The visitor who sent a request. */
export type Visitor = {
  /** The visitor's IP address. */
  readonly address: string;
  /** The key for counting requests: an IPv4 address, or the /64 network of an IPv6 address. */
  readonly addressKey: string;
  /** The key for counting costly requests, such as requests for SMS codes. */
  readonly networkKey: string;
  /** The U.S. state that a trusted proxy tells. */
  readonly state?: string;
  readonly userAgent: string;
  readonly secGpc: boolean;
  /** The cookies of ad networks. Empty if the browser sends the opt-out signal. */
  readonly adCookies?: Readonly<Record<string, string>>;
  /** The visitor's experiment variants, as `assignmentText` encodes them. */
  readonly variants?: string;
  /** The SHA-256 of the lead secret in the request. */
  readonly secretSha256: string | null;
  /** The URL of the page that sent the request, without query. */
  readonly page: string;
  readonly siteOrigin: string;
};

/** The checks of texts that call no third party (docs/specification.md#gibberish-check). */
export type TextChecks = {
  ofDescription(text: string): TextCheckAnswer;
  /** Returns the lead fields about a person's names. */
  ofNames(names: readonly string[], leadSource: string): Readonly<Record<string, 'yes' | 'no'>>;
};

/** The category of blocked terms that names must not contain. */
const PROFANITY = 'profanity';

/** Returns the checks of descriptions and names. */
export function createTextChecks(blockedTerms: BlockedTermMatcher): TextChecks {
  return {
    ofDescription(text) {
      return {
        is_gibberish: isGibberish(text) ? 'yes' : 'no',
        bad_words: blockedTerms(text).length > 0 ? 'yes' : 'no',
      };
    },
    ofNames(names, leadSource) {
      const problems = names.map((name) => checkName(name, leadSource));
      const isProfane = names.flatMap(blockedTerms).some(({ category }) => category === PROFANITY);
      return {
        name_gibberish: problems.includes('implausible') ? 'yes' : 'no',
        name_bad_word: problems.includes('blocked') || isProfane ? 'yes' : 'no',
      };
    },
  };
}

/** The answers of check services. They are stored, so that the decision can be repeated. */
export type ServiceAnswers = {
  /** The results of gibberish checks, by `askedKey`. */
  readonly gibberish?: Readonly<Record<string, 'yes' | 'no'>>;
  readonly places?: Readonly<Record<string, ZipAnswer>>;
};

/** Returns a hash that identifies a service's answer without revealing the checked value. */
export function askedKey(service: string, value: string): string {
  return hash('sha256', `${service} ${value}`, 'hex');
}

/** Returns the description in the form that the gibberish service checks. */
export function checkedDescription(text: string): string {
  return normaliseField('case_description', text);
}

/** Returns the five digits of a valid zip code. */
export function checkedZip(given: string): string | undefined {
  const zip = normaliseField('zip_code', given);
  return /^\d{5}$/.test(zip) ? zip : undefined;
}

/** Returns a context that checks a value only if no stored answer exists. */
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

/** Merges the answers of services. Later answers replace earlier answers. */
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
