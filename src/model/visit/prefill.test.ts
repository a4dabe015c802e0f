import { expect, test } from 'vitest';
import { pageData, today } from '../../web/survey/test-support/survey-fixture.ts';
import { v4 } from '../flows/variants/v4.ts';
import { prefillDrafts, withPrefill } from './prefill.ts';
import { initialState, reduce, walkContext } from './state.ts';

const details = { first_name: 'Ann', email: 'a@b.example', phone: '+1 212-555-0100' };
const drafts = prefillDrafts(v4, details);

test('withPrefill never replaces an answer of the visitor', () => {
  const context = walkContext(pageData(), today);
  const start = {
    ...initialState(v4),
    given: { NameAndEmail: { first_name: 'Bea' } },
    drafts: { AllPii: { email: '' } },
  };
  const state = reduce(v4, context, start, { type: 'changed', change: withPrefill(start, drafts) });
  expect(state).toMatchObject({ at: start.at, screen: start.screen, given: start.given });
  expect(state.drafts.NameAndEmail).toEqual({ first_name: 'Bea', email: 'a@b.example' });
  expect(state.prefilled).toBe(drafts);
  expect(state.drafts.AllPii).toMatchObject({ first_name: 'Ann', email: '' });
});
