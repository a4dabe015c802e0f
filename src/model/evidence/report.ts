/** What verifying a pack needs and reports. */
import type { Bytes } from './bytes.ts';
import type * as forms from './formats.ts';

/** The checks of a pack, in their order in a report. */
export const checkIds = [
  'container',
  'files',
  'signature',
  'signer',
  'log',
  'record',
  'times',
  'history',
] as const;
export type CheckId = (typeof checkIds)[number];

export type Check = {
  readonly id: CheckId;
  readonly outcome: 'passed' | 'failed' | 'not-checked';
  /** Which file or member it was, in technical English. */
  readonly details: readonly string[];
};

/** What the reader has beside the pack. */
export type Kept = {
  /** The issuer's keys from a place that the reader trusts, and that place. */
  readonly trusted?: { readonly keys: forms.PublicKeys; readonly from: string } | undefined;
  /** Signed tree heads that the reader kept. */
  readonly heads?: readonly Bytes[];
  readonly consistency?: readonly forms.ConsistencyProof[];
  readonly now: Date;
};

/** What a pack says. It is only proven if the verdict is `proven`. */
export type Facts = {
  readonly manifest?: forms.Manifest;
  readonly head?: forms.TreeHead;
  readonly logged: readonly forms.Logged[];
  /** The id of the key that signed the manifest. */
  readonly kid?: string;
  /** Where the trusted keys came from. */
  readonly keysFrom?: string;
};

export type Report = {
  /**
   * - `proven`: every check that was asked for passed, and the signer is known.
   * - `unconfirmed`: nothing is wrong, but who signed, or a kept tree head, was not checked.
   * - `failed`: do not rely on the pack.
   */
  readonly verdict: 'proven' | 'unconfirmed' | 'failed';
  readonly checks: readonly Check[];
  readonly facts: Facts;
};

/** The problems that a check found, or the reason why it was not done; empty if it passed. */
export type Found = readonly string[] | { readonly notChecked: string };
