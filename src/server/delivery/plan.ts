import { v7 as uuid } from 'uuid';
import { contactFlow } from '../../model/fields/contact-form.ts';
import type { SurveyEntry, SurveyTable } from '../../model/flows/survey-table.ts';
import type { AcceptedLead, DeliveryRecord, PlannedEvent } from '../../model/lead/lead-record.ts';
import type { DestinationSetting, PlannedLead } from './destinations/destination.ts';
import { eventKey } from './destinations/event.ts';
import { definitionOf, isBuyer } from './destinations/index.ts';

/** The reason why a lead gets no delivery to a destination. */
export type PlanRefusal = 'other_kind' | 'not_named' | 'not_of_survey' | 'not_for_lead' | 'off';

/** Returns why a lead gets no delivery to a destination; undefined if the lead gets one. */
export function refusalOf(
  { definition, values }: DestinationSetting,
  lead: PlannedLead,
  survey: SurveyEntry['survey'] | undefined,
): PlanRefusal | undefined {
  const { name, events, takes = 'survey', surveyColumn, whenOff } = definition;
  if (events === undefined) {
    const kind = lead.flow === contactFlow ? 'contact' : 'survey';
    if (takes !== kind) return 'other_kind';
    const named = survey?.destinations ?? [name];
    const like = definitionOf(name)?.name ?? name;
    if (!named.includes(name) && !named.includes(like)) return 'not_named';
  }
  if (surveyColumn !== undefined && survey?.[surveyColumn] === false) return 'not_of_survey';
  if (!definition.appliesTo(lead, values)) return 'not_for_lead';
  return values === undefined && whenOff === 'skip' ? 'off' : undefined;
}

/** Returns a function that tells whether a destination that buys leads would get a lead. */
export function createIsForSale(settings: readonly DestinationSetting[], surveys: SurveyTable) {
  const ofBuyers = settings.filter(({ definition }) => isBuyer(definition.name));
  return (lead: PlannedLead): boolean =>
    ofBuyers.some((buyer) => !refusalOf(buyer, lead, surveys(lead.survey)?.survey));
}

/** Returns a function that plans a lead's deliveries. */
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
    const event: PlannedEvent = {
      type: revision === 1 ? 'lead.accepted' : 'lead.revised',
      revision,
    };
    return settings.flatMap((setting): DeliveryRecord[] => {
      if (refusalOf(setting, lead, survey) !== undefined) return [];
      const { definition, values } = setting;
      const isOff = values === undefined;
      const waiting = state === 'accepted' ? 'waiting' : 'held';
      const { name: destination } = definition;
      const waitMs = Math.max(
        // A lead with the opt-out signal is never verified, so its deliveries need not wait.
        hasOptOutSignal ? 0 : (waitOf(destination) ?? 0),
        definition.waitsForChoice && mayStillChoose(lead) ? choiceWaitMs : 0,
      );
      const delivery: DeliveryRecord = {
        id: uuid(),
        destination,
        state: isOff ? 'no_destination' : waiting,
        ...(waitMs > 0 && !isOff && { waitMs }),
      };
      if (!definition.events) return [delivery];
      const isWanted = values !== undefined && definition.events(values).includes(event.type);
      return isWanted ? [{ ...delivery, event, eventKey: eventKey(event) }] : [];
    });
  };
}

/** Returns whether a visitor saw law firms but chose none (docs/specification.md#later-choice). */
function mayStillChoose({ qualified, fields }: PlannedLead): boolean {
  return qualified && fields['1_to_1_consent'] === 'yes' && fields.selected_buyers_number === '0';
}
