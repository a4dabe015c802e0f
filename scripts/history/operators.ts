/** What operators and visitors did in the demo's history beside the visits: release, resend, suppress, erase. */
import type pg from 'pg';
import { v7 as uuid } from 'uuid';
import { makeStartLink } from '../../src/server/operators/access/people.ts';
import { erase } from '../../src/server/operators/erase.ts';
import { dismissRequests } from '../../src/server/operators/opt-out-review.ts';
import type { People } from '../../src/server/operators/person.ts';
import { release } from '../../src/server/operators/release.ts';
import { resend } from '../../src/server/operators/resend.ts';
import { suppress } from '../../src/server/operators/suppress.ts';
import type { TakeOptOut } from '../../src/server/site-forms/take-opt-out.ts';
import { OPEN_INCIDENT_HOURS } from './destinations.ts';
import type { Random } from './random.ts';

const HOUR_MS = 3_600_000;
const dana = 'dana@claims.example';
const luis = 'luis@claims.example';
const admin = 'admin@claims.example';

/** Destinations that take nothing now, by the time of their pause. */
export function pausedSince(now: Date): Readonly<Record<string, Date>> {
  return { trustedform: new Date(now.getTime() - 9 * HOUR_MS) };
}

type Context = { readonly now: Date; readonly random: Random };
/** A moment between a lead's arrival and now, mostly soon after the arrival. */
function since(arrived: Date, { now, random }: Context): Date {
  const share = random.next() ** 2;
  return new Date(
    arrived.getTime() + HOUR_MS + share * (now.getTime() - arrived.getTime() - HOUR_MS),
  );
}
const hoursAgo = (now: Date, hours: number) => new Date(now.getTime() - hours * HOUR_MS);

/** Moves what an operator has just done to a lead into the past. */
async function moveEvents(pool: pg.Pool, leadId: string, at: Date): Promise<void> {
  await pool.query(
    `update lead_events set at = $2 where lead_id = $1 and at > now() - interval '10 minutes'`,
    [leadId, at],
  );
}

type Logged = { at: Date; actor: string; action: string; subject: string; reason: string };

/** Writes what an operator did into the audit log. The ids carry the order. */
async function log(pool: pg.Pool, { at, actor, action, subject, reason }: Logged): Promise<void> {
  await pool.query(
    'insert into audit_log (id, at, actor, action, subject, reason) values ($1, $2, $3, $4, $5, $6)',
    [uuid({ msecs: at.getTime() }), at, actor, action, subject, reason],
  );
}

/** The operators' actions, in the order in which the history needs them. */
export const actAsOperators = {
  /** Releases some of the held leads a few hours after they came. */
  async release({ pool }: People, { random }: Context): Promise<void> {
    const held = await pool.query<{ id: string; created_at: Date }>(
      `select l.id, l.created_at from leads l join lead_revisions r on r.lead_id = l.id and r.revision = 1
       where l.state = 'held' and r.fields->>'tcpa' <> '' and l.created_at < now() - interval '3 days'
       order by l.created_at`,
    );
    for (const { id, created_at } of held.rows.filter((_, index) => index % 2 === 0)) {
      const at = new Date(created_at.getTime() + random.logNormal(2.5, 2) * HOUR_MS);
      await release(pool, id, dana);
      await moveEvents(pool, id, at);
      const reason = 'Called the office: the number is right';
      await log(pool, { at, actor: dana, action: 'lead.released', subject: id, reason });
      await pool.query(
        `update deliveries set due_at = $2 where lead_id = $1 and state = 'waiting'`,
        [id, at],
      );
    }
  },

  /** Resends older dead deliveries; those of the last incident still wait for somebody. */
  async resend({ pool }: People, { now, random }: Context): Promise<void> {
    const dead = await pool.query<{ id: string; destination: string; finished_at: Date }>(
      `select lead_id as id, destination, finished_at from deliveries
       where state = 'dead' and event is null and finished_at < $1 order by finished_at`,
      [hoursAgo(now, OPEN_INCIDENT_HOURS + 1)],
    );
    for (const { id, destination, finished_at } of dead.rows) {
      const at = new Date(finished_at.getTime() + random.logNormal(4, 1.5) * HOUR_MS);
      if (at > now) continue;
      await resend(pool, id, { destination, force: false, actor: luis });
      await moveEvents(pool, id, at);
      const reason = `${destination} is up again`;
      await log(pool, { at, actor: luis, action: 'lead.resent', subject: id, reason });
      await pool.query(
        `update deliveries set due_at = $3 where lead_id = $1 and destination = $2 and event is null`,
        [id, destination, at],
      );
    }
  },

  /** Lets operators in, suppresses and erases some persons, and pauses a destination. */
  async rest(people: People, { now, random }: Context): Promise<void> {
    const { pool } = people;
    // Before the others, as the server lets the first admin in only where there is nobody.
    await makeStartLink(pool);
    for (const [email, role] of [
      [dana, 'operator'],
      [luis, 'operator'],
      [admin, 'admin'],
    ]) {
      await pool.query(
        `insert into operators (id, email, role, invited_by, created_at, seen_at)
         values ($1, $2, $3, 'the demo', $4, $5) on conflict (email) do nothing`,
        [uuid(), email, role, hoursAgo(now, 30 * 24), hoursAgo(now, random.integer(1, 40))],
      );
    }
    const { rows: old } = await pool.query<{ id: string; created_at: Date }>(
      `select id, created_at from leads where created_at < $1 and state = 'accepted'
       order by created_at limit 900`,
      [hoursAgo(now, 24)],
    );
    for (let each = 0; each < 14 && old.length > 0; each += 1) {
      const { id, created_at } = random.pick(old);
      const at = since(created_at, { now, random });
      const actor = each % 3 === 0 ? luis : dana;
      await suppress(people, id, actor);
      await moveEvents(pool, id, at);
      const reason = each % 4 === 0 ? 'legal_risk' : 'person_asked';
      await log(pool, { at, actor, action: 'person.suppressed', subject: `lead ${id}`, reason });
      await pool.query(
        `update suppressions set created_at = $1 where created_at > now() - interval '5 seconds'
           and request_id is null and key in (select email_key from lead_revisions where lead_id = $2
             union select phone_key from lead_revisions where lead_id = $2)`,
        [at, id],
      );
    }
    for (let each = 0; each < 3 && old.length > 0; each += 1) {
      const [lead] = old.splice(random.integer(0, old.length), 1);
      if (lead === undefined) break;
      const { id } = lead;
      await erase(people, id, admin);
      const at = since(lead.created_at, { now, random });
      await moveEvents(pool, id, at);
      await pool.query('update leads set erased_at = $2 where id = $1', [id, at]);
      const reason = 'Request by letter';
      await log(pool, { at, actor: admin, action: 'person.erased', subject: `lead ${id}`, reason });
    }
    const reason = 'Their maintenance, announced until tonight (ticket 4812)';
    for (const [destination, at] of Object.entries(pausedSince(now))) {
      await pool.query(
        `insert into destination_health (destination, paused_at, paused_by, pause_reason)
         values ($1, $2, $3, $4)`,
        [destination, at, dana, reason],
      );
      await log(pool, {
        at,
        actor: dana,
        action: 'destination.paused',
        subject: destination,
        reason,
      });
    }
  },
};

