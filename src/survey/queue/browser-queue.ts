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

/** Window events of the browser queue; `detail` is `{ lead_id }`, with `status` where sending has stopped. */
export const confirmedEvent = 'survey:confirmed';
export const waitingEvent = 'survey:waiting';

/** Longest time for one request; a server that hangs must not hold the queue. */
const REQUEST_TIMEOUT_MS = 20_000;
/**
 * Pauses between attempts double from the first to the last. The last is short, because a visitor
 * who waits on the thank-you page is to be served within 30 s of a server's return.
 */
const FIRST_PAUSE_MS = 1000;
const LAST_PAUSE_MS = 20_000;
/** A Retry-After beyond a day is not believed, as in our server's own deliveries. */
const RETRY_AFTER_LIMIT_MS = 24 * 60 * 60 * 1000;
/** A lease outlives one request. */
const LEASE_MS = REQUEST_TIMEOUT_MS + 5000;
/** Browsers share 64 KiB of `keepalive` bodies a page; larger ones go without. */
const KEEPALIVE_BYTES = 30_000;
/** Statuses that no retry can change. */
const finalStatuses = [400, 413, 415];

/** What the browser queue needs from the page; the defaults are the browser's own. */
export type BrowserQueueOptions = {
  readonly fetch?: typeof fetch;
  readonly outbox?: Outbox;
  /** 0 to 1, for the jitter. */
  readonly random?: () => number;
  readonly locks?: Pick<LockManager, 'request'> | undefined;
  readonly target?: EventTarget;
};

/** How one request ended. */
type Outcome =
  | { readonly type: 'done' }
  | { readonly type: 'stop'; readonly status: number }
  | { readonly type: 'retry'; readonly afterMs?: number | undefined };

type Kind = OutboxRecord['kind'];
type NewEntry = Omit<ProgressEntry, 'seq'>;

/**
 * The browser queue outlives the tab: everything goes into the outbox first and leaves it when the
 * server has confirmed, over any number of pages, tabs and days, always under the same id.
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
  /** What happened in the present task, by lead: it is written at once, and together. */
  readonly #happened = new Map<string, { entries: NewEntry[]; stored: Promise<void> }>();
  #stopped = false;

  constructor(options: BrowserQueueOptions = {}) {
    this.outbox = options.outbox ?? new Outbox();
    this.#fetch = options.fetch ?? ((...request) => fetch(...request));
    this.#random = options.random ?? Math.random;
    this.#locks = 'locks' in options ? options.locks : globalThis.navigator?.locks;
    this.#target = options.target ?? window;
  }

  /** Sends what is there, without waiting for a pause to end, except one that the server asked for. */
  readonly flush = (): void => {
    if (this.#stopped) return;
    this.#runAfresh('post');
    this.#runAfresh('save');
  };

  /** Sends nothing more. What is in the outbox stays. */
  stop(): void {
    this.#stopped = true;
    for (const timer of Object.values(this.#timers)) clearTimeout(timer);
  }

  /**
   * Puts a lead into the outbox and starts sending it. It takes the place of a post of the same lead
   * that is still unsent: a body has all that the visitor means.
   *
   * @param secret the lead's, sent as a header with every try
   * @returns `stored`: whether it is on disk and survives the page; `settled`: resolves when the
   *   server has confirmed (true) or refused it for good (false)
   */
  post(
    body: PostLeadBody,
    secret?: string,
  ): Promise<{ stored: boolean; settled: Promise<boolean> }> {
    return this.#put(body.lead_id, secret, () => body);
  }

  /**
   * Adds to a lead: to its post where that is still unsent, else as a post of its own that says no more than
   * `part`, which the server merges. Returns what `post` returns.
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
   * Puts one thing that happened into the outbox and starts sending it. `seq` is given here.
   *
   * @param secret the lead's, sent as a header with every try
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

  /** The leads that wait to be confirmed, and the status of those that are stopped for good. */
  async waiting(): Promise<{ lead_id: string; status: number | undefined }[]> {
    return (await this.outbox.list('post')).map(statusOf);
  }

  /** Sends now, and lets the pauses begin with the shortest again. */
  #runAfresh(kind: Kind): void {
    this.#failures[kind] = 0;
    void this.#run(kind);
  }

  /** One run at a time a tab and kind; what comes in the meantime gets another. */
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

  /** Runs `send` while no other tab does. @returns its pause, or a short one where another tab sends */
  #alone(kind: Kind, send: () => Promise<number | undefined>): Promise<number | undefined> {
    const name = `survey-${kind}`;
    if (this.#locks) return this.#locks.request(name, send) as Promise<number | undefined>;
    return this.outbox
      .takeLease(name, this.#holder, LEASE_MS)
      .then((taken) =>
        taken ? send().finally(() => this.outbox.takeLease(name, this.#holder, 0)) : FIRST_PAUSE_MS,
      );
  }

  /** Sends every record once. @returns the pause until the next try, or undefined when nothing is left */
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
      // Farther off than any server was believed: the clock has been set back.
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

  /** Keeps what the server said: a pause holds for later content too, a refusal only for what was sent. */
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

  /** The lead is safe on the server: nothing personal stays in the browser. */
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

  /** Tells the page and whoever waits. `confirmed` is undefined while it is still being tried. */
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

/** What the page is told of a lead. */
function statusOf({ lead_id, stopped }: OutboxRecord) {
  return { lead_id, status: stopped };
}

/** Whether a record still has the content that was sent. */
function isSame(present: OutboxRecord, sent: OutboxRecord): boolean {
  return present.kind === 'post' && sent.kind === 'post'
    ? present.stamp === sent.stamp
    : present.kind === 'save' && sent.kind === 'save' && present.last_seq === sent.last_seq;
}

/** A Retry-After header, seconds or a date, as milliseconds from now; undefined when there is none. */
function retryAfterMs(header: string | null): number | undefined {
  if (!header) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return ms > 0 ? Math.min(ms, RETRY_AFTER_LIMIT_MS) : undefined;
}
