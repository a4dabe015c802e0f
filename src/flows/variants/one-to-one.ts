import { defineFlow, when } from '../engine/flow.ts';
import { adPixelOnInjury } from '../engine/page-scripts.ts';
import {
  accidentDate,
  dateOfBirth,
  descriptionWithHitAndRun,
  nameAndEmail,
  startPath,
  yesOrNo,
} from './fragments/steps.ts';
import { v4LawyerBranch, v4UntilLawyer } from './fragments/v4-logic.ts';

/**
 * One-to-one consent variant of the v4 family (docs/specification.md#one-to-one-flow). The survey's row
 * has the buyers. The state is known from ZipCode on, so DateOfBirth can follow NameAndEmail
 * (docs/specification.md#date-of-birth).
 */
export const oneToOne = defineFlow({
  id: 'one-to-one',
  progress: 'stages',
  start: 'StartPath',
  rules: { appendsHitAndRun: true },
  scripts: [adPixelOnInjury],
  steps: {
    StartPath: startPath({ stage: 'accident', next: ['WhenWasTheAccident'] }),
    ...v4UntilLawyer,
    WhenWasTheAccident: {
      ...accidentDate({ stage: 'accident', next: ['AtFault'] }),
      mapsLead: true,
    },
    ...v4LawyerBranch,
    IncidentDescription: descriptionWithHitAndRun({
      stage: 'case',
      next: [when('isHitAndRun', 'HitAndRunIdentified'), 'ZipCode'],
    }),
    HitAndRunIdentified: yesOrNo('hit_and_run_identified', {
      stage: 'case',
      next: [when('driverWasIdentified', 'ZipCode'), 'UninsuredMotoristCoverage'],
    }),
    UninsuredMotoristCoverage: yesOrNo('uninsured_motorist_coverage', {
      stage: 'case',
      next: ['ZipCode'],
    }),
    ZipCode: {
      kind: 'form',
      stage: 'contact',
      asks: ['zip_code'],
      finds: ['state', 'state_choice', '1_to_1_consent', 'displayed_buyers', 'displayed_buyer_ids'],
      next: ['NameAndEmail'],
    },
    NameAndEmail: nameAndEmail({
      stage: 'contact',
      next: [
        when('asksDateOfBirth', 'DateOfBirth'),
        when('hasBuyersToChoose', 'PhoneAndBuyersConsent'),
        'PhoneAbbreviatedTCPA',
      ],
    }),
    DateOfBirth: dateOfBirth({
      stage: 'contact',
      next: [when('hasBuyersToChoose', 'PhoneAndBuyersConsent'), 'PhoneAbbreviatedTCPA'],
    }),
    PhoneAndBuyersConsent: {
      kind: 'contact',
      stage: 'contact',
      asks: ['phone'],
      optional: ['selected_buyers'],
      submits: true,
      next: [],
    },
    PhoneAbbreviatedTCPA: {
      kind: 'contact',
      stage: 'contact',
      asks: ['phone'],
      submits: true,
      next: [],
    },
  },
});
