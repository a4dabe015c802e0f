import { IDBFactory, IDBObjectStore } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { leadSecretHeader, type PostLeadBody } from '../../contract/lead.ts';
import type { ProgressSession } from '../../contract/progress.ts';
import { BrowserQueue, confirmedEvent, waitingEvent } from './browser-queue.ts';
import { Outbox, outboxKey } from './outbox.ts';

type Answer =
  | { status: number; body?: unknown; headers?: Record<string, string> }
  | 'network-error';
type Sent = { path: string; body: Record<string, unknown>; secret: string | null };

/** A server that answers as told, and remembers what it got. */
class FakeServer {
  readonly sent: Sent[] = [];
  answer: (sent: Sent) => Answer | Promise<Answer> = ({ path, body }) =>
    path === '/post-lead'
      ? {
          status: 200,
          body: { lead_id: body.lead_id, revision: 1, qualified: 'yes', dq_reason: '' },
        }
      : { status: 200, body: { userBackupStatus: true, userProgressionStatus: true } };

  readonly fetch = (async (path: string, init: RequestInit) => {
    const secret = new Headers(init.headers).get(leadSecretHeader);
    const sent = { path, body: JSON.parse(init.body as string), secret };
    this.sent.push(sent);
    const answer = await this.answer(sent);
    if (answer === 'network-error') throw new TypeError('Failed to fetch');
    return new Response(JSON.stringify(answer.body ?? {}), {
      status: answer.status,
      headers: answer.headers ?? {},
    });
  }) as typeof fetch;

  get posts(): Sent[] {
    return this.sent.filter(({ path }) => path === '/post-lead');
  }

  get saves(): Sent[] {
    return this.sent.filter(({ path }) => path === '/api/save-data');
  }
}

/** Web Locks of one browser: one holder a name at a time, the others wait. */
function fakeLocks(): Pick<LockManager, 'request'> {
  const chains = new Map<string, Promise<unknown>>();
  const request = (name: string, run: () => Promise<unknown>) => {
    const result = (chains.get(name) ?? Promise.resolve()).then(run);
    chains.set(
      name,
      result.catch(() => undefined),
    );
    return result;
  };
  return { request } as unknown as Pick<LockManager, 'request'>;
}

const leadId = '01930000-0000-7000-8000-000000000001';
const body = (change: Record<string, string> = {}) =>
  ({
    lead_id: leadId,
    survey: '/survey/v4nv',
    email: 'a@b.co',
    ...change,
  }) as unknown as PostLeadBody;
const session = { lead_id: leadId, survey: '/survey/v4nv' } as ProgressSession;
const entry = (step: string) =>
  ({ kind: 'answered', step, answers: { first_name: 'Ann' }, at: '2026-11-20T00:00:00Z' }) as const;

let server: FakeServer;
let queues: BrowserQueue[];
let events: string[];
let target: EventTarget;

function open(options: { locks?: Pick<LockManager, 'request'> | undefined } = {}): BrowserQueue {
  const queue = new BrowserQueue({
    fetch: server.fetch,
    target,
    random: () => 0,
    locks: 'locks' in options ? options.locks : fakeLocks(),
  });
  queues.push(queue);
  return queue;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], shouldAdvanceTime: true });
  vi.stubGlobal('indexedDB', new IDBFactory());
  vi.stubGlobal('localStorage', { setItem: () => undefined, removeItem: () => undefined });
  server = new FakeServer();
  queues = [];
  events = [];
  target = new EventTarget();
  for (const type of [confirmedEvent, waitingEvent]) {
    target.addEventListener(type, (event) => {
      const { lead_id, status } = (event as CustomEvent).detail;
      events.push([type, lead_id, status].filter(Boolean).join(' '));
    });
  }
});

