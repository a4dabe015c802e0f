/** The requests that a sandbox has received, and their effects. */
import type { FailureMode } from './failures.ts';
import { mediaType, type RequestParts } from './requests.ts';
import type { Answer, EffectRequest, SentCode } from './service.ts';

/** A received request and the sandbox's answer. */
export interface ReceivedRequest {
  seq: number;
  /** The name of a stand-in, or `unknown`. */
  service: string;
  at: string;
  method: string;
  path: string;
  query: Record<string, string>;
  /** Header values, with `[secret]` in place of each secret. */
  headers: Record<string, unknown>;
  /** The parsed body without secrets. A body that is not JSON or a form stays text. */
  body: unknown;
  /** The lead id or the URL of the TrustedForm certificate. Null if the request has neither. */
  key: string | null;
  /** Null while the sandbox has not answered. */
  answer: { status: number; body: unknown } | null;
  failure: FailureMode | null;
  /** True if a request with the same key was still in progress when this request arrived. */
  overlapped: boolean;
  /** The time at which the request ended. Null while the request is in progress. */
  endedAt: string | null;
  violations: readonly string[];
}

/** A lasting effect at a third party, such as an accepted lead. */
export interface Effect {
  service: string;
  /** The most specific identifier of the request, such as the lead id. */
  key: string;
  /**
   * The number of times that the effect happened. More than 1 means that the server repeated the
   * effect.
   */
  count: number;
  /** The number of later requests that the third party refused as duplicates. */
  duplicates: number;
  detail: EffectRequest['detail'];
}

const MOST_REQUESTS = 20_000;

/** The names of headers and fields whose values the journal must not store. */
const secretNames = (
  'authorization proxy-authorization cookie access-token developertoken x-eflow-api-key ipqs-key ' +
  'lp_key client_secret refresh_token assertion'
).split(' ');
const hide = (name: string, value: unknown) => (secretNames.includes(name) ? '[secret]' : value);
const hideAll = (pairs: Iterable<readonly [string, unknown]>) =>
  Object.fromEntries([...pairs].map(([name, value]) => [name, hide(name, value)]));

function readable({ headers, body }: RequestParts): unknown {
  if (body === '') return null;
  const type = mediaType(headers);
  if (type === 'application/x-www-form-urlencoded') return hideAll(new URLSearchParams(body));
  try {
    return type === 'application/json' ? JSON.parse(body, hide) : body;
  } catch {
    return body;
  }
}

export class Journal {
  readonly codes: SentCode[] = [];
  #entries: ReceivedRequest[] = [];
  #seq = 0;
  readonly #open = new Set<ReceivedRequest>();
  readonly #effects = new Map<string, Effect>();
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  record(
    service: string,
    request: RequestParts & { readonly method: string; readonly path: string },
    { key, violations = [] }: Pick<Answer, 'key' | 'violations'>,
  ): ReceivedRequest {
    this.#seq += 1;
    const entry: ReceivedRequest = {
      seq: this.#seq,
      service,
      at: this.#now().toISOString(),
      method: request.method,
      path: request.path,
      query: Object.fromEntries(request.query),
      headers: hideAll(Object.entries(request.headers)),
      body: readable(request),
      key: key ?? null,
      answer: null,
      failure: null,
      overlapped: key !== undefined && [...this.#open].some((one) => isAbout(one, service, key)),
      endedAt: null,
      violations,
    };
    this.#open.add(entry);
    this.#entries.push(entry);
    // Deletes many old entries together, because each deletion copies the whole array.
    if (this.#entries.length > MOST_REQUESTS * 1.1) {
      const oldest = this.#seq - MOST_REQUESTS;
      this.#entries = this.#entries.filter((one) => one.seq > oldest || one.violations.length > 0);
    }
    return entry;
  }

  finish(entry: ReceivedRequest): void {
    entry.endedAt = this.#now().toISOString();
    this.#open.delete(entry);
  }

  /** Records an effect. Returns false if the third party refuses the request as a duplicate. */
  effect(service: string, { keys, detail, recognise = true }: EffectRequest): boolean {
    const slots = keys.map((key) => `${service} ${key}`);
    const known = slots.map((slot) => this.#effects.get(slot)).find((one) => one !== undefined);
    if (known) {
      known[recognise ? 'duplicates' : 'count'] += 1;
      return !recognise;
    }
    const effect: Effect = { service, key: keys[0], count: 1, duplicates: 0, detail };
    for (const slot of slots) this.#effects.set(slot, effect);
    return true;
  }

  /** Returns the requests, oldest first. `service` and `key` limit the list. */
  received(service?: string, key?: string): ReceivedRequest[] {
    return structuredClone(this.#entries.filter((one) => isAbout(one, service, key)));
  }

  effects(service?: string, key?: string): Effect[] {
    const all = [...new Set(this.#effects.values())];
    return structuredClone(all.filter((one) => isAbout(one, service, key)));
  }

  violations(): ReceivedRequest[] {
    return structuredClone(this.#entries.filter(({ violations }) => violations.length > 0));
  }

  clear(): void {
    this.#entries = [];
    this.#effects.clear();
    this.codes.length = 0;
  }
}

function isAbout(one: { service: string; key: string | null }, service?: string, key?: string) {
  return (
    (service === undefined || one.service === service) && (key === undefined || one.key === key)
  );
}
