import { afterEach, expect, test, vi } from 'vitest';
import { initialState } from '../../../model/visit/state.ts';
import { newVisit } from '../../../model/visit/visit.ts';
import { pageData } from '../test-support/survey-fixture.ts';
import { takePostedVisit } from './posted-visit.ts';

const landing = { href: 'https://site.example/survey/v4nv?s1=abc', referrer: '', now: Date.now() };
const visit = newVisit('/survey/v4nv', landing);
const given = { Lawyer: { with_Lawyer: 'no' } } as const;

afterEach(() => vi.unstubAllGlobals());

test.each([
  ['this visit', visit, given],
  ['another visit', newVisit('/survey/v4nv', landing), {}],
])('a posted visit uses stored answers only of the same visit (%s)', (_, of, expected) => {
  const remove = vi.fn();
  const state = { ...initialState(pageData().flow), at: 'Name' };
  const textContent = JSON.stringify({ visit, state, seq: 3 });
  vi.stubGlobal('document', { getElementById: () => ({ textContent, remove }) });
  vi.stubGlobal('location', { origin: 'https://site.example' });
  const change = vi.fn();
  const queue = { outbox: { change } } as unknown as Parameters<typeof takePostedVisit>[0];
  const kept = { visit: of, state: { given, drafts: {}, at: 'Name' } };
  expect(takePostedVisit(queue, kept)?.state).toEqual({ ...state, given: expected });
  expect(change.mock.lastCall?.[1](undefined)).toMatchObject({ last_seq: 3 });
  expect(remove).toHaveBeenCalledOnce();
});