afterEach(() => {
  for (const queue of queues) queue.stop();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const until = (check: () => void) => vi.waitFor(check, { timeout: 3000, interval: 5 });

describe('posts', () => {
  test('a confirmed lead leaves nothing behind', async () => {
    const queue = open();
    const visit = {
      survey: '/survey/v4nv',
      lead_id: leadId,
      saved_at: 5,
      visit: { email: 'a@b.co' },
    };
    await queue.outbox.keepVisit('/survey/v4nv', visit);
    const { stored, settled } = await queue.post(body());
    expect(stored).toBe(true);
    expect(await settled).toBe(true);
    expect(await queue.waiting()).toEqual([]);
    // Another tab that still shows the visit does not bring it back; a new visit is kept.
    await queue.outbox.keepVisit('/survey/v4nv', visit);
    expect((await queue.outbox.visits()).find(({ survey }) => survey === '/survey/v4nv')).toEqual({
      survey: '/survey/v4nv',
      lead_id: leadId,
      saved_at: 5,
    });
    await queue.outbox.keepVisit('/survey/v4nv', { ...visit, lead_id: 'new' });
    expect(
      (await queue.outbox.visits()).find(({ survey }) => survey === '/survey/v4nv'),
    ).toMatchObject({ visit: visit.visit });
    expect(events).toEqual([`${confirmedEvent} ${leadId}`]);
  });

  test.each([
    ['network-error' as const],
    [{ status: 500 }],
    [{ status: 503 }],
    [{ status: 404 }],
    [{ status: 200, body: { lead_id: 'another' } }],
    [{ status: 200, body: {} }],
  ])('%j is tried again under the same id until it is confirmed', async (answer) => {
    const fine = server.answer;
    server.answer = (sent) => (server.posts.length < 3 ? answer : fine(sent));
    const { settled } = await open().post(body());
    await vi.advanceTimersByTimeAsync(5000);
    expect(await settled).toBe(true);
    expect(server.posts).toHaveLength(3);
    expect(new Set(server.posts.map((sent) => sent.body.lead_id))).toEqual(new Set([leadId]));
    expect(events.at(0)).toBe(`${waitingEvent} ${leadId}`);
    expect(events.at(-1)).toBe(`${confirmedEvent} ${leadId}`);
  });

  test.each([400, 413, 415])('%d stops the sending and keeps the data', async (status) => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    server.answer = () => ({ status });
    const queue = open();
    const { settled } = await queue.post(body());
    expect(await settled).toBe(false);
    await vi.advanceTimersByTimeAsync(60_000);
    queue.flush();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(server.posts).toHaveLength(1);
    expect(await queue.waiting()).toEqual([{ lead_id: leadId, status }]);
    expect(events[0]).toBe(`${waitingEvent} ${leadId} ${status}`);
  });

  test('pauses grow to 20 s and no further', async () => {
    server.answer = () => 'network-error';
    await open().post(body());
    await vi.advanceTimersByTimeAsync(200_000);
    // Half of 1, 2, 4, 8, 16, then 20 s each: the jitter is at its shortest here.
    expect(server.posts.length).toBeGreaterThan(18);
    expect(server.posts.length).toBeLessThan(26);
  });

  test('what a killed page left is sent by the next one', async () => {
    server.answer = () => new Promise<Answer>(() => undefined);
    const killed = open();
    const { stored } = await killed.post(body());
    expect(stored).toBe(true);
    killed.stop();
    server = new FakeServer();
    open().flush();
    await until(() => expect(events.at(-1)).toBe(`${confirmedEvent} ${leadId}`));
    expect(server.posts).toHaveLength(1);
  });

  test('a later state of the same lead takes its place, and an old confirmation deletes nothing newer', async () => {
    let release: (() => void) | undefined;
    const fine = server.answer;
    server.answer = async (sent) => {
      if (server.posts.length === 1) await new Promise<void>((resolve) => (release = resolve));
      return fine(sent);
    };
    const queue = open();
    await queue.post(body({ first_name: 'Ann' }));
    await until(() => expect(release).toBeDefined());
    const { settled } = await queue.post(body({ email: 'new@b.co' }));
    release?.();
    expect(await settled).toBe(true);
    expect(server.posts.map((sent) => sent.body.email)).toEqual(['a@b.co', 'new@b.co']);
    // What the visitor has taken back is not sent again.
    expect(server.posts[1]?.body).not.toHaveProperty('first_name');
    expect(await queue.waiting()).toEqual([]);
  });

  test.each(['web locks', 'lease'])('two tabs send a lead once (%s)', async (kind) => {
    const locks = kind === 'lease' ? undefined : fakeLocks();
    server.answer = async ({ body: sent }) => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return { status: 200, body: { lead_id: sent.lead_id } };
    };
    const [first, second] = [open({ locks }), open({ locks })];
    const posting = first.post(body());
    second.flush();
    await posting;
    second.flush();
    await vi.advanceTimersByTimeAsync(5000);
    await until(() => expect(events).toContain(`${confirmedEvent} ${leadId}`));
    expect(server.posts).toHaveLength(1);
  });
});

