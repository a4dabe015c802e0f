import { IDBDatabase, IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PostLeadBody } from '../../../model/messages/lead.ts';
import type { ProgressSession } from '../../../model/messages/progress.ts';
import { confirm, FakeServer } from '../test-support/fake-server.ts';
import { type BrowserQueue, startBrowserQueue } from './browser-queue.ts';

const session = { lead_id: '01930000-0000-7000-8000-000000000001' } as ProgressSession;
const entry = (step: string) =>
  ({ kind: 'answered', step, answers: { first_name: 'Ann' }, at: '' }) as const;

const record = {
  survey: '/survey/v4nv',
  lead_id: session.lead_id,
  saved_at: 5,
  visit: { first_name: 'Ann' },
};

let server: FakeServer;
let page: EventTarget & { hidden: boolean };
let target: EventTarget;
let queue: BrowserQueue;

const stepsOf = ({ body }: FakeServer['saves'][number]) =>
  (body.data as { step: string }[]).map(({ step }) => step);

beforeEach(async () => {
  // Fake timers stop the clock, so the queue's pause before the next request never ends.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  server = new FakeServer();
  page = Object.assign(new EventTarget(), { hidden: false });
  target = new EventTarget();
  vi.stubGlobal('indexedDB', new IDBFactory());
  vi.stubGlobal('document', page);
  vi.stubGlobal('window', target);
  vi.stubGlobal('localStorage', { setItem: () => undefined, removeItem: () => undefined });
  vi.stubGlobal('navigator', {});
  vi.stubGlobal('fetch', server.fetch);
  queue = startBrowserQueue();
  await queue.outbox.opened;
  await queue.save({ session }, [entry('StartPath')], record);
  await queue.save({ session }, [entry('AtFault')], record);
});

afterEach(() => {
  queue.stop();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('the browser queue sends unsent progress at once when the page becomes hidden', () => {
  expect(server.saves.map(stepsOf)).toEqual([['StartPath']]);
  page.hidden = true;
  page.dispatchEvent(new Event('visibilitychange'));
  expect(stepsOf(server.saves.at(-1) as never)).toContain('AtFault');
});

test.each([
  ['the network is back', () => target.dispatchEvent(new Event('online'))],
  ['the page is seen again', () => page.dispatchEvent(new Event('visibilitychange'))],
  [
    'the page comes back from the browser’s memory',
    () => target.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true })),
  ],
])('the browser queue sends all unsent records when %s', async (_, happens) => {
  happens();
  await vi.waitFor(() => expect(server.saves.flatMap(stepsOf)).toContain('AtFault'), {
    interval: 5,
  });
});

test.each([0, 1, 2])(
  'the next page deletes a confirmed lead if the earlier page ended after %i database writes',
  async (writes) => {
    const { lead_id } = session;
    let left = Number.POSITIVE_INFINITY;
    server.answer = (sent) => {
      if (sent.path === '/post-lead') left = writes;
      return confirm(sent);
    };
    const { transaction } = IDBDatabase.prototype;
    const ending = vi.spyOn(IDBDatabase.prototype, 'transaction');
    ending.mockImplementation(function (this: IDBDatabase, stores, mode, options) {
      if (mode === 'readwrite') left -= 1;
      if (left < 0) throw new Error('the page has ended');
      return transaction.call(this, stores, mode, options);
    });
    const body = { lead_id, first_name: 'Ann' } as unknown as PostLeadBody;
    await (await queue.post(body)).settled;
    queue.stop();
    ending.mockRestore();
    queue = startBrowserQueue();
    const { outbox } = queue;
    await vi.waitFor(
      async () => {
        const stored = [
          await outbox.list('post'),
          await outbox.list('save'),
          await outbox.visits(),
        ];
        expect(JSON.stringify(stored)).not.toContain('Ann');
      },
      { interval: 5 },
    );
  },
);
