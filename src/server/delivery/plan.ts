import { randomFillSync } from 'node:crypto';
import { v7 as uuid } from 'uuid';
import { contactFlow } from '../../domain/contact-form.ts';
import type { AcceptedLead, DeliveryRecord, PlannedEvent } from '../../intake/lead-record.ts';
import type { SurveyTable } from '../../intake/survey-table.ts';
import type { DestinationSetting, PlannedLead } from '../destinations/destination.ts';
import { eventKey } from '../destinations/event.ts';

/** Random bytes for a few hundred ids at a time: asking the system for each would take longer than all rules. */
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
 * Where a lead goes: to every destination that it is for, by the destination's own word, or by its
 * survey's row where that names some; of the contact form, to those that take it. Whoever is told of events in place of leads is told of each revision
 * of any survey: nobody's lead goes there, and it hears of all deliveries as well.
 * @param waitOf how long the first claim of a destination's deliveries waits now for what is sent along, in
 *   milliseconds; undefined: not at all
 * @param choiceWaitMs how long a visitor who chose no law firm may still choose some
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
        // With the opt-out signal there is no verification to wait for.
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

/** Whether the visitor was shown law firms and chose none (docs/specification.md#later-choice). */
function mayStillChoose({ qualified, fields }: PlannedLead): boolean {
  return qualified && fields['1_to_1_consent'] === 'yes' && fields.selected_buyers_number === '0';
}
