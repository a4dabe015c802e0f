/** The events that event listeners receive (docs/webhooks.md). */
import type { PlannedEvent } from '../../../model/lead/lead-record.ts';

export const eventTypes = [
  'lead.accepted',
  'lead.revised',
  'delivery.delivered',
  'delivery.failed',
  'consent.revoked',
  'lead.sold',
  'lead.signed',
  'lead.returned',
] as const;
export type EventType = (typeof eventTypes)[number];

/** An event about a delivery that has ended. Contains no personal data. */
type DeliveryEnd = {
  readonly type: 'delivery.delivered' | 'delivery.failed';
  readonly delivery_id: string;
  readonly destination: string;
  readonly state: 'delivered' | 'rejected' | 'dead' | 'uncertain';
  readonly attempt: number;
  readonly revision: number;
  /** The id that the destination gave the lead. */
  readonly external_id: string | null;
};

/** An event about a lead that a buyer got. Contains no personal data. */
export type LeadEvent = {
  readonly type: 'lead.sold' | 'lead.signed' | 'lead.returned';
  /** The delivery to the buyer. */
  readonly delivery_id: string;
  /** The buyer. */
  readonly destination: string;
  /** The sale's amount in US dollars; null if it is unknown. */
  readonly value: number | null;
  readonly currency: 'USD';
  /** The code of a return's reason (`RETURN_REASONS`). */
  readonly reason?: string;
  /** True if another buyer keeps a returned lead. */
  readonly is_kept?: boolean | undefined;
};

/** An event as stored in `deliveries.event`, without the time. */
export type DestinationEvent =
  | PlannedEvent
  | DeliveryEnd
  | LeadEvent
  | { readonly type: 'consent.revoked' };
/** An event with its time in ISO 8601. */
export type TimedEvent = DestinationEvent & { readonly at: string };

/** Adds the creation time to an event. */
export function timed(event: DestinationEvent | null, createdAt: Date): TimedEvent | null {
  return event && { ...event, at: createdAt.toISOString() };
}

/** Returns an event's idempotency key. Two events of one lead have different keys. */
export function eventKey(event: PlannedEvent | DeliveryEnd | LeadEvent): string {
  switch (event.type) {
    case 'lead.accepted':
      return event.type;
    case 'lead.revised':
      return `${event.type} ${event.revision}`;
    case 'lead.sold':
    case 'lead.signed':
    case 'lead.returned':
      return `${event.type} ${event.delivery_id}`;
    default:
      return `${event.type} ${event.delivery_id} ${event.attempt}`;
  }
}
