import { type PostLeadBody, postLeadPath } from '../../../model/messages/lead.ts';
import {
  type ProgressEntry,
  type ProgressSession,
  saveDataPath,
} from '../../../model/messages/progress.ts';
import {
  Outbox,
  type OutboxPost,
  type OutboxRecord,
  type OutboxSave,
  outboxKey,
  type VisitRecord,
} from './outbox.ts';
import { postJson } from './requests.ts';

/** Window events of the browser queue. `detail` is `{ lead_id }`, with `status` once sending has stopped. */
export const confirmedEvent = 'survey:confirmed';
export const waitingEvent = 'survey:waiting';

/** Pause between the first unsent step and its request, so that quick steps share one request. */
const STEPS_PAUSE_MS = 2000;
/** The pause between attempts doubles from `FIRST_PAUSE_MS` to `LAST_PAUSE_MS`. */
const FIRST_PAUSE_MS = 1000;
const LAST_PAUSE_MS = 20_000;

/** Time limit of one request. */
const REQUEST_TIMEOUT_MS = 20_000;
/** Upper limit of Retry-After. A record with a longer wait shows that the clock was set back. */
const RETRY_AFTER_LIMIT_MS = 24 * 60 * 60 * 1000;
/** Larger requests are sent without `keepalive`, because browsers limit its bodies to 64 KiB per page. */
const KEEPALIVE_BYTES = 30_000;
/** HTTP statuses after which the queue does not retry. */
const finalStatuses = [400, 413, 415];

type Kind = OutboxRecord['kind'];
type NewEntry = Omit<ProgressEntry, 'seq'>;

/** The state of sending one kind of record. */
type Lane = {
  isRunning?: boolean;
  /** Another run was requested during the present one. */
  again?: boolean;
  failures: number;
  timer?: ReturnType<typeof setTimeout>;
};

/** The changes of a visit within one browser task, which are stored in one transaction. */
type Task = {
  readonly entries: NewEntry[];
  readonly session?: ProgressSession;
  readonly secret?: string | undefined;
  readonly visit?: VisitRecord;
  readonly stored: Promise<void>;
};

/**
 * Sends leads and progress at least once, under the same id. Each record enters the outbox first and leaves it when the
 * server has confirmed it. Later pages and other tabs continue the sending.
 */
export class BrowserQueue {
  readonly outbox = new Outbox();
  readonly #fetch: typeof fetch | undefined;
  readonly #locks: Pick<LockManager, 'request'> | undefined;
  readonly #target: EventTarget;
  readonly #lanes: Record<Kind, Lane> = { post: { failures: 0 }, save: { failures: 0 } };
  readonly #waiters = new Map<string, (confirmed: boolean) => void>();
  #task: Task | undefined;
  /** The stored but unsent progress of the page's visit. */
  #unsent: OutboxSave | undefined;
  /** The last confirmed `seq`, by lead id. The next transaction deletes the entries up to this number. */
  readonly #confirmedSeq = new Map<string, number>();
  #stepsTimer: ReturnType<typeof setTimeout> | undefined;
  #stopped = false;

  constructor({
    fetch: doFetch = undefined as typeof fetch | undefined,
    locks = globalThis.navigator?.locks as Pick<LockManager, 'request'> | undefined,
    target = window as EventTarget,
  } = {}) {
    this.#fetch = doFetch;
    this.#locks = locks;
    this.#target = target;
  }

  /** Sends everything now, except records for which the server requested a pause. */
  readonly flush = (): void => {
    this.#runAfresh('post');
    this.#takeUnsent();
    this.#runAfresh('save');
  };