describe('a server that asks to wait', () => {
  const wait = (seconds: number) => ({
    status: 429,
    headers: { 'retry-after': String(seconds) },
  });
  const other = '01930000-0000-7000-8000-000000000002';
  const kinds = ['posts', 'saves'] as const;

  /** Waits until the queue knows that its first record of a kind has to wait. */
  const isPutOff = (queue: BrowserQueue, kind: (typeof kinds)[number]) =>
    until(async () => {
      const [record] = await queue.outbox.list(kind === 'posts' ? 'post' : 'save');
      expect(record?.not_before).toBeGreaterThan(Date.now());
    });

  /** Puts a post or a save into a queue, and waits until it was tried and put off. */
  async function putOff(
    queue: BrowserQueue,
    kind: (typeof kinds)[number],
    seconds = 30,
  ): Promise<void> {
    server.answer = () => wait(seconds);
    if (kind === 'posts') await queue.post(body());
    else await queue.save(session, entry('StartPath'));
    await isPutOff(queue, kind);
  }

  test.each(kinds)('is obeyed for %s: by a flush, and by the next page', async (kind) => {
    const fine = server.answer;
    const first = open();
    await putOff(first, kind);
    server.answer = fine;
    first.flush();
    await vi.advanceTimersByTimeAsync(10_000);
    first.stop();
    const next = open();
    next.flush();
    await vi.advanceTimersByTimeAsync(5000);
    next.flush();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(server[kind]).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(10_000);
    await until(() => expect(server[kind]).toHaveLength(2));
  });

  test.each(kinds)('is obeyed for %s by what comes after it', async (kind) => {
    const fine = server.answer;
    const queue = open();
    await putOff(queue, kind);
    server.answer = fine;
    if (kind === 'posts') await queue.post(body({ email: 'new@b.co' }));
    else await queue.save(session, entry('AtFault'));
    await vi.advanceTimersByTimeAsync(25_000);
    expect(server[kind]).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(10_000);
    await until(() => expect(server[kind]).toHaveLength(2));
    expect(JSON.stringify(server[kind][1]?.body)).toMatch(/new@b\.co|AtFault/);
  });

  test.each(kinds)('is obeyed for %s by what came while it answered', async (kind) => {
    const fine = server.answer;
    let release: (() => void) | undefined;
    server.answer = async () => {
      await new Promise<void>((resolve) => (release = resolve));
      return wait(30);
    };
    const queue = open();
    const put = (email: string, step: string) =>
      kind === 'posts' ? queue.post(body({ email })) : queue.save(session, entry(step));
    await put('old@b.co', 'StartPath');
    await until(() => expect(release).toBeDefined());
    await put('new@b.co', 'AtFault');
    server.answer = fine;
    release?.();
    await isPutOff(queue, kind);
    await vi.advanceTimersByTimeAsync(25_000);
    expect(server[kind]).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(10_000);
    await until(() => expect(server[kind]).toHaveLength(2));
    expect(JSON.stringify(server[kind][1]?.body)).toMatch(/new@b\.co|AtFault/);
  });

  test.each(kinds)('holds back that one of the %s only', async (kind) => {
    const fine = server.answer;
    const queue = open();
    await putOff(queue, kind);
    server.answer = fine;
    if (kind === 'posts') await queue.post(body({ lead_id: other }));
    else await queue.save({ ...session, lead_id: other }, entry('StartPath'));
    await until(() => expect(server[kind]).toHaveLength(2));
    expect(JSON.stringify(server[kind][1]?.body)).toContain(other);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(server[kind]).toHaveLength(2);
  });

  test('and for longer than a day is not believed', async () => {
    const fine = server.answer;
    await putOff(open(), 'posts', 365 * 24 * 60 * 60);
    server.answer = fine;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(server.posts).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(24 * 60 * 60 * 1000);
    await until(() => expect(server.posts).toHaveLength(2));
  });
});

