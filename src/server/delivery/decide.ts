/** What becomes of a delivery after an attempt. Pure. */

import type { SendResult } from '../destinations/destination.ts';
import type { DeliveryState } from '../storage/schema.ts';
import { MAX_ATTEMPTS, nextPause } from './schedule.ts';

export type Decision = {
  state: Extract<
    DeliveryState,
    'delivered' | 'rejected' | 'dead' | 'uncertain' | 'retrying' | 'waiting'
  >;
  /** Until the next attempt, in milliseconds; only with `retrying` and `waiting`. */
  pauseMs?: number;
  /** One sentence for people, kept as `deliveries.last_message`. */
  message: string;
  /** What to tell the operators, who have to look at it: our own words only, no personal data. */
  alert?: string;
};

/**
 * @param result what the attempt came to.
 * @param attempt its number within the round, from 1 (a resend begins a new round).
 * @param mayHaveArrived an earlier attempt of ours was taken, or perhaps was (time-out, reset, crash).
 * @param recognisesDuplicates of the destination.
 * @param random in [0, 1).
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
      return mayHaveArrived
        ? {
            state: 'delivered',
            message: `${said} (it had arrived with an earlier attempt of ours)`,
          }
        : {
            state: 'rejected',
            message: `${said} (the destination has it from elsewhere)`,
          };
    case 'rejected':
      return { state: 'rejected', message: said };
    case 'account':
      return refused(said, result.account, attempt, random);
    case 'failed':
      return {
        state: 'dead',
        message: `${said}: a final answer, not sent again`,
        alert: `a final answer${status}, it is not sent again`,
      };
    case 'server_error':
    case 'unknown':
      if (!recognisesDuplicates) {
        return {
          state: 'uncertain',
          message: `${said}: it may have arrived, so it is not sent again`,
          alert: 'it may have arrived, so it is not sent again',
        };
      }
      return again(said, attempt, result.retryAfterMs, random);
    case 'retry':
      return again(said, attempt, result.retryAfterMs, random);
  }
}

/**
 * Of a destination that refuses our account: the lead waits without an attempt being counted, and the pause
 * of the destination says for how long. A lead's own account, of which no setting speaks, is tried again.
 */
function refused(
  said: string,
  account: SendResult['account'],
  attempt: number,
  random: number,
): Decision {
  const problem = account?.problem ?? 'it refuses the account';
  if (account !== undefined && account.settings.length > 0) {
    return { state: 'waiting', pauseMs: 0, message: `Waits: ${problem}` };
  }
  const decision = again(said, attempt, undefined, random);
  if (attempt > 1 || decision.alert !== undefined) return decision;
  const alert = `${problem}. It is the account that the mapping service named for this lead`;
  return { ...decision, alert };
}

function again(
  said: string,
  attempt: number,
  retryAfterMs: number | undefined,
  random: number,
): Decision {
  const pause = nextPause({ attempt, retryAfterMs, random });
  if (pause === 'dead') {
    return {
      state: 'dead',
      message: `${said}: given up after ${MAX_ATTEMPTS} attempts`,
      alert: `given up after ${MAX_ATTEMPTS} attempts`,
    };
  }
  return { state: 'retrying', pauseMs: pause, message: said };
}
