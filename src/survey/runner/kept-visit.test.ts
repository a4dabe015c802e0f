import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { newVisit, takenUp } from '../../journey/visit.ts';
import type { BrowserQueue } from '../queue/browser-queue.ts';
import { Outbox } from '../queue/outbox.ts';
import { keepVisit, keptVisit } from './kept-visit.ts';

const landing = (query: string) => ({
  href: `https://site.example/survey/v4nv${query}`,
  referrer: 'https://ads.example/',
  now: Date.UTC(2026, 10, 20, 12),
});
const visit = { ...newVisit('/survey/v4nv', landing('?s1=a')), flowVersion: 'English' };
const given = { StartPath: { accident_type: 'Car Accident' } };
const english = { path: '/survey/v4nv', translation: '/survey/v4nv-es' };
const spanish = { path: '/survey/v4nv-es', translation: '/survey/v4nv' };
let queue: BrowserQueue;

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  vi.stubGlobal('localStorage', { setItem: () => undefined, removeItem: () => undefined });
  queue = { outbox: new Outbox() } as BrowserQueue;
});
afterEach(() => vi.unstubAllGlobals());

test.each([
  ['stays with its lead id', visit],
  ['is not made later', { ...visit, secret: undefined }],
])('the secret %s when another click resumes the visit', async (_, kept) => {
  expect(visit.secret).toMatch(/^[0-9a-f]{32}$/);
  await keepVisit(queue, kept, { given: {}, drafts: {}, at: 'StartPath' }, 1_000);
  const found = await keptVisit(queue, english, 2_000);
  const { session, secret } = takenUp(found?.visit ?? visit, landing('?gclid=new'));
  expect(session.params).toMatchObject({ gclid: 'new' });
  expect(session.lead_id).toBe(visit.session.lead_id);
  expect(secret).toBe(kept.secret);
});

describe('a switch of the language', () => {
  const state = { given, drafts: {}, at: 'HowWasUserHurt' };
  beforeEach(() => keepVisit(queue, visit, state, 1_000));

  test('continues the visit, as the same lead of the other survey', async () => {
    const kept = await keptVisit(queue, spanish, 2_000);
    expect(kept?.state).toEqual(state);
    expect(kept?.visit).toMatchObject({
      session: { ...visit.session, survey: '/survey/v4nv-es' },
      secret: visit.secret,
      tracking: visit.tracking,
      consentShownAt: '',
    });
    expect(kept?.visit.flowVersion).toBeUndefined();
    const others = { path: '/survey/vw', translation: '/survey/es' };
    expect(await keptVisit(queue, others, 2_000)).toBeUndefined();
  });

  test('and back keeps the answers; starting over ends the visit in both', async () => {
    const kept = await keptVisit(queue, spanish, 2_000);
    const more = { given: { ...given, HowWasUserHurt: {} }, drafts: {}, at: 'AtFault' };
    await keepVisit(queue, kept?.visit ?? visit, more, 3_000);
    const back = await keptVisit(queue, english, 4_000);
    expect(back?.state).toEqual(more);
    expect(back?.visit.session).toEqual(visit.session);
    await queue.outbox.forgetVisits(visit.session.lead_id);
    expect(await keptVisit(queue, english, 5_000)).toBeUndefined();
    expect(await keptVisit(queue, spanish, 5_000)).toBeUndefined();
  });
});
