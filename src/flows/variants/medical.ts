import { defineFlow, when } from '../engine/flow.ts';
import {
  accidentMonth,
  atFault,
  hasLawyer,
  incidentDescription,
  motorVehicleAccident,
  nameAndEmail,
  phoneAndZip,
  requiredTreatment,
  startPath,
  typeOfMedicalTreatment,
  yesOrNo,
} from './fragments/steps.ts';

/** Main accident flow with the medical-treatment branch (docs/specification.md#medical-treatment-flow). */
function medicalFlow(id: string, startProgress: number) {
  return defineFlow({
    id,
    progress: 'percent',
    start: 'StartPath',
    rules: { disqualifiesBy: ['with_Lawyer', 'is_gibberish', 'accident_limit_exceeded'] },
    steps: {
      StartPath: startPath({ progress: startProgress, next: ['WereYouInAMotorVehicleAccident'] }),
      WereYouInAMotorVehicleAccident: motorVehicleAccident({
        progress: 16,
        next: ['SocialDropWhenWasTheAccident'],
      }),
      SocialDropWhenWasTheAccident: accidentMonth({
        progress: 20,
        next: ['DidYouRequireMedicalTreatment'],
      }),
      DidYouRequireMedicalTreatment: requiredTreatment({
        progress: 25,
        next: [
          when('requiredNoMedicalTreatment', 'WillYouRequireMedicalTreatment'),
          'TypeOfMedicalTreatment',
        ],
      }),
      WillYouRequireMedicalTreatment: yesOrNo('will_require_medical_treatment', {
        next: ['AtFault'],
      }),
      TypeOfMedicalTreatment: typeOfMedicalTreatment({ next: ['AtFault'] }),
      AtFault: atFault({ progress: 40, next: ['HasLawyer'] }),
      HasLawyer: hasLawyer({ progress: 60, next: ['IncidentDescription'] }),
      IncidentDescription: incidentDescription({ progress: 85, next: ['NameAndEmail'] }),
      NameAndEmail: nameAndEmail({ progress: 90, next: ['PhoneAndZip'] }),
      PhoneAndZip: phoneAndZip({ progress: 95, next: [] }),
    },
  });
}

/** The main flow, starting at 10 percent. */
export const medical = medicalFlow('medical', 10);

/** The variant that starts at 5 percent. */
export const medicalFive = medicalFlow('medical-five', 5);
