/** The requests that a sandbox has received, and their effects. */
import type { FailureMode } from './failures.ts';
import { mediaType } from './requests.ts';
import type { EffectRequest, Exchange, SentCode, Service, Verdict } from './service.ts';

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
  headers: Record<string, string>;
  /**
   * The parsed body, with `[secret]` in place of each of `secretFields`. A body that is not JSON or a form stays
   * text.
   */
  body: unknown;
  /** The lead id or the URL of the TrustedForm certificate. Null if the request has neither. */
  key: string | null;
  /** Null while the sandbox has not answered. */
  answer: { status: number; body: unknown } | null;
  failure: FailureMode | null;
  /** True if the request changed something at the third party. */
  effect: boolean;
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
  detail: Record<string, string | number | boolean>;
}

const MOST_REQUESTS = 20_000;
const commonSecretHeaders = ['authorization', 'proxy-authorization', 'cookie'];

/** The names of values in bodies that the journal must not store. */
const secretFields = ['lp_key', 'client_secret', 'refresh_token', 'assertion'];

const hideKey = (name: string, value: unknown) =>
  secretFields.includes(name) ? '[secret]' : value;

function readable({ headers, body }: Pick<Exchange, 'headers' | 'body'>): unknown {
  if (body === '') return null;
  if (mediaType(headers) === 'application/x-www-form-urlencoded') {
    const fields = [...new URLSearchParams(body)];
    return Object.fromEntries(fields.map(([name, value]) => [name, hideKey(name, value)]));
  }
  try {
    return mediaType(headers) === 'application/json' ? JSON.parse(body, hideKey) : body;
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
    { name: service, secretHeaders = [] }: Pick<Service, 'name' | 'secretHeaders'>,
    request: Omit<Exchange, 'params'>,
    { key = undefined, violations }: Pick<Verdict, 'key' | 'violations'>,
  ): ReceivedRequest {
    this.#seq += 1;
    const isSecret = (name: string) => [...commonSecretHeaders, ...secretHeaders].includes(name);
    const entry: ReceivedRequest = {
      seq: this.#seq,
      service,
      at: this.#now().toISOString(),
      method: request.method,
      path: request.path,
      query: Object.fromEntries(request.query),
      headers: Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => {
          return [name, isSecret(name) ? '[secret]' : String(value)];
        }),
      ),
      body: readable(request),
      key: key ?? null,
      answer: null,
      failure: null,
      effect: false,
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
  effect({ service, keys, detail, recognise = true }: EffectRequest): boolean {
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