type Requests = People & Context & { readonly takeOptOut: TakeOptOut };

/** Sends do-not-sell requests of some visitors, and more of one address than its limit allows. */
export async function takeRequests({ pool, takeOptOut, random, now }: Requests): Promise<void> {
  type Asking = Record<'email' | 'phone' | 'state' | 'ip', string>;
  const { rows } = await pool.query<Asking & { created_at: Date }>(
    `select l.created_at, r.fields->>'email' as email, r.fields->>'phone' as phone, r.fields->>'state' as state, l.ip
     from leads l join lead_revisions r on r.lead_id = l.id and r.revision = l.revision
     where l.created_at < $1 and l.state = 'accepted' order by l.created_at desc limit 700`,
    [hoursAgo(now, 40)],
  );
  const ask = async (person: Asking, address: string, at: Date) => {
    const { email, phone, state } = person;
    const typed = { email, phone: random.chance(0.6) ? phone : '', state };
    const sender = { address, addressKey: address, networkKey: address, userAgent: 'Mozilla/5.0' };
    const page = { page: 'https://claims.example.com/do-not-sell/', siteOrigin: '' };
    const visitor = { ...sender, ...page, secGpc: random.chance(0.2), secretSha256: null };
    const taken = await takeOptOut(typed, 'en', visitor);
    if ('reference' in taken) await moveRequest(pool, taken.reference, at);
  };
  for (let each = 0; each < 22 && rows.length > 0; each += 1) {
    const [person] = rows.splice(random.integer(0, rows.length), 1);
    if (person) await ask(person, person.ip, since(person.created_at, { now, random }));
  }
  // The limit counts by the database's clock, so these are moved together at the end.
  const many = rows.splice(0, 9);
  const at = hoursAgo(now, 9.4 * 24);
  for (const person of many) {
    await ask(person, '198.19.77.7', now);
  }
  await pool.query(
    `update opt_out_requests set received_at = $1::timestamptz + (received_at - now()) where address_key = '198.19.77.7'`,
    [at],
  );
  await pool.query(
    `update suppressions s set created_at = o.received_at from opt_out_requests o
     where o.id = s.request_id and o.address_key = '198.19.77.7'`,
  );
  await pool.query(
    `update lead_events set at = $1 where actor like 'a do-not-sell request%' and at > now() - interval '10 minutes'`,
    [at],
  );
  const stranger = { email: 'test@test.example', phone: '', state: '', ip: '198.19.80.4' };
  await ask(stranger, stranger.ip, hoursAgo(now, 30));
  await pool.query(`update opt_out_requests set outcome = 'waiting' where address_key = $1`, [
    stranger.ip,
  ]);
  await dismissRequests({ pool }, { address: stranger.ip });
}

async function moveRequest(pool: pg.Pool, reference: string, at: Date): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    `update opt_out_requests set received_at = $2 where right(id::text, 12) = lower($1) returning id`,
    [reference, at],
  );
  const id = rows[0]?.id;
  await pool.query('update suppressions set created_at = $2 where request_id = $1', [id, at]);
  await pool.query(`update lead_events set at = $2 where actor = $1`, [
    `a do-not-sell request (${reference})`,
    at,
  ]);
  await pool.query(
    `update deliveries d set finished_at = greatest($2, created_at) where state = 'suppressed' and finished_at > now() - interval '1 minute'
       and exists (select 1 from lead_events e where e.lead_id = d.lead_id and e.actor = $1)`,
    [`a do-not-sell request (${reference})`, at],
  );
}
