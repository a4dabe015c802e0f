/** Defines stand-ins, each of which imitates one third party. */
import { isIP } from 'node:net';
import * as v from 'valibot';
import { type Kind, type RequestParts, read } from './requests.ts';

/** A received request. */
export interface Exchange extends RequestParts {
  method: string;
  path: string;
  params: Record<string, string>;
}

/** The answer to a request. A text body is sent unchanged, any other body as JSON. */
export interface Answer {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
  /** True if the request changed something at the third party. Default: false. */
  effect?: boolean;
}

/** The result of checking a request. The sandbox skips `serve` for a failure without effect. */
export interface Verdict {
  /** Breaches of the wire format, one sentence each, without personal data. */
  violations: readonly string[];
  /** Our lead id or a TrustedForm certificate. The journal marks concurrent requests with the same key. */
  key?: string | undefined;
  serve: () => Answer;
}

export type Handler = (exchange: Exchange) => Verdict | Promise<Verdict>;

/** A third party: its routes, and its own error answers. */
export interface Service {
  /** The name in the control API. A destination has the same name there as in the product. */
  name: string;
  /** The bodies of the vendor's own error answers, by failure mode. Default: a plain JSON error. */
  failureBodies?: Readonly<Record<string, unknown>>;
  /** Names of headers that carry a key, in lower case. The journal does not store their values. */
  secretHeaders?: readonly string[];
  /** The handlers, by method and Fastify path pattern, such as `GET /us/:zip`. */
  routes: Readonly<Record<string, Handler>>;
  /** Returns the settings that make a server use the stand-in at this URL. */
  settings?: (url: string) => Record<string, string>;
  /** Returns the settings that make survey pages load the stand-in's scripts from this URL. */
  scripts?: (url: string) => Record<string, string>;
}

/** Creates a stand-in. Each file of `services/` exports a list of stand-ins. */
export type StandIn = (context: SandboxContext) => Service;

/** An effect that a request would cause. */
export type EffectRequest = {
  service: string;
  detail: Record<string, string | number | boolean>;
  /** Identifiers, most specific first. A request that shares any of them is a duplicate. */
  keys: readonly [string, ...string[]];
  /** False if the third party repeats the effect of a duplicate. Default: true. */
  recognise?: boolean;
};

/** An SMS code that the sandbox pretended to send. */
export interface SentCode {
  to: string;
  code: string;
}

interface SandboxContext {
  now: () => Date;
  /** Causes a lasting effect. Returns false for a duplicate that the third party recognises. */
  effect: (request: EffectRequest) => boolean;
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

/** Returns the answer to a well-formed request without effect, such as a check. */
export function reply(body: unknown, status = 200, headers: Answer['headers'] = {}): Verdict {
  return refuse([], { status, body, headers });
}

/** Answers a well-formed request with an effect, which `serve` causes. */
export function act(serve: () => Answer, key?: string): Verdict {
  return { violations: [], serve, key };
}

/** Creates a handler that checks all fields. `refusal` makes the answer to breaches (default: 400). */
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

/** Answers with a script that a page loads, and counts the load as an effect. */
export function script(body: string): Verdict {
  const type = 'text/javascript; charset=utf-8';
  const headers = { 'content-type': type, 'cache-control': 'no-store' };
  return act(() => ({ status: 200, headers, body, effect: true }));
}

/** A tracking value, such as a campaign name. An e-mail address in it would leak personal data. */
export const trackingValue = v.optional(
  v.pipe(
    v.string(),
    v.check((value) => !/[^\s@]+@[^\s@]+\.[^\s@]+/.test(value), 'looks like an e-mail address'),
  ),
);

/** The ids of a click that both the click tracker and the partner's page accept. */
export const trackingIds = v.entriesFromList(
  ['sub1', 'sub2', 'sub3', 'sub4', 'sub5', 'uid', 'source_id'],
  trackingValue,
);

/** Returns the schema of a text that must match a pattern. */
export const matching = (pattern: RegExp, expected: string) =>
  v.pipe(v.string(), v.regex(pattern, `expected ${expected}`));

export const zipCode = matching(/^\d{5}$/, '5 digits');
export const filledText = v.pipe(v.string(), v.nonEmpty('empty'));

export const ipAddress = v.pipe(
  v.string(),
  v.check((value) => isIP(value) !== 0, 'expected an IPv4 or IPv6 address'),
);
