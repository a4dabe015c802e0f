import { describe, expect, test } from 'vitest';
import type { Answers } from '../../domain/answers.ts';
import { type Flow, fieldsOf, stages, stepOf } from '../engine/flow.ts';
import { allPaths, type FlowPath } from '../engine/paths.ts';
import { testSamples } from '../engine/test-samples.ts';
import { type WalkContext, walkFlat } from '../engine/walk.ts';
import { type FlowId, flowLoaders } from '../surveys.ts';

const today = { year: 2026, month: 11, day: 20 };
const facts = {
  combinedLastStep: false,
  skipsLawyerFunding: false,
  confirmsLawyer: true,
  startsWithCaseWorth: false,
};
const settings = { dateOfBirthStates: ['AL', 'NE'] };
const context: WalkContext = { today, survey: facts, settings };

const flows: [FlowId, Flow][] = await Promise.all(
  Object.entries(flowLoaders).map(async ([id, load]) => [id as FlowId, await load()] as const),
).then((all) => all.map(([id, flow]): [FlowId, Flow] => [id, flow]));

function pathsOf(flow: Flow, change: Partial<typeof facts> = {}, known: Answers = {}): FlowPath[] {
  const survey = { ...facts, ...change };
  return allPaths(flow, { ...context, survey }, testSamples(today), known);
}

/** Parses a step sequence in the specification's notation. */
function sequence(text: string): string[] {
  return text.trim().split(/[\s,]+/);
}

/**
 * The paths through every flow, taken from the specification (docs/specification.md, #variant-a to
 * #slv2), not from the code. Long flows have their shortest, a middle and their longest path here, and
 * the number of all.
 */
