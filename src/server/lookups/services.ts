import type { Click } from '../../contract/click.ts';
import type { AskedOnce } from './ask-once.ts';

/** Looks up the compensation level (1 to 7) of a case; undefined on failure. Never throws. */
export type EstimateLookup = (
  answers: Readonly<Record<string, string>>,
) => Promise<number | undefined>;

/** The answer of a phone validation service (docs/specification.md#phone-check). */
export type PhoneReport = {
  /** False: the service failed, unless `message` is the one for invalid numbers. */
  readonly success: boolean;
  readonly message: string;
  readonly valid: boolean;
  /** Null: unknown. */
  readonly active: boolean | null;
  /** 0 (clean) to 100. */
  readonly fraud_score: number;
  /** Unknown, Toll Free, Wireless, Landline, Satellite, VOIP, Premium Rate or Pager. */
  readonly line_type: string;
};

/** Looks up a number of ten digits. If it throws or returns undefined, the number passes. */
export type PhoneCheck = AskedOnce<PhoneReport>;

/** The answer of an e-mail validation service (docs/specification.md#e-mail-check). */
export type EmailReport = {
  readonly valid: boolean;
  readonly disposable: boolean;
  /** 0 (clean) to 100, if the service has a score. */
  readonly fraud_score?: number | undefined;
  /** Whether the domain accepts mail; absent: unknown. Recorded only. */
  readonly dns_valid?: boolean | undefined;
  /** The mail server did not answer the service, so the address counts as valid. */
  readonly timed_out?: boolean | undefined;
};

/** Looks up an e-mail address. If it throws or returns undefined, the address passes. */
export type EmailCheck = AskedOnce<EmailReport>;

/** Returns whether to prefill the contact fields of an affiliate's visitors. Never throws. */
export type PrefillCheck = (affid: string) => Promise<boolean>;

/** Registers a click with the click tracker and returns its transaction id (32 hex digits) or ''. Never throws. */
export type ClickTracker = (click: Click) => Promise<string>;
