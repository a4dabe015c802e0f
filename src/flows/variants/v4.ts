import { defineFlow, when } from '../engine/flow.ts';
import { adPixel } from '../engine/page-scripts.ts';
import { caseWorth, hasLawyer, startPath, yesOrNo } from './fragments/steps.ts';
import { v4FromDescription, v4UntilLawyer } from './fragments/v4-logic.ts';

/**
 * The v4 family's main flow (document 2, section 4, "v4 family"). One flow serves the English, the
 * Spanish and the crash-comped surveys; the survey row says which of its branches are open.
 *
 * DateOfBirth needs the visitor's state, which this flow knows before its last step only where the
 * survey was entered with one (readings, "Steps").
 */
export const v4 = defineFlow({
  id: 'v4',
  progress: 'stages',
  start: 'StartPath',
  rules: { forcedTreatment: 'up_to_15_days', appendsHitAndRun: true },
  scripts: [adPixel],
  steps: {
    StartPath: startPath({
      stage: 'accident',
      next: [when('startsWithCaseWorth', 'AutoAccidentCaseWorth'), 'WhenWasTheAccident'],
    }),
    AutoAccidentCaseWorth: caseWorth({ stage: 'accident', next: ['WhenWasTheAccident'] }),
    ...v4UntilLawyer,
    HasLawyer: hasLawyer({
      stage: 'case',
      next: [
        when('skipsLawyerFunding', 'IncidentDescription'),
        when(['hasLawyerOnRecentAccident', 'confirmsLawyer'], 'ConfirmationHasLawyer'),
        when('hasLawyerOnRecentAccident', 'InterestedInFunding'),
        'IncidentDescription',
      ],
    }),
    ConfirmationHasLawyer: yesOrNo('with_Lawyer', {
      stage: 'case',
      next: [when('hasLawyerOnRecentAccident', 'InterestedInFunding'), 'IncidentDescription'],
    }),
    InterestedInFunding: yesOrNo('interested_in_psf', {
      stage: 'case',
      next: [when('isInterestedInFunding', 'FundingAmount'), 'IncidentDescription'],
    }),
    FundingAmount: {
      kind: 'choice',
      stage: 'case',
      choices: [
        { funding_amount: 'under_2500' },
        { funding_amount: '2500_to_5000' },
        { funding_amount: '5000_to_10000' },
        { funding_amount: 'over_10000' },
      ],
      next: ['HasCaseBeenSettled'],
    },
    HasCaseBeenSettled: yesOrNo('settled_case', {
      stage: 'case',
      next: [when('caseIsSettled', 'IncidentDescription'), 'HasReceivedFunding'],
    }),
    HasReceivedFunding: yesOrNo('prior_funding', {
      stage: 'case',
      next: [when('receivedFunding', 'IncidentDescription'), 'LawFirmDetails'],
    }),
    LawFirmDetails: {
      kind: 'form',
      stage: 'case',
      asks: ['law_firm_name'],
      optional: ['law_firm_phone'],
      next: ['IncidentDescription'],
    },
    ...v4FromDescription,
  },
});