const golden: Record<FlowId, { readonly count: number; readonly ways: readonly string[] }> = {
  v4: {
    count: 162,
    ways: [
      `StartPath, WhenWasTheAccident, AtFault, WasUserInjured, PoliceReportFiled, HasLawyer,
       IncidentDescription, NameAndEmail, PhoneAndZip`,
      `StartPath, WhenWasTheAccident, AtFault, WasUserInjured, DidYouReceiveMedicalTreatment,
       WillingToTreat, PoliceReportFiled, HasLawyer, ConfirmationHasLawyer, IncidentDescription,
       NameAndEmail, PhoneAndZip`,
      `StartPath, WhenWasTheAccident, AtFault, WasUserInjured, ActiveInsurancePolicy, MissedWork,
       SpeakingWithADoctor, DidYouReceiveMedicalTreatment, WillingToTreat, PoliceReportFiled,
       HasLawyer, ConfirmationHasLawyer, InterestedInFunding, FundingAmount, HasCaseBeenSettled,
       HasReceivedFunding, LawFirmDetails, IncidentDescription, HitAndRunIdentified,
       UninsuredMotoristCoverage, NameAndEmail, PhoneAndZip`,
    ],
  },
  v7: {
    count: 27,
    ways: [
      `StartPath, GetStartedFirstStep, WhenWasTheAccident, AtFault, WasUserInjured,
       PoliceReportFiled, HasLawyer, IncidentDescription, NameAndEmail, PhoneAndZip`,
      `StartPath, GetStartedFirstStep, WhenWasTheAccident, AtFault, WasUserInjured,
       ActiveInsurancePolicy, DidYouReceiveMedicalTreatment, PoliceReportFiled, HasLawyer,
       IncidentDescription, HitAndRunIdentified, NameAndEmail, PhoneAndZip`,
      `StartPath, GetStartedFirstStep, WhenWasTheAccident, AtFault, WasUserInjured,
       ActiveInsurancePolicy, MissedWork, SpeakingWithADoctor, DidYouReceiveMedicalTreatment,
       WillingToTreat, PoliceReportFiled, HasLawyer, IncidentDescription, HitAndRunIdentified,
       UninsuredMotoristCoverage, NameAndEmail, PhoneAndZip`,
    ],
  },
  'one-to-one': {
    count: 648,
    ways: [
      `StartPath, WhenWasTheAccident, AtFault, WasUserInjured, PoliceReportFiled, HasLawyer,
       IncidentDescription, ZipCode, NameAndEmail, PhoneAndBuyersConsent`,
      `StartPath, WhenWasTheAccident, AtFault, WasUserInjured, PoliceReportFiled, HasLawyer,
       IncidentDescription, ZipCode, NameAndEmail, DateOfBirth, PhoneAbbreviatedTCPA`,
      `StartPath, WhenWasTheAccident, AtFault, WasUserInjured, ActiveInsurancePolicy, MissedWork,
       SpeakingWithADoctor, DidYouReceiveMedicalTreatment, WillingToTreat, PoliceReportFiled,
       HasLawyer, ConfirmationHasLawyer, InterestedInFunding, FundingAmount, HasCaseBeenSettled,
       HasReceivedFunding, LawFirmDetails, IncidentDescription, HitAndRunIdentified,
       UninsuredMotoristCoverage, ZipCode, NameAndEmail, DateOfBirth, PhoneAndBuyersConsent`,
    ],
  },
  'variant-a': {
    count: 2,
    ways: [
      `StartPath, AutoAccidentCaseWorth, OtherDriversVehicleType, WhenWasTheAccident, AtFault,
       WasUserInjured, TypeOfMedicalTreatment, HasLawyer, IncidentDescription, NameAndEmail,
       PhoneAndZip`,
      `StartPath, AutoAccidentCaseWorth, OtherDriversVehicleType, WhenWasTheAccident, AtFault,
       WasUserInjured, PoliceReportFiled, HasLawyer, IncidentDescription, NameAndEmail, PhoneAndZip`,
    ],
  },
  'variant-b': {
    count: 2,
    ways: [
      `StartPath, SocialDropPII, OtherDriversVehicleType, WhenWasTheAccident, AtFault,
       WasUserInjured, TypeOfMedicalTreatment, HasLawyer, IncidentDescription, PhoneAndZip`,
      `StartPath, SocialDropPII, OtherDriversVehicleType, WhenWasTheAccident, AtFault,
       WasUserInjured, PoliceReportFiled, HasLawyer, IncidentDescription, PhoneAndZip`,
    ],
  },
  'variant-c': {
    count: 1,
    ways: [
      `StartPath, WhenWasTheAccident, OtherDriversVehicleType, AtFault, WasUserInjured,
       TypeOfMedicalTreatment, PoliceReportFiled, HasLawyer, IncidentDescription, NameAndEmail,
       PhoneAndZip`,
    ],
  },
  'variant-d': {
    count: 2,
    ways: [
      `WereYouInAMotorVehicleAccident, SocialDropWhenWasTheAccident, WasUserInjured,
       DidYouRequireMedicalTreatment, AtFault, PoliceReportFiled, HasLawyer, IncidentDescription,
       NameAndEmail, PhoneAndZip`,
      `WereYouInAMotorVehicleAccident, SocialDropWhenWasTheAccident, WasUserInjured, AtFault,
       PoliceReportFiled, HasLawyer, IncidentDescription, NameAndEmail, PhoneAndZip`,
    ],
  },
  'variant-e': {
    count: 1,
    ways: [
      `WereYouInAMotorVehicleAccident, SocialDropWhenWasTheAccident, HasLawyer, AtFault,
       NameAndEmail, PhoneAndZip`,
    ],
  },
  tiktok: {
    count: 1,
    ways: [
      `StartPath, AutoAccidentCaseWorth, WhenWasTheAccidentTikTok, AtFault, WasUserInjured,
       PoliceReportFiledTikTok, HasLawyer, IncidentDescriptionTikTok, NameAndEmailTikTok,
       PhoneAndZipTikTok`,
    ],
  },
  medical: {
    count: 2,
    ways: [
      `StartPath, WereYouInAMotorVehicleAccident, SocialDropWhenWasTheAccident,
       DidYouRequireMedicalTreatment, TypeOfMedicalTreatment, AtFault, HasLawyer,
       IncidentDescription, NameAndEmail, PhoneAndZip`,
      `StartPath, WereYouInAMotorVehicleAccident, SocialDropWhenWasTheAccident,
       DidYouRequireMedicalTreatment, WillYouRequireMedicalTreatment, AtFault, HasLawyer,
       IncidentDescription, NameAndEmail, PhoneAndZip`,
    ],
  },
  'medical-five': {
    count: 2,
    ways: [
      `StartPath, WereYouInAMotorVehicleAccident, SocialDropWhenWasTheAccident,
       DidYouRequireMedicalTreatment, TypeOfMedicalTreatment, AtFault, HasLawyer,
       IncidentDescription, NameAndEmail, PhoneAndZip`,
      `StartPath, WereYouInAMotorVehicleAccident, SocialDropWhenWasTheAccident,
       DidYouRequireMedicalTreatment, WillYouRequireMedicalTreatment, AtFault, HasLawyer,
       IncidentDescription, NameAndEmail, PhoneAndZip`,
    ],
  },
  dui: {
    count: 4,
    ways: [
      `StartPath, NameAndEmail, AutoAccidentCaseWorth, WhenWasTheAccident, AtFault, WasUserInjured,
       PoliceReportFiled, HasLawyer, IncidentDescription, PhoneAndZip`,
      `StartPath, NameAndEmail, AutoAccidentCaseWorth, WhenWasTheAccident, AtFault,
       PendingDUICharges, WasUserInjured, PoliceReportFiled, HasLawyer, IncidentDescription,
       PhoneAndZip`,
      `StartPath, NameAndEmail, AutoAccidentCaseWorth, WhenWasTheAccident, AtFault,
       PendingDUICharges, TypeOfAlcoholTestPerformed, UserHasDUI, DUIIncidentDescription,
       PhoneAndZip`,
      `StartPath, NameAndEmail, AutoAccidentCaseWorth, WhenWasTheAccident, AtFault,
       PendingDUICharges, TypeOfAlcoholTestPerformed, BACMeasuredByTest, UserHasDUI,
       DUIIncidentDescription, PhoneAndZip`,
    ],
  },
  vw3: {
    count: 2,
    ways: [
      `StartPath, WhenWasTheAccidentVW3, AtFaultVW3, WasUserInjuredVW3, TypeOfMedicalTreatmentVW3,
       PoliceReportFiledVW3, HasLawyerVW3, IncidentDescriptionVW3, NameAndEmailVW3, PhoneAndZipVW3`,
      `StartPath, WhenWasTheAccidentVW3, AtFaultVW3, WasUserInjuredVW3, PoliceReportFiledVW3,
       HasLawyerVW3, IncidentDescriptionVW3, NameAndEmailVW3, PhoneAndZipVW3`,
    ],
  },
  'progress-bar': {
    count: 1,
    ways: [
      `StartPath, HowWasUserHurt, WhenWasTheAccident, AtFault, DescribeInjuries, PoliceReport,
       HasAttorney, Description, EmailAndName, ZipAndPhone, End`,
    ],
  },
  short: {
    count: 1,
    ways: [
      `StartPath, WhenWasTheAccident, AtFault, HasLawyer, DidYouReceiveMedicalTreatment,
       NameAndEmail, PhoneAndZip, ThankYouStep`,
    ],
  },
  rz: {
    count: 3,
    ways: [
      `StartPath, WhenWasTheAccident, AtFault, WasUserInjured, HasLawyer, IncidentDescription,
       NameAndEmail, PhoneAndZip`,
      `StartPath, WhenWasTheAccident, AtFault, WasUserInjured, DidYouReceiveMedicalTreatment,
       HasLawyer, IncidentDescription, NameAndEmail, PhoneAndZip`,
      `StartPath, WhenWasTheAccident, AtFault, WasUserInjured, DidYouReceiveMedicalTreatment,
       WillingToTreat, HasLawyer, IncidentDescription, NameAndEmail, PhoneAndZip`,
    ],
  },
  group: {
    count: 1,
    ways: [
      `StartPath, WhenWasTheAccident, AtFault, AccidentResultInMedicalTreatment, PoliceReportFiled,
       HasLawyer, NameAndEmail, PhoneAndZip`,
    ],
  },
  ep: {
    count: 2,
    ways: [
      `StartPath, WhenWasTheAccident, AtFault, WasUserInjured, DidYouReceiveMedicalTreatment,
       PoliceReportFiled, HasLawyer, IncidentDescription, NameAndEmail, PhoneAndZip`,
      `StartPath, WhenWasTheAccident, AtFault, WasUserInjured, PoliceReportFiled, HasLawyer,
       IncidentDescription, NameAndEmail, PhoneAndZip`,
    ],
  },
  sl: {
    count: 1,
    ways: ['StartPath, WhenWasTheAccident, AtFault, WasUserInjured, NameAndEmail, PhoneAndZip'],
  },
  'sl-v2': {
    count: 1,
    ways: [
      `NameAndEmail, TypeOfAccident, WhenWasTheAccident, WasUserInjured, PoliceReportFiled, AtFault,
       HasLawyer, IncidentDescription, PhoneAndZip`,
    ],
  },
  ticket: {
    count: 1,
    ways: [
      `StartPathTicket, StartTicketFlow, TicketReceived, SelectState, SelectDate, DoYouHaveAttorney,
       IncidentDescription, NameAndEmailTicket, PhoneAndZip`,
    ],
  },
  benefits: { count: 1, ways: ['StartPath, SelectAgeGroup, USCitizen, SecuredBenefits'] },
  'three-step': {
    count: 1,
    ways: ['ShowQuestions, FormFirstQuestions, FormSecondQuestions, FormThirdQuestions'],
  },
  'one-page': { count: 1, ways: ['OnePageForm'] },
};

