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

describe('the secret', () => {
  const visit = newVisit('/survey/v4nv', landing(''));

  beforeEach(() => {
    vi.stubGlobal('indexedDB', new IDBFactory());
    vi.stubGlobal('localStorage', { setItem: () => undefined, removeItem: () => undefined });
  });

  afterEach(() => vi.unstubAllGlobals());

  /** The visit as a later page finds it, which another click has led to. */
  async function laterVisit(kept: typeof visit) {
    const queue = { outbox: new Outbox() } as BrowserQueue;
    await keepVisit(queue, kept, { given: {}, drafts: {}, at: 'StartPath' }, Date.now());
    const found = await keptVisit(queue, { path: '/survey/v4nv' }, Date.now());
    return found && takenUp(found.visit, landing('?gclid=new'));
  }

  test('is 32 hex digits of its own, beside what is sent in bodies', () => {
    expect(visit.secret).toMatch(/^[0-9a-f]{32}$/);
    expect(visit.secret).not.toBe(newVisit('/survey/v4nv', landing('')).secret);
    expect(JSON.stringify([visit.session, visit.tracking])).not.toContain(visit.secret);
  });

  test('stays with its lead id when another click takes the visit up', async () => {
    const later = await laterVisit(visit);
    expect(later?.session.params).toMatchObject({ gclid: 'new' });
    expect(later?.session.lead_id).toBe(visit.session.lead_id);
    expect(later?.secret).toBe(visit.secret);
  });

  test('is not made for a visit that was kept without one', async () => {
    const { secret: _, ...old } = visit;
    const later = await laterVisit(old);
    expect(later?.session.lead_id).toBe(visit.session.lead_id);
    expect(later?.secret).toBeUndefined();
  });
});

describe('the switch of the language', () => {
  const english = { path: '/survey/v4nv', translation: '/survey/v4nv-es' };
  const spanish = { path: '/survey/v4nv-es', translation: '/survey/v4nv' };
  const given = { StartPath: { accident_type: 'Car Accident' } };
  const visit = {
    ...newVisit('/survey/v4nv', landing('?s1=a')),
    flowVersion: 'of the English flow',
  };
  let queue: BrowserQueue;

  beforeEach(async () => {
    vi.stubGlobal('indexedDB', new IDBFactory());
    vi.stubGlobal('localStorage', { setItem: () => undefined, removeItem: () => undefined });
    queue = { outbox: new Outbox() } as BrowserQueue;
    await keepVisit(queue, visit, { given, drafts: {}, at: 'HowWasUserHurt' }, 1_000);
  });
  afterEach(() => vi.unstubAllGlobals());

  test('takes the visit along, as the same lead of the other survey', async () => {
    const kept = await keptVisit(queue, spanish, 2_000);
    expect(kept?.state).toEqual({ given, drafts: {}, at: 'HowWasUserHurt' });
    expect(kept?.visit).toMatchObject({
      session: { ...visit.session, survey: '/survey/v4nv-es' },
      secret: visit.secret,
      tracking: visit.tracking,
      consentShownAt: '',
    });
    expect(kept?.visit.flowVersion).toBeUndefined();
    expect(await keptVisit(queue, { path: '/survey/vw', translation: '/survey/es' }, 2_000)).toBe(
      undefined,
    );
  });

  test('and back takes what was answered there; who starts over has no visit in either', async () => {
    const kept = await keptVisit(queue, spanish, 2_000);
    const more = { ...given, HowWasUserHurt: {} };
    await keepVisit(queue, kept?.visit ?? visit, { given: more, drafts: {}, at: 'AtFault' }, 3_000);
    const back = await keptVisit(queue, english, 4_000);
    expect(back?.state).toEqual({ given: more, drafts: {}, at: 'AtFault' });
    expect(back?.visit.session).toEqual(visit.session);
    await queue.outbox.forgetVisits(visit.session.lead_id);
    expect(await keptVisit(queue, english, 5_000)).toBeUndefined();
    expect(await keptVisit(queue, spanish, 5_000)).toBeUndefined();
  });
});
