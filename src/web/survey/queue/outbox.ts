import type { PostLeadBody } from '../../../model/messages/lead.ts';
import type { ProgressEntry, ProgressSession } from '../../../model/messages/progress.ts';
import { wait } from './requests.ts';

/** Prefix of the storage key that marks a survey as having a visit to resume. */
export const visitHintKey = 'survey:';

/** Returns whether a survey is marked as having a visit to resume. */
export function isVisitHinted(survey: string): boolean {
  try {
    return visitHintKey + survey in localStorage;
  } catch {
    return false;
  }
}

/** Marks a survey as having a visit to resume, or removes the mark. */
export function hintVisit(survey: string, isResumable: boolean): void {
  try {
    const key = visitHintKey + survey;
    if (!isResumable) localStorage.removeItem(key);
    // Every write notifies the other tabs, so an existing hint is not written again.
    else if (!localStorage.getItem(key)) localStorage.setItem(key, '1');
  } catch {
    // The browser forbids storage, so there is no visit to resume.
  }
}

type Unsent = {
  readonly key: string;
  readonly lead_id: string;
  readonly secret?: string | undefined;
  /** Time until which the record must not be sent (Retry-After), in ms since 1970. */
  readonly not_before?: number | undefined;
  /** The HTTP status with which the server refused the record for good. */
  readonly stopped?: number;
};

export type OutboxPost = Unsent & {
  readonly kind: 'post';
  readonly body: PostLeadBody;
  /** Identifies this version of the body, so that its confirmation deletes no newer version. */
  readonly stamp: string;
};

export type OutboxSave = Unsent & {
  readonly kind: 'save';
  readonly session: ProgressSession;
  readonly data: readonly ProgressEntry[];
  /** The highest `seq` that any entry has had, even a deleted entry. */
  readonly last_seq: number;
  /** True after the server has confirmed the lead. */
  readonly closing?: true;
};

export type OutboxRecord = OutboxPost | OutboxSave;

/** A stored visit. */
export type VisitRecord = {
  readonly survey: string;
  readonly lead_id: string;
  readonly saved_at: number;
  /** Absent after the server has confirmed the lead or the visitor has started over. */
  readonly visit?: unknown;
};

export function outboxKey(kind: OutboxRecord['kind'], leadId: string): string {
  return `${kind}:${leadId}`;
}

// Uses IndexedDB directly, because the `idb` package would add a kilobyte to the survey page.

export function resultOf<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Resolves when a transaction is complete. Its writes then survive a crash of the browser. */
function completionOf(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
}

/** Opens the database and creates its object stores. */
async function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open('survey', 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore('outbox', { keyPath: 'key' });
    request.result.createObjectStore('visit', { keyPath: 'survey' });
  };
  const database = await resultOf(request);
  // Closes the connection, so that a newer version of the page can upgrade the database.
  database.onversionchange = () => database.close();
  return database;
}

/** Longest wait for the database before the outbox uses memory. */
const OPEN_TIMEOUT_MS = 1500;

/** Stores unsent leads, unsent progress, and visits in IndexedDB, or in memory if that fails. */
export class Outbox {
  readonly opened: Promise<void>;
  #database: Promise<IDBDatabase | undefined>;
  readonly #memory = new Map<string, OutboxRecord>();

  constructor() {
    const opening = openDatabase().catch(() => undefined);
    this.#database = Promise.race([opening, wait(OPEN_TIMEOUT_MS)]);
    this.opened = opening.then(async () => {
      this.#database = opening;
      for (const key of this.#memory.keys()) await this.change(key, (record) => record);
    });
  }

  /** Returns whether the disk can be read. If not, records of earlier pages are missing. */
  isSafe(): Promise<boolean> {
    return this.find('').then(
      async () => (await this.#database) !== undefined,
      () => false,
    );
  }

  /** Changes a record atomically. Returns whether the change is on disk. `change` may run twice. */
  async change(
    key: string,
    change: (present: OutboxRecord | undefined) => OutboxRecord | undefined,
    visit?: VisitRecord,
  ): Promise<boolean> {
    try {
      await this.#write(async (store, visits) => {
        const keeping = visit && putVisit(visits, visit);
        const stored = await resultOf<OutboxRecord | undefined>(store.get(key));
        await keeping;
        const next = change(this.#memory.get(key) ?? stored);
        if (next) store.put(next);
        else store.delete(key);
      });
      this.#memory.delete(key);
      return true;
    } catch {
      const next = change(await this.find(key).catch(() => undefined));
      if (next) this.#memory.set(key, next);
      else this.#memory.delete(key);
      return next === undefined;
    }
  }

  /** Returns a record, or undefined if there is none. Rejects if the disk cannot be read. */
  async find(key: string): Promise<OutboxRecord | undefined> {
    const unsafe = this.#memory.get(key);
    const database = unsafe ? undefined : await this.#database;
    return database
      ? resultOf(database.transaction('outbox').objectStore('outbox').get(key))
      : unsafe;
  }

  /** Returns the records of a kind, or all records. Never throws. */
  async list(kind?: OutboxRecord['kind']): Promise<OutboxRecord[]> {
    const stored = await this.#read<OutboxRecord>('outbox');
    const records = new Map(stored.map((record) => [record.key, record]));
    for (const [key, record] of this.#memory) records.set(key, record);
    return [...records.values()].filter((record) => !kind || record.kind === kind);
  }

  /** Returns the visits of all surveys. Never throws. */
  visits(): Promise<VisitRecord[]> {
    return this.#read('visit');
  }

  /** Stores a visit, unless any tab has called `forgetVisits` for its lead. Never throws. */
  async storeVisit(visit: VisitRecord): Promise<void> {
    await this.#write((_, visits) => putVisit(visits, visit)).catch(() => undefined);
  }

  /** Removes the data from all stored visits of a lead. Never throws. */
  async forgetVisits(leadId: string): Promise<void> {
    await this.#write(async (_, store) => {
      for (const { survey, lead_id, saved_at } of await resultOf<VisitRecord[]>(store.getAll())) {
        if (lead_id !== leadId) continue;
        store.put({ survey, lead_id, saved_at });
        hintVisit(survey, false);
      }
    }).catch(() => undefined);
  }

  async #read<Value>(store: 'outbox' | 'visit'): Promise<Value[]> {
    try {
      const database = await this.#database;
      return database
        ? await resultOf<Value[]>(database.transaction(store).objectStore(store).getAll())
        : [];
    } catch {
      return [];
    }
  }

  async #write(
    write: (outbox: IDBObjectStore, visits: IDBObjectStore) => Promise<void>,
  ): Promise<void> {
    const database = await this.#database;
    if (!database) throw new Error('no database');
    const transaction = database.transaction(['outbox', 'visit'], 'readwrite', {
      durability: 'strict',
    });
    const completion = completionOf(transaction);
    const writing = write(transaction.objectStore('outbox'), transaction.objectStore('visit'));
    await Promise.all([writing, completion]);
  }
}

async function putVisit(visits: IDBObjectStore, visit: VisitRecord): Promise<void> {
  const present = await resultOf<VisitRecord | undefined>(visits.get(visit.survey));
  const isForgotten = present?.lead_id === visit.lead_id && present.visit === undefined;
  if (!isForgotten) visits.put(visit);
}