test('a wait is no longer for a clock that was wrong by days and is set right', async () => {
  const fine = server.answer;
  const queue = open();
  server.answer = () => ({ status: 429, headers: { 'retry-after': '30' } });
  await queue.post(body());
  await until(async () => expect((await queue.outbox.list('post'))[0]?.not_before).toBeDefined());
  server.answer = fine;
  vi.setSystemTime(Date.now() - 3 * 24 * 60 * 60 * 1000);
  queue.flush();
  await until(() => expect(server.posts).toHaveLength(2));
});

test('a lease that a clock far ahead has given holds nothing back, one of another tab does', async () => {
  const queue = open({ locks: undefined });
  const { outbox } = queue;
  const days = 3 * 24 * 60 * 60 * 1000;
  vi.setSystemTime(Date.now() + days);
  expect(await outbox.takeLease('survey-post', 'another tab', 25_000)).toBe(true);
  expect(await outbox.takeLease('survey-post', 'this tab', 25_000)).toBe(false);
  vi.setSystemTime(Date.now() - days);
  await queue.post(body());
  await until(() => expect(server.posts).toHaveLength(1));
});

describe('the secret of a lead', () => {
  const secret = '00112233445566778899aabbccddeeff';

  /** All that the browser keeps of unsent leads and progress, as text. */
  const keptText = async ({ outbox }: BrowserQueue) =>
    JSON.stringify([await outbox.list('post'), await outbox.list('save')]);

  test('is shown with every try of a post and a save, also by a later page, and is in no body', async () => {
    const fine = server.answer;
    server.answer = () => 'network-error';
    const first = open();
    await first.save(session, entry('StartPath'), secret);
    await first.post(body(), secret);
    await until(() => expect([server.posts.length, server.saves.length]).toEqual([1, 1]));
    first.stop();
    server.answer = fine;
    const next = open();
    next.flush();
    await until(() => expect([server.posts.length, server.saves.length]).toEqual([2, 2]));
    expect(server.sent.map((sent) => sent.secret)).toEqual(Array(4).fill(secret));
    expect(JSON.stringify(server.sent.map((sent) => sent.body))).not.toContain(secret);
    await until(async () => expect(await keptText(next)).not.toContain(secret));
  });

  test('is shown by the post that takes an unsent one’s place', async () => {
    const fine = server.answer;
    server.answer = () => 'network-error';
    const queue = open();
    await queue.post(body(), secret);
    await until(() => expect(server.posts).toHaveLength(1));
    server.answer = fine;
    await (await queue.post(body({ email: 'new@b.co' }), secret)).settled;
    expect(server.posts.map((sent) => sent.secret)).toEqual([secret, secret]);
  });

  test('is shown by the progress that is sent after its lead is confirmed, and goes with it', async () => {
    const fine = server.answer;
    server.answer = (sent) => (sent.path === '/post-lead' ? fine(sent) : { status: 503 });
    const first = open();
    await first.save(session, entry('NameAndEmail'), secret);
    await (await first.post(body(), secret)).settled;
    first.stop();
    expect((await first.outbox.list('save'))[0]).toMatchObject({ closing: true, secret });
    server.answer = fine;
    const next = open();
    next.flush();
    await until(async () => expect(await keptText(next)).toBe('[[],[]]'));
    expect(server.saves.map((sent) => sent.secret)).toEqual(server.saves.map(() => secret));
  });

  test('is each lead’s own, and a lead without one shows none', async () => {
    const queue = open();
    await (await queue.post(body({ lead_id: 'a' }), secret)).settled;
    await (await queue.post(body({ lead_id: 'b' }), 'another')).settled;
    await (await queue.post(body({ lead_id: 'c' }))).settled;
    expect(server.posts.map((sent) => sent.secret)).toEqual([secret, 'another', null]);
  });

  test('is shown where the browser keeps nothing', async () => {
    vi.stubGlobal('indexedDB', undefined);
    const fine = server.answer;
    server.answer = (sent) => (server.posts.length < 2 ? { status: 500 } : fine(sent));
    const queue = open();
    const { settled } = await queue.post(body(), secret);
    await vi.advanceTimersByTimeAsync(5000);
    expect(await settled).toBe(true);
    expect(server.posts.map((sent) => sent.secret)).toEqual([secret, secret]);
    expect(await keptText(queue)).toBe('[[],[]]');
  });
});

