import { IDBDatabase, IDBFactory, IDBObjectStore } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { PostLeadBody } from '../../../model/messages/lead.ts';
import type { ProgressSession } from '../../../model/messages/progress.ts';
import { type Answer, confirm, FakeServer } from '../test-support/fake-server.ts';
import { BrowserQueue, confirmedEvent, waitingEvent } from './browser-queue.ts';

const leadId = '01930000-0000-7000-8000-000000000001';
const secret = '00112233445566778899aabbccddeeff';
const body = (change: Record<string, string> = {}) =>
  ({ lead_id: leadId, email: 'a@b.co', ...change }) as unknown as PostLeadBody;
const session = { lead_id: leadId, survey: '/survey/v4nv' } as ProgressSession;
const record = (visit: unknown) => ({
  survey: session.survey,
  lead_id: leadId,
  saved_at: 5,
  visit,
});
const entry = (step: string) =>
  ({ kind: 'answered', step, answers: { first_name: 'Ann' }, at: '2026-11-20T00:00:00Z' }) as const;

let server: FakeServer;
let queues: BrowserQueue[];
let events: string[];
let target: EventTarget;

function open(): BrowserQueue {
  const queue = new BrowserQueue(target);
  queues.push(queue);
  return queue;
}

/** Returns the text of all unsent leads and progress that the browser stores. */
const storedText = async ({ outbox }: BrowserQueue) =>
  JSON.stringify([await outbox.list('post'), await outbox.list('save')]);

const until = (check: () => void) => vi.waitFor(check, { interval: 5 });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], shouldAdvanceTime: true });
  vi.stubGlobal('indexedDB', new IDBFactory());
  vi.stubGlobal('localStorage', { setItem: () => undefined, removeItem: () => undefined });
  vi.spyOn(Math, 'random').mockReturnValue(0);
  server = new FakeServer();
  vi.stubGlobal('fetch', server.fetch);
  queues = [];
  const seen: string[] = [];
  events = seen;
  target = new EventTarget();
  for (const type of [confirmedEvent, waitingEvent]) {
    target.addEventListener(type, (event) => {
      const { lead_id, status } = (event as CustomEvent).detail;
      seen.push([type, lead_id, status].filter(Boolean).join(' '));
    });
  }
});

