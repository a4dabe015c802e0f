/** The use case of phone verification (docs/specification.md#sms-verification). */

import { normaliseField } from '../../model/fields/asked-fields.ts';
import type { Language } from '../../model/fields/language.ts';
import { isPhoneNumber } from '../../model/fields/phone-format.ts';
import type { SurveyTable } from '../../model/flows/survey-table.ts';
import type { Visitor } from '../../model/lead/context.ts';
import { type PhoneCodeAnswer, SMS_CODE_CHARACTERS } from '../../model/messages/phone-code.ts';
import { StoreUnavailableError } from '../platform/errors.ts';
import type { PhoneReport } from './check-contact.ts';
import type {
  CheckOutcome,
  CodeSendOutcome,
  PhoneCodeLimits,
  PhoneCodePermit,
  PhoneCodeStore,
} from './phone-code-permits.ts';

/** Sends codes by SMS to ten-digit numbers, and checks codes. Never throws. */
export type PhoneVerifier = {
  send(digits: string, language: Language): Promise<CodeSendOutcome>;
  check(digits: string, code: string): Promise<CheckOutcome>;
};

/** Line types that cannot receive texts, or whose owner earns money for each text. */
const refusedLines = ['Toll Free', 'Premium Rate'];

const answers = {
  unavailable: { status: 'unavailable', sent: false },
  pending: { status: 'pending', sent: true },
  approved: { status: 'approved', sent: false },
  tooMany: { status: 'too_many', sent: false },
  expired: { status: 'expired', sent: false },
  refused: { status: 'refused', sent: false },
} as const satisfies Readonly<Record<string, PhoneCodeAnswer>>;

/** Maps each refusal to an answer. For another visitor's visit, the answer reveals nothing. */
const withoutPermit: Readonly<Record<Exclude<PhoneCodePermit, object>, PhoneCodeAnswer>> = {
  approved: answers.approved,
  recent: answers.pending,
  none: answers.expired,
  over: answers.tooMany,
  not_yours: answers.unavailable,
};

/** Maps each outcome of sending or checking a code to an answer. */
const afterwards: Readonly<Record<CodeSendOutcome | CheckOutcome, PhoneCodeAnswer>> = {
  sent: answers.pending,
  approved: answers.approved,
  wrong: answers.pending,
  expired: answers.expired,
  too_many: answers.tooMany,
  blocked: answers.refused,
  failed: answers.unavailable,
};

const CODE = new RegExp(`^\\d{${SMS_CODE_CHARACTERS}}$`);

/** Sends a code to a phone number, or checks the code that the visitor typed. */
export type VerifyPhone = (
  request: {
    readonly leadId: string;
    readonly survey: string;
    readonly phone: string;
    /** The code that the visitor typed. Empty: a new code is sent. */
    readonly code: string;
  },
  visitor: Pick<Visitor, 'secretSha256' | 'networkKey'>,
) => Promise<PhoneCodeAnswer>;

/** Creates the use case, which answers `unavailable` after failures or without a `verifier`. */
export function createVerifyPhone(options: {
  readonly verifier: PhoneVerifier | undefined;
  readonly store: PhoneCodeStore;
  readonly surveys: SurveyTable;
  checkLine(digits: string): Promise<PhoneReport>;
  readonly limits: PhoneCodeLimits;
}): VerifyPhone {
  const { verifier, store, surveys, checkLine, limits } = options;

  async function isRefused(digits: string): Promise<boolean> {
    if (!isPhoneNumber(digits)) return true;
    const { valid, line_type } = await checkLine(digits);
    return !valid || refusedLines.includes(line_type);
  }

  return async ({ leadId, survey: path, phone, code }, { secretSha256, networkKey }) => {
    const survey = surveys(path)?.survey;
    if (!verifier || !survey?.verifiesPhone) return answers.unavailable;
    const digits = normaliseField('phone', phone);
    if (await isRefused(digits)) return answers.refused;
    // A malformed code cannot be right, so the code does not count as an attempt.
    if (code !== '' && !CODE.test(code)) return answers.pending;
    const visit = { leadId: leadId.toLowerCase(), secretSha256, survey: survey.path };
    try {
      const permit =
        code === ''
          ? await store.permitSend(visit, digits, networkKey, limits)
          : await store.permitCheck(visit, digits, limits);
      if (typeof permit === 'string') return withoutPermit[permit];
      const outcome =
        code === ''
          ? await verifier.send(digits, survey.language)
          : await verifier.check(digits, code);
      await store.end(permit.id, outcome);
      return afterwards[outcome];
    } catch (error) {
      if (error instanceof StoreUnavailableError) return answers.unavailable;
      throw error;
    }
  };
}
