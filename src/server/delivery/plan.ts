import { randomFillSync } from 'node:crypto';
import { v7 as uuid } from 'uuid';
import { contactFlow } from '../../domain/contact-form.ts';
import type { AcceptedLead, DeliveryRecord, PlannedEvent } from '../../intake/lead-record.ts';
import type { SurveyTable } from '../../intake/survey-table.ts';
import type { DestinationSetting, PlannedLead } from '../destinations/destination.ts';
import { eventKey } from '../destinations/event.ts';

/** Random bytes for 256 ids at a time: one system call per id would take longer than all rules together. */
const pool = new Uint8Array(4096);
let used = pool.length;
function rng(): Uint8Array {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += 16;
  return pool.subarray(used - 16, used);
}

/**
 * Returns a function that plans a lead's deliveries. A lead goes to each destination that accepts it, or only to
 * those its survey names. Contact leads go only to destinations that take them. Event listeners get events about
 * every revision of every survey, never leads.
 * @param waitOf how many milliseconds a destination's first send waits for verification; undefined: none
 * @param choiceWaitMs how long a visitor who chose no law firm may still choose
 */
export function createPlan(
  settings: readonly DestinationSetting[],
  surveys: SurveyTable,
  waitOf: (destination: string) => number | undefined = () => undefined,
  choiceWaitMs = 0,
) {
  return function planDeliveries(
    lead: PlannedLead,
    state: AcceptedLead['state'],
    revision: number,
    hasOptOutSignal = false,
  ): DeliveryRecord[] {
    const survey = surveys(lead.survey)?.survey;
    const named = survey?.destinations;
    const kind = lead.flow === contactFlow ? 'contact' : 'survey';
    const event: PlannedEvent = {
      type: revision === 1 ? 'lead.accepted' : 'lead.revised',
      revision,
    };
    return settings.flatMap(({ definition, values }): DeliveryRecord[] => {
      const isOff = values === undefined;
      const isNamed = definition.events !== undefined || (named?.includes(definition.name) ?? true);
      const isItsKind = definition.events !== undefined || (definition.takes ?? 'survey') === kind;
      const { surveyColumn } = definition;
      const isSurveys = surveyColumn === undefined || survey?.[surveyColumn] !== false;
      const isFor = isItsKind && isNamed && isSurveys && definition.appliesTo(lead, values);
      if (!isFor || (isOff && definition.whenOff === 'skip')) return [];
      const waiting = state === 'held' ? 'held' : 'waiting';
      const { name: destination } = definition;
      const waitMs = Math.max(
        // With the opt-out signal there is no verification.
        hasOptOutSignal ? 0 : (waitOf(destination) ?? 0),
        definition.waitsForChoice && mayStillChoose(lead) ? choiceWaitMs : 0,
      );
      const delivery: DeliveryRecord = {
        id: uuid({ rng }),
        destination,
        state: isOff ? 'no_destination' : waiting,
        ...(waitMs > 0 && !isOff && { waitMs }),
      };
      if (!definition.events) return [delivery];
      const isTold = values !== undefined && definition.events(values).includes(event.type);
      return isTold ? [{ ...delivery, event, eventKey: eventKey(event) }] : [];
    });
  };
}

/** Returns whether the visitor saw law firms and chose none (docs/specification.md#later-choice). */
function mayStillChoose({ qualified, fields }: PlannedLead): boolean {
  return qualified && fields['1_to_1_consent'] === 'yes' && fields.selected_buyers_number === '0';
}
