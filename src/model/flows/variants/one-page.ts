import { callWishNames } from '../../fields/asked-fields.ts';
import { defineFlow } from '../engine/flow.ts';

/** The flow of the one-page form (docs/specification.md#one-page-form). */
export const onePage = defineFlow({
  id: 'one-page',
  progress: 'percent',
  submit: { disqualifiedStep: 'Disqualified', thankYou: { contact: false } },
  steps: {
    OnePageForm: {
      kind: 'contact',
      progress: 0,
      asks: [
        'accident_type',
        'injury_year',
        'at_Fault',
        'physical_injury',
        'injury_type',
        'police_report',
        'with_Lawyer',
        'case_description',
        'first_name',
        'last_name',
        'email',
        'zip_code',
        'phone',
      ],
      optional: callWishNames,
      finds: ['state', 'state_choice'],
      implies: [{ when: { physical_injury: 'No' }, field: 'injury_type', value: 'No Injury' }],
      sets: { injury_month: '01' },
      submits: true,
    },
    Disqualified: { kind: 'result', progress: 100, ends: true },
  },
});
