import { expect, test } from 'vitest';
import { pageData, today } from '../../web/survey/test-support/survey-fixture.ts';
import { flowLoaders } from '../flows/surveys.ts';
import { earlyEnd } from './early-end.ts';
import { STILL_SEND } from './form-values.ts';
import { walkContext } from './state.ts';

const date = (injury_year: string) => ({ injury_month: '05', injury_year });
const fault = { AtFault: { at_Fault: 'yes' } };
const bothAtFault = { AtFault: { at_Fault: 'yes', partial_fault: 'yes' } };

const before = {
  StartPath: { accident_type: 'Other' },
  WhenWasTheAccident: date('2026'),
  AtFault: { at_Fault: 'no' },
  HasLawyer: { with_Lawyer: 'no' },
  DidYouReceiveMedicalTreatment: { doctor_treatment: 'yes' },
} as const;

test.each([
  ['short', 'NameAndEmail', { ...fault, WhenWasTheAccident: date('2026') }, 'fault'],
  ['short', 'AtFault', { WhenWasTheAccident: date('2019') }, undefined],
  ['short', 'NameAndEmail', { WhenWasTheAccident: date('2019') }, 'date'],
  // Without a U.S. state, the longest limitation period of any state applies (six years).
  ['short', 'NameAndEmail', { WhenWasTheAccident: date('2021') }, undefined],
  ['short', 'NameAndEmail', { ...bothAtFault, WhenWasTheAccident: date('2026') }, undefined],
  // The page displays the notice of disqualification only before the step that asks the name.
  ['short', 'PhoneAndZip', { ...fault, NameAndEmail: { first_name: 'A' } }, undefined],
  ['medical', 'NameAndEmail', fault, undefined],
  ['ticket', 'NameAndEmailTicket', { SelectDate: date('2019') }, undefined],
] as const)(
  'earlyEnd returns the reason of an early disqualification',
  async (id, at, given, reason) => {
    const flow = await flowLoaders[id]();
    const data = { ...pageData(), flow };
    const context = walkContext(data, today);
    const state = { given: { ...before, ...given }, drafts: {}, at };
    expect(earlyEnd(data, context, state)).toBe(reason);
    const accepted = { ...state, drafts: { [at]: { [STILL_SEND]: 'yes' } } };
    expect(earlyEnd(data, context, accepted)).toBeUndefined();
  },
);
