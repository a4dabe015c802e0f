/** Packs the clicks and steps of visits. */
import { contactHash, UNKEYED } from '../contact-keys.ts';
import type { Queryable } from '../database.ts';
import { packAll } from '../packed-json.ts';
import { isDamaged, readTraces, visitDocument } from '../packed-visits.ts';

const ALIVE = `
select lead_id from visits where lead_id = any($1::uuid[]) and erased_at is null`;
const PACK = `
update visits set packed = given.packed, contact_hashes = (
  select array_agg(distinct each) from (
    select unnest(visits.contact_hashes) as each
    union all select ${contactHash('key')} from progress cross join unnest(contact_keys) as key
      where progress.lead_id = visits.lead_id) as hashes)
from unnest($1::uuid[], $2::bytea[]) as given(lead_id, packed)
where visits.lead_id = given.lead_id`;
const DELETE_CLICKS = 'delete from clicks where lead_id = any($1::uuid[]) and not sec_gpc';
// Erasure finds a step of an earlier version by its row, until it has keys.
const DELETE_STEPS = `delete from progress where lead_id = any($1::uuid[]) and not (${UNKEYED})`;

/** Packs the clicks and steps of locked visits, with what was packed of them before. */
export async function packVisits(client: Queryable, leadIds: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ lead_id: string }>(ALIVE, [leadIds]);
  const ids = rows.map(({ lead_id }) => lead_id);
  const traces = [...(await readTraces(client, ids))].filter(
    ([, trace]) => trace.clicks.length + trace.steps.length > 0 && !isDamaged(trace),
  );
  const packed = await packAll(traces.map(([, trace]) => visitDocument(trace)));
  const done = traces.map(([id]) => id);
  await client.query(PACK, [done, packed]);
  await client.query(DELETE_CLICKS, [done]);
  await client.query(DELETE_STEPS, [done]);
}
