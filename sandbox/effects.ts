import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { ServiceName } from './service.ts';

/** A lasting effect of a request at a third party: an accepted lead, a stored record. */
export interface Effect {
  service: ServiceName;
  /** Our lead id if the request has one, otherwise its contact or certificate. */
  key: string;
  /** How often the effect happened. More than once is an unrecognised double send. */
  count: number;
  /** How many later requests were recognised as duplicates and refused. */
  duplicates: number;
  /** ISO times of the first and the latest request for it. */
  first_at: string;
  last_at: string;
  /** The data that the third party stores. */
  detail: Record<string, string | number | boolean>;
}

/** A request that would cause an effect. */
export interface EffectRequest {
  service: ServiceName;
  /** Identifiers, most specific first. A request that shares any of them is a duplicate. */
  keys: readonly [string, ...string[]];
  detail: Effect['detail'];
  at: string;
  /** Whether the third party recognises duplicates. If not, it repeats the effect. */
  recognise: boolean;
}

/**
 * Stores the effects in memory. With a file, it also syncs them to disk as JSON lines before each answer, so
 * that a sandbox can be restarted between two runs of the app.
 */
export class EffectStore {
  readonly #effects: Effect[] = [];
  readonly #byKey = new Map<string, Effect>();
  readonly #file: number | undefined;

  constructor(path?: string) {
    if (path === undefined) return;
    this.#file = openSync(path, 'a+', 0o600);
    const text = readFileSync(path, 'utf8');
    // A line cut short by a kill was never answered: it is dropped, and ended below.
    for (const line of text.split('\n').slice(0, -1)) {
      try {
        this.#apply(JSON.parse(line) as EffectRequest);
      } catch {
        // A line that an earlier kill cut short.
      }
    }
    if (text !== '' && !text.endsWith('\n')) writeSync(this.#file, '\n');
  }

  /** Causes the effect or recognises a duplicate. With a file, it is on disk when this returns. */
  apply(request: EffectRequest): { duplicate: boolean; effect: Effect } {
    if (this.#file !== undefined) {
      writeSync(this.#file, `${JSON.stringify(request)}\n`);
      fsyncSync(this.#file);
    }
    return this.#apply(request);
  }

  #apply(request: EffectRequest): { duplicate: boolean; effect: Effect } {
    const keys = request.keys.map((key) => `${request.service} ${key}`);
    const known = keys.map((key) => this.#byKey.get(key)).find((effect) => effect !== undefined);
    if (known) {
      known.last_at = request.at;
      if (request.recognise) known.duplicates += 1;
      else known.count += 1;
      return { duplicate: request.recognise, effect: known };
    }
    const effect: Effect = {
      service: request.service,
      key: request.keys[0],
      count: 1,
      duplicates: 0,
      first_at: request.at,
      last_at: request.at,
      detail: request.detail,
    };
    this.#effects.push(effect);
    for (const key of keys) this.#byKey.set(key, effect);
    return { duplicate: false, effect };
  }

  /** Returns copies of one service's or all effects, oldest first. */
  list(service?: ServiceName): Effect[] {
    return this.#effects
      .filter((effect) => service === undefined || effect.service === service)
      .map((effect) => ({ ...effect, detail: { ...effect.detail } }));
  }

  /** Clears the memory. The file, if there is one, keeps its lines. */
  clear(): void {
    this.#effects.length = 0;
    this.#byKey.clear();
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
  }
}
