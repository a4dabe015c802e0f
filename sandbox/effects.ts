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

/** The effects, in memory. */
export class EffectStore {
  readonly #effects: Effect[] = [];
  readonly #byKey = new Map<string, Effect>();

  /** Causes the effect or recognises a duplicate. */
  apply(request: EffectRequest): { duplicate: boolean; effect: Effect } {
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

  clear(): void {
    this.#effects.length = 0;
    this.#byKey.clear();
  }
}
