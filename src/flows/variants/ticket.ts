import { defineFlow } from '../engine/flow.ts';
import {
  accidentDate,
  hasLawyer,
  incidentDescription,
  motorVehicleAccident,
  phoneAndZip,
  yesOrNo,
} from './fragments/steps.ts';

/**
 * Ticket flow (docs/specification.md#ticket-flow). The percentages are ours: the labelled positions of
 * the accident flows do not fit a ticket.
 */
export const ticket = defineFlow({
  id: 'ticket',
  progress: 'percent',
  start: 'StartPathTicket',
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
    StartPathTicket: {
      kind: 'choice',
      progress: 5,
      choices: [
        { ticket_type: 'Speeding' },
        { ticket_type: 'Red Light or Stop Sign' },
        { ticket_type: 'Careless Driving' },
        { ticket_type: 'Phone Use' },
        { ticket_type: 'License or Insurance' },
        { ticket_type: 'Other' },
      ],
      next: ['StartTicketFlow'],
    },
    StartTicketFlow: motorVehicleAccident({ progress: 15, next: ['TicketReceived'] }),
    TicketReceived: yesOrNo('ticket_received', { progress: 25, next: ['SelectState'] }),
    SelectState: {
      kind: 'form',
      progress: 35,
      asks: ['state_accident_occurred'],
      next: ['SelectDate'],
    },
    SelectDate: accidentDate({ progress: 50, next: ['DoYouHaveAttorney'] }),
    DoYouHaveAttorney: hasLawyer({ progress: 60, next: ['IncidentDescription'] }),
    IncidentDescription: incidentDescription({ progress: 75, next: ['NameAndEmailTicket'] }),
    NameAndEmailTicket: {
      kind: 'form',
      progress: 85,
      asks: ['first_name', 'last_name', 'email', 'address'],
      next: ['PhoneAndZip'],
    },
    PhoneAndZip: phoneAndZip({ progress: 95, next: [] }),
  },
});
