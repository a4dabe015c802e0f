/** Gets OAuth access tokens for calls, and keeps each token until shortly before it expires. */
import * as v from 'valibot';
import { isSuccess, readJson, unreadable } from '../../platform/outgoing-answer.ts';
import { OutgoingError, type OutgoingHttp } from '../../platform/outgoing-http.ts';
import type { PreparedSend, SendResult } from './destination.ts';
import { aboutAnswer, type HttpSend, preparePost } from './http-send.ts';

/** Where to get the access tokens of one account. */
export type TokenSource = {
  readonly url: string;
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

/** Our name says what happened to a person, so ad platforms get another `User-Agent`. */
export const NEUTRAL_AGENT = { 'user-agent': 'conversions/1' };

/** A token is replaced this long before it expires, so that it lasts for a whole call. */
const MARGIN_MS = 5 * 60_000;

/**
 * Returns a function that prepares calls with a token. Calls at the same time share one request for
 * a token.
 */
export function authorized(
  http: OutgoingHttp,
  { url, form, accountSettings: settings, keep }: TokenSource,
  timeoutMs: number,
  nowMs: () => number = Date.now,
): (call: HttpSend) => PreparedSend {
  let current: { readonly token: string; readonly untilMs: number } | undefined;
  let asked: Promise<string | SendResult> | undefined;

  function noToken(outcome: 'account' | 'retry', why: string): SendResult {
    const problem = `it gives no access token: ${why}`;
    const account = outcome === 'account' ? { problem, settings } : undefined;
    return { outcome, account, error: `No access token: ${why}`, durationMs: 0 };
  }

  /** Returns a new token, or the result of the attempt, which leaves out the answer's text. */
  async function ask(): Promise<string | SendResult> {
    try {
      const headers = { ...NEUTRAL_AGENT, 'content-type': 'application/x-www-form-urlencoded' };
      const body = new URLSearchParams(await form()).toString();
      const answer = await http.request({ method: 'POST', url, headers, body, timeoutMs });
      const read = readJson(tokenAnswer)(answer);
      if (read === undefined) {
        const isRefused = [400, 401, 403].includes(answer.status);
        const why = isSuccess(answer) ? unreadable(answer) : `HTTP ${answer.status}`;
        const about = { ...aboutAnswer(answer, []), response: undefined };
        return { ...noToken(isRefused ? 'account' : 'retry', why), ...about };
      }
      if (read.refresh_token) await keep?.(read.refresh_token);
      const { access_token: token, expires_in } = read;
      current = { token, untilMs: nowMs() + expires_in * 1000 - MARGIN_MS };
      return token;
    } catch (error) {
      // The call itself was not sent, so it is safe to send it again.
      const outcome = error instanceof OutgoingError ? 'retry' : 'account';
      return noToken(outcome, (error as Error).message);
    }
  }

  function askOnce(): Promise<string | SendResult> {
    asked ??= ask().finally(() => {
      asked = undefined;
    });
    return asked;
  }

  async function send(call: HttpSend, signal?: AbortSignal): Promise<SendResult> {
    const kept = current && nowMs() < current.untilMs ? current.token : undefined;
    const token = kept ?? (await askOnce());
    if (typeof token !== 'string') return token;
    const headers = { ...call.headers, authorization: `Bearer ${token}` };
    const result = await preparePost(http, { ...call, headers }).send(signal);
    // The answer pauses the destination. The next trial of the account then gets a new token.
    if (result.outcome === 'account' && current?.token === token) current = undefined;
    return result;
  }

  return (call) => ({ body: call.body, send: (signal) => send(call, signal) });
}