/** Returns a path's answers as one flat record, as posted. */
function flatten({ answers }: FlowPath): Answers {
  return Object.assign({}, ...Object.values(answers));
}

describe.each(flows)('flow %s', (id, flow) => {
  const paths = pathsOf(flow);

  test('is registered under its id', () => {
    expect(flow.id).toBe(id);
  });

  test('has the specification’s paths', () => {
    const found = paths.map((path) => path.steps.join(' > '));
    const { count, ways } = golden[id];
    expect(found).toHaveLength(count);
    expect(new Set(found).size).toBe(count);
    for (const way of ways) expect(found).toContain(sequence(way).join(' > '));
  });

  test('every path submits, or ends on a result screen', () => {
    for (const { steps } of paths) {
      const submitting = steps.filter((name) => stepOf(flow, name).submits);
      const last = stepOf(flow, steps.at(-1) as string);
      expect(submitting).toHaveLength(id === 'benefits' ? 0 : 1);
      expect(last.submits || last.ends).toBe(true);
    }
  });

  test('the posted answers restore the path', () => {
    for (const path of paths) {
      const flat = flatten(path);
      const read = walkFlat(flow, flat, context);
      expect(read.complete).toBe(true);
      // ConfirmationHasLawyer changed the answer: the post has only the last value of with_Lawyer.
      if (path.answers.ConfirmationHasLawyer?.with_Lawyer === 'no') continue;
      expect(read.steps).toEqual(path.steps);
      expect(read.unreached).toEqual([]);
      expect(read.answers).toMatchObject(flat);
    }
  });

  test('the progress never decreases, except where specified', () => {
    for (const { steps } of paths) {
      const shown = steps
        .map((name) => stepOf(flow, name))
        .map((step) => (flow.progress === 'stages' ? stages.indexOf(step.stage!) : step.progress))
        .filter((value) => value !== undefined);
      const sorted = shown.toSorted((a, b) => a - b);
      if (id === 'variant-e') expect(shown).toEqual([5, 8, 10, 85, 50, 95]);
      else expect(shown).toEqual(sorted);
    }
  });

  test('contact details are asked once, and the last step has the consent', () => {
    for (const { steps } of paths) {
      const asked = steps.flatMap((name) => fieldsOf(stepOf(flow, name)));
      for (const field of ['first_name', 'last_name', 'email', 'phone', 'zip_code'] as const) {
        expect(asked.filter((each) => each === field)).toHaveLength(id === 'benefits' ? 0 : 1);
      }
      for (const name of steps.filter((each) => stepOf(flow, each).submits)) {
        expect(stepOf(flow, name).kind).toBe('contact');
      }
    }
  });
});

