/** Plans events about leads that buyers got: sold, signed, returned. */
import { v7 as uuid } from 'uuid';
import type { Queryable } from '../platform/database/database.ts';
import { type Stored, storedColumns, wholeRevision } from '../platform/database/revisions.ts';
import type {
  ConnectedDestination,
  DestinationSetting,
  PlannedLead,
} from './destinations/destination.ts';
import { eventKey, type LeadEvent } from './destinations/event.ts';

/** A destination that may get events. */
export type EventListener = Pick<ConnectedDestination, 'name' | 'events' | 'appliesTo'>;

/** Returns the event listeners among the destinations that have their settings. */
export function listenersOf(settings: readonly DestinationSetting[]): EventListener[] {
  return settings.flatMap(({ definition, values }) =>
    values && definition.events
      ? {
          name: definition.name,
          events: definition.events(values),
          appliesTo: (lead: PlannedLead) => definition.appliesTo(lead, values),
        }
      : [],
  );
}

const LEADS = `
select l.id, l.survey, l.flow, l.qualified, l.is_test as "isTest", ${storedColumns('r')}
from leads l join lead_revisions r on r.lead_id = l.id and r.revision = l.revision
where l.id = any($1::uuid[]) and l.erased_at is null`;

const PLAN = `
insert into deliveries (id, lead_id, destination, state, due_at, event_key, event)
select id, lead_id, destination, 'waiting', now(), key, event
from jsonb_to_recordset($1::jsonb) as new(id uuid, lead_id uuid, destination text, key text, event jsonb)
order by lead_id, destination, key
on conflict (lead_id, destination, event_key) do nothing`;

/**
 * Plans one delivery for each event and each listener that wants it. A repeat plans nothing.
 * Returns the number of new deliveries: wake the delivery loop after the commit if there are any.
 */
export async function planLeadEvents(
  client: Queryable,
  events: readonly { readonly leadId: string; readonly event: LeadEvent }[],
  listeners: readonly EventListener[],
): Promise<number> {
  const wanted = events.flatMap(({ leadId, event }) =>
    listeners
      .filter((listener) => listener.events?.includes(event.type))
      .map((listener) => ({ leadId, event, listener })),
  );
  if (wanted.length === 0) return 0;
  const { rows } = await client.query<Stored<PlannedLead & { id: string }>>({
    name: 'lead-events-leads',
    text: LEADS,
    values: [[...new Set(wanted.map(({ leadId }) => leadId))]],
  });
  const leads = new Map(
    rows.map(wholeRevision).map(({ id, body, merged, ...lead }) => {
      return [id, { ...lead, click: { params: merged ?? body } }];
    }),
  );
  const planned = wanted.flatMap(({ leadId, event, listener }) => {
    const lead = leads.get(leadId);
    if (lead === undefined || !listener.appliesTo(lead)) return [];
    const { name: destination } = listener;
    return { id: uuid(), lead_id: leadId, destination, key: eventKey(event), event };
  });
  return (await client.query(PLAN, [JSON.stringify(planned)])).rowCount ?? 0;
}
