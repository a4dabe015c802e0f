import {
  type PhoneCodeAnswer,
  type PhoneCodeBody,
  phoneCodePath,
} from '../../contract/phone-code.ts';
import type { Visit } from '../../journey/visit.ts';
import { jsonHeaders } from '../queue/request-headers.ts';
import type { SurveyPageData } from '../screens/page-data.ts';

/**
 * Has a visitor verify their number (ten digits) by a code, in a modal over the form.
 *
 * @param goOn called once the lead may be sent, with or without a code; never where the visitor goes back
 *   to the form
 */
export type VerifyPhone = (
  phone: string,
  data: Pick<SurveyPageData, 'survey' | 'texts'>,
  visit: Pick<Visit, 'session' | 'secret'>,
  goOn: () => void,
) => void;

/** Our server gives the service 5 s; who waits longer goes on without a code. */
const ANSWER_WAIT_MS = 8_000;

/**
 * Asks our server for a code, or tries one. Never rejects: a server that fails, hangs or refuses is
 * `unavailable`, and stops nobody (docs/specification.md#errors).
 *
 * @param code empty: a code is wanted
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
      signal: AbortSignal.timeout(ANSWER_WAIT_MS),
    });
    if (response.ok) return (await response.json()) as PhoneCodeAnswer;
  } catch {
    // As any other failure.
  }
  return { status: 'unavailable', sent: false };
}
