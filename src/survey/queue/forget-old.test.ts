import { IDBFactory } from 'fake-indexeddb';
import { beforeEach, expect, test, vi } from 'vitest';
import type { PostLeadBody } from '../../contract/lead.ts';
import type { ProgressSession } from '../../contract/progress.ts';
import { VISIT_LIFETIME_MS } from '../../journey/visit.ts';
import { forgetOldVisits, KEPT_FOR_MS } from './forget-old.ts';
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

/** A visit as it is kept, with its unsent progress. */
async function keep(outbox: Outbox, survey: string, hoursAgo: number, unsent: number) {
  const lead_id = `lead of ${survey}`;
  const saved_at = now - hoursAgo * HOUR_MS;
  await outbox.keepVisit(survey, { survey, lead_id, saved_at, visit: { email: 'maria@mail' } });
  hints.add(`survey:${survey}`);
  const key = outboxKey('save', lead_id);
  const data = Array.from({ length: unsent }, () => ({}) as never);
  const save: OutboxRecord = {
    ...{ key, kind: 'save', lead_id, secret: 's', session, data, last_seq: 3 },
  };
  await outbox.change(key, () => save);
  return lead_id;
}

test('a visit goes after its 24 hours, with its secret and click; a younger one stays', async () => {
  const outbox = new Outbox();
  await keep(outbox, '/old', 25, 0);
  await keep(outbox, '/young', 23, 0);
  // Kept by a clock that was ahead.
  await keep(outbox, '/future', -48, 0);
  await forgetOldVisits(outbox, undefined, now);
  const known = (await outbox.visits()).filter(({ visit }) => visit);
  expect(known).toMatchObject([{ survey: '/young', visit: { email: 'maria@mail' } }]);
  expect(await outbox.list('save')).toMatchObject([{ lead_id: 'lead of /young' }]);
  expect([...hints]).toEqual(['survey:/young']);
});

test('what is still to be sent stays: leads, and progress until the server has it or refused it', async () => {
  const outbox = new Outbox();
  await keep(outbox, '/unsent', 48, 2);
  const refused = outboxKey('save', await keep(outbox, '/refused', 48, 2));
  await outbox.change(refused, (present) => present && { ...present, stopped: 400 });
  const body = { lead_id: 'lead' } as PostLeadBody;
  const post: OutboxRecord = { key: 'post:lead', kind: 'post', lead_id: 'lead', body, stamp: '1' };
  await outbox.change('post:lead', () => post);
  await forgetOldVisits(outbox, undefined, now);
  expect((await outbox.visits()).filter(({ visit }) => visit)).toEqual([]);
  expect(await outbox.list('save')).toMatchObject([{ lead_id: 'lead of /unsent' }]);
  expect(await outbox.list('post')).toEqual([post]);
});

test('a browser without storage has nothing to forget; the time is that of taking up', async () => {
  vi.stubGlobal('indexedDB', undefined);
  await expect(forgetOldVisits(new Outbox(), undefined, now)).resolves.toBeUndefined();
  expect(KEPT_FOR_MS).toBe(VISIT_LIFETIME_MS);
});

test('the progress of the visit on the page stays, though the visit itself is not kept yet', async () => {
  const outbox = new Outbox();
  const lead_id = 'lead of now';
  const key = outboxKey('save', lead_id);
  const save: OutboxRecord = {
    ...{ key, kind: 'save', lead_id, secret: 's', session, data: [], last_seq: 3 },
  };
  await outbox.change(key, () => save);
  await forgetOldVisits(outbox, lead_id, now);
  expect(await outbox.list('save')).toEqual([save]);
  await forgetOldVisits(outbox, undefined, now);
  expect(await outbox.list('save')).toEqual([]);
});
