/** Decides the next state of a delivery after an attempt, and when it is retried. Pure. */

import type { DeliveryState, EndReason } from '../../model/messages/vocabulary.ts';
import type { SendResult } from './destinations/destination.ts';

export type Decision = {
  state: Extract<
    DeliveryState,
    'delivered' | 'rejected' | 'dead' | 'uncertain' | 'retrying' | 'waiting'
  >;
  /** Milliseconds until the next attempt; only with `retrying` and `waiting`. */
  pauseMs?: number;
  /** Why it is dead. */
  endReason?: EndReason;
  /** The answer for operators, stored in `deliveries.last_message`. */
  message: string;
  /** What operators need to look at, in our own words and without personal data. */
  alert?: string;
};

/**
 * Decides the next state of a delivery.
 * @param attempt the attempt's number within its round, from 1; a resend starts a new round.
 * @param mayHaveArrived whether an earlier attempt may have arrived (time-out, reset, crash).
 * @param recognisesDuplicates whether the destination recognises a lead that it already has.
 * @param random a number in [0, 1), for the jitter.
 */
export function decide(options: {
  result: SendResult;
  attempt: number;
  mayHaveArrived: boolean;
  recognisesDuplicates: boolean;
  random: number;
}): Decision {
  const { result, attempt, mayHaveArrived, recognisesDuplicates, random } = options;
  const said = result.message ?? result.error ?? result.outcome;
  const status = result.httpStatus === undefined ? '' : ` (HTTP ${result.httpStatus})`;
  switch (result.outcome) {
    case 'delivered':
      return { state: 'delivered', message: said };
    case 'duplicate':
      return { state: mayHaveArrived ? 'delivered' : 'rejected', message: said };
    case 'rejected':
      return { state: 'rejected', message: said };
    case 'account':
      return decideRefusedAccount(said, result.account, attempt, random);
    case 'failed':
      return {
        state: 'dead',
        endReason: 'final',
        message: said,
        alert: `the destination's answer${status} is final, so it is not sent again`,
      };
    case 'server_error':
    case 'unknown':
      if (!recognisesDuplicates) {
        return {
          state: 'uncertain',
          message: said,
          alert: 'it may have arrived, so it is not sent again',
        };
      }
      return retryLater(said, attempt, result.retryAfterMs, random);
    case 'retry':
      return retryLater(said, attempt, result.retryAfterMs, random);
  }
}

/**
 * Decides for a destination that refused our account. The lead waits while the destination is paused, and the
 * attempt does not count. If no setting holds the account, a pause would not help, so the lead is retried.
 */
function decideRefusedAccount(
  said: string,
  account: SendResult['account'],
  attempt: number,
  random: number,
): Decision {
  const problem = account?.problem ?? 'it refuses the account';
  if (account !== undefined && account.settings.length > 0) {
    return { state: 'waiting', pauseMs: 0, message: `Waits: ${problem}` };
  }
  const decision = retryLater(said, attempt, undefined, random);
  if (attempt > 1 || decision.alert !== undefined) return decision;
  const alert = `${problem}. The mapping service named this account for the lead`;
  return { ...decision, alert };
}

function retryLater(
  said: string,
  attempt: number,
  retryAfterMs: number | undefined,
  random: number,
): Decision {
  const pause = nextPause({ attempt, retryAfterMs, random });
  if (pause === 'dead') {
    return {
      state: 'dead',
      endReason: 'given_up',
      message: said,
      alert: `given up after ${MAX_ATTEMPTS} attempts`,
    };
  }
  return { state: 'retrying', pauseMs: pause, message: said };
}

/**
 * Attempts in one round; a resend by an operator starts a new round. 20 attempts take about 3 days, with pauses from
 * 5 seconds to 8 hours. Even the shortest jitter gives 55 hours. A short hiccup costs a lead seconds, and a service
 * that is down over a weekend still gets its leads.
 */
export const MAX_ATTEMPTS = 20;
const FIRST_PAUSE_MS = 5_000;
const GROWTH = 2.2;
const LONGEST_PAUSE_MS = 8 * 60 * 60 * 1000;
/** Each pause varies by up to this share, so that leads that failed together spread out. */
const JITTER = 0.2;
/** A longer Retry-After is cut to this. */
const LONGEST_RETRY_AFTER_MS = 24 * 60 * 60 * 1000;

/**
 * Returns the milliseconds until the next attempt, or `dead` after the last one.
 *
 * @param attempt the attempt just made, from 1, within the round.
 * @param retryAfterMs the minimum pause that the destination asked for (up to 24 hours counts).
 * @param random a number in [0, 1).
 */
export function nextPause(options: {
  attempt: number;
  retryAfterMs?: number | undefined;
  random: number;
}): number | 'dead' {
  const { attempt, retryAfterMs = 0, random } = options;
  if (attempt >= MAX_ATTEMPTS) return 'dead';
  const regular = Math.min(FIRST_PAUSE_MS * GROWTH ** (attempt - 1), LONGEST_PAUSE_MS);
  const jittered = regular * (1 - JITTER + 2 * JITTER * random);
  const asked = Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS) * (1 + (JITTER / 2) * random);
  return Math.round(Math.max(jittered, asked));
}
