import { afterEach, describe, expect, test, vi } from 'vitest';
import type { StepAnswers } from '../../flows/engine/walk.ts';
import { initialState } from '../../journey/state.ts';
import { newVisit } from '../../journey/visit.ts';
import { pageData } from '../test-support/survey-fixture.ts';
import { takePostedVisit } from './posted-visit.ts';

type Known = { readonly given?: StepAnswers; readonly drafts?: StepAnswers };

const landing = { href: 'https://site.example/survey/v4nv?s1=abc', referrer: '', now: Date.now() };
const visit = newVisit('/survey/v4nv', landing);
const queue = { outbox: { change: async () => undefined } } as unknown as Parameters<
  typeof takePostedVisit
>[0];

/** What becomes of a page of the step Name that came by a form, and of what its browser had kept. */
function take(page: Known, here: Known, of = visit) {
  const remove = vi.fn();
  const state = { ...initialState(pageData().flow), at: 'Name', ...page };
  const textContent = JSON.stringify({ visit, state, seq: 3 });
  vi.stubGlobal('document', { getElementById: () => ({ textContent, remove }) });
  vi.stubGlobal('location', { origin: 'https://site.example' });
  const kept = { visit: of, state: { given: {}, drafts: {}, at: 'Name', ...here } };
  const taken = takePostedVisit(queue, kept);
  expect(remove).toHaveBeenCalledOnce();
  return { ...taken?.state, isWhole: taken?.isWhole };
}

afterEach(() => vi.unstubAllGlobals());

describe('a visit that came by a form', () => {
  const given = { Lawyer: { with_Lawyer: 'no' } } as const;

  test('is whole where the browser knows no more than its page', () => {
    expect(take({ given }, { given })).toMatchObject({ given, drafts: {}, isWhole: true });
    const drafts = { Name: { first_name: 'Ann' } };
    expect(take({ drafts }, { drafts })).toMatchObject({ drafts, isWhole: true });
  });

  test('gets the answers that the server never heard of', () => {
    expect(take({}, { given })).toMatchObject({ given, isWhole: false });
  });

  test('gets what was typed here, and is then not what its page shows', () => {
    const typed = { Name: { first_name: 'Anne', last_name: 'Lee' } };
    const known = { Name: { first_name: 'Ann' } };
    expect(take({ given }, { drafts: typed })).toMatchObject({ drafts: typed, isWhole: false });
    // What was sent a moment ago counts before what was kept.
    expect(take({ drafts: known }, { drafts: typed })).toMatchObject({
      drafts: known,
      isWhole: true,
    });
  });

  test('is whole with what was typed on other steps', () => {
    const drafts = { Story: { case_description: 'A truck' } };
    expect(take({ given }, { drafts })).toMatchObject({ drafts, isWhole: true });
  });

  test('has nothing typed in a form that was passed since', () => {
    const drafts = { Lawyer: { with_Lawyer: 'yes' } };
    expect(take({ given }, { drafts })).toMatchObject({ drafts: {}, isWhole: true });
    // Gone back to, and typed in again.
    expect(take({ given }, { given, drafts })).toMatchObject({ drafts });
  });

  test('takes nothing of another visit', () => {
    const other = newVisit('/survey/v4nv', landing);
    const drafts = { Name: { first_name: 'Bob' } };
    expect(take({}, { given, drafts }, other)).toMatchObject({
      given: {},
      drafts: {},
      isWhole: true,
    });
  });
});
