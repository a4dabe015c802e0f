/** What a lead is built with: the sender of the post, settings, checks, look-ups, and earlier answers of services. */
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
  /** Overrides the list of each flow; undefined: the flow's own. */
  readonly specialStates: readonly string[] | undefined;
  readonly limitation: LimitationChoice;
  readonly forcesTreatment: boolean;
  /** The site's origin (setting PUBLIC_URL). */
  readonly siteOrigin: string | undefined;
};

/** Returns city, state and county of a zip code; empty strings if it is unknown. */
export type ZipCheck = (zip: string) => ZipAnswer;

export type BuildContext = {
  readonly rules: LeadRules;
  readonly checks: TextChecks;
  readonly checkZip: ZipCheck;
  /** Returns the date of a moment, in the time zone of the rules. */
  readonly calendar: (moment: Date) => CalendarDate;
  readonly personKey: PersonKey;
};

/** What a request says about its sender. */
export type Visitor = {
  /** The IP address, as seen through the trusted proxies. */
  readonly address: string;
  /** The key of request limits, one per visitor: the address, or the /64 of an IPv6 address. */
  readonly addressKey: string;
  /** The key of costly limits, such as of SMS: the address, or the /48 of an IPv6 address, which one site has. */
  readonly networkKey: string;
  readonly userAgent: string;
  /** Whether `Sec-GPC: 1` opts out of sale and sharing. */
  readonly secGpc: boolean;
  /** The values of `adCookieNames` in the browser. Default: none, as with the opt-out signal. */
  readonly adCookies?: Readonly<Record<string, string>>;
  /** The experiment variants that the browser saw (`assignmentText`). Default: none. */
  readonly variants?: string;
  /** SHA-256 of the lead secret that the request sent; null: it sent none. */
  readonly secretSha256: string | null;
  /** The page that sent the request, without its query; empty if the browser did not say. */
  readonly page: string;
  /** The origin that the request was sent to. */
  readonly siteOrigin: string;
};

/** Our own checks of free text (docs/specification.md#gibberish-check and the sections after it). */
export type TextChecks = {
  /** Checks a description up to the page's length limit. */
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

/** The category of blocked terms that also makes a name bad. */
const PROFANITY = 'profanity';

/**
 * @param blockedTerms our lists
 * @param descriptionLimit the setting DESCRIPTION_LIMIT, in characters; it bounds the cost of a check
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

/** Returns a context that prefers the given service answers to our own checks and look-ups. */
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
