import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import * as v from 'valibot';
import type { SandboxCredentials } from './credentials.ts';
import type { EffectRequest } from './effects.ts';
import { type Checked, readJson } from './strict-body.ts';

/** A stand-in's name in the control API. That of a destination is the destination's. */
export type ServiceName = string;

/** A request as a stand-in sees it; the body is the raw text. */
export interface Exchange {
  method: string;
  path: string;
  params: Record<string, string>;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
  /** Address of the caller. */
  ip: string;
}

/** The answer. Text and bytes are sent as they are, anything else as JSON. */
export interface Answer {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}

/** A code that was "sent" to a phone. */
export interface SentCode {
  to: string;
  code: string;
  /** ISO time of this send; a resend repeats the code. */
  at: string;
}

/** An answer, and whether the request changed something at the third party. */
interface Served {
  answer: Answer;
  effect: boolean;
}

/**
 * The check of a request before it has an effect. `serve` causes the effect; the sandbox calls it only if the
 * request is not to fail.
 */
export interface Verdict {
  /** Breaches of the wire format, one sentence each, without values; empty if well formed. */
  violations: readonly string[];
  /** Our lead id or a certificate: two open requests with one key overlap. */
  key?: string;
  serve: () => Served;
}

export interface Route {
  method: 'GET' | 'POST';
  /** Fastify path pattern. */
  path: string;
  handle: (exchange: Exchange) => Verdict | Promise<Verdict>;
}

/** A third party: its routes, and its own error answers. */
export interface Service {
  name: ServiceName;
  /** The name on the sandbox's page. */
  title: string;
  /** Whether browsers call it from our pages; then answers carry `access-control-allow-origin: *`. */
  calledFromPages?: boolean;
  /** Bodies of the vendor's own error answers; default: a plain JSON error. */
  failureBodies?: Partial<
    Record<
      '500' | '429' | '410' | 'credentials' | 'account_closed' | 'cap_reached' | 'duplicate',
      unknown
    >
  >;
  routes: readonly Route[];
  /** The settings that direct a server to the stand-in at an address. */
  settings: (url: string) => Record<string, string>;
  /** The settings with which survey pages load its scripts. */
  scripts?: (url: string) => Record<string, string>;
  /** Clears the service's memory. */
  reset?: () => void;
}

/** Creates a stand-in. Each file of `services/` exports a list of them as `standIns`. */
export type StandIn = (context: SandboxContext) => Service;

/** The inputs of every stand-in. */
export interface SandboxContext {
  now: () => Date;
  credentials: SandboxCredentials;
  /** Causes a lasting effect. Returns false for a duplicate that the third party recognises. */
  effect: (request: Omit<EffectRequest, 'at'>) => boolean;
  /** Keeps an SMS code for the control API and the page. */
  sent: (code: SentCode) => void;
}

/** Answers a request that breaks the wire format as the vendor would, and records the violation. */
export function refuse(
  violations: string | readonly string[],
  answer: Answer,
  key?: string,
): Verdict {
  const serve = () => ({ answer, effect: false });
  return { violations: [violations].flat(), serve, ...(key ? { key } : {}) };
}

/** Answers a well-formed request that has no effect, such as a look-up or a refusal. */
export function reply(body: unknown, status = 200, headers: Answer['headers'] = {}): Verdict {
  return refuse([], { status, body, headers });
}

/** Answers a well-formed request whose effect happens when `work` is called. */
export function act(work: () => Served, key?: string): Verdict {
  return { violations: [], serve: work, ...(key ? { key } : {}) };
}

/**
 * Judges requests that are read strictly first. `read` returns the value or its breaches; `refusal` is the
 * vendor's answer to breaches, by default 400 with `{errors}`.
 */
export function judge<Value>(
  read: (exchange: Exchange) => Checked<Value>,
  accept: (value: Value, exchange: Exchange) => Verdict,
  refusal = (violations: string[]): Answer => ({ status: 400, body: { errors: violations } }),
): Route['handle'] {
  return (exchange) => {
    const checked = read(exchange);
    return checked.ok
      ? accept(checked.value, exchange)
      : refuse(checked.violations, refusal(checked.violations));
  };
}

/** Judges requests with a JSON body. */
export function judgeJson<S extends v.GenericSchema>(
  schema: S,
  accept: (value: v.InferOutput<S>, exchange: Exchange) => Verdict,
  refusal?: (violations: string[]) => Answer,
): Route['handle'] {
  return judge((exchange) => readJson(schema, exchange), accept, refusal);
}

/** Answers with a script, as pages load it. */
export function scriptAnswer(body: string): Answer {
  const type = 'text/javascript; charset=utf-8';
  return { status: 200, headers: { 'content-type': type, 'cache-control': 'no-store' }, body };
}

/** A tracking value: an id or a campaign name. A value like an e-mail address has leaked. */
export const trackingValue = v.optional(
  v.pipe(
    v.string(),
    v.check((value) => !/[^\s@]+@[^\s@]+\.[^\s@]+/.test(value), 'looks like an e-mail address'),
  ),
);

/** The ids of a click that the click tracker and the partner's page both take. */
export const trackingIds = {
  sub1: trackingValue,
  sub2: trackingValue,
  sub3: trackingValue,
  sub4: trackingValue,
  sub5: trackingValue,
  uid: trackingValue,
  source_id: trackingValue,
};

/** An IPv4 or IPv6 address. */
export const ipAddress = v.pipe(
  v.string(),
  v.check((value) => isIP(value) !== 0, 'expected an IPv4 or IPv6 address'),
);