afterEach(() => {
  for (const queue of queues) queue.stop();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('the browser queue', () => {
  test('does not store the visit of a lead that the server has confirmed', async () => {
    const queue = open();
    const { outbox } = queue;
    const { survey } = session;
    const visit = { email: 'a@b.co' };
    await outbox.storeVisit(record(visit));
    const { stored, settled } = await queue.post(body());
    expect(stored).toBe(true);
    expect(await settled).toBe(true);
    expect(await queue.outbox.list('post')).toEqual([]);
    expect(events).toEqual([`${confirmedEvent} ${leadId}`]);
    // A second tab, which still shows the visit, tries to store it.
    await outbox.storeVisit(record(visit));
    expect(await outbox.visits()).toEqual([{ survey, lead_id: leadId, saved_at: 5 }]);
    await outbox.storeVisit({ ...record(visit), lead_id: 'new' });
    expect(await outbox.visits()).toMatchObject([{ visit }]);
  });

  test.each<Answer>([
    'network-error',
    ...[500, 503, 404].map((status) => ({ status })),
    { status: 200, body: { lead_id: 'another' } },
    { status: 200, body: {} },
  ])('retries a lead until the server confirms it', async (answer) => {
    server.answer = (sent) => (server.posts.length < 3 ? answer : confirm(sent));
    const { settled } = await open().post(body());
    await vi.advanceTimersByTimeAsync(5000);
    expect(await settled).toBe(true);
    expect(server.posts.map((sent) => sent.body.lead_id)).toEqual([leadId, leadId, leadId]);
    expect(events.at(0)).toBe(`${waitingEvent} ${leadId}`);
    expect(events.at(-1)).toBe(`${confirmedEvent} ${leadId}`);
  });

  test.each([400, 413, 415])('does not retry a lead after the HTTP status %d', async (status) => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    server.answer = () => ({ status });
    const queue = open();
    const { settled } = await queue.post(body());
    expect(await settled).toBe(false);
    await vi.advanceTimersByTimeAsync(60_000);
    void queue.flush();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(server.posts).toHaveLength(1);
    expect(await queue.outbox.list('post')).toMatchObject([{ lead_id: leadId, stopped: status }]);
    expect(events[0]).toBe(`${waitingEvent} ${leadId} ${status}`);
  });

  test('sends the unsent records of a page that the browser ended', async () => {
    server.answer = () => new Promise<Answer>(() => undefined);
    const killed = open();
    await killed.save({ session, secret }, [entry('StartPath')], record('StartPath'));
    killed.sendSteps();
    expect((await killed.post(body(), secret)).stored).toBe(true);
    await until(() => expect(server.sent).toHaveLength(2));
    killed.stop();
    server.answer = confirm;
    const next = open();
    void next.flush();
    await until(() => expect(server.sent).toHaveLength(4));
    await until(() => expect(events.at(-1)).toBe(`${confirmedEvent} ${leadId}`));
    expect(server.sent.map((sent) => sent.secret)).toEqual(Array(4).fill(secret));
    expect(JSON.stringify(server.sent.map((sent) => sent.body))).not.toContain(secret);
    await until(async () => expect(await storedText(next)).not.toContain(secret));
  });

  test('keeps a newer body when the server confirms an older body of the lead', async () => {
    const { promise: answering, resolve: answer } = Promise.withResolvers<void>();
    server.answer = async (sent) => {
      if (server.posts.length === 1) await answering;
      return confirm(sent);
    };
    const queue = open();
    await queue.post(body({ first_name: 'Ann' }), secret);
    await until(() => expect(server.posts).toHaveLength(1));
    const { settled } = await queue.post(body({ email: 'new@b.co' }), secret);
    answer();
    expect(await settled).toBe(true);
    expect(server.posts.map((sent) => sent.body.email)).toEqual(['a@b.co', 'new@b.co']);
    // If the queue merged the bodies, the second post would contain a first name.
    expect(server.posts[1]?.body).not.toHaveProperty('first_name');
    expect(server.posts.map((sent) => sent.secret)).toEqual([secret, secret]);
    expect(await queue.outbox.list('post')).toEqual([]);
  });

  test.each([
    ['in a separate request if the lead is confirmed', true],
    ['in the lead’s own request if the lead is unsent', false],
  ])('posts an addition to a lead %s', async (_, isSent) => {
    const part = { lead_id: leadId, selected_buyers: '50002' };
    if (!isSent) server.answer = () => 'network-error';
    const queue = open();
    const { settled } = await queue.post(body(), secret);
    if (isSent) await settled;
    await until(() => expect(server.posts).toHaveLength(1));
    server.answer = confirm;
    expect(await (await queue.amend(part, secret)).settled).toBe(true);
    const added = isSent ? part : { ...body(), ...part };
    expect(server.posts.map((sent) => sent.body)).toEqual([body(), added]);
    expect(await queue.outbox.list('post')).toEqual([]);
  });

  test('reports a lead as confirmed if another tab has sent the lead', async () => {
    server.answer = () => 'network-error';
    const { settled } = await open().post(body());
    await until(() => expect(server.posts).toHaveLength(1));
    server.answer = confirm;
    void open().flush();
    await until(() => expect(events).toContain(`${confirmedEvent} ${leadId}`));
    await vi.advanceTimersByTimeAsync(1000);
    expect(await settled).toBe(true);
    expect(server.posts).toHaveLength(2);
  });

  test('retries if it cannot read a lead from the disk', async () => {
    const queue = open();
    await queue.outbox.isSafe();
    const transaction = IDBDatabase.prototype.transaction;
    let unreadable = 1;
    vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (
      this: IDBDatabase,
      ...[stores, mode, options]
    ) {
      if (mode !== 'readwrite' && unreadable-- > 0) throw new DOMException('unreadable');
      return transaction.call(this, stores, mode, options);
    });
    const { settled, stored } = await queue.post(body());
    expect(stored).toBe(true);
    expect(server.posts).toEqual([]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await settled).toBe(true);
    expect(server.posts).toMatchObject([{ body: body() }]);
  });
});

