import { IDBFactory } from 'fake-indexeddb';
import { beforeEach, expect, test, vi } from 'vitest';
import type { PostLeadBody } from '../../../model/messages/lead.ts';
import type { ProgressSession } from '../../../model/messages/progress.ts';
import { VISIT_LIFETIME_MS } from '../../../model/visit/visit.ts';
import { forgetOldVisits, MAX_VISIT_AGE_MS } from './forget-old.ts';
import { Outbox, type OutboxRecord, outboxKey } from './outbox.ts';

const HOUR_MS = 3_600_000;
const now = Date.parse('2026-11-20T15:00:00Z');
const session = { survey: '/survey/v4nv', click_id: 'click' } as ProgressSession;

const hints = new Set<string>();
beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  hints.clear();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => (hints.has(key) ? '1' : null),
    setItem: (key: string) => hints.add(key),
    removeItem: (key: string) => hints.delete(key),
  });
});

/** Stores the progress of a visit and, if `hoursAgo` is given, the visit. */
async function store(
  outbox: Outbox,
  survey: string,
  hoursAgo?: number,
  unsent = 0,
): Promise<OutboxRecord> {
  const lead_id = `lead of ${survey}`;
  if (hoursAgo !== undefined) {
    const saved_at = now - hoursAgo * HOUR_MS;
    await outbox.storeVisit({ survey, lead_id, saved_at, visit: { email: 'maria@mail' } });
    hints.add(`survey:${survey}`);
  }
  const key = outboxKey('save', lead_id);
  const data = Array.from({ length: unsent }, () => ({}) as never);
  const save = { key, kind: 'save', lead_id, secret: 's', session, data, last_seq: 3 } as const;
  await outbox.change(key, () => save);
  return save;
}

const visitsWithData = async (outbox: Outbox) =>
  (await outbox.visits()).filter(({ visit }) => visit);

test('forgetOldVisits deletes a visit after 24 hours', async () => {
  const outbox = new Outbox();
  await store(outbox, '/old', 25);
  await store(outbox, '/young', 23);
  await store(outbox, '/future', -48);
  await forgetOldVisits(outbox, undefined, now);
  const young = { survey: '/young', visit: { email: 'maria@mail' } };
  expect(await visitsWithData(outbox)).toMatchObject([young]);
  expect(await outbox.list('save')).toMatchObject([{ lead_id: 'lead of /young' }]);
  expect([...hints]).toEqual(['survey:/young']);
});

test('forgetOldVisits does not delete unsent leads', async () => {
  const outbox = new Outbox();
  const unsent = await store(outbox, '/unsent', 48, 2);
  const { key } = await store(outbox, '/refused', 48, 2);
  await outbox.change(key, (present) => present && { ...present, stopped: 400 });
  const body = { lead_id: 'lead' } as PostLeadBody;
  const post: OutboxRecord = { key: 'post:lead', kind: 'post', lead_id: 'lead', body, stamp: '1' };
  await outbox.change('post:lead', () => post);
  await forgetOldVisits(outbox, undefined, now);
  expect(await visitsWithData(outbox)).toEqual([]);
  expect(await outbox.list('save')).toEqual([unsent]);
  expect(await outbox.list('post')).toEqual([post]);
});

test('forgetOldVisits does not delete the progress of the current visit', async () => {
  const outbox = new Outbox();
  const save = await store(outbox, '/now');
  await forgetOldVisits(outbox, save.lead_id, now);
  expect(await outbox.list('save')).toEqual([save]);
  await forgetOldVisits(outbox, undefined, now);
  expect(await outbox.list('save')).toEqual([]);
});

test('forgetOldVisits does not throw in a browser without storage', async () => {
  vi.stubGlobal('indexedDB', undefined);
  await expect(forgetOldVisits(new Outbox(), undefined, now)).resolves.toBeUndefined();
  expect(MAX_VISIT_AGE_MS).toBe(VISIT_LIFETIME_MS);
});
