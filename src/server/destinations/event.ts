/** What a destination that is told of events hears, beside or in place of leads (docs/webhooks.md). */
import type { PlannedEvent } from '../../intake/lead-record.ts';

export const eventTypes = [
  'lead.accepted',
  'lead.revised',
  'delivery.delivered',
  'delivery.failed',
] as const;
export type EventType = (typeof eventTypes)[number];

/** How a delivery to a third party came to rest: nobody tries it again by itself. No personal data. */
export type DeliveryEnd = {
  readonly type: 'delivery.delivered' | 'delivery.failed';
  readonly delivery_id: string;
  readonly destination: string;
  readonly state: 'delivered' | 'rejected' | 'dead' | 'uncertain';
  /** The attempt that it ended with. */
  readonly attempt: number;
  readonly revision: number;
  /** The other side's own id of the lead. */
  readonly external_id: string | null;
};

/** As in `deliveries.event`; when it happened is when its row was made. */
export type DestinationEvent = PlannedEvent | DeliveryEnd;
/** With its time, ISO 8601. */
export type TimedEvent = DestinationEvent & { readonly at: string };

/** An event with its time: when its row was made, in the transaction that made it happen. */
export function timed(event: DestinationEvent | null, createdAt: Date): TimedEvent | null {
  return event && { ...event, at: createdAt.toISOString() };
}

/** What tells the events of one lead apart: the same event has the same key, whoever writes it again. */
export function eventKey(event: DestinationEvent): string {
  switch (event.type) {
    case 'lead.accepted':
      return event.type;
    case 'lead.revised':
      return `${event.type} ${event.revision}`;
    default:
      return `${event.type} ${event.delivery_id} ${event.attempt}`;
  }
}

/** What a lead destination's delivery that came to rest is told as. */
export function deliveryEnd(ended: Omit<DeliveryEnd, 'type'>): DeliveryEnd {
  return { type: ended.state === 'delivered' ? 'delivery.delivered' : 'delivery.failed', ...ended };
}
