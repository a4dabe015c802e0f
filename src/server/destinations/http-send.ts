/** What destinations of one HTTP call share: the pinned payload, the call, and what a status means. */
import {
  excerpt,
  type OutgoingAnswer,
  OutgoingError,
  type OutgoingHttp,
  type OutgoingRequest,
  retryAfterMs,
} from '../providers/outgoing-http.ts';
import type {
  Connection,
  PreparedSend,
  SendOutcome,
  SendRequest,
  SendResult,
} from './destination.ts';

/** Each version of a payload by its number; an old one stays as long as deliveries are pinned to it. */
export type PayloadVersions<Payload> = Readonly<Record<number, Payload | undefined>>;

/** The payload of the version that a delivery is pinned to, or why nothing can be sent. */
export function pinnedPayload<Payload>(
  versions: PayloadVersions<Payload>,
  { payloadVersion }: Pick<SendRequest, 'payloadVersion'>,
): { payload: Payload } | { refusal: SendResult } {
  const payload = versions[payloadVersion];
  if (payload !== undefined) return { payload };
  return { refusal: notSent(`Payload version ${payloadVersion} is not known to this server`) };
}

/** A final result without a call: `failed` is a dead letter with an alert, `rejected` is about this lead. */
export function notSent(error: string, outcome: 'failed' | 'rejected' = 'failed'): SendResult {
  return { outcome, error, durationMs: 0 };
}

export type HttpSend = Omit<OutgoingRequest, 'method' | 'body' | 'signal'> & {
  readonly body: string;
  /** What an answer means; default: `readStatus`. */
  readonly read?: (answer: OutgoingAnswer) => SendResult;
  /** Headers of one attempt, beside those of all. */
  readonly headersNow?: () => Record<string, string>;
};

/** A `POST` that is ready to go. What the client says of a call without an answer is read alike for all. */
export function preparePost(
  http: OutgoingHttp,
  { body, read = (answer) => readStatus(answer), headersNow, headers, ...call }: HttpSend,
): PreparedSend {
  return {
    body,
    async send(signal) {
      try {
        const answer = await http.request({
          method: 'POST',
          ...call,
          headers: { ...headers, ...headersNow?.() },
          body,
          ...(signal && { signal }),
        });
        return read(answer);
      } catch (error) {
        if (error instanceof OutgoingError) return readFailure(error);
        throw error;
      }
    },
  };
}

/** What differs between destinations of one `POST` without an account of ours. */
type PostConnection<Payload> = Pick<Connection, 'recognisesDuplicates'> & {
  /** The newest is what deliveries get at their first claim. */
  readonly payloads: PayloadVersions<Payload>;
  /** The call, made of the payload that the delivery is pinned to; a result where nothing can be sent. */
  readonly post: (payload: Payload, request: SendRequest) => HttpSend | SendResult;
};

/** The connection of a destination that is one `POST`. */
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
      const pinned = pinnedPayload(payloads, request);
      if ('refusal' in pinned) return pinned.refusal;
      const call = post(pinned.payload, request);
      return 'outcome' in call ? call : preparePost(http, call);
    },
  };
}

/** The meaning of a call without an answer: surely not taken, or perhaps. */
export function readFailure({ mayHaveArrived, message, durationMs }: OutgoingError): SendResult {
  return { outcome: mayHaveArrived ? 'unknown' : 'retry', error: message, durationMs };
}

/** Surely not taken: the server says so, or could not begin. */
const NOT_TAKEN: ReadonlySet<number> = new Set([408, 425, 429, 503]);

/** The account itself is refused or unpaid. 403 is not here: a firewall before the service says it of a lead. */
const ABOUT_THE_ACCOUNT: ReadonlySet<number> = new Set([401, 402]);

/** What is kept of every answer: its status, its beginning without secrets, and how long to wait. */
export function aboutAnswer(answer: OutgoingAnswer, now: Date, secrets: readonly string[]) {
  const wait = retryAfterMs(answer.headers['retry-after'], now);
  return {
    httpStatus: answer.status,
    response: excerpt(answer.text, secrets),
    durationMs: answer.durationMs,
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  };
}

/**
 * The meaning of a status by itself (docs/decisions/0005-delivery-attempts.md): 200 to 299 `delivered`; 408,
 * 425, 429, 503 and a redirect, which is never followed, `retry`; any other of the server's own failures as
 * `serverErrors` says; 401 and 402 `account` where settings can mend it; anything else `failed`.
 *
 * @param options.serverErrors `retry` where the other side says that it takes nothing then; default: it may
 * have been taken
 * @param options.accountSettings the settings to look at when our account is refused
 * @param options.secrets what is taken out of what is kept of the answer
 */
export function readStatus(
  answer: OutgoingAnswer,
  options: {
    now?: Date;
    secrets?: readonly string[];
    serverErrors?: 'retry' | 'server_error';
    accountSettings?: readonly string[];
  } = {},
): SendResult {
  const { now = new Date(), secrets = [], serverErrors = 'server_error' } = options;
  const { accountSettings: settings } = options;
  const { status } = answer;
  const { retryAfterMs: wait, ...about } = aboutAnswer(answer, now, secrets);
  if (status >= 200 && status <= 299) return { ...about, outcome: 'delivered' };
  if (status >= 300 && status <= 399)
    return { ...about, outcome: 'retry', error: redirect(answer) };
  if (settings !== undefined && ABOUT_THE_ACCOUNT.has(status)) {
    const account = { problem: `it refuses our account (HTTP ${status})`, settings };
    return { ...about, outcome: 'account', error: `HTTP ${status}`, account };
  }
  const outcome: SendOutcome = NOT_TAKEN.has(status)
    ? 'retry'
    : status >= 500
      ? serverErrors
      : 'failed';
  const later = outcome === 'failed' || wait === undefined ? {} : { retryAfterMs: wait };
  return { ...about, ...later, outcome, error: `HTTP ${status}` };
}

/** What may be a secret in a webhook's address: its path and its query, where it has any. */
export function secretParts(url: string): string[] {
  const { pathname, search } = new URL(url);
  return [pathname, search].filter((part) => part.length > 1);
}

/** One sentence that names the host only: paths and queries can be secrets. */
function redirect({ status, headers }: OutgoingAnswer): string {
  const { location } = headers;
  const host = location !== undefined && URL.canParse(location) ? new URL(location).host : '';
  return `HTTP ${status}: a redirect${host && ` to ${host}`}, which is not followed`;
}
