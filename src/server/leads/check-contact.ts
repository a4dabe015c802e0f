/**
 * The phone and e-mail checks (docs/specification.md#phone-check, docs/specification.md#e-mail-check)
 * over whatever service is configured.
 */
import { hash } from 'node:crypto';
import { EMAIL_ACCEPTED_ALERT } from '../../contract/alerts.ts';
import type { EmailCheckAnswer, PhoneCheckAnswer } from '../../contract/checks.ts';
import { normaliseField } from '../../domain/lead/asked-fields.ts';
import { canBePersonsLine, isPhoneNumber } from '../../domain/phone-format.ts';
import { PHONE_FRAUD_SCORE_LIMIT } from '../../domain/thresholds.ts';
import { barePath } from '../../flows/surveys.ts';
import type { Visitor } from '../../intake/visitor.ts';
import type { Alerts, EmailCheck, OwnedLead, PhoneCheck } from './ports.ts';

/** The one message of the phone service that means "invalid and inactive", though it reports failure. */
export const INVALID_NUMBER_MESSAGE =
  'Invalid/nonexistent phone number or country specified is not possible.';

/** Surveys on which `active` is always false, and stops nobody. */
const inactiveSurveys = new Set([
  '/survey/v2',
  '/survey/v3',
  '/survey/v4',
  '/survey/v5',
  '/survey-sd/v3',
  '/survey-sd/v3b',
]);

/**
 * Valid when the service says so, the fraud score is at most 85 and the line is not toll free. A
 * service that fails lets the number pass as valid and active, but for its invalid-number message.
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

/** Blocked addresses that are remembered at most; the oldest goes first. */
const MAX_REMEMBERED = 20_000;

/**
 * Blocked when the service says not valid or disposable. The second time that a visitor gives the same
 * blocked address it is accepted, and the operators are told. A service that fails blocks nothing.
 *
 * What was blocked is remembered in this process, as hashes, by lead and sender: whoever else knows the
 * lead's id does not learn what was given there.
 */
export function createCheckEmail(check: EmailCheck, alert: Alerts) {
  const blockedBefore = new Set<string>();

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
    const key = hash('sha256', `${leadId.toLowerCase()} ${addressKey} ${address}`, 'base64');
    if (blockedBefore.delete(key)) {
      alert(EMAIL_ACCEPTED_ALERT, {
        leadId: leadId.toLowerCase(),
        reason: report.disposable ? 'disposable' : 'invalid',
      });
      return { blocked: false };
    }
    blockedBefore.add(key);
    if (blockedBefore.size > MAX_REMEMBERED) {
      const [oldest] = blockedBefore;
      if (oldest !== undefined) blockedBefore.delete(oldest);
    }
    return { blocked: true };
  };
}
