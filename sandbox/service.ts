/** The definition of a stand-in: its routes, and how it judges and answers requests. */
import { isIP } from 'node:net';
import * as v from 'valibot';
import { type Kind, type RequestParts, read } from './requests.ts';

/** A request as a stand-in sees it. */
export interface Exchange extends RequestParts {
  method: string;
  path: string;
  params: Record<string, string>;
}

/** The answer. Text is sent as it is, anything else as JSON. */
export interface Answer {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
  /** True if the request changed something at the third party. Default: no. */
  effect?: boolean;
}

/**
 * The check of a request before it has an effect. `serve` causes the effect; the sandbox calls it only if the
 * request is not to fail.
 */
export interface Verdict {
  /** Breaches of the wire format, one sentence each, without values; empty if well formed. */
  violations: readonly string[];
  /** Our lead id or a certificate: two open requests with one key overlap. */
  key?: string | undefined;
  serve: () => Answer;
}

export type Handler = (exchange: Exchange) => Verdict | Promise<Verdict>;

/** A third party: its routes, and its own error answers. */
export interface Service {
  /** The name in the control API. That of a destination is the destination's. */
  name: string;
  /** The name on the sandbox's page. */
  title: string;
  /** True if browsers call it from our pages; then answers carry `access-control-allow-origin: *`. */
  calledFromPages?: boolean;
  /** Bodies of the vendor's own error answers, by failure mode; default: a plain JSON error. */
  failureBodies?: Readonly<Record<string, unknown>>;
  /** By method and Fastify path pattern: `GET /us/:zip`. */
  routes: Readonly<Record<string, Handler>>;
  /** The settings that direct a server to the stand-in at an address. */
  settings?: (url: string) => Record<string, string>;
  /** The settings with which survey pages load its scripts. */
  scripts?: (url: string) => Record<string, string>;
}

/** Creates a stand-in. Each file of `services/` exports a list of them as `standIns`. */
export type StandIn = (context: SandboxContext) => Service;

/** A request that would cause an effect. */
export type EffectRequest = {
  service: string;
  /** The data that the third party stores. */
  detail: Record<string, string | number | boolean>;
  /** Identifiers, most specific first. A request that shares any of them is a duplicate. */
  keys: readonly [string, ...string[]];
  /** True if the third party recognises duplicates (the default). If not, it repeats the effect. */
  recognise?: boolean;
};

/** A code that was "sent" to a phone. */
export interface SentCode {
  to: string;
  code: string;
}

/** The inputs of every stand-in. */
interface SandboxContext {
  now: () => Date;
  /** Causes a lasting effect. Returns false for a duplicate that the third party recognises. */
  effect: (request: EffectRequest) => boolean;
  /** Records an SMS code for the control API and the page. */
  sent: (code: SentCode) => void;
  /** Creates a map that a reset of the sandbox empties. */
  memory: <Value>() => Map<string, Value>;
}

/** Answers a request that breaks the wire format as the vendor would, and records the violations. */
export function refuse(
  violations: string | readonly string[],
  answer: Answer,
  key?: string,
): Verdict {
  return { violations: [violations].flat(), serve: () => answer, key };
}

/** Answers a well-formed request that has no effect, such as a check. */
export function reply(body: unknown, status = 200, headers: Answer['headers'] = {}): Verdict {
  return refuse([], { status, body, headers });
}

/** Answers a well-formed request whose effect happens when `serve` is called. */
export function act(serve: () => Answer, key?: string): Verdict {
  return { violations: [], serve, key };
}

/**
 * Creates a handler that reads the fields strictly first. `refusal` returns the vendor's answer to breaches, by
 * default 400 with `{errors}`.
 */
export function takes<S extends v.GenericSchema>(
  kind: Kind,
  schema: S,
  accept: (value: v.InferOutput<S>, exchange: Exchange) => Verdict,
  refusal = (errors: readonly string[]): Answer => ({ status: 400, body: { errors } }),
): Handler {
  return (exchange) => {
    const fields = read(kind, schema, exchange);
    return fields.ok
      ? accept(fields.value, exchange)
      : refuse(fields.violations, refusal(fields.violations));
  };
}

/** Answers with a script, as pages load it, and counts the load as an effect. */
export function script(body: string): Verdict {
  const type = 'text/javascript; charset=utf-8';
  const headers = { 'content-type': type, 'cache-control': 'no-store' };
  return act(() => ({ status: 200, headers, body, effect: true }));
}

/** A tracking value: an id or a campaign name. A value like an e-mail address has leaked. */
export const trackingValue = v.optional(
  v.pipe(
    v.string(),
    v.check((value) => !/[^\s@]+@[^\s@]+\.[^\s@]+/.test(value), 'looks like an e-mail address'),
  ),
);

/** The ids of a click that the click tracker and the partner's page both take. */
export const trackingIds = v.entriesFromList(
  ['sub1', 'sub2', 'sub3', 'sub4', 'sub5', 'uid', 'source_id'],
  trackingValue,
);

/** A text of a pattern. */
export const matching = (pattern: RegExp, expected: string) =>
  v.pipe(v.string(), v.regex(pattern, `expected ${expected}`));

export const zipCode = matching(/^\d{5}$/, '5 digits');
export const filledText = v.pipe(v.string(), v.nonEmpty('empty'));

export const ipAddress = v.pipe(
  v.string(),
  v.check((value) => isIP(value) !== 0, 'expected an IPv4 or IPv6 address'),
);
