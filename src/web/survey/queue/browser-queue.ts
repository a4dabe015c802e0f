import { type PostLeadBody, postLeadPath } from '../../../model/messages/lead.ts';
import { type ProgressEntry, saveDataPath } from '../../../model/messages/progress.ts';
import type { Visit } from '../../../model/visit/visit.ts';
import {
  Outbox,
  type OutboxPost,
  type OutboxRecord,
  type OutboxSave,
  outboxKey,
  type VisitRecord,
} from './outbox.ts';
import { postJson } from './requests.ts';

/** Names of the queue's window events. `detail` has the lead's id and the status of a refusal. */
export const confirmedEvent = 'survey:confirmed';
export const waitingEvent = 'survey:waiting';

/** Pause between the first unsent step and its request, so that quick steps share a request. */
const STEPS_PAUSE_MS = 4000;
/** First and longest pause between attempts. The pause doubles after each attempt. */
const FIRST_PAUSE_MS = 1000;
const LAST_PAUSE_MS = 20_000;

const REQUEST_TIMEOUT_MS = 20_000;
/** Longest pause that a Retry-After header can cause. */
const RETRY_AFTER_LIMIT_MS = 24 * 60 * 60 * 1000;
/** Larger requests omit `keepalive`, because browsers limit it to 64 KiB per page. */
const KEEPALIVE_BYTES = 30_000;
/** HTTP statuses after which the queue does not retry. */
const finalStatuses = [400, 413, 415];

export type NewEntry = Omit<ProgressEntry, 'seq'>;

type SendState = {
  isSending?: boolean;
  /** True if another call asked to send the record while its request was running. */
  again?: boolean;
  failures: number;
  timer?: ReturnType<typeof setTimeout>;
};

/** Sends leads and progress until the server confirms them. All tabs share one outbox. */
export class BrowserQueue {
  readonly outbox = new Outbox();
  readonly #target: EventTarget;
  readonly #states = new Map<string, SendState>();
  /** Maps a record's key to the function that reports the result to the caller of `post`. */
  readonly #waiters = new Map<string, (confirmed: boolean) => void>();
  #unsent: OutboxSave | undefined;
  #stepsTimer: ReturnType<typeof setTimeout> | undefined;
  #stopped = false;

  constructor(target: EventTarget = window) {
    this.#target = target;
  }

  /** Sends all records now, except those for which the server requested a pause. */
  readonly flush = async (): Promise<void> => {
    for (const { key } of await this.outbox.list()) {
      this.#stateOf(key).failures = 0;
      void this.#send(key);
    }
  };

