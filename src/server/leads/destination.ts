/** The port that every destination of leads implements; `providers/` has the adapters. */
import type { IngestAccount } from './ports.ts';

/**
 * What one attempt came to.
 *
 * - `delivered`: the other side said that it took it.
 * - `duplicate`: the other side has it already.
 * - `rejected`: the other side looked at it and refused it. Final.
 * - `failed`: a final answer that says nothing of the lead (a wrong address, a closed account): a dead
 *   letter, and an alert.
 * - `retry`: surely not taken. Sent again.
 * - `unknown`: perhaps taken. Sent again where the other side recognises duplicates, else parked.
 */
export type SendOutcome = 'delivered' | 'duplicate' | 'rejected' | 'failed' | 'retry' | 'unknown';

export type SendResult = {
  outcome: SendOutcome;
  httpStatus?: number;
  /** The beginning of the answer, without secrets. */
  response?: string;
  /** One sentence about what went wrong, without secrets. */
  error?: string;
  /** What the other side says of it. */
  message?: string;
  /** The other side's own id. */
  externalId?: string;
  /** The other side asks not to be called again before. */
  retryAfterMs?: number;
  durationMs: number;
};

/** What is sent, and the keys that make it recognisable: the same for every attempt of a delivery. */
export type SendRequest = {
  leadId: string;
  isTest: boolean;
  /** The lead's outward fields (`leads.fields`). */
  fields: Readonly<Record<string, unknown>>;
  payloadVersion: number;
  /** The account that the mapping service named for this lead, in place of the destination's own. */
  account?: IngestAccount | undefined;
  /** The lease on the delivery is about to run out: end the call. */
  signal?: AbortSignal;
};

export type Destination = {
  /** As in `deliveries.destination`. */
  readonly name: string;
  /** Whether it may be sent the same lead again after an attempt of which the outcome is unknown. */
  readonly recognisesDuplicates: boolean;
  /** Sends once; may take as long as its own time-out. Never throws for what the other side does. */
  send(request: SendRequest): Promise<SendResult>;
};
