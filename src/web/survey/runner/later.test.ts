import { expect, test, vi } from 'vitest';
import { rareWords } from '../../../../content/rare-words.ts';
import { flowLoaders } from '../../../model/flows/surveys.ts';
import { initialState, walkContext } from '../../../model/visit/state.ts';
import { pageData, today } from '../test-support/survey-fixture.ts';
import { insteadOf, loadEarlyEnd, recordPageError } from './later.tsx';

test('the early-end screen does not replace a form in which the visitor is typing', async () => {
  const data = { ...pageData(), flow: await flowLoaders.short() };
  const context = walkContext(data, today);
  const given = {
    StartPath: { accident_type: 'Other' },
    WhenWasTheAccident: { injury_month: '05', injury_year: '2026' },
    AtFault: { at_Fault: 'yes' },
    HasLawyer: { with_Lawyer: 'no' },
    DidYouReceiveMedicalTreatment: { doctor_treatment: 'yes' },
  } as const;
  const at = 'NameAndEmail';
  const drafts = { [at]: { first_name: 'Ana' } };
  const state = { ...initialState(data.flow), given, drafts, at };
  await new Promise<void>((resolve) => {
    const dispatch = () => {
      resolve();
      return true;
    };
    loadEarlyEnd(
      { getState: () => state, dispatch, subscribe: () => () => true },
      { data, context, page: { afterPaint: { add: (task) => task() } } },
    );
  });
  expect(insteadOf(data, context, state)).toBeUndefined();
  const shownAgain = { ...state, screen: state.screen + 2 };
  expect(insteadOf(data, context, shownAgain)?.words.question).toBe(rareWords.en.early.title);
});

test('recordPageError records only the errors of our own scripts', () => {
  const page = new EventTarget();
  vi.stubGlobal('location', { origin: 'https://claims.example' });
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
  const record = vi.fn();
  const state = initialState(pageData().flow);
  recordPageError({ getState: () => state, record });
  const fail = (filename: string) =>
    page.dispatchEvent(Object.assign(new Event('error'), { filename }));
  for (const other of ['', 'https://claims.example.evil/a.js', 'chrome-extension://a/b.js']) {
    fail(other);
  }
  expect(record).not.toHaveBeenCalled();
  fail('https://claims.example/_astro/entry.js');
  fail('https://claims.example/_astro/entry.js');
  expect(record.mock.calls).toEqual([[{ kind: 'failed', step: state.at, answers: {} }]]);
  vi.unstubAllGlobals();
});
