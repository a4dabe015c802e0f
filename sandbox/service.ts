/** Defines stand-ins. Each stand-in imitates one third party. */
import { isIP } from 'node:net';
import * as v from 'valibot';
import { type Kind, type RequestParts, read } from './requests.ts';

/** A request to a stand-in, and what the stand-in can do besides answering. */
export interface Exchange extends RequestParts, World {
  method: string;
  path: string;
  params: Record<string, string>;
}

/** The data that a stand-in stores, and the effects that it records. */
export interface World {
  now: () => Date;
  /** Records an effect. Returns false if the third party refuses the request as a duplicate. */
  effect: (request: EffectRequest) => boolean;
  /** Records an SMS code that the stand-in pretends to send. */
  sent: (code: SentCode) => void;
  /** Returns the map of this name. Each reset of the sandbox empties the map. */
  memory: <Value>(name: string) => Map<string, Value>;
}

/** An SMS code that the sandbox pretended to send. */
export interface SentCode {
  to: string;
  code: string;
}

export type EffectRequest = {
  detail: Record<string, string | number | boolean>;
  /** Identifiers, most specific first. Two requests with the same identifier are duplicates. */
  keys: readonly [string, ...string[]];
  /** False if a duplicate has the effect again. Default: true. */
  recognise?: boolean;
};

/** The answer to a request. A text is sent unchanged, any other body as JSON. */
export interface Answer {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
  /** The lead id or the URL of a TrustedForm certificate. */
  key?: string | undefined;
  /** The violations of the wire format, without personal data. */
  violations?: readonly string[];
}

export type Handler = (exchange: Exchange) => Answer | Promise<Answer>;

/** A third party that the sandbox imitates. */
export interface StandIn {
  /** The third party's name in the control API. */
  name: string;
  /** The bodies of the vendor's error answers, by failure mode. Default: a plain JSON error. */
  failureBodies?: Readonly<Record<string, unknown>>;
  /** The handlers, by method and Fastify path pattern, such as `GET /us/:zip`. */
  routes: Readonly<Record<string, Handler>>;
  /** Returns the settings that make a server use the stand-in at `url`. */
  settings?: (url: string) => Record<string, string>;
  /** Returns the settings that make survey pages load scripts from `url`. */
  scripts?: (url: string) => Record<string, string>;
}

/** Answers a malformed request as the vendor would, and records the violations. */
export function refuse(violations: string | readonly string[], answer: Answer): Answer {
  return { ...answer, violations: [violations].flat() };
}

export function reply(body: unknown, key?: string): Answer {
  return { status: 200, body, key };
}

/**
 * Creates a handler that checks all fields. `refusal` returns the answer to a malformed request.
 */
export function takes<S extends v.GenericSchema>(
  kind: Kind,
  schema: S,
  accept: (value: v.InferOutput<S>, exchange: Exchange) => Answer,
  refusal = (errors: readonly string[]): Answer => ({ status: 400, body: { errors } }),
): Handler {
  return (exchange) => {
    const fields = read(kind, schema, exchange);
    return fields.ok
      ? accept(fields.value, exchange)
      : refuse(fields.violations, refusal(fields.violations));
  };
}

/** Creates a handler that refuses a request without these headers. */
export const guarded =
  (headers: Readonly<Record<string, string>>, answer: Answer, handle: Handler): Handler =>
  (exchange) => {
    const wrong = Object.keys(headers).find((name) => exchange.headers[name] !== headers[name]);
    return wrong === undefined ? handle(exchange) : refuse(`${wrong}: wrong`, answer);
  };

/** Answers with a script. */
export function script(body: string): Answer {
  const type = 'text/javascript; charset=utf-8';
  return { status: 200, headers: { 'content-type': type, 'cache-control': 'no-store' }, body };
}

/**
 * The schema of a tracking value. An e-mail address is a violation, because it is personal data.
 */
export const trackingValue = v.optional(
  v.pipe(
    v.string(),
    v.check((value) => !/[^\s@]+@[^\s@]+\.[^\s@]+/.test(value), 'looks like an e-mail address'),
  ),
);

export const trackingIds = v.entriesFromList(
  ['sub1', 'sub2', 'sub3', 'sub4', 'sub5', 'uid', 'source_id'],
  trackingValue,
);

/** Returns the schema of a text that must match a pattern. */
export const matching = (pattern: RegExp, expected: string) =>
  v.pipe(v.string(), v.regex(pattern, `expected ${expected}`));

export const zipCode = matching(/^\d{5}$/, '5 digits');
export const uuid = v.pipe(v.string(), v.uuid('expected a UUID'));
export const filledText = v.pipe(v.string(), v.nonEmpty('empty'));
export const isoTime = v.pipe(v.string(), v.isoTimestamp('expected an ISO time'));

export const ipAddress = v.pipe(
  v.string(),
  v.check((value) => isIP(value) !== 0, 'expected an IPv4 or IPv6 address'),
);
