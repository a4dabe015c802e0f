/** Trying a third party's account with a call that changes nothing there, for `npm run doctor`. */
import {
  type OutgoingAnswer,
  OutgoingError,
  type OutgoingHttp,
} from '../providers/outgoing-http.ts';

/** What came of a try. */
export type ProbeResult = {
  readonly state: 'works' | 'wrong' | 'not_tried';
  /** What was tried and answered, or how a person can try it; without secrets. */
  readonly text: string;
};

/** Makes one call and reads its answer; a call without an answer is wrong. */
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
