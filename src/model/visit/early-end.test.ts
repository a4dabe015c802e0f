import { expect, test } from 'vitest';
import { beforeZip, pageData, today } from '../../web/survey/test-support/survey-fixture.ts';
import { withZipStep } from '../flows/engine/adapt.ts';
import { flowLoaders } from '../flows/surveys.ts';
import type { StateRuleSettings } from '../rules/state-rules.ts';
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

const colorado = { zip_code: '80202', state: 'CO' } as const;
const named = { NameAndEmail: { first_name: 'A' }, ZipCode: colorado };
const ticketInColorado = {
  StartPathTicket: { ticket_type: 'Speeding' },
  StartTicketFlow: { motor_vehicle_accident: 'no' },
  TicketReceived: { ticket_received: 'yes' },
  SelectState: { state_accident_occurred: 'CO' },
  SelectDate: date('2026'),
  DoYouHaveAttorney: { with_Lawyer: 'no' },
  IncidentDescription: beforeZip.IncidentDescription,
} as const;
const ofFirms = (consent: 'yes' | 'no') => ({
  ...beforeZip,
  ZipCode: { ...colorado, '1_to_1_consent': consent },
});
const prohibited = { CO: [{ decision: 'prohibited', reason: 'Advice of 2026-11-01' }] } as const;

test.each([
  // The state of the landing query or the proxy is known before the first contact step.
  ['short', 'NameAndEmail', {}, 'CO', 'state'],
  ['short', 'NameAndEmail', {}, 'TX', undefined],
  ['short', 'NameAndEmail', fault, 'CO', 'state'],
  // The zip code may reveal the state after the step that asks the name.
  ['short', 'PhoneAndZip', named, undefined, 'state'],
  ['short', 'PhoneAndZip', { ...named, ...fault }, undefined, 'state'],
  ['short', 'PhoneAndZip', named, 'CO', 'accepted'],
  ['short', 'PhoneAndZip', { ...named, ZipCode: { state: 'TX' } }, 'NE', undefined],
  // The first page, which is the same for all visitors, is not replaced.
  ['one-page', 'OnePageForm', {}, 'CO', undefined],
  ['ticket', 'NameAndEmailTicket', ticketInColorado, 'TX', 'state'],
  // A visitor may choose a law firm by name, unless none is found or the state forbids that too.
  ['one-to-one', 'NameAndEmail', ofFirms('yes'), undefined, undefined],
  ['one-to-one', 'NameAndEmail', ofFirms('no'), undefined, 'state'],
  ['one-to-one', 'NameAndEmail', ofFirms('yes'), undefined, 'state', prohibited],
] as const)(
  'earlyEnd reports a state whose leads may not be sold (%s, %s)',
  async (id, at, given, visitState, reason, changes: StateRuleSettings['changes'] = {}) => {
    const stateRules: StateRuleSettings = { changes, undecided: 'deliver' };
    const survey = id === 'one-to-one' ? ({ buyers: 'fetched' } as const) : {};
    const data = pageData('en', { survey, settings: { stateRules } });
    const flow = withZipStep(await flowLoaders[id]());
    const context = walkContext(data, today, { state: visitState });
    const visit = { given: { ...before, ...given }, drafts: {}, at };
    expect(earlyEnd({ ...data, flow }, context, visit)).toBe(reason);
  },
);
