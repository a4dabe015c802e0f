import { defineFlow } from '../engine/flow.ts';

/**
 * One-page survey form (docs/specification.md#one-page-form): all questions on one screen. Disqualified
 * visitors see the step Disqualified (`showDQ` in the brief) instead of the thank-you page. The form asks
 * only for the year of the accident, so `incident_date` is the first of January.
 */
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
      finds: ['state', 'state_choice'],
      implies: [{ when: { physical_injury: 'No' }, field: 'injury_type', value: 'No Injury' }],
      sets: { injury_month: '01' },
      submits: true,
    },
    Disqualified: { kind: 'result', progress: 100, ends: true },
  },
});
