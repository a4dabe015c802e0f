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

const refusedLines = ['Toll Free', 'Premium Rate'];

type Status = PhoneCodeAnswer['status'];

/** Maps each outcome, and each reason for refusing a permit, to the status for the visitor. */
const statuses: Readonly<
  Record<Exclude<PhoneCodePermit, object> | CodeSendOutcome | CheckOutcome, Status>
> = {
  recent: 'pending',
  none: 'expired',
  over: 'too_many',
  not_yours: 'unavailable',
  sent: 'pending',
  approved: 'approved',
  wrong: 'pending',
  expired: 'expired',
  too_many: 'too_many',
  blocked: 'refused',
  failed: 'unavailable',
};

const answer = (status: Status): PhoneCodeAnswer => ({ status, sent: status === 'pending' });

const CODE = new RegExp(`^\\d{${SMS_CODE_CHARACTERS}}$`);

export type VerifyPhone = ReturnType<typeof createVerifyPhone>;

/** Creates the use case of phone verification. */
export function createVerifyPhone(options: {
  readonly verifier: PhoneVerifier | undefined;
  readonly store: PhoneCodeStore;
  readonly surveys: SurveyTable;
  checkLine(digits: string): Promise<PhoneReport>;
  readonly limits: PhoneCodeLimits;
}) {
  const { verifier, store, surveys, checkLine, limits } = options;

  async function isRefused(digits: string): Promise<boolean> {
    if (!isPhoneNumber(digits)) return true;
    const { valid, line_type } = await checkLine(digits);
    return !valid || refusedLines.includes(line_type);
  }

  /** Sends a code, or checks the code that the visitor typed. */
  return async (
    request: Readonly<Record<'leadId' | 'survey' | 'phone' | 'code', string>>,
    { secretSha256, networkKey }: Pick<Visitor, 'secretSha256' | 'networkKey'>,
  ): Promise<PhoneCodeAnswer> => {
    const { leadId, survey: path, phone, code } = request;
    const survey = surveys(path)?.survey;
    if (!verifier || !survey?.verifiesPhone) return answer('unavailable');
    const digits = normaliseField('phone', phone);
    if (await isRefused(digits)) return answer('refused');
    // Does not count a malformed code as an attempt.
    if (code !== '' && !CODE.test(code)) return answer('pending');
    const visit = { leadId: leadId.toLowerCase(), secretSha256, survey: survey.path };
    try {
      const permit =
        code === ''
          ? await store.permitSend(visit, digits, networkKey, limits)
          : await store.permitCheck(visit, digits, limits);
      if (typeof permit === 'string') return answer(statuses[permit]);
      const outcome =
        code === ''
          ? await verifier.send(digits, survey.language)
          : await verifier.check(digits, code);
      await store.end(permit.id, outcome);
      return answer(statuses[outcome]);
    } catch (error) {
      if (error instanceof StoreUnavailableError) return answer('unavailable');
      throw error;
    }
  };
}