  /** Stops sending. Deletes nothing from the outbox. */
  stop(): void {
    this.#stopped = true;
    this.#takeUnsent();
    for (const { timer } of Object.values(this.#lanes)) clearTimeout(timer);
  }

  /**
   * Puts a lead into the outbox and starts sending it. Replaces an unsent body of the same lead.
   *
   * @param secret the lead's secret, sent in a header
   * @returns `stored`: whether the lead is on disk; `settled`: resolves when the server has confirmed
   *   (true) or finally refused (false)
   */
  post(body: PostLeadBody, secret?: string) {
    return this.#put(body.lead_id, secret, () => body);
  }

  /**
   * Adds fields to a lead. Changes its unsent post, or else posts only these fields, which the server merges. Returns
   * the same as `post`.
   */
  amend(part: Pick<PostLeadBody, 'lead_id'> & Readonly<Record<string, string>>, secret?: string) {
    return this.#put(part.lead_id, secret, (unsent) => ({ ...unsent, ...part }) as PostLeadBody);
  }

  async #put(
    lead_id: string,
    secret: string | undefined,
    bodyFrom: (unsent: PostLeadBody | undefined) => PostLeadBody,
  ) {
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
   * Numbers a progress entry, puts it into the outbox, and sends it soon.
   *
   * @param secret the lead's secret, sent in a header
   */
  save(session: ProgressSession, entry: NewEntry, secret?: string): Promise<void> {
    const task = this.#presentTask();
    task.entries.push(entry);
    return Object.assign(task, { session, secret }).stored;
  }

  /** Stores a visit for the next page load, in one transaction with the present task's entries. */
  storeVisit(visit: VisitRecord): Promise<void> {
    return Object.assign(this.#presentTask(), { visit }).stored;
  }

  #presentTask(): Task {
    this.#task ??= {
      entries: [],
      stored: Promise.resolve().then(() => {
        const task = this.#task as Task;
        this.#task = undefined;
        return this.#store(task);
      }),
    };
    return this.#task;
  }

  async #store({ entries, session, secret, visit }: Task): Promise<void> {
    if (!session) return visit && this.outbox.storeVisit(visit);
    const { lead_id } = session;
    const key = outboxKey('save', lead_id);
    let save: OutboxSave | undefined;
    const change = (present: OutboxRecord | undefined) => {
      const before = present as OutboxSave | undefined;
      const lastSeq = before?.last_seq ?? 0;
      const last_seq = lastSeq + entries.length;
      const added = entries.map((entry, index) => ({ ...entry, seq: lastSeq + 1 + index }));
      const data = [...this.#unconfirmed(before), ...added];
      const not_before = before?.not_before;
      save = { key, kind: 'save', lead_id, secret, session, data, last_seq, not_before };
      return save;
    };
    await this.outbox.change(key, change, visit);
    if (!save || this.#stopped) return;
    this.#unsent = save;
    const send = () => void this.#run('save', this.sendSteps);
    // The server records checks only for known visits, so the first step is sent at once.
    if (save.last_seq === entries.length) send();
    else this.#stepsTimer ??= setTimeout(send, STEPS_PAUSE_MS);
    // Does not wait after a visit's last entry, or on a hidden page, which may not come back.
    const isLast = entries.some(({ kind }) => kind === 'submitted');
    if (isLast || globalThis.document?.hidden) void this.sendSteps();
  }

  /** Sends the stored steps of this page. The request begins before this returns, so that the page may end. */
  readonly sendSteps = async (): Promise<void> => {
    const save = this.#takeUnsent();
    if (!save) return;
    // The retry waits until `not_before`.
    if (save.not_before || (await this.#sendOne(save))) this.#retry('save');
  };

  #takeUnsent(): OutboxSave | undefined {
    clearTimeout(this.#stepsTimer);
    this.#stepsTimer = undefined;
    const unsent = this.#unsent;
    this.#unsent = undefined;
    return unsent;
  }

  /** Returns the entries for which this page has no confirmation. */
  #unconfirmed(save: OutboxSave | undefined): readonly ProgressEntry[] {
    const confirmed = this.#confirmedSeq.get(save?.lead_id ?? '') ?? 0;
    return save?.data.filter(({ seq }) => seq > confirmed) ?? [];
  }

  /** Sends now, and resets the pause between attempts. */
  #runAfresh(kind: Kind): void {
    this.#lanes[kind].failures = 0;
    void this.#run(kind);
  }

  /** Sends one kind of record. A call during a run starts another run afterwards. */
  async #run(kind: Kind, send = () => this.#sendAllLocked(kind)): Promise<void> {
    const lane = this.#lanes[kind];
    clearTimeout(lane.timer);
    lane.again = lane.isRunning === true;
    if (lane.again) return;
    lane.isRunning = true;
    await send();
    lane.isRunning = false;
    if (lane.again && !this.#stopped) void this.#run(kind);
  }

  async #sendAllLocked(kind: Kind): Promise<void> {
    const send = () => this.#sendAll(kind);
    // Without Web Locks two tabs may send the same record. The server stores it once.
    const sending = this.#locks ? this.#locks.request(`survey-${kind}`, send) : send();
    const pauseMs = await sending.catch(() => LAST_PAUSE_MS);
    if (pauseMs !== undefined) this.#retry(kind, pauseMs);
  }

  #retry(kind: Kind, afterMs: number = this.#pauseMs(kind)): void {
    const lane = this.#lanes[kind];
    clearTimeout(lane.timer);
    if (!this.#stopped) lane.timer = setTimeout(() => void this.#run(kind), afterMs);
  }

  /** Sends every record once. @returns the pause before the next try, or undefined if nothing is left */
  async #sendAll(kind: Kind): Promise<number | undefined> {
    const pauses: number[] = [];
    let hasFailed = false;
    for (const record of await this.outbox.list(kind)) {
      const heldBackMs = (record.not_before ?? 0) - Date.now();
      const isSave = record.kind === 'save';
      if (record.stopped !== undefined) this.#report(record, false);
      else if (isSave && this.#unconfirmed(record).length === 0) {
        if (record.data.length) await this.#saved(record);
      } else if (heldBackMs > 0 && heldBackMs <= RETRY_AFTER_LIMIT_MS) {
        pauses.push(heldBackMs);
        this.#report(record, undefined);
      } else if (await this.#sendOne(record)) hasFailed = true;
      else if (isSave) await this.#saved(record);
    }
    if (hasFailed) pauses.push(this.#pauseMs(kind));
    return pauses.length > 0 ? Math.min(...pauses) : undefined;
  }

  /** Sends a record and stores the answer. @returns whether it must be sent again */
  async #sendOne(record: OutboxRecord): Promise<boolean> {
    const { kind } = record;
    const { isDone, stopped, afterMs } = await sendRecord(record, this.#fetch);
    if (isDone) {
      this.#lanes[kind].failures = 0;
      if (record.kind === 'post') await this.#confirmed(record);
      else this.#confirmedSeq.set(record.lead_id, record.last_seq);
    } else if (stopped) {
      await this.#mark(record, { stopped });
      console.error(`Refused and kept: ${kind}, ${stopped}`);
      this.#report({ ...record, stopped }, false);
    } else {
      if (afterMs) await this.#mark(record, { not_before: Date.now() + afterMs });
      this.#report(record, undefined);
    }
    return !isDone && !stopped;
  }

  #pauseMs(kind: Kind): number {
    const full = Math.min(LAST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#lanes[kind].failures++);
    return full * (0.5 + Math.random() / 2);
  }

  /** Records the server's answer. A pause also applies to newer content, a refusal only to the sent content. */
  #mark(record: OutboxRecord, change: { stopped?: number; not_before?: number }): Promise<boolean> {
    return this.outbox.change(record.key, (present) =>
      present && (change.not_before || isSame(present, record))
        ? { ...present, ...change }
        : present,
    );
  }

  /**
   * Deletes the personal data of a confirmed lead from the browser. Deletes the post last: if the page ends
   * earlier, the next page sends the post again and deletes the rest.
   */
  async #confirmed(record: OutboxPost): Promise<void> {
    const isSent = (post: OutboxRecord) => post.key !== record.key || isSame(post, record);
    if ((await this.outbox.list('post')).every(isSent)) {
      await this.outbox.forgetVisits(record.lead_id);
      await this.outbox.change(outboxKey('save', record.lead_id), (present) => {
        if (present?.kind !== 'save') return undefined;
        const data = this.#unconfirmed(present).map((entry) => ({ ...entry, answers: {} }));
        return data.length === 0 ? undefined : { ...present, closing: true, data };
      });
    }
    let isGone = false;
    await this.outbox.change(record.key, (present) => {
      isGone = !present || isSent(present);
      return isGone ? undefined : present;
    });
    if (isGone) this.#report(record, true);
    else this.#lanes.post.again = true;
  }

