/**
 * The phone and e-mail checks (docs/specification.md#phone-check, docs/specification.md#e-mail-check),
 * independent of the configured service.
 */
import { hash } from 'node:crypto';
import { EMAIL_ACCEPTED_ALERT } from '../../contract/alerts.ts';
import type { EmailCheckAnswer, PhoneCheckAnswer } from '../../contract/checks.ts';
import { normaliseField } from '../../domain/asked-fields.ts';
import { canBePersonsLine, isPhoneNumber } from '../../domain/phone-format.ts';
import { PHONE_FRAUD_SCORE_LIMIT } from '../../domain/thresholds.ts';
import { barePath } from '../../flows/surveys.ts';
import type { Visitor } from '../../intake/visitor.ts';
import type { Alerts } from '../base/alerts.ts';
import { setLatest } from '../base/latest.ts';
import type { OwnedLead } from '../base/owned-lead.ts';
import type { EmailCheck, PhoneCheck } from './services.ts';

/** The only failure message of the phone service that means "invalid and inactive". */
export const INVALID_NUMBER_MESSAGE =
  'Invalid/nonexistent phone number or country specified is not possible.';

/** Surveys on which `active` is always false, so it must not stop the visitor. */
const inactiveSurveys = new Set([
  '/survey/v2',
  '/survey/v3',
  '/survey/v4',
  '/survey/v5',
  '/survey-sd/v3',
  '/survey-sd/v3b',
]);

/**
 * Creates the phone check. A number is valid if the service says so, its fraud score is at most 85 and its line
 * is not toll-free. If the service fails, the number passes, unless the message is `INVALID_NUMBER_MESSAGE`.
 */
export function createCheckPhone(check: PhoneCheck) {
  return async function checkPhone(
    phone: string,
    survey: string,
    lead?: OwnedLead,
    visitor?: Pick<Visitor, 'networkKey'>,
  ): Promise<PhoneCheckAnswer> {
    const digits = normaliseField('phone', phone);
    const isAsked = isPhoneNumber(digits) && canBePersonsLine(digits);
    const answer = isAsked ? await ask(() => check(digits, lead, visitor?.networkKey)) : invalid;
    const isInactive = inactiveSurveys.has(barePath(survey));
    return isInactive ? { ...answer, active: false, forced: true } : answer;
  };
}

const invalid: PhoneCheckAnswer = { valid: false, active: false };
const passes: PhoneCheckAnswer = { valid: true, active: true };

async function ask(check: () => ReturnType<PhoneCheck>): Promise<PhoneCheckAnswer> {
  try {
    const report = await check();
    if (!report) return passes;
    if (report.message === INVALID_NUMBER_MESSAGE) return invalid;
    if (!report.success) return passes;
    const valid =
      report.valid &&
      report.fraud_score <= PHONE_FRAUD_SCORE_LIMIT &&
      report.line_type !== 'Toll Free';
    return { valid, active: report.active ?? valid };
  } catch {
    return passes;
  }
}

/** How many blocked addresses to remember; the oldest is dropped first. */
const MAX_REMEMBERED = 20_000;

/**
 * Creates the e-mail check. An address is blocked if the service calls it invalid or disposable. When the same
 * visitor enters it again, it is accepted and the operators are alerted. A failed service blocks nothing.
 *
 * Blocked addresses are remembered in this process, hashed together with lead and sender. So nobody else who
 * knows the lead id can find out which addresses were entered.
 */
export function createCheckEmail(check: EmailCheck, alert: Alerts) {
  const blockedBefore = new Map<string, true>();

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
    const report = await check(address, lead, networkKey).catch(() => undefined);
    if (!report || (report.valid && !report.disposable)) return { blocked: false };
    const key = hash('sha256', `${lead.leadId} ${addressKey} ${address}`, 'base64');
    if (blockedBefore.delete(key)) {
      const reason = report.disposable ? 'disposable' : 'invalid';
      alert(EMAIL_ACCEPTED_ALERT, { leadId: lead.leadId, reason });
      return { blocked: false };
    }
    setLatest(blockedBefore, key, true, MAX_REMEMBERED);
    return { blocked: true };
  };
}
