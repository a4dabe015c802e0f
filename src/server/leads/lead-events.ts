/** Records events of leads, such as actions of operators and jobs. */
import { v7 as uuid } from 'uuid';
import type { Queryable } from '../platform/database/database.ts';
import type { LeadEventRow } from '../platform/database/schema.ts';

type NewEvent = Pick<LeadEventRow, 'lead_id' | 'kind' | 'actor'> & {
  delivery_id?: string;
  detail?: Readonly<Record<string, unknown>>;
};

/** Records events. Call it in the transaction of the change that the events describe. */
export async function addEvent(client: Queryable, ...events: readonly NewEvent[]): Promise<void> {
  await client.query(
    `insert into lead_events (id, lead_id, delivery_id, kind, actor, detail)
     select id, lead_id, delivery_id, kind, actor, coalesce(detail, '{}')
     from jsonb_to_recordset($1::jsonb) as e(id uuid, lead_id uuid, delivery_id uuid, kind text,
       actor text, detail jsonb)`,
    [JSON.stringify(events.map((event) => ({ id: uuid(), ...event })))],
  );
}
