/** Gets OAuth access tokens for calls, and keeps each token until shortly before it expires. */
import * as v from 'valibot';
import { readJson, unreadable } from '../../platform/outgoing-answer.ts';
import { OutgoingError, type OutgoingHttp } from '../../platform/outgoing-http.ts';
import type { PreparedSend, SendResult } from './destination.ts';
import { aboutAnswer, type HttpSend, preparePost } from './http-send.ts';

type TokenSource = {
  readonly url: string;
  readonly timeoutMs: number;
  /** Returns the form that asks for a token. @throws if a file cannot be read */
  readonly form: () => Promise<Record<string, string>>;
  /** The settings that are wrong if the service refuses the form. */
  readonly accountSettings: readonly string[];
  /** Stores the refresh token that replaces the one in the form. Default: ignores it. @throws */
  readonly keep?: (refreshToken: string) => Promise<void>;
};

/** The service's answer to the form (RFC 6749, section 5.1). `expires_in` is in seconds. */
const tokenAnswer = v.object({
  access_token: v.pipe(v.string(), v.nonEmpty()),
  expires_in: v.optional(v.number(), 3_600),
  refresh_token: v.optional(v.string()),
});

/** A token is replaced this long before it expires, so that it lasts for a whole call. */
const MARGIN_MS = 5 * 60_000;

export type AccessTokens = ReturnType<typeof createAccessTokens>;

/** Creates the tokens of one account. Calls at the same time share one request for a token. */
export function createAccessTokens(
  http: OutgoingHttp,
  source: TokenSource,
  nowMs: () => number = Date.now,
) {
  let current: { readonly token: string; readonly untilMs: number } | undefined;
  let asked: Promise<string | SendResult> | undefined;

  async function ask(): Promise<string | SendResult> {
    try {
      const answer = await http.request({
        method: 'POST',
        url: source.url,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(await source.form()).toString(),
        timeoutMs: source.timeoutMs,
      });
      const read = readJson(tokenAnswer)(answer);
      if (read === undefined) return refusal(answer);
      if (read.refresh_token) await source.keep?.(read.refresh_token);
      current = {
        token: read.access_token,
        untilMs: nowMs() + read.expires_in * 1000 - MARGIN_MS,
      };
      return current.token;
    } catch (error) {
      const { message } = error as Error;
      // The request itself was not sent, so it is safe to send it again.
      if (error instanceof OutgoingError) {
        return { outcome: 'retry', error: `No access token: ${message}`, durationMs: 0 };
      }
      const account = {
        problem: `no access token: ${message}`,
        settings: source.accountSettings,
      };
      return { outcome: 'account', account, durationMs: 0 };
    }
  }

  /** Returns the result of an attempt whose token was refused. Leaves out the answer's text. */
  function refusal(answer: Parameters<typeof aboutAnswer>[0]): SendResult {
    const about = { ...aboutAnswer(answer, []), response: undefined };
    const { status } = answer;
    if (status === 400 || status === 401 || status === 403) {
      const problem = `it gives no access token (HTTP ${status})`;
      return {
        ...about,
        outcome: 'account',
        account: { problem, settings: source.accountSettings },
      };
    }
    const error = status < 300 ? unreadable(answer) : `HTTP ${status}`;
    return { ...about, outcome: 'retry', error: `No access token: ${error}` };
  }

  return {
    /** Returns a token and whether it is new, or the result of an attempt without a token. */
    async get(): Promise<{ readonly token: string; readonly isNew: boolean } | SendResult> {
      if (current && nowMs() < current.untilMs) return { token: current.token, isNew: false };
      asked ??= ask().finally(() => {
        asked = undefined;
      });
      const got = await asked;
      return typeof got === 'string' ? { token: got, isNew: true } : got;
    },
    /** Forgets a token that was refused. */
    forget(token: string): void {
      if (current?.token === token) current = undefined;
    },
  };
}

/** Prepares a call with a token. Tries once more with a new token if an older one is refused. */
export function prepareAuthorized(
  http: OutgoingHttp,
  tokens: AccessTokens,
  call: HttpSend,
): PreparedSend {
  async function send(signal?: AbortSignal, isSecond = false): Promise<SendResult> {
    const got = await tokens.get();
    if (!('token' in got)) return got;
    const { token, isNew } = got;
    const headers = { ...call.headers, authorization: `Bearer ${token}` };
    const result = await preparePost(http, { ...call, headers }).send(signal);
    if (result.outcome !== 'account') return result;
    tokens.forget(token);
    return isNew || isSecond ? result : send(signal, true);
  }
  return { body: call.body, send: (signal) => send(signal) };
}
