/** Tests posts and answers that meet the choice of a buyer: in each order, one buyer has the lead. */
import { beforeEach, expect, test } from 'vitest';
import { choiceJob } from '../../src/server/delivery/choose.ts';
import type { SendResult } from '../../src/server/delivery/destinations/destination.ts';
import { setBuyer } from '../support/buyers.ts';
import { controlled } from '../support/delivery.ts';
import { turnFor } from '../support/job-clock.ts';
import { blockedBy } from '../support/ledger.ts';
import { freshLead, serverForTests } from '../support/server.ts';
import { workersForTests } from '../support/workers.ts';

const extra = { smith: { like: 'ingest' } };
const site = serverForTests(() => ({ EXTRA_DESTINATIONS: JSON.stringify(extra) }));
const { post, leadOf } = site;
const workerOf = workersForTests(() => ({ pool: site.database.pool }));
const destinations = ['ingest', 'ingest/smith'];

beforeEach(async () => {
  await setBuyer(site.database.pool, 'ingest', { priority: 1 });
  await setBuyer(site.database.pool, 'ingest/smith', { priority: 2 });
});

const choose = () =>
  choiceJob({ destinations, chosen: () => undefined }).run(turnFor(site.database.pool, 'choice'));

async function postLead() {
  const lead = freshLead();
  expect((await post('/post-lead', lead)).status).toBe(200);
  return lead;
}

/** Sends a lead to `ingest`, which has not answered yet, while `ingest/smith` waits for a choice again. */
async function sendWhileOffered() {
  const { pool } = site.database;
  const lead = await postLead();
  await choose();
  const answered = Promise.withResolvers<SendResult>();
  const { sends } = await workerOf([controlled('ingest', () => answered.promise)]).begin();
  await pool.query(
    `update deliveries set state = 'waiting', is_unrouted = true, due_at = now()
     where lead_id = $1 and destination = 'ingest/smith'`,
    [lead.lead_id],
  );
  return { lead, answered, sends };
}

const statesOf = async ({ lead_id }: Record<string, unknown>) =>
  Object.fromEntries(
    (await leadOf(lead_id)).deliveries.map(({ destination, state, is_unrouted, chosen_at }) => [
      destination,
      `${state}${is_unrouted ? ' unrouted' : ''}${chosen_at === null ? '' : ' chosen'}`,
    ]),
  );

/** What the choice writes for a lead that `ingest` gets. */
const chosen = (leadId: unknown) =>
  [
    [
      `update deliveries set is_unrouted = false, chosen_at = now(), due_at = now() where lead_id = $1
       and destination = 'ingest'`,
      [leadId],
    ],
    [
      `update deliveries set is_unrouted = false, state = 'passed_over', end_reason = 'has_buyer', due_at = null
       where lead_id = $1 and destination = 'ingest/smith'`,
      [leadId],
    ],
  ] as const satisfies [string, unknown[]][];

test('a later post that waits for the choice takes it back, so that its answers decide', async () => {
  const lead = await postLead();
  const { pool } = site.database;
  const later = { ...lead, sub_id2: 'later' };
  const answer = await blockedBy(pool, () => post('/post-lead', later), chosen(lead.lead_id));
  expect(answer.status).toBe(200);
  expect(await statesOf(lead)).toEqual({
    ingest: 'waiting unrouted',
    'ingest/smith': 'waiting unrouted',
  });
  await choose();
  expect(await statesOf(lead)).toEqual({
    ingest: 'waiting chosen',
    'ingest/smith': 'passed_over',
  });
});

test('an answer that waits for the choice makes the passed-over buyer get the lead', async () => {
  const { lead, answered, sends } = await sendWhileOffered();
  const [, passedOver] = chosen(lead.lead_id);
  await blockedBy(site.database.pool, async () => {
    answered.resolve({ outcome: 'rejected', durationMs: 1 });
    await Promise.all(sends);
  }, [
    ['select 1 from deliveries where lead_id = $1 for no key update', [lead.lead_id]],
    passedOver,
  ]);
  await choose();
  expect(await statesOf(lead)).toEqual({ ingest: 'rejected', 'ingest/smith': 'waiting chosen' });
});

test('a lead that is being sent is chosen for nobody else', async () => {
  const { lead, answered, sends } = await sendWhileOffered();
  expect((await post('/post-lead', { ...lead, sub_id2: 'later' })).status).toBe(200);
  await choose();
  expect(await statesOf(lead)).toEqual({ ingest: 'sending chosen', 'ingest/smith': 'passed_over' });
  answered.resolve({ outcome: 'delivered', durationMs: 1 });
  await Promise.all(sends);
});

test('a later post offers a returned lead to no other buyer', async () => {
  const { pool } = site.database;
  const lead = await postLead();
  await choose();
  await pool.query(
    `with sold as (update deliveries set state = 'delivered' where lead_id = $1 and destination = 'ingest' returning *)
     insert into outcomes (id, destination, reference, lead_id, delivery_id, kind, at, source, decision)
     select 'r', destination, '', lead_id, id, 'returned', now(), 'import', 'accepted' from sold`,
    [lead.lead_id],
  );
  expect((await post('/post-lead', { ...lead, sub_id2: 'later' })).status).toBe(200);
  await choose();
  expect(await statesOf(lead)).toEqual({
    ingest: 'delivered chosen',
    'ingest/smith': 'passed_over',
  });
});
