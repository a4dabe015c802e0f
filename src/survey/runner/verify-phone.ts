import {
  type PhoneCodeAnswer,
  type PhoneCodeBody,
  phoneCodePath,
} from '../../contract/phone-code.ts';
import type { Visit } from '../../journey/visit.ts';
import { endAfter, jsonHeaders } from '../queue/request-headers.ts';
import type { SurveyPageData } from '../screens/page-data.ts';

/**
 * Has a visitor verify their number (ten digits) by a code, in a dialog over the form.
 *
 * @param goOn called when the lead may be sent, verified or not; not called if the visitor returns to the form
 */
export type ShowCodeDialog = (
  phone: string,
  data: Pick<SurveyPageData, 'survey' | 'texts'>,
  visit: Pick<Visit, 'session' | 'secret'>,
  goOn: () => void,
) => void;

/** The longest wait for an answer: longer than the 5 s that our server gives the service. */
const ANSWER_WAIT_MS = 8_000;

/**
 * Requests a code from our server (empty `code`), or tries one. Never rejects: any failure is `unavailable`, with
 * which the lead is sent (docs/specification.md#errors).
 */
export async function askForCode(
  request: {
    readonly phone: string;
    readonly survey: string;
    readonly visit: Pick<Visit, 'session' | 'secret'>;
    readonly sent: boolean;
    readonly code: string;
  },
  doFetch: typeof fetch = (...args) => fetch(...args),
): Promise<PhoneCodeAnswer> {
  const { phone, survey, visit, sent, code } = request;
  const body: PhoneCodeBody = {
    lead_id: visit.session.lead_id,
    survey,
    twilio: { phone: `+1${phone}`, sent_status: sent, code },
  };
  try {
    const response = await doFetch(phoneCodePath, {
      method: 'POST',
      headers: jsonHeaders(visit.secret),
      body: JSON.stringify(body),
      signal: endAfter(ANSWER_WAIT_MS),
    });
    if (response.ok) return (await response.json()) as PhoneCodeAnswer;
  } catch {
    // Answered below.
  }
  return { status: 'unavailable', sent: false };
}