  stop(): void {
    this.#stopped = true;
    this.#forgetUnsent();
    for (const { timer } of this.#states.values()) clearTimeout(timer);
  }

  /**
   * Stores a lead and starts to send it. In the result, `stored` means that the lead is on disk,
   * and `settled` that the server has confirmed it.
   */
  post(body: PostLeadBody, secret?: string) {
    return this.#put(body.lead_id, secret, () => body);
  }

  /** Adds fields to a lead that may already be sent. Returns the same as `post`. */
  amend(part: Pick<PostLeadBody, 'lead_id'> & Readonly<Record<string, string>>, secret?: string) {
    return this.#put(part.lead_id, secret, (unsent) => ({ ...unsent, ...part }) as PostLeadBody);
  }

  async #put(
    lead_id: string,
    secret: string | undefined,
    bodyFrom: (unsent: PostLeadBody | undefined) => PostLeadBody,
  ) {
    const key = outboxKey('post', lead_id);
    const settled = new Promise<boolean>((resolve) => this.#waiters.set(key, resolve));
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
    this.#stateOf(key).failures = 0;
    void this.#send(key);
    return { stored, settled };
  }

  /** Numbers new progress entries, stores them with their visit, and sends them soon. */
  async save(
    { session, secret }: Pick<Visit, 'session' | 'secret'>,
    entries: readonly NewEntry[],
    record: VisitRecord,
  ): Promise<void> {
    if (entries.length === 0) return this.outbox.storeVisit(record);
    const { lead_id } = session;
    const key = outboxKey('save', lead_id);
    let save: OutboxSave | undefined;
    const change = (present: OutboxRecord | undefined) => {
      const {
        last_seq: before = 0,
        data = [],
        not_before,
      } = (present ?? {}) as Partial<OutboxSave>;
      const added = entries.map((entry, index) => ({ ...entry, seq: before + 1 + index }));
      const last_seq = before + added.length;
      const all = [...data, ...added];
      save = { key, kind: 'save', lead_id, secret, session, data: all, last_seq, not_before };
      return save;
    };
    await this.outbox.change(key, change, record);
    if (!save || this.#stopped) return;
    this.#unsent = save;
    // Sends the first step at once, because the server checks values only of a visit that it knows.
    const isFirst = save.last_seq === entries.length;
    const isLast = entries.some(({ kind }) => kind === 'submitted');
    if (isFirst || isLast || globalThis.document?.hidden) this.sendSteps();
    else this.#stepsTimer ??= setTimeout(() => void this.#send(key), STEPS_PAUSE_MS);
  }

  /** Sends the stored progress. Starts the request at once, because the page may be closing. */
  readonly sendSteps = (): void => {
    const save = this.#unsent;
    if (save) void this.#send(save.key, save);
  };

  #forgetUnsent(): void {
    clearTimeout(this.#stepsTimer);
    this.#stepsTimer = undefined;
    this.#unsent = undefined;
  }

  #stateOf(key: string): SendState {
    const state = this.#states.get(key) ?? { failures: 0 };
    this.#states.set(key, state);
    return state;
  }

  /** Sends a record until the server confirms or refuses it. */
  async #send(key: string, known?: OutboxRecord): Promise<void> {
    const state = this.#stateOf(key);
    clearTimeout(state.timer);
    state.again = state.isSending === true;
    if (state.again && !known) return;
    state.isSending = true;
    const unsent = this.#unsent?.key === key ? this.#unsent : undefined;
    if (unsent) this.#forgetUnsent();
    const record = known ?? unsent ?? (await this.outbox.find(key).catch(() => null));
    // A missing record was sent by another tab and confirmed by the server.
    if (record === undefined) this.#waiters.get(key)?.(true);
    const pauseMs = record === null ? FIRST_PAUSE_MS : record && (await this.#attempt(record));
    state.isSending = false;
    clearTimeout(state.timer);
    if (this.#stopped) return;
    if (state.again) void this.#send(key);
    else if (pauseMs !== undefined) state.timer = setTimeout(() => void this.#send(key), pauseMs);
  }

  /** Sends a record once and returns the pause before the next attempt. */
  async #attempt(record: OutboxRecord): Promise<number | undefined> {
    const { key, kind, stopped, not_before = 0 } = record;
    if (stopped !== undefined) return this.#report(record, false);
    if (kind === 'save' && record.data.length === 0) return undefined;
    const heldBackMs = not_before - Date.now();
    if (heldBackMs > 0 && heldBackMs <= RETRY_AFTER_LIMIT_MS) {
      this.#report(record, undefined);
      return heldBackMs;
    }
    const answer = await sendRecord(record);
    if (answer.isDone) {
      await (kind === 'post' ? this.#confirmed(record) : this.#saved(record));
      return undefined;
    }
    if (answer.stopped) {
      await this.#mark(record, { stopped: answer.stopped });
      console.error(`Refused and kept: ${kind}, ${answer.stopped}`);
      return this.#report({ ...record, stopped: answer.stopped }, false);
    }
    const { afterMs } = answer;
    if (afterMs) await this.#mark(record, { not_before: Date.now() + afterMs });
    this.#report(record, undefined);
    const pauseMs = Math.min(LAST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#stateOf(key).failures++);
    return afterMs ?? pauseMs * (0.5 + Math.random() / 2);
  }

  /** Stores the server's refusal or pause in the record. */
  #mark(record: OutboxRecord, change: { stopped?: number; not_before?: number }): Promise<boolean> {
    if (this.#unsent?.key === record.key) this.#unsent = { ...this.#unsent, ...change };
    return this.outbox.change(record.key, (present) =>
      present && (change.not_before || isSame(present, record))
        ? { ...present, ...change }
        : present,
    );
  }

  /** Deletes a confirmed lead's data, its post last: the next page can then finish the deletion. */
  async #confirmed(record: OutboxPost): Promise<void> {
    const isSent = (post: OutboxRecord) => post.key !== record.key || isSame(post, record);
    if ((await this.outbox.list('post')).every(isSent)) {
      await this.outbox.forgetVisits(record.lead_id);
      await this.outbox.change(outboxKey('save', record.lead_id), (present) => {
        if (present?.kind !== 'save' || present.data.length === 0) return undefined;
        const data = present.data.map((entry) => ({ ...entry, answers: {} }));
        return { ...present, closing: true, data };
      });
    }
    let isGone = false;
    await this.outbox.change(record.key, (present) => {
      isGone = !present || isSent(present);
      return isGone ? undefined : present;
    });
    if (isGone) this.#report(record, true);
    else this.#stateOf(record.key).again = true;
  }

  /** Deletes the confirmed entries of a visit's progress. */
  async #saved({ key, last_seq }: OutboxSave): Promise<void> {
    this.#stateOf(key).failures = 0;
    await this.outbox.change(key, (present) => {
      if (present?.kind !== 'save') return present;
      const data = present.data.filter(({ seq }) => seq > last_seq);
      return data.length === 0 && present.closing ? undefined : { ...present, data };
    });
  }

  /** Reports a post's result. `confirmed` is undefined before a retry. */
  #report(record: OutboxRecord, confirmed: boolean | undefined): undefined {
    if (record.kind !== 'post') return;
    const { lead_id, stopped: status } = record;
    const type = confirmed ? confirmedEvent : waitingEvent;
    this.#target.dispatchEvent(new CustomEvent(type, { detail: { lead_id, status } }));
    if (confirmed === undefined) return;
    this.#waiters.get(record.key)?.(confirmed);
    this.#waiters.delete(record.key);
  }
}

/** Sends a record once. Starts the request at once, because the page may be closing. */
async function sendRecord(
  record: OutboxRecord,
): Promise<{ isDone?: boolean; stopped?: number; afterMs?: number }> {
  const isPost = record.kind === 'post';
  const { session, data } = record as OutboxSave;
  const body = JSON.stringify(isPost ? record.body : { session, data });
  try {
    const response = await postJson(isPost ? postLeadPath : saveDataPath, body, {
      secret: record.secret,
      waitMs: REQUEST_TIMEOUT_MS,
      keepalive: body.length < KEEPALIVE_BYTES,
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

/** Returns whether a stored record is the one that was sent, not a newer one. */
function isSame(present: OutboxRecord, sent: OutboxRecord): boolean {
  return (present as OutboxPost).stamp === (sent as OutboxPost).stamp;
}

/** Starts the browser queue of a page. */
export function startBrowserQueue(): BrowserQueue {
  const queue = new BrowserQueue();
  void queue.outbox.opened.then(queue.flush);
  window.addEventListener('online', queue.flush);
  window.addEventListener('pageshow', (event) => event.persisted && queue.flush());
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) queue.sendSteps();
    else void queue.flush();
  });
  return queue;
}