describe.each(['posts', 'saves'] as const)('a Retry-After pause for %s', (kind) => {
  /** Queues a post or a save that contains `mark`, and waits until the record is due. */
  const put = async (queue: BrowserQueue, mark: string, lead_id = leadId) => {
    if (kind === 'posts') await queue.post(body({ lead_id, email: mark }));
    else await queue.save({ session: { ...session, lead_id } }, [entry(mark)], record(mark));
    await vi.advanceTimersByTimeAsync(kind === 'posts' ? 0 : 4000);
  };

  /** Waits until the first record in the outbox has the pause that the server requested. */
  const isHeld = (queue: BrowserQueue) =>
    until(async () => {
      const [record] = await queue.outbox.list(kind === 'posts' ? 'post' : 'save');
      expect(record?.not_before).toBeGreaterThan(Date.now());
    });

  const wait = (seconds = 30) => ({ status: 429, headers: { 'retry-after': `${seconds}` } });

  async function heldQueue(seconds?: number): Promise<BrowserQueue> {
    const queue = open();
    server.answer = () => wait(seconds);
    await put(queue, 'old');
    await isHeld(queue);
    server.answer = confirm;
    return queue;
  }

  test('continues on the next page', async () => {
    const first = await heldQueue();
    void first.flush();
    await vi.advanceTimersByTimeAsync(10_000);
    first.stop();
    const next = open();
    void next.flush();
    await vi.advanceTimersByTimeAsync(15_000);
    void next.flush();
    expect(server[kind]).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(10_000);
    await until(() => expect(server[kind]).toHaveLength(2));
  });

  test.each(['before', 'after'])(
    'delays records that are queued %s the server’s answer',
    async (when) => {
      const { promise: answering, resolve: answer } = Promise.withResolvers<void>();
      server.answer = () => answering.then(() => wait());
      const queue = open();
      await put(queue, 'old');
      await until(() => expect(server[kind]).toHaveLength(1));
      if (when === 'before') await put(queue, 'new');
      answer();
      await isHeld(queue);
      server.answer = confirm;
      if (when === 'after') await put(queue, 'new');
      await vi.advanceTimersByTimeAsync(25_000);
      expect(server[kind]).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(10_000);
      await until(() => expect(server[kind]).toHaveLength(2));
      expect(JSON.stringify(server[kind][1]?.body)).toContain('new');
    },
  );
});

const denied = () => {
  throw new DOMException('denied', 'SecurityError');
};

test.each([
  ['missing', false, () => vi.stubGlobal('indexedDB', undefined)],
  ['blocked', false, () => vi.stubGlobal('indexedDB', { open: denied })],
  ['hanging', false, () => vi.stubGlobal('indexedDB', { open: () => ({}) })],
  ['full', true, () => vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(denied)],
])('the queue sends a lead from memory if IndexedDB is %s', async (_, isSafe, breakIt) => {
  breakIt();
  server.answer = (sent) => (server.posts.length < 2 ? { status: 500 } : confirm(sent));
  const queue = open();
  const posting = queue.post(body(), secret);
  // If the database does not open, the outbox waits 1.5 s before it uses memory.
  if (!isSafe) await vi.advanceTimersByTimeAsync(3000);
  const { stored, settled } = await posting;
  expect(stored).toBe(false);
  expect(await queue.outbox.isSafe()).toBe(isSafe);
  await vi.advanceTimersByTimeAsync(5000);
  expect(await settled).toBe(true);
  expect(server.posts.map((sent) => sent.secret)).toEqual([secret, secret]);
  expect(await storedText(queue)).toBe('[[],[]]');
});

describe('the visit’s progress', () => {
  test('is sent in one request after several quick steps', async () => {
    const queue = open();
    await queue.outbox.opened;
    const step = (name: string) =>
      queue.save({ session }, [entry(name), { ...entry(name), kind: 'viewed' }], record(name));
    const stored = (data: object[]) =>
      until(async () => expect(await queue.outbox.list('save')).toMatchObject([{ data }]));
    await step('StartPath');
    expect(server.saves).toHaveLength(1);
    await stored([]);
    for (const name of ['AtFault', 'HasLawyer']) await step(name);
    expect(server.saves).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(4000);
    await until(() => expect(server.saves).toHaveLength(2));
    expect(server.saves[1]?.body).toMatchObject({ data: [3, 4, 5, 6].map((seq) => ({ seq })) });
    await stored([]);
    const transactions = vi.spyOn(IDBDatabase.prototype, 'transaction');
    await step('Description');
    expect(transactions).toHaveBeenCalledTimes(1);
    await stored([{ seq: 7 }, { seq: 8 }]);
    expect(await queue.outbox.visits()).toMatchObject([{ visit: 'Description' }]);
  });

  test('contains no answers after the server has confirmed the lead', async () => {
    server.answer = (sent) => (sent.path === '/post-lead' ? confirm(sent) : { status: 503 });
    const first = open();
    await first.save({ session, secret }, [entry('NameAndEmail')], record('NameAndEmail'));
    await (await first.post(body(), secret)).settled;
    first.stop();
    const left = await first.outbox.list('save');
    expect(left).toMatchObject([{ closing: true, secret }]);
    expect(JSON.stringify(left)).not.toContain('Ann');
    server.answer = confirm;
    const next = open();
    void next.flush();
    await until(async () => expect(await storedText(next)).toBe('[[],[]]'));
    expect(new Set(server.saves.map((sent) => sent.secret))).toEqual(new Set([secret]));
  });
});
