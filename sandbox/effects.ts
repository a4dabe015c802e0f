import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { ServiceName } from './service.ts';

/** Something that a request caused at a third party, for good: a lead taken, a record stored. */
export interface Effect {
  service: ServiceName;
  /** Our lead id where the request carried one, else the contact or certificate it was about. */
  key: string;
  /** How many times the effect was made. More than one is a double send that was not recognised. */
  count: number;
  /** How many later requests were recognised as the same and refused. */
  duplicates: number;
  /** ISO times of the first and of the latest request about it. */
  first_at: string;
  last_at: string;
  /** What the third party keeps of it, flat. */
  detail: Record<string, string | number | boolean>;
}

/** One request that would make an effect. */
export interface EffectRequest {
  service: ServiceName;
  /** Names of the thing, most telling first; an effect that has any of them is the same thing. */
  keys: readonly [string, ...string[]];
  detail: Effect['detail'];
  at: string;
  /** False: the third party recognises no duplicates and does it again. */
  recognise: boolean;
}

/**
 * Keeps the effects in memory and, with a file, as JSON lines that are synced to disk before the
 * answer goes out, so that a sandbox can be stopped and started between two runs of the app.
 */
export class EffectStore {
  readonly #effects: Effect[] = [];
  readonly #byKey = new Map<string, Effect>();
  readonly #file: number | undefined;

  constructor(path?: string) {
    if (path === undefined) return;
    this.#file = openSync(path, 'a+', 0o600);
    const text = readFileSync(path, 'utf8');
    // A line that a kill has cut short was never answered: it is dropped, and closed off below.
    for (const line of text.split('\n').slice(0, -1)) {
      try {
        this.#apply(JSON.parse(line) as EffectRequest);
      } catch {
        // The torn remainder of an earlier kill.
      }
    }
    if (text !== '' && !text.endsWith('\n')) writeSync(this.#file, '\n');
  }

  /** Makes the effect, or recognises it; on disk when this returns, if there is a file. */
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

  /** Copies of the effects, oldest first; of one service, or of all. */
  list(service?: ServiceName): Effect[] {
    return this.#effects
      .filter((effect) => service === undefined || effect.service === service)
      .map((effect) => ({ ...effect, detail: { ...effect.detail } }));
  }

  /** Forgets what is in memory. The file, if there is one, keeps its lines. */
  clear(): void {
    this.#effects.length = 0;
    this.#byKey.clear();
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
  }
}