  async #saved({ key }: OutboxSave): Promise<void> {
    await this.outbox.change(key, (present) => {
      if (present?.kind !== 'save') return present;
      const data = this.#unconfirmed(present);
      return data.length === 0 && present.closing ? undefined : { ...present, data };
    });
  }

  /** Reports to the page and to the caller of `post`. `confirmed` is undefined while the lead is being retried. */
  #report(record: OutboxRecord, confirmed: boolean | undefined): void {
    if (record.kind !== 'post') return;
    const { lead_id, stopped: status } = record;
    const type = confirmed ? confirmedEvent : waitingEvent;
    this.#target.dispatchEvent(new CustomEvent(type, { detail: { lead_id, status } }));
    if (confirmed === undefined) return;
    this.#waiters.get(lead_id)?.(confirmed);
    this.#waiters.delete(lead_id);
  }
}

/**
 * Sends a record. The request begins before this returns, so that the page may end right after.
 *
 * @returns whether the server confirmed the record; else the status of a refusal or the time of a retry
 */
async function sendRecord(
  record: OutboxRecord,
  doFetch: typeof fetch | undefined,
): Promise<{ isDone?: boolean; stopped?: number; afterMs?: number }> {
  const isPost = record.kind === 'post';
  const { session, data } = record as OutboxSave;
  const body = JSON.stringify(isPost ? record.body : { session, data });
  try {
    const response = await postJson(isPost ? postLeadPath : saveDataPath, body, {
      secret: record.secret,
      waitMs: REQUEST_TIMEOUT_MS,
      keepalive: body.length < KEEPALIVE_BYTES,
      fetch: doFetch,
    });
    const { ok, status, headers } = response;
    if (ok) {
      const answer = (await response.json()) as Readonly<Record<string, unknown>>;
      const isSaved = answer.userBackupStatus === true && answer.userProgressionStatus === true;
      return { isDone: isPost ? answer.lead_id === record.lead_id : isSaved };
    }
    if (finalStatuses.includes(status)) return { stopped: status };
    const afterMs = Number(headers.get('retry-after')) * 1000;
    return afterMs > 0 ? { afterMs: Math.min(afterMs, RETRY_AFTER_LIMIT_MS) } : {};
  } catch {
    return {};
  }
}

/** Returns whether a post still has the sent body. Saves have no stamp: `seq` identifies their entries. */
function isSame(present: OutboxRecord, sent: OutboxRecord): boolean {
  return (present as OutboxPost).stamp === (sent as OutboxPost).stamp;
}

/**
 * Starts the browser queue of a page. Sends all unsent records now, and again when the network or the page comes back.
 * Sends the page's own steps when the visitor leaves. Any page may import this module, which needs no React.
 */
export function startBrowserQueue(): BrowserQueue {
  const queue = new BrowserQueue();
  void queue.outbox.opened.then(queue.flush);
  window.addEventListener('online', queue.flush);
  window.addEventListener('pageshow', (event) => event.persisted && queue.flush());
  // A page that the visitor leaves is hidden first.
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) void queue.sendSteps();
    else queue.flush();
  });
  return queue;
}
