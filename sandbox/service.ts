import type { IncomingHttpHeaders } from 'node:http';
import type { SandboxCredentials } from './credentials.ts';
import type { EffectStore } from './effects.ts';

/** Every third party that the sandbox plays; the name used by the control API. */
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

/** One request as a stand-in sees it; the body is the text as it came over the wire. */
export interface Exchange {
  method: string;
  path: string;
  params: Record<string, string>;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
  /** Address of the other side of the connection. */
  ip: string;
}

/** What goes back. A string body is sent as it is, anything else as JSON. */
export interface Answer {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}

/** An answer, and whether the request changed something at the third party (a lead taken, a message posted). */
export interface Served {
  answer: Answer;
  effect: boolean;
}

/**
 * The judgement of a request, before anything happened. `serve` does the work once the sandbox has
 * decided that the request is not to fail; a failing request is judged and never served.
 */
export interface Verdict {
  /** Breaches of the wire format, one sentence each, without values. Empty: well formed. */
  violations: readonly string[];
  /** What the request is about (our lead id, a certificate): two open requests with one key overlap. */
  key?: string;
  serve: () => Served;
}

export interface Route {
  method: 'GET' | 'POST';
  /** Fastify path pattern. */
  path: string;
  handle: (exchange: Exchange) => Verdict | Promise<Verdict>;
}

/** One third party: its routes, and its own way of saying that something failed. */
export interface Service {
  name: ServiceName;
  /** For the page. */
  title: string;
  /** True where browsers call it from our pages: answers carry `access-control-allow-origin: *`. */
  calledFromPages?: boolean;
  /** Bodies of the vendor's own failure answers; without one a plain JSON error is sent. */
  failureBodies?: Partial<
    Record<
      '500' | '429' | '410' | 'credentials' | 'account_closed' | 'cap_reached' | 'duplicate',
      unknown
    >
  >;
  routes: readonly Route[];
  /** Forgets what the service has in memory. */
  reset?: () => void;
}

/** What every stand-in is given. */
export interface SandboxContext {
  now: () => Date;
  credentials: SandboxCredentials;
  effects: EffectStore;
  /** Lead field names beyond the specification that the ingest campaign knows. */
  extraLeadFields: readonly string[];
  /** False makes the ingest service take the same lead again, so that a test can see a double send. */
  recogniseDuplicates: boolean;
}

/** A request that breaks the wire format: recorded as a violation, answered as the vendor would. */
export function refuse(violations: readonly string[], answer: Answer, key?: string): Verdict {
  return { violations, serve: () => ({ answer, effect: false }), ...(key ? { key } : {}) };
}

/** A well-formed request that changes nothing at the third party (a look-up, a final "no"). */
export function reply(answer: Answer): Verdict {
  return { violations: [], serve: () => ({ answer, effect: false }) };
}

/** A well-formed request that has an effect, made only when `work` is called. */
export function act(work: () => Served, key?: string): Verdict {
  return { violations: [], serve: work, ...(key ? { key } : {}) };
}
