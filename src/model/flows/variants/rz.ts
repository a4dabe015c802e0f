import { type Flow, without } from '../engine/flow.ts';
import * as ask from './questions.ts';
import { v4 } from './v4.ts';

const { rules: _, ...asked } = without(
  v4,
  'AutoAccidentCaseWorth',
  'ActiveInsurancePolicy',
  'PoliceReportFiled',
  'ConfirmationHasLawyer',
  'InterestedInFunding',
  'HitAndRunIdentified',
  'AllPii',
  'DateOfBirth',
);

/** The flow RZ, a variant of v4 without the lawyer question (docs/specification.md#flows). */
export const rz: Flow = {
  ...asked,
  id: 'rz',
  steps: {
    ...asked.steps,
    IncidentDescription: {
      ...ask.incidentDescription({ stage: 'case' }),
      next: ['NameAndEmail'],
    },
  },
};
