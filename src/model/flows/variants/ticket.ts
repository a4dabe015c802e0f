import { defineFlow } from '../engine/flow.ts';
import * as ask from './questions.ts';

/** The flow about traffic tickets (docs/specification.md#ticket-flow). */
export const ticket = defineFlow({
  id: 'ticket',
  progress: 'percent',
  rules: {
    isWithoutAccident: true,
    disqualifiesBy: ['with_Lawyer', 'is_gibberish', 'enough_words'],
  },
  submit: {
    thankYou: { decision: false },
    fields: {
      dateAccidentOccurred: true,
      sets: { case_type: 'Traffic Ticket' },
      copies: { settlement_offers: 'settled_case' },
      removes: [
        'accident_within_last_year',
        'accident_limit_exceeded',
        'state_long',
        'days_from_incident_date',
        'months_from_incident_date',
        'physical_injury',
        'doctor_treatment',
        'at_Fault',
      ],
    },
  },
  scripts: [{ script: 'ticket', at: 'TicketReceived' }],
  steps: {
    StartPathTicket: ask.oneOf('ticket_type', { progress: 5 }),
    StartTicketFlow: ask.oneOf('motor_vehicle_accident', { progress: 15 }),
    TicketReceived: ask.oneOf('ticket_received', { progress: 25 }),
    SelectState: { kind: 'form', progress: 35, asks: ['state_accident_occurred'] },
    SelectDate: ask.accidentDate({ progress: 50 }),
    DoYouHaveAttorney: ask.hasLawyer({ progress: 60 }),
    IncidentDescription: ask.incidentDescription({ progress: 75 }),
    NameAndEmailTicket: {
      kind: 'form',
      progress: 85,
      asks: ['first_name', 'last_name', 'email', 'address'],
    },
    PhoneAndZip: ask.phoneAndZip({ progress: 95 }),
  },
});