describe('without a place to keep it', () => {
  test.each([
    ['missing', () => vi.stubGlobal('indexedDB', undefined)],
    [
      'blocked',
      () =>
        vi.stubGlobal('indexedDB', {
          open: () => {
            throw new DOMException('denied', 'SecurityError');
          },
        }),
    ],
    ['hanging', () => vi.stubGlobal('indexedDB', { open: () => ({}) })],
  ])('IndexedDB %s: sent directly, retried, and said to be unsafe', async (_, breakIt) => {
    breakIt();
    const fine = server.answer;
    server.answer = (sent) => (server.posts.length < 2 ? { status: 500 } : fine(sent));
    const queue = open();
    const posting = queue.post(body());
    await vi.advanceTimersByTimeAsync(3000);
    const { stored, settled } = await posting;
    expect(stored).toBe(false);
    expect(await queue.outbox.isSafe()).toBe(false);
    await vi.advanceTimersByTimeAsync(5000);
    expect(await settled).toBe(true);
    expect(server.posts).toHaveLength(2);
    expect(await queue.waiting()).toEqual([]);
  });

  test('IndexedDB full: sent directly, and said to be unsafe', async () => {
    const queue = open();
    expect(await queue.outbox.isSafe()).toBe(true);
    const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    const { stored, settled } = await queue.post(body());
    expect(stored).toBe(false);
    expect(await settled).toBe(true);
    expect(server.posts).toHaveLength(1);
    put.mockRestore();
  });
});

describe('progress', () => {
  test('entries are numbered, sent together when they waited, and cleared when both flags are true', async () => {
    const fine = server.answer;
    server.answer = () => 'network-error';
    const queue = open();
    await queue.save(session, entry('StartPath'));
    await queue.save(session, entry('AtFault'));
    await until(() => expect(server.sent.length).toBeGreaterThan(0));
    server.answer = fine;
    queue.flush();
    await until(async () =>
      expect((await queue.outbox.list('save'))[0]).toMatchObject({ data: [] }),
    );
    const last = server.sent.at(-1)?.body as { data: { seq: number; step: string }[] };
    expect(last.data.map(({ seq, step }) => `${seq} ${step}`)).toEqual([
      '1 StartPath',
      '2 AtFault',
    ]);
    await queue.save(session, entry('HasLawyer'));
    await until(() =>
      expect(server.sent.at(-1)?.body).toMatchObject({ data: [{ seq: 3, step: 'HasLawyer' }] }),
    );
  });

  test('one flag false is no confirmation', async () => {
    server.answer = () => ({
      status: 200,
      body: { userBackupStatus: true, userProgressionStatus: false },
    });
    const queue = open();
    await queue.save(session, entry('StartPath'));
    await until(() => expect(server.sent.length).toBe(1));
    expect((await queue.outbox.list('save'))[0]).toMatchObject({ last_seq: 1 });
    await vi.advanceTimersByTimeAsync(700);
    await until(() => expect(server.sent.length).toBe(2));
  });

  test('once the lead is confirmed, what is unsent of its progress holds no answers, and then goes', async () => {
    const fine = server.answer;
    server.answer = (sent) => (sent.path === '/post-lead' ? fine(sent) : { status: 503 });
    const queue = open();
    await queue.save(session, entry('NameAndEmail'));
    const { settled } = await queue.post(body());
    await settled;
    const [left] = await queue.outbox.list('save');
    expect(JSON.stringify(left)).not.toContain('Ann');
    expect(left).toMatchObject({ closing: true });
    server.answer = fine;
    queue.flush();
    await until(async () => expect(await queue.outbox.list('save')).toEqual([]));
  });
});

describe('outbox', () => {
  test('changes of two tabs at once are both kept', async () => {
    const key = outboxKey('save', leadId);
    const add = (outbox: Outbox, step: string) =>
      outbox.change(key, (present) => {
        const data = [
          ...(present?.kind === 'save' ? present.data : []),
          { ...entry(step), seq: 1 },
        ];
        return { key, kind: 'save', lead_id: leadId, session, data, last_seq: data.length };
      });
    const [first, second] = [new Outbox(), new Outbox()];
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => add(index % 2 ? first : second, String(index))),
    );
    expect((await first.list('save'))[0]).toMatchObject({ last_seq: 20 });
  });
});