describe('a survey’s configuration', () => {
  const flowOf = (id: FlowId): Flow => flows.find(([each]) => each === id)?.[1] as Flow;

  test('the group variant starts with the case worth depending on its path', () => {
    const [way] = pathsOf(flowOf('group'), { startsWithCaseWorth: true });
    expect(way?.steps.slice(0, 3)).toEqual(
      sequence('StartPath, AutoAccidentCaseWorth, WhenWasTheAccident'),
    );
  });

  test.each(['v4', 'v7', 'group'] as const)(
    '%s asks for the date of birth in listed states',
    (id) => {
      for (const { steps } of pathsOf(flowOf(id), {}, { state: 'NE' })) {
        const at = steps.indexOf('DateOfBirth');
        expect([steps[at - 1], steps[at + 1]]).toEqual(['NameAndEmail', 'PhoneAndZip']);
      }
    },
  );

  test('v7 can end on one step for all contact details', () => {
    const ends = pathsOf(flowOf('v7'), { combinedLastStep: true }).map(({ steps }) => steps.at(-1));
    expect(new Set(ends)).toEqual(new Set(['AllPii']));
  });

  test.each([
    ['medical', 10],
    ['medical-five', 5],
  ] as const)('%s starts at %d percent', (id, percent) => {
    expect(stepOf(flowOf(id), 'StartPath').progress).toBe(percent);
  });

  test('Ep, VW3 and similar flows set Car Accident without asking', () => {
    for (const id of ['ep', 'vw3'] as const) {
      for (const { answers } of pathsOf(flowOf(id))) {
        const read = walkFlat(flowOf(id), flatten({ steps: [], answers }), context);
        expect(read.answers.accident_type).toBe('Car Accident');
      }
    }
  });

  test('the one-page form dates the accident to the first of January of its year', () => {
    const [way] = pathsOf(flowOf('one-page'));
    const { answers } = walkFlat(flowOf('one-page'), flatten(way as FlowPath), context);
    expect(answers.injury_month).toBe('01');
  });
});
