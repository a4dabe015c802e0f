import type { IncomingHttpHeaders } from 'node:http';
import type { FailureMode } from './failures.ts';
import type { Exchange, ServiceName, Verdict } from './service.ts';
import { mediaType } from './strict-body.ts';

/** A received request and its outcome. */
export interface ReceivedRequest {
  /** Counts up from 1 in the order of arrival. */
  seq: number;
  service: ServiceName | 'unknown';
  /** ISO time of arrival by the sandbox's clock. */
  at: string;
  method: string;
  path: string;
  query: Record<string, string>;
  /** Header values; secrets are replaced by `[secret]`. */
  headers: Record<string, string>;
  /** Parsed JSON or form, otherwise the text; `lp_key` is replaced by `[secret]`. */
  body: unknown;
  /** Our lead id or a certificate id, if the stand-in finds one. */
  key: string | null;
  /** Null while the answer is pending, and forever if none was sent. */
  answer: { status: number; body: unknown } | null;
  /** The failure that was simulated, or null. */
  failure: FailureMode | null;
  /** Whether the request changed something at the third party. */
  effect: boolean;
  /** Whether another request with the same key was still open on arrival. */
  overlapped: boolean;
  /** ISO time at which it was answered or its caller had gone; null while it is open. */
  endedAt: string | null;
  violations: readonly string[];
}

/** A breach of a wire format. Tests fail if there is one. */
export interface Violation {
  seq: number;
  service: ReceivedRequest['service'];
  at: string;
  method: string;
  path: string;
  problems: readonly string[];
}

const secretHeaders = new Set(['authorization', 'proxy-authorization', 'cookie', 'ipqs-key']);
const secretFields = new Set(['lp_key']);

function withoutSecrets(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      secretHeaders.has(name) ? '[secret]' : String(value),
    ]),
  );
}

function readable(headers: IncomingHttpHeaders, body: string): unknown {
  if (body === '') return null;
  const hide = (name: string, value: unknown) => (secretFields.has(name) ? '[secret]' : value);
  switch (mediaType(headers)) {
    case 'application/json':
      try {
        return JSON.parse(body, hide) as unknown;
      } catch {
        return body;
      }
    case 'application/x-www-form-urlencoded':
      return Object.fromEntries(
        [...new URLSearchParams(body)].map(([name, value]) => [name, hide(name, value)]),
      );
    default:
      return body;
  }
}

/** The received requests. Beyond `limit` the oldest are dropped; violations never are. */
export class Journal {
  #entries: ReceivedRequest[] = [];
  #violations: Violation[] = [];
  #seq = 0;
  readonly #limit: number;
  readonly #open = new Map<string, number>();

  /** @param limit how many requests are kept in memory */
  constructor(limit = 20_000) {
    this.#limit = limit;
  }

  /** Records an arrival. The entry is completed when the answer is given. */
  record(
    service: ReceivedRequest['service'],
    at: Date,
    request: Pick<Exchange, 'method' | 'path' | 'query' | 'headers' | 'body'>,
    { key, violations }: Pick<Verdict, 'key' | 'violations'>,
  ): ReceivedRequest {
    this.#seq += 1;
    const slot = `${service} ${key}`;
    const open = this.#open.get(slot) ?? 0;
    const entry: ReceivedRequest = {
      seq: this.#seq,
      service,
      at: at.toISOString(),
      method: request.method,
      path: request.path,
      query: Object.fromEntries(request.query),
      headers: withoutSecrets(request.headers),
      body: readable(request.headers, request.body),
      key: key ?? null,
      answer: null,
      failure: null,
      effect: false,
      overlapped: key !== undefined && open > 0,
      endedAt: null,
      violations,
    };
    if (key !== undefined) this.#open.set(slot, open + 1);
    this.#entries.push(entry);
    // Trims in large steps, because each trim copies the array.
    if (this.#entries.length > this.#limit * 1.1) this.#entries = this.#entries.slice(-this.#limit);
    if (violations.length > 0) {
      const { seq, method, path } = entry;
      this.#violations.push({ seq, service, at: entry.at, method, path, problems: violations });
    }
    return entry;
  }

  /** Marks the request as ended: answered, or disconnected. */
  finish(entry: ReceivedRequest, at: Date): void {
    entry.endedAt = at.toISOString();
    if (entry.key === null) return;
    const slot = `${entry.service} ${entry.key}`;
    const left = (this.#open.get(slot) ?? 1) - 1;
    if (left > 0) this.#open.set(slot, left);
    else this.#open.delete(slot);
  }

  /** Returns requests, oldest first, optionally of one service and one key. */
  received(service?: string, key?: string): ReceivedRequest[] {
    const wanted = this.#entries.filter(
      (entry) =>
        (service === undefined || entry.service === service) &&
        (key === undefined || entry.key === key),
    );
    return structuredClone(wanted);
  }

  violations(): Violation[] {
    return structuredClone(this.#violations);
  }

  clear(): void {
    this.#entries = [];
    this.#violations = [];
  }
}
