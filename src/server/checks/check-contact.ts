/** The phone and e-mail checks (docs/specification.md#phone-check, docs/specification.md#e-mail-check). */

import { type NumberType, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { checkField, normaliseField } from '../../model/fields/asked-fields.ts';
import { canBePersonsLine, isPhoneNumber } from '../../model/fields/phone-format.ts';
import { PHONE_FRAUD_SCORE_LIMIT } from '../../model/fields/thresholds.ts';
import { barePath } from '../../model/flows/surveys.ts';
import type { Visitor } from '../../model/lead/context.ts';
import { EMAIL_ACCEPTED_ALERT } from '../../model/messages/alerts.ts';
import type { EmailCheckAnswer, PhoneCheckAnswer } from '../../model/messages/checks.ts';
import type { Alerts } from '../platform/alerts.ts';
import type { OwnedLead } from '../platform/owned-lead.ts';
import type { AskCheck } from './check.ts';

/** The answer of a phone validation service (docs/specification.md#phone-check). */
export type PhoneReport = {
  readonly valid: boolean;
  /** Null if unknown. */
  readonly active: boolean | null;
  /** 0 (clean) to 100. */
  readonly fraud_score: number;
  /** One of Unknown, Toll Free, Wireless, Landline, Satellite, VOIP, Premium Rate and Pager. */
  readonly line_type: string;
};

/** Asks about a phone number of ten digits. If the call throws or returns undefined, the number is accepted. */
type PhoneCheck = AskCheck<string, PhoneReport>;

/** The answer of an e-mail validation service (docs/specification.md#e-mail-check). */
export type EmailReport = {
  readonly valid: boolean;
  readonly disposable: boolean;
  /** 0 (clean) to 100, if the service has a score. */
  readonly fraud_score?: number | undefined;
  /** True if the domain accepts mail, absent if unknown. Recorded only: the check does not use the value. */
  readonly dns_valid?: boolean | undefined;
  /** True if the mail server did not answer the service. The address then counts as valid. */
  readonly timed_out?: boolean | undefined;
};

/** Asks about an e-mail address. If the call throws or returns undefined, the address is accepted. */
export type EmailCheck = AskCheck<string, EmailReport>;

/**
 * Surveys that return `active: false` for every number. `forced` then lets the visitor go on.
 * `keepActive` turns this off.
 */
const inactiveSurveys = new Set([
  '/survey/v2',
  '/survey/v3',
  '/survey/v4',
  '/survey/v5',
  '/survey-sd/v3',
  '/survey-sd/v3b',
]);

/**
 * Creates the phone check. A number is valid if the service says so, its fraud score is at most 85
 * and its line is not toll-free. If the service fails, the number counts as valid.
 * @param keepsActive setting PHONE_KEEP_ACTIVE, which acts like `keepActive` in every request
 */
export function createCheckPhone(check: PhoneCheck, keepsActive = false) {
  return async function checkPhone(
    phone: string,
    survey: string,
    lead?: OwnedLead,
    visitor?: Pick<Visitor, 'networkKey'>,
    keepActive = keepsActive,
  ): Promise<PhoneCheckAnswer> {
    const digits = normaliseField('phone', phone);
    const isAsked = isPhoneNumber(digits) && canBePersonsLine(digits);
    const answer = isAsked ? await ask(() => check(digits, lead, visitor?.networkKey)) : invalid;
    const isInactive = !keepActive && inactiveSurveys.has(barePath(survey));
    return isInactive ? { ...answer, active: false, forced: true } : answer;
  };
}

const invalid: PhoneCheckAnswer = { valid: false, active: false };
const passes: PhoneCheckAnswer = { valid: true, active: true };

async function ask(check: () => ReturnType<PhoneCheck>): Promise<PhoneCheckAnswer> {
  try {
    const report = await check();
    if (!report) return passes;
    const valid =
      report.valid &&
      report.fraud_score <= PHONE_FRAUD_SCORE_LIMIT &&
      report.line_type !== 'Toll Free';
    return { valid, active: report.active ?? valid };
  } catch {
    return passes;
  }
}

const noDate = { today: { year: 1970, month: 1, day: 1 } };
const malformed: EmailReport = { valid: false, disposable: false };

/**
 * Creates the e-mail check. An address is blocked if it is malformed or the service calls it invalid or disposable. If
 * the same visitor enters it again, it is accepted and operators are alerted. Failed calls block nothing.
 * @param countBlocked counts how often a text was blocked, in all processes. The text contains lead, visitor and
 *   address, so that other visitors cannot find out which addresses were entered.
 */
export function createCheckEmail(
  check: EmailCheck,
  countBlocked: (entered: string) => Promise<number>,
  alert: Alerts,
) {
  return async function checkEmail(
    email: string,
    leadId: string,
    {
      addressKey,
      networkKey,
      secretSha256,
    }: Pick<Visitor, 'addressKey' | 'networkKey' | 'secretSha256'>,
  ): Promise<EmailCheckAnswer> {
    const address = normaliseField('email', email);
    const lead = { leadId: leadId.toLowerCase(), secretSha256 };
    const report = checkField('email', address, noDate)
      ? malformed
      : await check(address, lead, networkKey).catch(() => undefined);
    if (!report || (report.valid && !report.disposable)) return { blocked: false };
    // Prefers the visit's secret, because the visitor's IP address may change between two attempts.
    const entered = `${lead.leadId} ${secretSha256 ?? addressKey} ${address}`;
    const times = await countBlocked(entered).catch(() => undefined);
    if (times === 2) {
      const reason = report.disposable ? 'disposable' : 'invalid';
      alert(EMAIL_ACCEPTED_ALERT, { leadId: lead.leadId, reason });
    }
    return { blocked: times === 1 };
  };
}

/** The United States and territories, whose people keep their phone numbers when they move to the mainland. */
const ourCountries = new Set(['US', 'PR', 'VI', 'GU', 'AS', 'MP']);

/** Maps the library's line types to the names that the phone validation service uses. */
const lineTypes: Readonly<Partial<Record<NonNullable<NumberType>, string>>> = {
  TOLL_FREE: 'Toll Free',
  MOBILE: 'Wireless',
  FIXED_LINE: 'Landline',
  VOIP: 'VOIP',
  PREMIUM_RATE: 'Premium Rate',
  PAGER: 'Pager',
};

/**
 * Returns whether the numbering plan allows a number, and its line type. `active` is null, because the plan does not
 * say it. Also rejects some exchanges that the library accepts, although no person can have them.
 */
export async function checkPhoneByPlan(digits: string): Promise<PhoneReport> {
  const number = parsePhoneNumberFromString(digits, 'US');
  const isOurs = number?.isValid() === true && ourCountries.has(number.country ?? '');
  const valid = isOurs && canBePersonsLine(digits);
  const type = number?.getType();
  return {
    valid,
    active: null,
    fraud_score: 0,
    line_type: (type && lineTypes[type]) ?? 'Unknown',
  };
}
