import type { IncomingHttpHeaders } from 'node:http';
import type { SandboxCredentials } from './credentials.ts';
import type { EffectStore } from './effects.ts';

/** Every third party in the sandbox, by its name in the control API. */
export const serviceNames = [
  'ingest',
  'contact',
  'phone',
  'email',
  'sms',
  'slack',
  'automation',
  'exchange',
  'webhook',
  'zip',
  'ip',
  'gibberish',
  'mapping',
  'buyers',
  'prefill',
  'estimate',
  'save-data',
  'verification',
  'clicks',
  'trustedform',
  'leadid',
  'call-tracking',
  'pixel',
  'partner',
] as const;

export type ServiceName = (typeof serviceNames)[number];

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

/** The answer. A string body is sent as it is, anything else as JSON. */
export interface Answer {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}

/** An answer, and whether the request changed something at the third party. */
export interface Served {
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
  /** Clears the service's memory. */
  reset?: () => void;
}

/** The inputs of every stand-in. */
export interface SandboxContext {
  now: () => Date;
  credentials: SandboxCredentials;
  effects: EffectStore;
  /** Lead field names of the ingest campaign beyond the specification. */
  extraLeadFields: readonly string[];
  /** Whether the ingest service recognises duplicates. If not, tests can count double sends. */
  recogniseDuplicates: boolean;
}

/** Answers a request that breaks the wire format as the vendor would, and records the violation. */
export function refuse(violations: readonly string[], answer: Answer, key?: string): Verdict {
  return { violations, serve: () => ({ answer, effect: false }), ...(key ? { key } : {}) };
}

/** Answers a well-formed request that has no effect, such as a look-up or a refusal. */
export function reply(answer: Answer): Verdict {
  return { violations: [], serve: () => ({ answer, effect: false }) };
}

/** Answers a well-formed request whose effect happens when `work` is called. */
export function act(work: () => Served, key?: string): Verdict {
  return { violations: [], serve: work, ...(key ? { key } : {}) };
}
