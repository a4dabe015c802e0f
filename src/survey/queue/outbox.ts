import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { PostLeadBody } from '../../contract/lead.ts';
import type { ProgressEntry, ProgressSession } from '../../contract/progress.ts';

/** A lead that the server has not confirmed yet. */
export type OutboxPost = {
  readonly key: string;
  readonly kind: 'post';
  readonly lead_id: string;
  readonly body: PostLeadBody;
  /** Changes with the content, so that a confirmation of older content deletes nothing newer. */
  readonly stamp: string;
  /** Not before this time, ms since 1970 (the server's Retry-After). */
  readonly not_before?: number;
  /** The status of an answer that no retry can change. */
  readonly stopped?: number;
};

/** The progress of one visit that the server has not confirmed yet. */
export type OutboxSave = {
  readonly key: string;
  readonly kind: 'save';
  readonly lead_id: string;
  readonly session: ProgressSession;
  readonly data: readonly ProgressEntry[];
  /** The last `seq` given, also of entries that are gone. */
  readonly last_seq: number;
  /** The lead is confirmed: nothing but what is here is to come. */
  readonly closing?: true;
  readonly not_before?: number;
  readonly stopped?: number;
};

export type OutboxRecord = OutboxPost | OutboxSave;

/** A visit as it is kept: what it needs to be taken up again, or only when its lead was sent. */
export type VisitRecord = {
  /** The survey's path. */
  readonly survey: string;
  readonly lead_id: string;
  /** ms since 1970 */
  readonly saved_at: number;
  /** Absent once the server has confirmed the lead. */
  readonly visit?: unknown;
};

/** The key of a lead's post or of a visit's progress. */
export function outboxKey(kind: OutboxRecord['kind'], leadId: string): string {
  return `${kind}:${leadId}`;
}

interface SurveyDatabase extends DBSchema {
  outbox: { key: string; value: OutboxRecord };
  visit: { key: string; value: VisitRecord };
  lease: { key: string; value: { name: string; holder: string; until: number } };
}

/** How long opening the database may take before the page does without. */
const OPEN_TIMEOUT_MS = 1500;

/**
 * What the browser keeps: unsent leads and progress, and visits that can be taken up again. In
 * IndexedDB, whose finished transactions survive a killed browser; where that is missing, blocked or
 * full, in memory, and the caller is told that it is not safe there.
 */
export class Outbox {
  readonly #database: Promise<IDBPDatabase<SurveyDatabase> | undefined>;
  readonly #memory = new Map<string, OutboxRecord>();

  constructor() {
    this.#database = Promise.race([
      openDatabase().catch(() => undefined),
      new Promise<undefined>((resolve) => setTimeout(resolve, OPEN_TIMEOUT_MS)),
    ]);
  }

  /** Whether there is a database: without one, an empty outbox says nothing of earlier pages. */
  async isSafe(): Promise<boolean> {
    return (await this.#database) !== undefined;
  }

  /**
   * Changes one record, atomically also between tabs. `change` gets the present record (or undefined)
   * and returns the new one, or undefined to delete.
   *
   * @returns whether it is on disk
   */
  async change(
    key: string,
    change: (present: OutboxRecord | undefined) => OutboxRecord | undefined,
  ): Promise<boolean> {
    const database = await this.#database;
    try {
      if (!database) throw new Error('no database');
      const transaction = database.transaction('outbox', 'readwrite', { durability: 'strict' });
      const next = change(this.#memory.get(key) ?? (await transaction.store.get(key)));
      if (next) transaction.store.put(next).catch(() => undefined);
      else transaction.store.delete(key).catch(() => undefined);
      await transaction.done;
      this.#memory.delete(key);
      return true;
    } catch {
      const present = this.#memory.get(key) ?? (await this.#read(key));
      const next = change(present);
      if (next) this.#memory.set(key, next);
      else this.#memory.delete(key);
      return next === undefined;
    }
  }

  async #read(key: string): Promise<OutboxRecord | undefined> {
    return (await this.#database)?.get('outbox', key).catch(() => undefined);
  }

  /** Every unsent record of a kind. */
  async list(kind: OutboxRecord['kind']): Promise<OutboxRecord[]> {
    const stored = (await (await this.#database)?.getAll('outbox').catch(() => [])) ?? [];
    const records = new Map(stored.map((record) => [record.key, record]));
    for (const [key, record] of this.#memory) records.set(key, record);
    return [...records.values()].filter((record) => record.kind === kind);
  }

  /** The visit of a survey, or undefined; never throws. */
  async visit(survey: string): Promise<VisitRecord | undefined> {
    return (await this.#database)?.get('visit', survey).catch(() => undefined);
  }

  /** Keeps a visit, or forgets it; never throws. */
  async keepVisit(survey: string, record: VisitRecord | undefined): Promise<void> {
    const database = await this.#database;
    const done = record ? database?.put('visit', record) : database?.delete('visit', survey);
    await done?.catch(() => undefined);
  }

  /** Deletes everything that the visitor said in the visits of a lead. */
  async forgetVisits(leadId: string): Promise<void> {
    const database = await this.#database;
    if (!database) return;
    const transaction = database.transaction('visit', 'readwrite');
    for (const { survey, lead_id, saved_at } of await transaction.store.getAll()) {
      if (lead_id === leadId) await transaction.store.put({ survey, lead_id, saved_at });
    }
    await transaction.done;
  }

  /**
   * Takes the right to send for a while, where the browser has no Web Locks.
   * @returns false while another tab has it
   */
  async takeLease(name: string, holder: string, forMs: number): Promise<boolean> {
    const database = await this.#database;
    if (!database) return true;
    const transaction = database.transaction('lease', 'readwrite');
    const present = await transaction.store.get(name);
    const isFree = !present || present.holder === holder || present.until < Date.now();
    if (isFree) await transaction.store.put({ name, holder, until: Date.now() + forMs });
    await transaction.done;
    return isFree;
  }
}

function openDatabase(): Promise<IDBPDatabase<SurveyDatabase>> {
  return openDB<SurveyDatabase>('survey', 1, {
    upgrade(database) {
      database.createObjectStore('outbox', { keyPath: 'key' });
      database.createObjectStore('visit', { keyPath: 'survey' });
      database.createObjectStore('lease', { keyPath: 'name' });
    },
    // A later version of the page wants to change the database: make way.
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
  });
}
