/** The use case of phone verification (docs/specification.md#sms-verification). */
import type { PhoneCodeAnswer } from '../../contract/phone-code.ts';
import { normaliseField } from '../../domain/asked-fields.ts';
import { isPhoneNumber } from '../../domain/phone-format.ts';
import { SMS_CODE_CHARACTERS } from '../../domain/thresholds.ts';
import type { SurveyTable } from '../../intake/survey-table.ts';
import type { Visitor } from '../../intake/visitor.ts';
import { StoreUnavailableError } from '../base/errors.ts';
import type { PhoneReport } from '../lookups/services.ts';
import type {
  CheckOutcome,
  CodeSendOutcome,
  PhoneCodeClaim,
  PhoneCodeLimits,
  PhoneCodeStore,
  PhoneVerifier,
} from './ports.ts';

/** Lines that cannot receive texts, or that earn their owner money for each one. */
const refusedLines = ['Toll Free', 'Premium Rate'];

const unavailable: PhoneCodeAnswer = { status: 'unavailable', sent: false };
const pending: PhoneCodeAnswer = { status: 'pending', sent: true };
const approved: PhoneCodeAnswer = { status: 'approved', sent: false };
const tooMany: PhoneCodeAnswer = { status: 'too_many', sent: false };
const expired: PhoneCodeAnswer = { status: 'expired', sent: false };
const refused: PhoneCodeAnswer = { status: 'refused', sent: false };

/** The answer to each refused permit. The sender of another visit's id learns nothing. */
const unclaimed: Readonly<Record<Exclude<PhoneCodeClaim, object>, PhoneCodeAnswer>> = {
  approved,
  recent: pending,
  none: expired,
  over: tooMany,
  not_yours: unavailable,
};
const afterSend: Readonly<Record<CodeSendOutcome, PhoneCodeAnswer>> = {
  sent: pending,
  too_many: tooMany,
  blocked: refused,
  failed: unavailable,
};
const afterCheck: Readonly<Record<CheckOutcome, PhoneCodeAnswer>> = {
  approved,
  wrong: pending,
  expired,
  too_many: tooMany,
  failed: unavailable,
};

const CODE = new RegExp(`^\\d{${SMS_CODE_CHARACTERS}}$`);

export type VerifyPhoneRequest = {
  readonly leadId: string;
  readonly survey: string;
  /** `+1` and ten digits. */
  readonly phone: string;
  /** The typed code; empty asks for a new one. */
  readonly code: string;
};

/** Sends a code to a phone number, or checks one. */
export type VerifyPhone = (
  request: VerifyPhoneRequest,
  visitor: Pick<Visitor, 'secretSha256' | 'networkKey'>,
) => Promise<PhoneCodeAnswer>;

/**
 * Creates the use case that sends or checks a code. If the service or the store fails, the answer is `unavailable`
 * and the visitor continues without verification.
 *
 * @param options.verifier undefined: no account is configured in production
 * @param options.lookUpLine returns a number's line type from the numbering plan, free of charge
 */
export function createVerifyPhone(options: {
  readonly verifier: PhoneVerifier | undefined;
  readonly store: PhoneCodeStore;
  readonly surveys: SurveyTable;
  lookUpLine(digits: string): Promise<PhoneReport>;
  readonly limits: PhoneCodeLimits;
}) {
  const { verifier, store, surveys, lookUpLine, limits } = options;

  async function isRefused(digits: string): Promise<boolean> {
    if (!isPhoneNumber(digits)) return true;
    const { valid, line_type } = await lookUpLine(digits);
    return !valid || refusedLines.includes(line_type);
  }

  return async function verifyPhone(
    { leadId, survey: path, phone, code }: VerifyPhoneRequest,
    { secretSha256, networkKey }: Pick<Visitor, 'secretSha256' | 'networkKey'>,
  ): Promise<PhoneCodeAnswer> {
    const survey = surveys(path)?.survey;
    if (!verifier || !survey?.verifiesPhone) return unavailable;
    const digits = normaliseField('phone', phone);
    if (await isRefused(digits)) return refused;
    const visit = { leadId: leadId.toLowerCase(), secretSha256, survey: survey.path };
    try {
      if (code === '') {
        const claim = await store.claimSend(visit, digits, networkKey, limits);
        if (typeof claim === 'string') return unclaimed[claim];
        const outcome = await verifier.send(digits, survey.language);
        await store.end(claim.id, outcome);
        return afterSend[outcome];
      }
      // A malformed code cannot be right, so it does not count as a try.
      if (!CODE.test(code)) return pending;
      const claim = await store.claimCheck(visit, digits, limits);
      if (typeof claim === 'string') return unclaimed[claim];
      const outcome = await verifier.check(digits, code);
      await store.end(claim.id, outcome);
      return afterCheck[outcome];
    } catch (error) {
      if (error instanceof StoreUnavailableError) return unavailable;
      throw error;
    }
  };
}
