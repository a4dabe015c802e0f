/** Defines stand-ins. Each stand-in imitates one third party. */
import { isIP } from 'node:net';
import * as v from 'valibot';
import { type Kind, type RequestParts, read } from './requests.ts';

export interface Exchange extends RequestParts {
  method: string;
  path: string;
  params: Record<string, string>;
}

/** The answer to a request. A text is sent unchanged, any other body as JSON. */
export interface Answer {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
  effect?: boolean;
}

/** The result of checking a request. `serve` performs the effect and returns the answer. */
export interface Verdict {
  /** The violations of the wire format, without personal data. */
  violations: readonly string[];
  /** The lead id or the URL of a TrustedForm certificate. */
  key?: string | undefined;
  serve: () => Answer;
}

export type Handler = (exchange: Exchange) => Verdict | Promise<Verdict>;

/** A third party that the sandbox imitates. */
export interface Service {
  /** The third party's name in the control API. */
  name: string;
  /** The bodies of the vendor's error answers, by failure mode. Default: a plain JSON error. */
  failureBodies?: Readonly<Record<string, unknown>>;
  /** The headers whose values the journal must not store, in lower case. */
  secretHeaders?: readonly string[];
  /** The handlers, by method and Fastify path pattern, such as `GET /us/:zip`. */
  routes: Readonly<Record<string, Handler>>;
  /** Returns the settings that make a server use the stand-in at `url`. */
  settings?: (url: string) => Record<string, string>;
  /** Returns the settings that make survey pages load scripts from `url`. */
  scripts?: (url: string) => Record<string, string>;
}

/** A function that creates the `Service` for one third party. */
export type StandIn = (context: SandboxContext) => Service;

export type EffectRequest = {
  service: string;
  detail: Record<string, string | number | boolean>;
  /** Identifiers, most specific first. Two requests with the same identifier are duplicates. */
  keys: readonly [string, ...string[]];
  /** False if a duplicate has the effect again. Default: true. */
  recognise?: boolean;
};

/** An SMS code that the sandbox pretended to send. */
export interface SentCode {
  to: string;
  code: string;
}

interface SandboxContext {
  now: () => Date;
  /** Records an effect. Returns false if the third party refuses the request as a duplicate. */
  effect: (request: EffectRequest) => boolean;
  sent: (code: SentCode) => void;
  /** Creates a map. Each reset of the sandbox empties the map. */
  memory: <Value>() => Map<string, Value>;
}

/** Answers a malformed request as the vendor would, and records the violations. */
export function refuse(
  violations: string | readonly string[],
  answer: Answer,
  key?: string,
): Verdict {
  return { violations: [violations].flat(), serve: () => answer, key };
}

/** Answers a request that has no effect. */
export function reply(body: unknown, status = 200, headers: Answer['headers'] = {}): Verdict {
  return refuse([], { status, body, headers });
}

/** Answers a request that has an effect, which `serve` performs. */
export function act(serve: () => Answer, key?: string): Verdict {
  return { violations: [], serve, key };
}

/**
 * Creates a handler that checks all fields. `refusal` returns the answer to a malformed request.
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

/** Creates a handler that refuses a request without these headers. */
export const guarded =
  (headers: Readonly<Record<string, string>>, answer: Answer, handle: Handler): Handler =>
  (exchange) => {
    const wrong = Object.keys(headers).find((name) => exchange.headers[name] !== headers[name]);
    return wrong === undefined ? handle(exchange) : refuse(`${wrong}: wrong`, answer);
  };

/** Answers with a script. */
export function script(body: string): Verdict {
  const type = 'text/javascript; charset=utf-8';
  const headers = { 'content-type': type, 'cache-control': 'no-store' };
  return act(() => ({ status: 200, headers, body, effect: true }));
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

export const ipAddress = v.pipe(
  v.string(),
  v.check((value) => isIP(value) !== 0, 'expected an IPv4 or IPv6 address'),
);
