import { type PostLeadAnswer, type PostLeadBody, postLeadPath } from '../../contract/lead.ts';
import {
  type ProgressEntry,
  type ProgressSession,
  type SaveDataAnswer,
  saveDataPath,
} from '../../contract/progress.ts';
import {
  Outbox,
  type OutboxPost,
  type OutboxRecord,
  type OutboxSave,
  outboxKey,
} from './outbox.ts';
import { jsonHeaders } from './request-headers.ts';

/**
 * Window events of the browser queue. `detail` is `{ lead_id }`, with `status` once sending has
 * stopped.
 */
export const confirmedEvent = 'survey:confirmed';
export const waitingEvent = 'survey:waiting';

/** Longest time of one request, so that a hanging server does not stop the queue. */
const REQUEST_TIMEOUT_MS = 20_000;
/**
 * The pause between attempts doubles from the first to the last. The last is short, so that a visitor on the
 * thank-you page is served within 30 s of the server's return.
 */
const FIRST_PAUSE_MS = 1000;
const LAST_PAUSE_MS = 20_000;
/** A longer Retry-After is cut to a day, as in our server's deliveries. */
const RETRY_AFTER_LIMIT_MS = 24 * 60 * 60 * 1000;
/** A lease outlives one request. */
const LEASE_MS = REQUEST_TIMEOUT_MS + 5000;
/**
 * Browsers limit the `keepalive` bodies of a page to 64 KiB; larger requests are sent without it.
 */
const KEEPALIVE_BYTES = 30_000;
/** Statuses that no retry can change. */
const finalStatuses = [400, 413, 415];

/** The browser queue's environment. Defaults: the browser's own. */
type BrowserQueueOptions = {
  readonly fetch?: typeof fetch;
  readonly outbox?: Outbox;
  /** 0 to 1, for the jitter. */
  readonly random?: () => number;
  readonly locks?: Pick<LockManager, 'request'> | undefined;
  readonly target?: EventTarget;
};

/** The outcome of one request. */
type Outcome =
  | { readonly type: 'done' }
  | { readonly type: 'stop'; readonly status: number }
  | { readonly type: 'retry'; readonly afterMs?: number | undefined };

type Kind = OutboxRecord['kind'];
type NewEntry = Omit<ProgressEntry, 'seq'>;

/**
 * Sends leads and progress at least once, also after the tab was closed. Everything enters the outbox first and
 * leaves it when the server has confirmed, over any number of pages, tabs and days, under the same id.
 */
export class BrowserQueue {
  readonly outbox: Outbox;
  readonly #fetch: typeof fetch;
  readonly #random: () => number;
  readonly #locks: Pick<LockManager, 'request'> | undefined;
  readonly #target: EventTarget;
  readonly #holder = crypto.getRandomValues(new Uint32Array(2)).join('');
  readonly #running: Partial<Record<Kind, Promise<void>>> = {};
  readonly #again: Partial<Record<Kind, boolean>> = {};
  readonly #failures: Record<Kind, number> = { post: 0, save: 0 };
  readonly #timers: Partial<Record<Kind, ReturnType<typeof setTimeout>>> = {};
  readonly #waiters = new Map<string, (confirmed: boolean) => void>();
  /** The entries of the present task by lead, which are written together. */
  readonly #happened = new Map<string, { entries: NewEntry[]; stored: Promise<void> }>();
  #stopped = false;

  constructor(options: BrowserQueueOptions = {}) {
    this.outbox = options.outbox ?? new Outbox();
    this.#fetch = options.fetch ?? ((...request) => fetch(...request));
    this.#random = options.random ?? Math.random;
    this.#locks = 'locks' in options ? options.locks : globalThis.navigator?.locks;
    this.#target = options.target ?? window;
  }

