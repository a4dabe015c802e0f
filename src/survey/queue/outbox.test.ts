import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ProgressSession } from '../../contract/progress.ts';
import { Outbox, type OutboxSave, outboxKey } from './outbox.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const session = {} as ProgressSession;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.stubGlobal('indexedDB', new IDBFactory());
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('keeps the simultaneous changes of two tabs', async () => {
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

test('a lease excludes another tab, unless a clock far ahead granted it', async () => {
  const outbox = new Outbox();
  const take = (holder: string) => outbox.takeLease('survey-post', holder, 25_000);
  vi.setSystemTime(Date.now() + 3 * DAY_MS);
  expect(await take('another tab')).toBe(true);
  expect(await take('this tab')).toBe(false);
  vi.setSystemTime(Date.now() - 3 * DAY_MS);
  expect(await take('this tab')).toBe(true);
});
