/** The ports of phone verification: the SMS service and the store of sends and tries. */
import type { Language } from '../../domain/language.ts';
import type { OwnedLead } from '../base/owned-lead.ts';

/**
 * The outcome of sending a code. `too_many`: the service has sent this number too many codes. `blocked`: the
 * service never sends to this number.
 */
export type CodeSendOutcome = 'sent' | 'too_many' | 'blocked' | 'failed';
/** The outcome of trying a code. `expired`: the code is too old, already used, or was never sent. */
export type CheckOutcome = 'approved' | 'wrong' | 'expired' | 'too_many' | 'failed';

/** Sends codes by SMS and checks them. Numbers have ten digits. Never throws. */
export type PhoneVerifier = {
  send(digits: string, language: Language): Promise<CodeSendOutcome>;
  check(digits: string, code: string): Promise<CheckOutcome>;
};

/** How many codes may be sent and tried (docs/specification.md#sms-verification). */
export type PhoneCodeLimits = {
  readonly sendsPerNumber: number;
  readonly sendsPerAddress: number;
  readonly sendsPerVisit: number;
  /** For all visitors together, per hour: a bound on the cost even if addresses and numbers vary. */
  readonly sends: number;
  readonly triesPerNumber: number;
  readonly triesPerVisit: number;
};

/**
 * A permit to send or try a code, or the reason why there is none. A permit counts towards the limits whatever
 * its outcome.
 * - an `id`: permitted; pass the outcome to `end`
 * - `approved`: the visit has already verified this number
 * - `recent`: a code was just sent to this number or is being sent, possibly for another visit
 * - `none`: this visit has no valid code for this number
 * - `over`: a limit is reached
 * - `not_yours`: the visit has another secret, or was erased
 */
export type PhoneCodePermit =
  | { readonly id: string }
  | 'approved'
  | 'recent'
  | 'none'
  | 'over'
  | 'not_yours';

/** Returns when a visit verified a number of ten digits (ISO 8601); undefined: it did not. */
export type VerifiedNumbers = (digits: string) => string | undefined;

/** Stores sends and tries, and enforces their limits across all processes. */
export type PhoneCodeStore = {
  /** @throws StoreUnavailableError */
  permitSend(
    visit: OwnedLead & { readonly survey: string },
    digits: string,
    networkKey: string,
    limits: PhoneCodeLimits,
  ): Promise<PhoneCodePermit>;
  /** @throws StoreUnavailableError */
  permitCheck(visit: OwnedLead, digits: string, limits: PhoneCodeLimits): Promise<PhoneCodePermit>;
  /** Records the outcome of a permit. @throws StoreUnavailableError */
  end(id: string, outcome: CodeSendOutcome | CheckOutcome): Promise<void>;
  /** Returns the numbers that this visit verified. @throws StoreUnavailableError */
  verifiedNumbers(visit: OwnedLead): Promise<VerifiedNumbers>;
};
