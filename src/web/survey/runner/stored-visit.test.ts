import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { initialState } from '../../../model/visit/state.ts';
import { newVisit } from '../../../model/visit/visit.ts';
import { BrowserQueue } from '../queue/browser-queue.ts';
import { pageData } from '../test-support/survey-fixture.ts';
import { findStoredVisit, storeVisit, takePostedVisit } from './stored-visit.ts';

const landing = { href: 'https://site.example/survey/v4nv?s1=a', referrer: '', now: 0 };
const visit = { ...newVisit('/survey/v4nv', landing), flowVersion: 'English' };
const given = { StartPath: { accident_type: 'Car Accident' } };
const state = { given, drafts: {}, at: 'HowWasUserHurt' };
const english = { path: '/survey/v4nv', translation: '/survey/v4nv-es' };
const spanish = { path: '/survey/v4nv-es', translation: '/survey/v4nv' };
let queue: BrowserQueue;

beforeEach(async () => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  vi.stubGlobal('localStorage', { setItem: () => undefined, removeItem: () => undefined });
  queue = new BrowserQueue(new EventTarget());
  await storeVisit(queue, visit, state, 1_000);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a visit has the same lead id after the visitor has switched the language', async () => {
  const stored = await findStoredVisit(queue, spanish, 2_000);
  expect(stored?.state).toEqual(state);
  expect(stored?.visit).toMatchObject({
    session: { ...visit.session, survey: '/survey/v4nv-es' },
    secret: visit.secret,
    tracking: visit.tracking,
    consentShownAt: '',
  });
  expect(stored?.visit.flowVersion).toBeUndefined();
  const others = { path: '/survey/vw', translation: '/survey/es' };
  expect(await findStoredVisit(queue, others, 2_000)).toBeUndefined();
});

test('a visit has the newest answers after the visitor has switched the language back', async () => {
  const stored = await findStoredVisit(queue, spanish, 2_000);
  const more = { given: { ...given, HowWasUserHurt: {} }, drafts: {}, at: 'AtFault' };
  await storeVisit(queue, stored?.visit ?? visit, more, 3_000);
  const back = await findStoredVisit(queue, english, 4_000);
  expect(back?.state).toEqual(more);
  expect(back?.visit.session).toEqual(visit.session);
  await queue.outbox.forgetVisits(visit.session.lead_id);
  expect(await findStoredVisit(queue, english, 5_000)).toBeUndefined();
  expect(await findStoredVisit(queue, spanish, 5_000)).toBeUndefined();
});

test.each([
  ['this visit', visit, given],
  ['another visit', newVisit('/survey/v4nv', landing), {}],
])(
  'a posted form uses the stored answers only if both belong to the same visit',
  (_, of, expected) => {
    const remove = vi.fn();
    const posted = { ...initialState(pageData().flow), at: 'Name' };
    const textContent = JSON.stringify({ visit, state: posted, seq: 3 });
    vi.stubGlobal('document', { getElementById: () => ({ textContent, remove }) });
    vi.stubGlobal('location', { origin: 'https://site.example' });
    const change = vi.fn();
    const queue = { outbox: { change } } as unknown as Parameters<typeof takePostedVisit>[0];
    const stored = { visit: of, state: { given, drafts: {}, at: 'Name' } };
    expect(takePostedVisit(queue, stored)?.state).toEqual({ ...posted, given: expected });
    expect(change.mock.lastCall?.[1](undefined)).toMatchObject({ last_seq: 3 });
    expect(remove).toHaveBeenCalledOnce();
  },
);
