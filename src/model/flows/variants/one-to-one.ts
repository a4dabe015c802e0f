import { callWishNames } from '../../fields/asked-fields.ts';
import { defineFlow, when } from '../engine/flow.ts';
import * as ask from './questions.ts';
import { lawyerBranch, untilLawyer } from './v4.ts';

/** The flow with one-to-one consent, a variant of v4 (docs/specification.md#flows). */
export const oneToOne = defineFlow({
  id: 'one-to-one',
  progress: 'stages',
  rules: { appendsHitAndRun: true },
  scripts: [ask.adPixelOnInjury],
  steps: {
    StartPath: ask.startPath({ stage: 'accident' }),
    ...untilLawyer,
    WhenWasTheAccident: {
      ...ask.accidentDate({ stage: 'accident', next: ['AtFault'] }),
      mapsLead: true,
    },
    ...lawyerBranch,
    IncidentDescription: ask.descriptionWithHitAndRun({
      stage: 'case',
      next: [when('isHitAndRun', 'HitAndRunIdentified'), 'ZipCode'],
    }),
    HitAndRunIdentified: ask.oneOf('hit_and_run_identified', {
      stage: 'case',
      next: [when('driverWasIdentified', 'ZipCode'), 'UninsuredMotoristCoverage'],
    }),
    UninsuredMotoristCoverage: ask.oneOf('uninsured_motorist_coverage', { stage: 'case' }),
    ZipCode: {
      kind: 'form',
      stage: 'contact',
      asks: ['zip_code'],
      finds: ['state', 'state_choice', '1_to_1_consent', 'displayed_buyers', 'displayed_buyer_ids'],
    },
    NameAndEmail: ask.nameAndEmail({
      stage: 'contact',
      next: [
        when('asksDateOfBirth', 'DateOfBirth'),
        when('hasBuyersToChoose', 'PhoneAndBuyersConsent'),
        'PhoneAbbreviatedTCPA',
      ],
    }),
    DateOfBirth: ask.dateOfBirth({
      stage: 'contact',
      next: [when('hasBuyersToChoose', 'PhoneAndBuyersConsent'), 'PhoneAbbreviatedTCPA'],
    }),
    PhoneAndBuyersConsent: {
      kind: 'contact',
      stage: 'contact',
      asks: ['phone'],
      optional: ['selected_buyers', ...callWishNames],
      submits: true,
    },
    PhoneAbbreviatedTCPA: {
      kind: 'contact',
      stage: 'contact',
      asks: ['phone'],
      optional: callWishNames,
      submits: true,
    },
  },
});
