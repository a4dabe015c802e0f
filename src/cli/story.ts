/** Everything that is known about one lead, and its story in order of time. */
import type { Kysely } from 'kysely';
import { RESEND_NOTE } from '../server/delivery/ledger.ts';
import type {
  ClickRow,
  ConsentRow,
  DeliveryAttemptRow,
  DeliveryRow,
  LeadRevisionRow,
  LeadRow,
  ProgressRow,
  Schema,
} from '../server/storage/schema.ts';

export type LeadStory = {
  lead: LeadRow;
  clicks: ClickRow[];
  progress: ProgressRow[];
  consents: ConsentRow[];
  revisions: LeadRevisionRow[];
  deliveries: (DeliveryRow & { log: DeliveryAttemptRow[] })[];
};

/** Reads the whole story of one lead. */
export async function readStory(db: Kysely<Schema>, lead: LeadRow): Promise<LeadStory> {
  const { id, click_id } = lead;
  const clicks = await db
    .selectFrom('clicks')
    .selectAll()
    .where((where) =>
      where.or([
        where('lead_id', '=', id),
        ...(click_id === null ? [] : [where('id', '=', click_id)]),
      ]),
    )
    .orderBy('created_at')
    .execute();
  const progress = await db
    .selectFrom('progress')
    .selectAll()
    .where('lead_id', '=', id)
    .orderBy('seq')
    .execute();
  const consents = await db
    .selectFrom('consents')
    .selectAll()
    .where('lead_id', '=', id)
    .orderBy('revision')
    .execute();
  const revisions = await db
    .selectFrom('lead_revisions')
    .selectAll()
    .where('lead_id', '=', id)
    .orderBy('revision')
    .execute();
  const deliveries = await db
    .selectFrom('deliveries')
    .selectAll()
    .where('lead_id', '=', id)
    .orderBy('destination')
    .execute();
  const attempts =
    deliveries.length === 0
      ? []
      : await db
          .selectFrom('delivery_attempts')
          .selectAll()
          .where(
            'delivery_id',
            'in',
            deliveries.map((delivery) => delivery.id),
          )
          .orderBy('attempt')
          .execute();
  return {
    lead,
    clicks,
    progress,
    consents,
    revisions,
    deliveries: deliveries.map((delivery) => ({
      ...delivery,
      log: attempts.filter((attempt) => attempt.delivery_id === delivery.id),
    })),
  };
}

export type StoryEvent = { at: Date } & (
  | { kind: 'click'; click: ClickRow }
  | { kind: 'step'; step: ProgressRow }
  | { kind: 'consent'; consent: ConsentRow }
  | { kind: 'revision'; revision: LeadRevisionRow }
  | { kind: 'decision' }
  | { kind: 'attempt'; delivery: DeliveryRow; attempt: DeliveryAttemptRow; number: number }
  | { kind: 'delivery'; delivery: DeliveryRow }
);

/** Where two things have the same time, causes come before what they caused. */
const ORDER: readonly StoryEvent['kind'][] = [
  'click',
  'step',
  'consent',
  'revision',
  'decision',
  'attempt',
  'delivery',
];

/**
 * The story in order of time.
 *
 * Steps and consent carry the browser's clock, which may be wrong; the server's clock bounds it: a step
 * came before it was received, and steps keep the order that the browser counted.
 */
export function storyEvents(story: LeadStory): StoryEvent[] {
  const { lead, clicks, progress, consents, revisions, deliveries } = story;
  const events: StoryEvent[] = [];
  let earliest: Date | undefined;
  for (const step of progress) {
    const at = within(step.at ?? step.received_at, earliest, step.received_at);
    earliest = at;
    events.push({ at, kind: 'step', step });
  }
  // A click is written with the first save, so a little later than the first step, and yet it came first.
  const firstStep = events[0]?.at;
  for (const click of clicks) {
    const isLate = firstStep !== undefined && firstStep < click.created_at;
    events.push({ at: isLate ? firstStep : click.created_at, kind: 'click', click });
  }

  for (const revision of revisions) {
    events.push({ at: revision.received_at, kind: 'revision', revision });
    if (revision.revision === lead.revision)
      events.push({ at: revision.received_at, kind: 'decision' });
  }
  for (const consent of consents) {
    const received =
      revisions.find((revision) => revision.revision === consent.revision)?.received_at ??
      consent.created_at;
    events.push({ at: received, kind: 'consent', consent });
  }
  for (const delivery of deliveries) {
    let number = 0;
    for (const attempt of delivery.log) {
      // The note of a resend stands among the attempts and is none.
      if (attempt.outcome !== RESEND_NOTE) number += 1;
      events.push({ at: attempt.started_at, kind: 'attempt', delivery, attempt, number });
    }
    const last = delivery.log.at(-1);
    const at = delivery.finished_at ?? last?.ended_at ?? last?.started_at ?? delivery.created_at;
    events.push({ at, kind: 'delivery', delivery });
  }
  return events
    .map((event, index) => ({ event, index }))
    .sort(
      (a, b) =>
        a.event.at.getTime() - b.event.at.getTime() ||
        ORDER.indexOf(a.event.kind) - ORDER.indexOf(b.event.kind) ||
        a.index - b.index,
    )
    .map(({ event }) => event);
}

/** The browser's time, not after `to`, and not before `from`. */
function within(time: Date, from: Date | undefined, to: Date): Date {
  if (time > to) return to;
  return from !== undefined && time < from && from <= to ? from : time;
}
