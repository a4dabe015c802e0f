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
  /** True if the phone number is in use; null if this is unknown. */
  readonly active: boolean | null;
  /** A score from 0 (clean) to 100. */
  readonly fraud_score: number;
  /** One of Unknown, Toll Free, Wireless, Landline, Satellite, VOIP, Premium Rate and Pager. */
  readonly line_type: string;
};

/** Asks a phone validation service about a ten-digit phone number. */
type PhoneCheck = AskCheck<string, PhoneReport>;

/** The answer of an e-mail validation service (docs/specification.md#e-mail-check). */
export type EmailReport = {
  readonly valid: boolean;
  readonly disposable: boolean;
  /** A score from 0 (clean) to 100; absent if the service has no score. */
  readonly fraud_score?: number | undefined;
  /** True if the domain accepts mail; absent if unknown. */
  readonly dns_valid?: boolean | undefined;
  /** True if the mail server did not answer the service. */
  readonly timed_out?: boolean | undefined;
};

/** Asks an e-mail validation service about an e-mail address. */
export type EmailCheck = AskCheck<string, EmailReport>;

/** Surveys for which the phone check returns `active: false` for every number. */
const inactiveSurveys = new Set([
  '/survey/v2',
  '/survey/v3',
  '/survey/v4',
  '/survey/v5',
  '/survey-sd/v3',
  '/survey-sd/v3b',
]);

/** Creates the phone check. If the service fails, the check accepts every well-formed number. */
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

/** Creates the e-mail check. A blocked address is accepted when the visitor enters it again. */
export function createCheckEmail(
  check: EmailCheck,
  countBlocked: (entered: string) => Promise<number>,
  alert: Alerts,
) {
  return async function checkEmail(
    email: string,
    leadId: string,
    visitor: Pick<Visitor, 'addressKey' | 'networkKey' | 'secretSha256'>,
  ): Promise<EmailCheckAnswer> {
    const { addressKey, networkKey, secretSha256 } = visitor;
    const address = normaliseField('email', email);
    const lead = { leadId: leadId.toLowerCase(), secretSha256 };
    const report = checkField('email', address, noDate)
      ? malformed
      : await check(address, lead, networkKey).catch(() => undefined);
    if (!report || (report.valid && !report.disposable)) return { blocked: false };
    // Includes `lead.leadId`, so that a visitor cannot learn which e-mail addresses others entered.
    const entered = `${lead.leadId} ${secretSha256 ?? addressKey} ${address}`;
    const times = await countBlocked(entered).catch(() => undefined);
    if (times === 2) {
      const reason = report.disposable ? 'disposable' : 'invalid';
      alert(EMAIL_ACCEPTED_ALERT, { leadId: lead.leadId, reason });
    }
    return { blocked: times === 1 };
  };
}

/** The US and its territories, because people who move to the mainland keep their phone numbers. */
const ourCountries = new Set(['US', 'PR', 'VI', 'GU', 'AS', 'MP']);

/** Maps the library's line types to the phone validation service's names. */
const lineTypes: Readonly<Partial<Record<NonNullable<NumberType>, string>>> = {
  TOLL_FREE: 'Toll Free',
  MOBILE: 'Wireless',
  FIXED_LINE: 'Landline',
  VOIP: 'VOIP',
  PREMIUM_RATE: 'Premium Rate',
  PAGER: 'Pager',
};

/** Checks a phone number by the US numbering plan, without calling a service. */
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
