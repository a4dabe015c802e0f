/** Tests accounts at third parties for `npm run doctor`, with calls that have no effect. */
import {
  type OutgoingAnswer,
  OutgoingError,
  type OutgoingHttp,
} from '../../platform/outgoing-http.ts';

/** The result of an account test. */
export type ProbeResult = {
  readonly state: 'works' | 'wrong' | 'not_tried';
  /** The call and its answer, or how a person can test the account. Contains no secrets. */
  readonly text: string;
};

/** Makes one call and reads its answer. A call without an answer counts as `wrong`. */
export async function probeCall(
  http: Pick<OutgoingHttp, 'request'>,
  request: Parameters<OutgoingHttp['request']>[0],
  read: (answer: OutgoingAnswer) => ProbeResult,
): Promise<ProbeResult> {
  try {
    return read(await http.request(request));
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    return { state: 'wrong', text: error.message };
  }
}
