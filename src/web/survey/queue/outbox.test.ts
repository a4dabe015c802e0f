import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ProgressSession } from '../../../model/messages/progress.ts';
import { Outbox, type OutboxSave, outboxKey, resultOf } from './outbox.ts';

const session = {} as ProgressSession;

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory());
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('the outbox keeps both changes if two tabs change a record at the same time', async () => {
  const key = outboxKey('save', 'lead');
  const tabs = [new Outbox(), new Outbox()];
  const add = (index: number) =>
    tabs[index % 2]?.change(key, (present) => {
      const last_seq = 1 + ((present as OutboxSave | undefined)?.last_seq ?? 0);
      return { key, kind: 'save', lead_id: 'lead', session, data: [], last_seq };
    });
  await Promise.all(Array.from({ length: 20 }, (_, index) => add(index)));
  expect(await tabs[0]?.list('save')).toMatchObject([{ last_seq: 20 }]);
});

test('the outbox writes its unsent records to a database that opens late', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const put = (outbox: Outbox, lead_id: string) => {
    const key = outboxKey('save', lead_id);
    return outbox.change(key, () => ({
      key,
      kind: 'save',
      lead_id,
      session,
      data: [],
      last_seq: 1,
    }));
  };
  expect(await put(new Outbox(), 'earlier')).toBe(true);
  const database = await resultOf(indexedDB.open('survey'));
  const opening = {} as { onsuccess(): void; result: IDBDatabase };
  vi.stubGlobal('indexedDB', { open: () => opening });
  const outbox = new Outbox();
  const putting = put(outbox, 'unsent');
  vi.advanceTimersByTime(1500);
  expect(await putting).toBe(false);
  opening.result = database;
  opening.onsuccess();
  await outbox.opened;
  const stored = await resultOf(database.transaction('outbox').objectStore('outbox').getAll());
  expect(stored.map(({ lead_id }) => lead_id)).toEqual(['earlier', 'unsent']);
  expect(await outbox.list('save')).toEqual(stored);
});
