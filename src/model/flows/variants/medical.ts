import { defineFlow, when } from '../engine/flow.ts';
import * as ask from './questions.ts';

/** The main accident flow, with questions about medical treatment (docs/specification.md#flows). */
function medicalFlow(id: string, startProgress: number) {
  return defineFlow({
    id,
    progress: 'percent',
    rules: { disqualifiesBy: ['with_Lawyer', 'is_gibberish', 'accident_limit_exceeded'] },
    steps: {
      StartPath: ask.startPath({ progress: startProgress }),
      WereYouInAMotorVehicleAccident: ask.oneOf('motor_vehicle_accident', { progress: 16 }),
      SocialDropWhenWasTheAccident: ask.accidentMonth({ progress: 20 }),
      DidYouRequireMedicalTreatment: ask.oneOf('required_medical_treatment', {
        progress: 25,
        next: [
          when('requiredNoMedicalTreatment', 'WillYouRequireMedicalTreatment'),
          'TypeOfMedicalTreatment',
        ],
      }),
      WillYouRequireMedicalTreatment: ask.oneOf('will_require_medical_treatment', {
        next: ['AtFault'],
      }),
      TypeOfMedicalTreatment: ask.typeOfMedicalTreatment({}),
      AtFault: ask.atFault({ progress: 40 }),
      HasLawyer: ask.hasLawyer({ progress: 60 }),
      IncidentDescription: ask.incidentDescription({ progress: 85 }),
      NameAndEmail: ask.nameAndEmail({ progress: 90 }),
      PhoneAndZip: ask.phoneAndZip({ progress: 95 }),
    },
  });
}

export const medical = medicalFlow('medical', 10);

/** The main accident flow, with a lower progress percentage at the first step. */
export const medicalFive = medicalFlow('medical-five', 5);
