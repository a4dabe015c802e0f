/** Decides the next state of a delivery after an attempt. Pure. */

import type { SendResult } from '../destinations/destination.ts';
import type { DeliveryState, EndReason } from '../storage/schema.ts';
import { MAX_ATTEMPTS, nextPause } from './schedule.ts';

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
