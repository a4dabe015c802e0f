import { defineFlow, when } from '../engine/flow.ts';
import * as ask from './questions.ts';

/** The flow with questions about driving under the influence (docs/specification.md#flows). */
export const dui = defineFlow({
  id: 'dui',
  progress: 'stages',
  rules: { clearsRejectionsAfter: 'prior_alcohol_related_offense' },
  submit: {
    partnerTab: { exceptWhenYes: 'prior_alcohol_related_offense' },
    fields: {
      reroute: { whenYes: 'prior_alcohol_related_offense', to: { oid: '136', affid: '1' } },
    },
  },
  scripts: [ask.pixelOnInjury],
  steps: {
    StartPath: ask.startPath({ stage: 'accident' }),
    NameAndEmail: ask.nameAndEmail({ stage: 'accident' }),
    AutoAccidentCaseWorth: ask.caseWorth({ stage: 'accident' }),
    WhenWasTheAccident: ask.accidentDate({ stage: 'accident' }),
    AtFault: ask.atFault({
      stage: 'accident',
      next: [when('isAtFault', 'PendingDUICharges'), 'WasUserInjured'],
    }),
    PendingDUICharges: ask.oneOf('pending_dui_charges', {
      stage: 'accident',
      next: [when('hasPendingDuiCharges', 'TypeOfAlcoholTestPerformed'), 'WasUserInjured'],
    }),
    TypeOfAlcoholTestPerformed: {
      kind: 'choice',
      stage: 'case',
      choices: [
        { type_of_alcohol_test_performed: 'breath_test' },
        { type_of_alcohol_test_performed: 'blood_test' },
        { type_of_alcohol_test_performed: 'urine_test' },
        { type_of_alcohol_test_performed: 'field_sobriety_test' },
        { type_of_alcohol_test_performed: 'no_test', bac_level: 'dont_know' },
        { type_of_alcohol_test_performed: 'refused_test', bac_level: 'dont_know' },
      ],
      next: [when('tookNoAlcoholTest', 'UserHasDUI'), 'BACMeasuredByTest'],
    },
    BACMeasuredByTest: ask.oneOf('bac_level', { stage: 'case' }),
    UserHasDUI: ask.oneOf('prior_alcohol_related_offense', { stage: 'case' }),
    DUIIncidentDescription: ask.incidentDescription({ stage: 'case', next: ['PhoneAndZip'] }),
    WasUserInjured: ask.wasUserInjured({ stage: 'injuries' }),
    PoliceReportFiled: ask.policeReport({ stage: 'case' }),
    HasLawyer: ask.hasLawyer({ stage: 'case' }),
    IncidentDescription: ask.incidentDescription({ stage: 'case' }),
    PhoneAndZip: ask.phoneAndZip({ stage: 'contact' }),
  },
});