  /** Sends everything now. Only a pause that the server asked for still holds. */
  readonly flush = (): void => {
    if (this.#stopped) return;
    this.#runAfresh('post');
    this.#runAfresh('save');
  };

  /** Stops sending. The outbox stays. */
  stop(): void {
    this.#stopped = true;
    for (const timer of Object.values(this.#timers)) clearTimeout(timer);
  }

  /**
   * Puts a lead into the outbox and starts sending it. The body is complete and replaces an unsent one of the same
   * lead.
   *
   * @param secret the lead's secret, sent in a header
   * @returns `stored`: whether it is on disk and survives the page; `settled`: resolves when the server has
   *   confirmed (true) or finally refused (false)
   */
  post(
    body: PostLeadBody,
    secret?: string,
  ): Promise<{ stored: boolean; settled: Promise<boolean> }> {
    return this.#put(body.lead_id, secret, () => body);
  }

  /**
   * Adds fields to a lead: to its unsent post, else as a post with only these fields, which the server merges.
   * Returns what `post` returns.
   */
  amend(part: Pick<PostLeadBody, 'lead_id'> & Readonly<Record<string, string>>, secret?: string) {
    return this.#put(part.lead_id, secret, (unsent) => ({ ...unsent, ...part }) as PostLeadBody);
  }

  async #put(
    lead_id: string,
    secret: string | undefined,
    bodyFrom: (unsent: PostLeadBody | undefined) => PostLeadBody,
  ): Promise<{ stored: boolean; settled: Promise<boolean> }> {
    const key = outboxKey('post', lead_id);
    const settled = new Promise<boolean>((resolve) => this.#waiters.set(lead_id, resolve));
    const stamp = crypto.getRandomValues(new Uint32Array(2)).join('');
    const stored = await this.outbox.change(key, (present) => ({
      key,
      kind: 'post',
      lead_id,
      secret,
      stamp,
      body: bodyFrom(present?.kind === 'post' ? present.body : undefined),
      not_before: present?.not_before,
    }));
    this.#runAfresh('post');
    return { stored, settled };
  }

  /**
   * Numbers a progress entry, puts it into the outbox and starts sending it.
   *
   * @param secret the lead's secret, sent in a header
   */
  save(session: ProgressSession, entry: NewEntry, secret?: string): Promise<void> {
    const { lead_id } = session;
    const others = this.#happened.get(lead_id);
    if (others) {
      others.entries.push(entry);
      return others.stored;
    }
    const entries = [entry];
    const stored = Promise.resolve().then(() => {
      this.#happened.delete(lead_id);
      return this.#store(session, entries, secret);
    });
    this.#happened.set(lead_id, { entries, stored });
    return stored;
  }

  async #store(
    session: ProgressSession,
    entries: readonly NewEntry[],
    secret: string | undefined,
  ): Promise<void> {
    const { lead_id } = session;
    const key = outboxKey('save', lead_id);
    await this.outbox.change(key, (present) => {
      const save = present as OutboxSave | undefined;
      const lastSeq = save?.last_seq ?? 0;
      const last_seq = lastSeq + entries.length;
      const added = entries.map((entry, index) => ({ ...entry, seq: lastSeq + 1 + index }));
      const data = [...(save?.data ?? []), ...added];
      const not_before = save?.not_before;
      return { key, kind: 'save', lead_id, secret, session, data, last_seq, not_before };
    });
    void this.#run('save');
  }

  /** Returns the unconfirmed leads, with the status of those that were finally refused. */
  async waiting(): Promise<{ lead_id: string; status: number | undefined }[]> {
    return (await this.outbox.list('post')).map(statusOf);
  }

  /** Sends now, and starts with the shortest pause again. */
  #runAfresh(kind: Kind): void {
    this.#failures[kind] = 0;
    void this.#run(kind);
  }

  /** Runs one loop per tab and kind of record. A call during a loop repeats it. */
  #run(kind: Kind): Promise<void> {
    clearTimeout(this.#timers[kind]);
    const running = this.#running[kind];
    if (running) {
      this.#again[kind] = true;
      return running;
    }
    const run = this.#loop(kind).finally(() => {
      delete this.#running[kind];
    });
    this.#running[kind] = run;
    return run;
  }

  async #loop(kind: Kind): Promise<void> {
    let pauseMs: number | undefined;
    do {
      this.#again[kind] = false;
      pauseMs = await this.#alone(kind, () => this.#sendAll(kind)).catch(() => LAST_PAUSE_MS);
    } while (this.#again[kind] && !this.#stopped);
    if (pauseMs !== undefined && !this.#stopped) {
      this.#timers[kind] = setTimeout(() => void this.#run(kind), pauseMs);
    }
  }

  /** Runs `send` while no other tab sends. @returns its pause, or a short one if another tab sends */
  #alone(kind: Kind, send: () => Promise<number | undefined>): Promise<number | undefined> {
    const name = `survey-${kind}`;
    if (this.#locks) return this.#locks.request(name, send) as Promise<number | undefined>;
    return this.outbox
      .takeLease(name, this.#holder, LEASE_MS)
      .then((taken) =>
        taken ? send().finally(() => this.outbox.takeLease(name, this.#holder, 0)) : FIRST_PAUSE_MS,
      );
  }

  /** Sends every record once. @returns the pause before the next try, or undefined if nothing is left */
  async #sendAll(kind: Kind): Promise<number | undefined> {
    let pauseMs: number | undefined;
    let hasFailed = false;
    const sooner = (ms: number) => {
      pauseMs = Math.min(pauseMs ?? ms, ms);
    };
    for (const record of await this.outbox.list(kind)) {
      if (record.stopped !== undefined) {
        this.#tell(record, false);
        continue;
      }
      if (record.kind === 'save' && record.data.length === 0) continue;
      const heldBackMs = (record.not_before ?? 0) - Date.now();
      // A longer wait means that the clock was set back.
      if (heldBackMs > 0 && heldBackMs <= RETRY_AFTER_LIMIT_MS) {
        sooner(heldBackMs);
        this.#tell(record, undefined);
        continue;
      }
      if (!this.#locks) await this.outbox.takeLease(`survey-${kind}`, this.#holder, LEASE_MS);
      const outcome = await this.#send(record);
      if (outcome.type === 'done') {
        this.#failures[kind] = 0;
        await (record.kind === 'post' ? this.#confirmed(record) : this.#saved(record));
      } else if (outcome.type === 'stop') {
        await this.#mark(record, { stopped: outcome.status });
        console.error(`The server refused a ${kind}: ${outcome.status}. It is kept.`);
        this.#tell({ ...record, stopped: outcome.status }, false);
      } else {
        const { afterMs } = outcome;
        if (afterMs) await this.#mark(record, { not_before: Date.now() + afterMs });
        hasFailed = true;
        this.#tell(record, undefined);
      }
    }
    if (hasFailed) sooner(this.#pauseMs(kind));
    return pauseMs;
  }

  #pauseMs(kind: Kind): number {
    const full = Math.min(LAST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failures[kind]);
    this.#failures[kind] += 1;
    return full * (0.5 + this.#random() / 2);
  }

  /** Records the server's answer: a pause holds for newer content too, a refusal only for the sent one. */
  #mark(record: OutboxRecord, change: { stopped?: number; not_before?: number }): Promise<boolean> {
    return this.outbox.change(record.key, (present) =>
      present && (change.not_before || isSame(present, record))
        ? { ...present, ...change }
        : present,
    );
  }

  async #send(record: OutboxRecord): Promise<Outcome> {
    const [path, body] =
      record.kind === 'post'
        ? [postLeadPath, JSON.stringify(record.body)]
        : [saveDataPath, JSON.stringify({ session: record.session, data: record.data })];
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), REQUEST_TIMEOUT_MS);
    try {
      const response = await this.#fetch(path, {
        method: 'POST',
        headers: jsonHeaders(record.secret),
        body,
        keepalive: body.length < KEEPALIVE_BYTES,
        signal: abort.signal,
      });
      if (response.ok) {
        const answer = (await response.json()) as Partial<PostLeadAnswer & SaveDataAnswer>;
        const isConfirmed =
          record.kind === 'post'
            ? answer.lead_id === record.lead_id
            : answer.userBackupStatus === true && answer.userProgressionStatus === true;
        return isConfirmed ? { type: 'done' } : { type: 'retry' };
      }
      if (finalStatuses.includes(response.status)) {
        return { type: 'stop', status: response.status };
      }
      return { type: 'retry', afterMs: retryAfterMs(response.headers.get('retry-after')) };
    } catch {
      return { type: 'retry' };
    } finally {
      clearTimeout(timer);
    }
  }

  /** Deletes everything personal of a confirmed lead from the browser. */
  async #confirmed(record: OutboxPost): Promise<void> {
    let isGone = false;
    await this.outbox.change(record.key, (present) => {
      isGone = !present || isSame(present, record);
      return isGone ? undefined : present;
    });
    if (!isGone) {
      this.#again.post = true;
      return;
    }
    await this.outbox.forgetVisits(record.lead_id);
    await this.outbox.change(outboxKey('save', record.lead_id), (present) => {
      if (present?.kind !== 'save' || present.data.length === 0) return undefined;
      return {
        ...present,
        closing: true,
        data: present.data.map((entry) => ({ ...entry, answers: {} })),
      };
    });
    this.#tell(record, true);
  }

  async #saved(record: OutboxSave): Promise<void> {
    const sent = record.data.at(-1)?.seq ?? 0;
    await this.outbox.change(record.key, (present) => {
      if (present?.kind !== 'save') return present;
      const data = present.data.filter((entry) => entry.seq > sent);
      return data.length === 0 && present.closing ? undefined : { ...present, data };
    });
  }

  /** Tells the page and the poster. `confirmed`: undefined while the lead is being retried. */
  #tell(record: OutboxRecord, confirmed: boolean | undefined): void {
    if (record.kind !== 'post') return;
    const { lead_id } = record;
    this.#target.dispatchEvent(
      new CustomEvent(confirmed ? confirmedEvent : waitingEvent, { detail: statusOf(record) }),
    );
    if (confirmed === undefined) return;
    this.#waiters.get(lead_id)?.(confirmed);
    this.#waiters.delete(lead_id);
  }
}

/** Returns the event detail of a lead. */
function statusOf({ lead_id, stopped }: OutboxRecord) {
  return { lead_id, status: stopped };
}

/** Returns whether a record still has the sent content. */
function isSame(present: OutboxRecord, sent: OutboxRecord): boolean {
  return present.kind === 'post' && sent.kind === 'post'
    ? present.stamp === sent.stamp
    : present.kind === 'save' && sent.kind === 'save' && present.last_seq === sent.last_seq;
}

/** Returns a Retry-After header (seconds or a date) as milliseconds from now, if there is one. */
function retryAfterMs(header: string | null): number | undefined {
  if (!header) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return ms > 0 ? Math.min(ms, RETRY_AFTER_LIMIT_MS) : undefined;
}
