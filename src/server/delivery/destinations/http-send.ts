/** Makes the HTTP call of a destination, and reads the status of the answer. */
import { excerpt, isSuccess, retryAfterMs } from '../../platform/outgoing-answer.ts';
import {
  type OutgoingAnswer,
  OutgoingError,
  type OutgoingHttp,
  type OutgoingRequest,
} from '../../platform/outgoing-http.ts';
import type {
  Connection,
  PreparedSend,
  ProbeResult,
  SendRequest,
  SendResult,
} from './destination.ts';

/** Payload builders by version. Keep each version as long as a delivery must be sent with it. */
export type PayloadVersions<Payload> = Readonly<Record<number, Payload | undefined>>;

/** Returns the result of a request that was not sent. */
export function notSent(error: string, outcome: 'failed' | 'rejected' = 'failed'): SendResult {
  return { outcome, error, durationMs: 0 };
}

export type HttpSend = Omit<OutgoingRequest, 'method' | 'body' | 'signal'> & {
  /** Default: `POST`. A `GET` has an empty body. */
  readonly method?: OutgoingRequest['method'];
  readonly body: string;
  readonly read: (answer: OutgoingAnswer) => SendResult;
  /** Returns the body and additional headers for one attempt. */
  readonly perAttempt?: () => Promise<{ body: string; headers: Record<string, string> }>;
};

/** Prepares a request. */
export function preparePost(
  http: OutgoingHttp,
  { body, read, perAttempt, headers, ...call }: HttpSend,
): PreparedSend {
  return {
    body,
    async send(signal) {
      try {
        const own = await perAttempt?.();
        const answer = await http.request({
          method: 'POST',
          ...call,
          headers: { ...headers, ...own?.headers },
          ...(call.method !== 'GET' && { body: own?.body ?? body }),
          signal,
        });
        return read(answer);
      } catch (error) {
        if (!(error instanceof OutgoingError)) throw error;
        const { mayHaveArrived, message, durationMs } = error;
        return { outcome: mayHaveArrived ? 'unknown' : 'retry', error: message, durationMs };
      }
    },
  };
}

/** The parts of a connection that are different for each destination. */
type PostConnection<Payload> = Pick<Connection, 'recognisesDuplicates'> & {
  /** Payload builders. New deliveries are sent with the newest version. */
  readonly payloads: PayloadVersions<Payload>;
  /** Builds the call, or returns the result if the lead cannot be sent. */
  readonly post: (payload: Payload, request: SendRequest) => HttpSend | PreparedSend | SendResult;
};

/** Creates the connection of a destination that gets a single `POST` and needs no account. */
export function postConnection<Payload>(
  http: OutgoingHttp,
  { recognisesDuplicates, payloads, post }: PostConnection<Payload>,
): Connection {
  return {
    recognisesDuplicates,
    payloadVersion: Math.max(...Object.keys(payloads).map(Number)),
    account: null,
    usesMappedAccounts: false,
    prepare(request) {
      const { payloadVersion } = request;
      const payload = payloads[payloadVersion];
      if (payload === undefined) {
        return notSent(`Payload version ${payloadVersion} is not known to this server`);
      }
      const call = post(payload, request);
      return 'outcome' in call || 'send' in call ? call : preparePost(http, call);
    },
  };
}

/** HTTP statuses with which the server certainly did not process the request. */
const NOT_TAKEN: ReadonlySet<number> = new Set([408, 425, 429, 503]);

/** HTTP statuses that refuse our account. Excludes 403, which may refuse a single lead. */
const ABOUT_THE_ACCOUNT: ReadonlySet<number> = new Set([401, 402]);

/** Returns the status, the `Retry-After` and the first characters of an answer, without secrets. */
export function aboutAnswer(answer: OutgoingAnswer, secrets: readonly string[]) {
  return {
    httpStatus: answer.status,
    response: excerpt(answer.text, secrets),
    durationMs: answer.durationMs,
    retryAfterMs: retryAfterMs(answer.headers['retry-after'], new Date()),
  };
}

/** Maps an answer's status to an outcome (docs/decisions/0005-delivery-attempts.md). */
export function readStatus(
  answer: OutgoingAnswer,
  options: {
    secrets?: readonly string[];
    serverErrors?: 'retry' | 'server_error';
    accountSettings?: readonly string[];
  } = {},
): SendResult {
  const { secrets = [], serverErrors = 'server_error', accountSettings: settings } = options;
  const { status } = answer;
  const about = { ...aboutAnswer(answer, secrets), error: `HTTP ${status}` };
  if (isSuccess(answer)) return { ...about, error: undefined, outcome: 'delivered' };
  if (status >= 300 && status <= 399) {
    const error = `HTTP ${status}: a redirect, which is not followed`;
    return { ...about, outcome: 'retry', error };
  }
  if (NOT_TAKEN.has(status)) return { ...about, outcome: 'retry' };
  if (status >= 500) return { ...about, outcome: serverErrors };
  if (settings !== undefined && ABOUT_THE_ACCOUNT.has(status)) {
    const account = { problem: `it refuses our account (HTTP ${status})`, settings };
    return { ...about, outcome: 'account', account };
  }
  return { ...about, outcome: 'failed' };
}

/** Returns the parts of a webhook's URL that may be secret: path and query. */
export function secretParts(url: string): string[] {
  const { pathname, search } = new URL(url);
  return [pathname, search].filter((part) => part.length > 1);
}

/** Tests an account with a call that has no effect. */
export async function probeCall(
  http: Pick<OutgoingHttp, 'request'>,
  request: OutgoingRequest,
  read: (answer: OutgoingAnswer) => ProbeResult,
): Promise<ProbeResult> {
  try {
    return read(await http.request(request));
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    return { state: 'wrong', text: error.message };
  }
}
