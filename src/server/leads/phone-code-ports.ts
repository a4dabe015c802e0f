/** What the verification of a phone number by a code needs of the SMS service and of the database. */
import type { Language } from '../../domain/language.ts';
import type { OwnedLead } from './ports.ts';

/**
 * What became of a code that was to be sent. `too_many`: the service sends this number no more;
 * `blocked`: it sends it none at all.
 */
export type SendOutcome = 'sent' | 'too_many' | 'blocked' | 'failed';
/** What became of a code that was tried. `expired`: also used, or never sent. */
export type CheckOutcome = 'approved' | 'wrong' | 'expired' | 'too_many' | 'failed';

/** Sends codes by SMS and knows the right ones. Numbers are ten digits. Never throws. */
export type PhoneVerifier = {
  send(digits: string, language: Language): Promise<SendOutcome>;
  check(digits: string, code: string): Promise<CheckOutcome>;
};

/** How many codes may be sent and tried (docs/specification.md#sms-verification). */
export type PhoneCodeLimits = {
  readonly sendsPerNumber: number;
  readonly sendsPerAddress: number;
  readonly sendsPerVisit: number;
  /** Of everybody together, in an hour: each costs money, and addresses and numbers are easily had. */
  readonly sends: number;
  readonly triesPerNumber: number;
  readonly triesPerVisit: number;
};

/**
 * Whether a code may be sent or tried; it is counted with the answer, whatever becomes of it.
 * - an `id`: it may; `end` is told how it ended
 * - `approved`: the visit has shown already that the number is its own
 * - `recent`: a code was sent to it a moment ago, or is being sent, also to another visit
 * - `none`: no code was sent to this number for this visit that could be tried
 * - `over`: a limit is reached
 * - `not_yours`: the visit was begun with another secret, or erased
 */
export type PhoneCodeClaim =
  | { readonly id: string }
  | 'approved'
  | 'recent'
  | 'none'
  | 'over'
  | 'not_yours';

/** When a visit showed that a number of ten digits is its own (ISO 8601); undefined: it did not. */
export type VerifiedNumbers = (digits: string) => string | undefined;

/** Keeps what is sent and tried, and holds the limits of both across all processes. */
export type PhoneCodeStore = {
  /** @throws StoreUnavailableError */
  claimSend(
    visit: OwnedLead & { readonly survey: string },
    digits: string,
    networkKey: string,
    limits: PhoneCodeLimits,
  ): Promise<PhoneCodeClaim>;
  /** @throws StoreUnavailableError */
  claimCheck(visit: OwnedLead, digits: string, limits: PhoneCodeLimits): Promise<PhoneCodeClaim>;
  /** Says what became of a claim. @throws StoreUnavailableError */
  end(id: string, outcome: SendOutcome | CheckOutcome): Promise<void>;
  /** The numbers that this visit showed to be its own. @throws StoreUnavailableError */
  verifiedNumbers(visit: OwnedLead): Promise<VerifiedNumbers>;
};
