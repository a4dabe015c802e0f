import { defineFlow, when } from '../engine/flow.ts';

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
  steps: {
    StartPath: {
      kind: 'choice',
      stage: 'accident',
      choices: [
        { accident_type: 'Car Accident' },
        { accident_type: 'Truck Accident' },
        { accident_type: 'Motorcycle Accident' },
        { accident_type: 'Pedestrian Accident' },
        { accident_type: 'Bicycle Accident' },
        { accident_type: 'Other' },
      ],
      next: [when('startsWithCaseWorth', 'AutoAccidentCaseWorth'), 'WhenWasTheAccident'],
    },
    AutoAccidentCaseWorth: {
      kind: 'case-worth',
      stage: 'accident',
      asks: ['current_compensation'],
      next: ['WhenWasTheAccident'],
    },
    WhenWasTheAccident: {
      kind: 'accident-date',
      stage: 'accident',
      asks: ['injury_month', 'injury_year'],
      optional: ['injury_day'],
      next: ['AtFault'],
    },
    AtFault: {
      kind: 'choice',
      stage: 'accident',
      choices: [{ at_Fault: 'no' }, { at_Fault: 'yes' }, { partial_fault: 'yes', at_Fault: 'yes' }],
      next: ['WasUserInjured'],
    },
    WasUserInjured: {
      kind: 'choice',
      stage: 'injuries',
      choices: [
        { specific_injury: 'Back or Neck Pain', physical_injury: 'Yes' },
        { specific_injury: 'Whiplash', physical_injury: 'Yes' },
        { specific_injury: 'Broken Bones', physical_injury: 'Yes' },
        { specific_injury: 'Head Injury', physical_injury: 'Yes' },
        { specific_injury: 'Spinal Cord Injury', physical_injury: 'Yes' },
        { specific_injury: 'Loss of Limb', physical_injury: 'Yes' },
        { specific_injury: 'Cuts or Bruises', physical_injury: 'Yes' },
        { specific_injury: 'Other', physical_injury: 'Yes' },
        { physical_injury: 'No' },
      ],
      next: [
        when('isSeverelyInjuredAndAtFault', 'ActiveInsurancePolicy'),
        when('isInjured', 'DidYouReceiveMedicalTreatment'),
        'PoliceReportFiled',
      ],
    },
    ActiveInsurancePolicy: {
      kind: 'choice',
      stage: 'injuries',
      choices: [{ active_insurance_policy: 'yes' }, { active_insurance_policy: 'no' }],
      next: [when('hasActiveInsurance', 'MissedWork'), 'DidYouReceiveMedicalTreatment'],
    },
    MissedWork: {
      kind: 'choice',
      stage: 'injuries',
      choices: [{ missed_work: 'yes' }, { missed_work: 'no' }],
      next: [when('missedWork', 'SpeakingWithADoctor'), 'DidYouReceiveMedicalTreatment'],
    },
    SpeakingWithADoctor: {
      kind: 'choice',
      stage: 'injuries',
      choices: [{ speaking_with_doctor: 'yes' }, { speaking_with_doctor: 'no' }],
      next: ['DidYouReceiveMedicalTreatment'],
    },
    DidYouReceiveMedicalTreatment: {
      kind: 'choice',
      stage: 'injuries',
      choices: [{ doctor_treatment: 'yes' }, { doctor_treatment: 'no' }],
      next: [when('isUntreatedWithinFollowUp', 'WillingToTreat'), 'PoliceReportFiled'],
    },
    WillingToTreat: {
      kind: 'choice',
      stage: 'injuries',
      choices: [{ willing_to_treat: 'yes' }, { willing_to_treat: 'no' }],
      next: ['PoliceReportFiled'],
    },
    PoliceReportFiled: {
      kind: 'choice',
      stage: 'case',
      choices: [{ police_report: 'yes' }, { police_report: 'no' }],
      next: ['HasLawyer'],
    },
    HasLawyer: {
      kind: 'choice',
      stage: 'case',
      choices: [
        { with_Lawyer: 'no' },
        { with_Lawyer: 'yes' },
        {
          lawyer_redirect_reason: 'have_attorney|yes_but_I_want_a_new_lawyer',
          with_Lawyer: 'yes',
        },
      ],
      next: [
        when('skipsLawyerFunding', 'IncidentDescription'),
        when(['hasLawyerOnRecentAccident', 'confirmsLawyer'], 'ConfirmationHasLawyer'),
        when('hasLawyerOnRecentAccident', 'InterestedInFunding'),
        'IncidentDescription',
      ],
    },
    ConfirmationHasLawyer: {
      kind: 'choice',
      stage: 'case',
      choices: [{ with_Lawyer: 'yes' }, { with_Lawyer: 'no' }],
      next: [when('hasLawyerOnRecentAccident', 'InterestedInFunding'), 'IncidentDescription'],
    },
    InterestedInFunding: {
      kind: 'choice',
      stage: 'case',
      choices: [{ interested_in_psf: 'yes' }, { interested_in_psf: 'no' }],
      next: [when('isInterestedInFunding', 'FundingAmount'), 'IncidentDescription'],
    },
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
    HasCaseBeenSettled: {
      kind: 'choice',
      stage: 'case',
      choices: [{ settled_case: 'yes' }, { settled_case: 'no' }],
      next: [when('caseIsSettled', 'IncidentDescription'), 'HasReceivedFunding'],
    },
    HasReceivedFunding: {
      kind: 'choice',
      stage: 'case',
      choices: [{ prior_funding: 'yes' }, { prior_funding: 'no' }],
      next: [when('receivedFunding', 'IncidentDescription'), 'LawFirmDetails'],
    },
    LawFirmDetails: {
      kind: 'form',
      stage: 'case',
      asks: ['law_firm_name'],
      optional: ['law_firm_phone'],
      next: ['IncidentDescription'],
    },
    IncidentDescription: {
      kind: 'description',
      stage: 'case',
      asks: ['case_description'],
      choices: [{ hit_and_run: 'yes' }, { hit_and_run: 'no' }],
      next: [
        when('isHitAndRun', 'HitAndRunIdentified'),
        when('hasCombinedLastStep', 'AllPii'),
        'NameAndEmail',
      ],
    },
    HitAndRunIdentified: {
      kind: 'choice',
      stage: 'case',
      choices: [{ hit_and_run_identified: 'yes' }, { hit_and_run_identified: 'no' }],
      next: [
        when(['driverWasIdentified', 'hasCombinedLastStep'], 'AllPii'),
        when('driverWasIdentified', 'NameAndEmail'),
        'UninsuredMotoristCoverage',
      ],
    },
    UninsuredMotoristCoverage: {
      kind: 'choice',
      stage: 'case',
      choices: [{ uninsured_motorist_coverage: 'yes' }, { uninsured_motorist_coverage: 'no' }],
      next: [when('hasCombinedLastStep', 'AllPii'), 'NameAndEmail'],
    },
    NameAndEmail: {
      kind: 'form',
      stage: 'contact',
      asks: ['first_name', 'last_name', 'email'],
      next: [when('asksDateOfBirth', 'DateOfBirth'), 'PhoneAndZip'],
    },
    DateOfBirth: {
      kind: 'date-of-birth',
      stage: 'contact',
      asks: ['date_of_birth_month', 'date_of_birth_day', 'date_of_birth_year'],
      next: ['PhoneAndZip'],
    },
    PhoneAndZip: {
      kind: 'contact',
      stage: 'contact',
      asks: ['phone', 'zip_code'],
      submits: true,
      next: [],
    },
    AllPii: {
      kind: 'contact',
      stage: 'contact',
      asks: ['first_name', 'last_name', 'email', 'phone', 'zip_code'],
      submits: true,
      next: [],
    },
  },
});
