import { afterEach, expect, test, vi } from 'vitest';
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

/** Opens a page of the step Name that answers a posted form, in a browser that stored `here`. */
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

const given = { Lawyer: { with_Lawyer: 'no' } } as const;
const ann = { Name: { first_name: 'Ann' } };
const anne = { Name: { first_name: 'Anne', last_name: 'Lee' } };
const story = { Story: { case_description: 'A truck' } };
const lawyer = { Lawyer: { with_Lawyer: 'yes' } } as const;

test.each<[string, page: Known, here: Known, expected: Known & { isWhole?: boolean }]>([
  ['the same answers', { given }, { given }, { given, drafts: {}, isWhole: true }],
  ['the same input', { drafts: ann }, { drafts: ann }, { drafts: ann, isWhole: true }],
  ['unsent answers', {}, { given }, { given, isWhole: false }],
  ['unsent input', { given }, { drafts: anne }, { drafts: anne, isWhole: false }],
  ['older input', { drafts: ann }, { drafts: anne }, { drafts: ann, isWhole: true }],
  ['input on other steps', { given }, { drafts: story }, { drafts: story, isWhole: true }],
  ['input in a form posted since', { given }, { drafts: lawyer }, { drafts: {}, isWhole: true }],
  ['input after going back', { given }, { given, drafts: lawyer }, { drafts: lawyer }],
])('a posted visit in a browser with %s', (_, page, here, expected) => {
  expect(take(page, here)).toMatchObject(expected);
});

test('a posted visit takes nothing from another visit', () => {
  const other = newVisit('/survey/v4nv', landing);
  const expected = { given: {}, drafts: {}, isWhole: true };
  expect(take({}, { given, drafts: ann }, other)).toMatchObject(expected);
});
