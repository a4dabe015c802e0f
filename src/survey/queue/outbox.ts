import type { PostLeadBody } from '../../contract/lead.ts';
import type { ProgressEntry, ProgressSession } from '../../contract/progress.ts';
import { completionOf, openDatabase, resultOf } from './database.ts';
import { hintVisit } from './visit-hint.ts';

/** A lead that the server has not confirmed yet. */
export type OutboxPost = {
  readonly key: string;
  readonly kind: 'post';
  readonly lead_id: string;
  /** What `leadSecretHeader` shows; beside the body, never in it. */
  readonly secret?: string | undefined;
  readonly body: PostLeadBody;
  /** Changes with the content, so that a confirmation of older content deletes nothing newer. */
  readonly stamp: string;
  /** Not before this time, ms since 1970 (the server's Retry-After). */
  readonly not_before?: number | undefined;
  /** The status of an answer that no retry can change. */
  readonly stopped?: number;
};

/** The progress of one visit that the server has not confirmed yet. */
export type OutboxSave = {
  readonly key: string;
  readonly kind: 'save';
  readonly lead_id: string;
  readonly secret?: string | undefined;
  readonly session: ProgressSession;
  readonly data: readonly ProgressEntry[];
  /** The last `seq` given, also of entries that are gone. */
  readonly last_seq: number;
  /** The lead is confirmed: nothing but what is here is to come. */
  readonly closing?: true;
  readonly not_before?: number | undefined;
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
  /** Absent once the server has confirmed the lead, or its visitor has started over. */
  readonly visit?: unknown;
};

/** The key of a lead's post or of a visit's progress. */
export function outboxKey(kind: OutboxRecord['kind'], leadId: string): string {
  return `${kind}:${leadId}`;
}

type Lease = { readonly name: string; readonly holder: string; readonly until: number };

/** The object stores, by name. */
const stores = {
  outbox: { keyPath: 'key' },
  visit: { keyPath: 'survey' },
  lease: { keyPath: 'name' },
};

/** No lease is given for longer. */
const LONGEST_LEASE_MS = 30_000;

/** How long opening the database may take before the page does without. */
const OPEN_TIMEOUT_MS = 1500;

/**
 * What the browser keeps: unsent leads and progress, and visits that can be taken up again. In
 * IndexedDB, whose finished transactions survive a killed browser; where that is missing, blocked or
 * full, in memory, and the caller is told that it is not safe there.
 */
export class Outbox {
  readonly #database: Promise<IDBDatabase | undefined>;
  readonly #memory = new Map<string, OutboxRecord>();

  constructor() {
    this.#database = Promise.race([
      openDatabase('survey', 1, stores).catch(() => undefined),
      new Promise<undefined>((resolve) => setTimeout(resolve, OPEN_TIMEOUT_MS)),
    ]);
  }

  /** Whether there is a database: without one, an empty outbox says nothing of earlier pages. */
  async isSafe(): Promise<boolean> {
    return (await this.#database) !== undefined;
  }

  /**
   * Changes one record, atomically also between tabs. `change` gets the present record (or undefined)
   * and returns the new one, or undefined to delete. It may be called twice.
   *
   * @returns whether it is on disk
   */
  async change(
    key: string,
    change: (present: OutboxRecord | undefined) => OutboxRecord | undefined,
  ): Promise<boolean> {
    try {
      await this.#write('outbox', async (store) => {
        const stored = await resultOf<OutboxRecord | undefined>(store.get(key));
        const next = change(this.#memory.get(key) ?? stored);
        if (next) store.put(next);
        else store.delete(key);
      });
      this.#memory.delete(key);
      return true;
    } catch {
      const stored = (await this.#read<OutboxRecord>('outbox')).find((each) => each.key === key);
      const next = change(this.#memory.get(key) ?? stored);
      if (next) this.#memory.set(key, next);
      else this.#memory.delete(key);
      return next === undefined;
    }
  }

  /** Every unsent record of a kind. */
  async list(kind: OutboxRecord['kind']): Promise<OutboxRecord[]> {
    const stored = await this.#read<OutboxRecord>('outbox');
    const records = new Map(stored.map((record) => [record.key, record]));
    for (const [key, record] of this.#memory) records.set(key, record);
    return [...records.values()].filter((record) => record.kind === kind);
  }

  /** The visits on all surveys; never throws. */
  visits(): Promise<VisitRecord[]> {
    return this.#read('visit');
  }

  /**
   * Keeps a visit; never throws. A visit that `forgetVisits` has cleared stays so: the
   * page of another tab, or one that has just taken it up, must not bring it back.
   */
  async keepVisit(survey: string, record: VisitRecord): Promise<void> {
    await this.#write('visit', async (store) => {
      const present = await resultOf<VisitRecord | undefined>(store.get(survey));
      const isForgotten = present?.lead_id === record.lead_id && present.visit === undefined;
      if (!isForgotten) store.put(record);
    }).catch(() => undefined);
  }

  /** Deletes everything that the visitor said in the visits of a lead; never throws. */
  async forgetVisits(leadId: string): Promise<void> {
    await this.#write('visit', async (store) => {
      for (const { survey, lead_id, saved_at } of await resultOf<VisitRecord[]>(store.getAll())) {
        if (lead_id !== leadId) continue;
        store.put({ survey, lead_id, saved_at });
        hintVisit(survey, false);
      }
    }).catch(() => undefined);
  }

  /**
   * Takes the right to send for a while, at most `LONGEST_LEASE_MS`, where the browser has no Web Locks;
   * gives it back with a time of 0.
   *
   * @returns false while another tab has it
   */
  async takeLease(name: string, holder: string, forMs: number): Promise<boolean> {
    let isFree = true;
    await this.#write('lease', async (store) => {
      const present = await resultOf<Lease | undefined>(store.get(name));
      const now = Date.now();
      // One that runs for longer than any was given by a clock that was ahead.
      const isOver = !(present && present.until > now && present.until <= now + LONGEST_LEASE_MS);
      isFree = isOver || present.holder === holder;
      if (isFree) store.put({ name, holder, until: now + forMs });
    }).catch(() => undefined);
    return isFree;
  }

  /** Everything in a store; nothing where it cannot be read. */
  async #read<Value>(store: keyof typeof stores): Promise<Value[]> {
    try {
      const database = await this.#database;
      return database
        ? await resultOf<Value[]>(database.transaction(store).objectStore(store).getAll())
        : [];
    } catch {
      return [];
    }
  }

  /** Writes in one transaction; resolves when it is on disk, rejects when it cannot be. */
  async #write(
    name: keyof typeof stores,
    write: (store: IDBObjectStore) => void | Promise<void>,
  ): Promise<void> {
    const database = await this.#database;
    if (!database) throw new Error('no database');
    const transaction = database.transaction(name, 'readwrite', { durability: 'strict' });
    const completion = completionOf(transaction);
    await Promise.all([write(transaction.objectStore(name)), completion]);
  }
}
