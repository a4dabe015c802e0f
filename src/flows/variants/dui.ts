import { defineFlow, when } from '../engine/flow.ts';
import { pixelOnInjury } from '../engine/page-scripts.ts';
import {
  accidentDate,
  atFault,
  caseWorth,
  hasLawyer,
  incidentDescription,
  nameAndEmail,
  phoneAndZip,
  policeReport,
  startPath,
  wasUserInjured,
  yesOrNo,
} from './fragments/steps.ts';

/** DUI-branch variant (docs/specification.md#dui-flow). */
export const dui = defineFlow({
  id: 'dui',
  progress: 'stages',
  start: 'StartPath',
  rules: { clearsRejectionsAfter: 'prior_alcohol_related_offense' },
  submit: {
    partnerTab: { exceptWhenYes: 'prior_alcohol_related_offense' },
    fields: { reroute: { whenYes: 'prior_alcohol_related_offense', oid: '136', affid: '1' } },
  },
  scripts: [pixelOnInjury],
  steps: {
    StartPath: startPath({ stage: 'accident', next: ['NameAndEmail'] }),
    NameAndEmail: nameAndEmail({ stage: 'accident', next: ['AutoAccidentCaseWorth'] }),
    AutoAccidentCaseWorth: caseWorth({ stage: 'accident', next: ['WhenWasTheAccident'] }),
    WhenWasTheAccident: accidentDate({ stage: 'accident', next: ['AtFault'] }),
    AtFault: atFault({
      stage: 'accident',
      next: [when('isAtFault', 'PendingDUICharges'), 'WasUserInjured'],
    }),
    PendingDUICharges: yesOrNo('pending_dui_charges', {
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
    BACMeasuredByTest: {
      kind: 'choice',
      stage: 'case',
      choices: [
        { bac_level: 'under_0_08' },
        { bac_level: '0_08_to_0_14' },
        { bac_level: '0_15_or_more' },
        { bac_level: 'dont_know' },
      ],
      next: ['UserHasDUI'],
    },
    UserHasDUI: yesOrNo('prior_alcohol_related_offense', {
      stage: 'case',
      next: ['DUIIncidentDescription'],
    }),
    DUIIncidentDescription: incidentDescription({ stage: 'case', next: ['PhoneAndZip'] }),
    WasUserInjured: wasUserInjured({ stage: 'injuries', next: ['PoliceReportFiled'] }),
    PoliceReportFiled: policeReport({ stage: 'case', next: ['HasLawyer'] }),
    HasLawyer: hasLawyer({ stage: 'case', next: ['IncidentDescription'] }),
    IncidentDescription: incidentDescription({ stage: 'case', next: ['PhoneAndZip'] }),
    PhoneAndZip: phoneAndZip({ stage: 'contact', next: [] }),
  },
});
