/** Tests accounts at third parties with calls that have no effect, for `npm run doctor`. */
import {
  type OutgoingAnswer,
  OutgoingError,
  type OutgoingHttp,
} from '../../platform/outgoing-http.ts';

/** The result of a test. */
export type ProbeResult = {
  readonly state: 'works' | 'wrong' | 'not_tried';
  /** What was tried and answered, or how a person can test it. Contains no secrets. */
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
