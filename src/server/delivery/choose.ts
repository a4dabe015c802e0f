/** Chooses which buyers get the leads that wait for a choice (docs/specification.md#buyers-of-leads). */
import type pg from 'pg';
import { type CapUse, type Choice, chooseBuyers } from '../../model/rules/choose-buyers.ts';
import { isReturned } from '../leads/index.ts';
import type { Queryable } from '../platform/database/database.ts';
import type { Job } from '../platform/database/jobs.ts';
import { outgoing } from '../platform/database/revisions.ts';
import type { DeliveryRow } from '../platform/database/schema.ts';
import { type Buyer, readBuyers } from './buyers.ts';
import { buysLeads } from './destinations/index.ts';

const CHOICE_EVERY_MS = 5_000;
/** Pause if a lead was left for later, because another transaction has locked it. */
const AGAIN_MS = 200;
const MOST_LEADS = 200;
const CENTS = 100;

/** Returns SQL for the state whose price a lead has: that of the address, else of the accident, else ''. */
export const usStateOf = (revision: string) => {
  const code = (name: string) => `substring(${outgoing(revision, name)} from '^[A-Z]{2}$')`;
  return `coalesce(${code('state')}, ${code('state_accident_occurred')}, '')`;
};

/**
 * Returns how much of each buyer's caps is used in the current periods, by destination. The caps are in the order of
 * the terms.
 */
export async function readCapUse(
  client: Queryable,
  buyers: readonly Pick<Buyer, 'destination' | 'terms'>[],
  now: Date,
): Promise<ReadonlyMap<string, readonly CapUse[]>> {
  const caps = buyers.flatMap(({ destination, terms: { caps, timeZone: zone } }) =>
    caps.map((cap) => ({ destination, zone, cap })),
  );
  const { rows } = await client.query<CapUse & { destination: string }>(
    `select destination, cap, until, used.leads::int as leads, used.cents::float8 as cents
      from jsonb_to_recordset($1::jsonb) as each(place integer, destination text, zone text, cap jsonb)
      cross join lateral (select nullif(cap->>'per', 'total') as per) as unit
      cross join lateral (select coalesce(date_trunc(per, $2::timestamptz, zone), '-infinity') as "from",
        date_add(date_trunc(per, $2::timestamptz, zone), ('1 ' || per)::interval, zone) as until) as period
      cross join lateral (select count(*) as leads, coalesce(sum(price) * ${CENTS}, 0) as cents from deliveries d
        where d.destination = each.destination and d.chosen_at >= period."from") as used
      order by place`,
    [JSON.stringify(caps.map((each, place) => ({ place, ...each }))), now],
  );
  return Map.groupBy(rows, ({ destination }) => destination);
}

type ChoiceOptions = {
  /** The destinations to which this process sends. */
  readonly destinations: readonly string[];
  /** Called after a commit that makes a delivery due. */
  readonly chosen: () => void;
  /** Returns a number in [0, 1). */
  readonly random?: (() => number) | undefined;
};

/** Returns the job that chooses buyers. Every process runs it; the locked rows of `buyers` make caps exact. */
export function choiceJob(options: ChoiceOptions): Job {
  return {
    name: 'choice',
    everyMs: CHOICE_EVERY_MS,
    isLocal: true,
    async run(turn) {
      const due = await readDue(turn.pool);
      if (due.length === 0) return CHOICE_EVERY_MS;
      const { results } = await turn.doItems(due, String, (client, leadIds) =>
        chooseFor(client, leadIds, options),
      );
      if (results.some(({ chosen }) => chosen > 0)) options.chosen();
      return results.some(({ left }) => left > 0) ? AGAIN_MS : 0;
    },
  };
}

/** Returns the ids of the leads that wait for a choice now, except those that were set aside. */
async function readDue(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ lead_id: string }>(`select distinct lead_id from (
        select lead_id from deliveries d where is_unrouted and due_at <= now()
          and exists (select 1 from buyers where buyers.destination = d.destination) and not exists (
          select 1 from set_aside where job = 'choice' and item = d.lead_id::text and retry_at > now())
        order by due_at limit ${MOST_LEADS}) as due`);
  return rows.map(({ lead_id }) => lead_id);
}

/** A destination without terms shares its leads with no buyer. */
const ALONE = { sharedBy: 1 };

type Lead = {
  readonly id: string;
  readonly state: string;
  readonly survey: string;
  readonly isTest: boolean;
  readonly usState: string;
};

/** A delivery to a firm. */
type FirmDelivery = DeliveryRow & {
  /** The number of the lead's deliveries to firms. */
  readonly siblings: number;
  /** True if a return was accepted: the firm does not keep the lead. */
  readonly is_returned: boolean;
};

/** The next values of a delivery. */
type Change = Pick<DeliveryRow, 'id' | 'state' | 'end_reason' | 'is_unrouted' | 'due_at'> & {
  readonly chosen_at?: Date | null;
  readonly price?: number | undefined;
};

/** Chooses the buyers of leads. Returns the number of deliveries that are now due, and of leads that are left. */
async function chooseFor(
  client: Queryable,
  leadIds: readonly string[],
  { destinations, random = Math.random }: ChoiceOptions,
): Promise<{ chosen: number; left: number }> {
  await client.query('select 1 from buyers order by destination for no key update');
  const buyers = await readBuyers(client);
  const rows = await lockDeliveries(client, leadIds);
  const { leads, paused, trials, now } = await readFacts(client, [...rows.keys()], destinations);
  const used = await readCapUse(client, buyers, now);
  const candidates = new Map(
    buyers.map(({ destination, terms }) => {
      const isOff = paused.includes(destination) || !destinations.includes(destination);
      const isPaused = isOff && !trials.includes(destination);
      return [destination, { destination, terms, isPaused, uses: used.get(destination) ?? [] }];
    }),
  );
  const changes: Change[] = [];
  for (const lead of leads) {
    const own = rows.get(lead.id) ?? [];
    const due = own.filter((row) => row.is_unrouted && row.due_at !== null && row.due_at <= now);
    const waitsUntil = waitEnd(own, now);
    if (due.length === 0 || waitsUntil !== undefined) {
      changes.push(...due.map((row) => ({ ...row, due_at: waitsUntil ?? null })));
      continue;
    }
    const open = own.filter((row) => isCandidate(row, lead));
    const holders = own.filter((row) => !open.includes(row) && hasLead(row));
    const choice = chooseBuyers({
      candidates: open.flatMap(({ destination }) => candidates.get(destination) ?? []),
      holders: holders.map(({ destination }) => candidates.get(destination)?.terms ?? ALONE),
      lead: { state: lead.usState, survey: lead.survey },
      now,
      random,
    });
    const isTaken = choice.chosen.length + holders.length > 0;
    changes.push(
      ...own
        .filter((row) => row.is_unrouted && !open.includes(row))
        .map((row) => afterAll(row, lead)),
      ...open.map((row) => changeOf(row, lead, choice, isTaken, now)),
    );
    for (const { destination, price = 0 } of lead.isTest ? [] : choice.chosen) {
      const candidate = candidates.get(destination);
      if (candidate === undefined) continue;
      candidate.isPaused = trials.includes(destination);
      for (const use of candidate.uses) {
        use.leads += 1;
        use.cents += Math.round(price * CENTS);
      }
    }
  }
  await writeChanges(client, changes, now);
  return {
    chosen: changes.filter(({ state, is_unrouted }) => state === 'waiting' && !is_unrouted).length,
    left: leadIds.length - leads.length,
  };
}

/** Returns the change of a delivery that took no part in the choice: a refused one, or one of a held lead. */
function afterAll(row: DeliveryRow, lead: Lead): Change {
  const { id, state, end_reason } = row;
  return state === 'waiting' && isHeld(row, lead)
    ? { id, state: 'held', end_reason: null, is_unrouted: true, due_at: null }
    : { id, state, end_reason, is_unrouted: false, due_at: null };
}

function changeOf(
  { id, destination }: DeliveryRow,
  { isTest }: Lead,
  { chosen, others }: Choice,
  isTaken: boolean,
  now: Date,
): Change {
  const found = chosen.find((each) => each.destination === destination);
  if (found !== undefined) {
    const counted = isTest ? {} : { chosen_at: now, price: found.price };
    return { id, state: 'waiting', end_reason: null, is_unrouted: false, due_at: now, ...counted };
  }
  const { reason, opensAt } = others.find((each) => each.destination === destination) ?? {};
  const end_reason = reason ?? null;
  return isTaken || opensAt === undefined
    ? { id, state: 'passed_over', end_reason, is_unrouted: false, due_at: null }
    : { id, state: 'waiting', end_reason, is_unrouted: true, due_at: opensAt };
}

async function writeChanges(
  client: Queryable,
  changes: readonly Change[],
  now: Date,
): Promise<void> {
  await client.query(
    `update deliveries d set state = new.state, is_unrouted = new.is_unrouted, due_at = new.due_at,
        end_reason = new.end_reason, chosen_at = new.chosen_at, price = new.price,
        finished_at = case when new.state = 'passed_over' then $2::timestamptz
          when new.state not in ('waiting', 'held') then d.finished_at end
      from jsonb_populate_recordset(null::deliveries, $1::jsonb) as new where d.id = new.id`,
    [JSON.stringify(changes), now],
  );
}

/** Locks the leads' deliveries to firms, by lead. Omits leads with a delivery that another transaction has locked. */
async function lockDeliveries(
  client: Queryable,
  leadIds: readonly string[],
): Promise<Map<string, FirmDelivery[]>> {
  const isToFirm = `event_key = '' and ${buysLeads('destination')}`;
  const { rows } = await client.query<FirmDelivery>(
    `select *, ${isReturned('d')} as is_returned, (select count(*)::int from deliveries o where o.lead_id = d.lead_id and ${isToFirm}) as siblings
      from deliveries d where lead_id = any($1::uuid[]) and ${isToFirm}
      order by id for no key update of d skip locked`,
    [leadIds],
  );
  const byLead = Map.groupBy(rows, ({ lead_id }) => lead_id);
  return new Map([...byLead].filter(([, own]) => own.length === own[0]?.siblings));
}

/**
 * Reads what the choice must know about leads, the paused destinations and the database's time. One lead may test the
 * account of each of `trials`, which are among `destinations`, because no lead waits there.
 */
async function readFacts(
  client: Queryable,
  leadIds: readonly string[],
  destinations: readonly string[],
) {
  const { rows: leads } = await client.query<Lead>(
    `select l.id, l.state, l.survey, l.is_test as "isTest", ${usStateOf('r')} as "usState"
      from leads l join lead_revisions r on r.lead_id = l.id and r.revision = l.revision
      where l.id = any($1::uuid[]) order by l.created_at, l.id`,
    [leadIds],
  );
  type Facts = { now: Date; paused: string[]; trials: string[] };
  const { rows } = await client.query<Facts>(
    `select clock_timestamp() as now, array(select destination from destination_health where paused_at is not null)
       as paused,
     array(select destination from destination_health h where paused_at is not null and trial_at <= now()
       and destination = any($1::text[]) and not exists (select 1 from deliveries d where d.destination = h.destination
         and d.state in ('waiting', 'sending', 'retrying') and not d.is_unrouted)) as trials`,
    [destinations],
  );
  const { now = new Date(), paused = [], trials = [] } = rows[0] ?? {};
  return { leads, now, paused, trials };
}

function isCandidate(row: DeliveryRow, lead: Lead): boolean {
  if (row.state === 'passed_over') return lead.state === 'accepted';
  return row.state === 'waiting' && row.is_unrouted && !isHeld(row, lead);
}

/** Returns whether a lead is held from a buyer. A resend of a held lead has a pinned revision. */
function isHeld({ revision }: DeliveryRow, { state }: Lead): boolean {
  return state === 'dismissed' || (state === 'held' && revision === null);
}

/** Returns whether a buyer has the lead, may have it, or is about to get it. */
function hasLead(row: FirmDelivery): boolean {
  const { state, is_unrouted, chosen_at, may_have_arrived, is_returned } = row;
  if (is_returned) return false;
  if (chosen_at !== null || may_have_arrived) return true;
  const states: readonly string[] = ['waiting', 'sending', 'retrying', 'delivered', 'uncertain'];
  return !is_unrouted && states.includes(state);
}

/** Returns when the visitor's time to choose law firms, or a check that a delivery waits for, ends. */
function waitEnd(rows: readonly DeliveryRow[], now: Date): Date | undefined {
  return rows
    .filter((row) => row.is_unrouted && row.state === 'waiting' && row.end_reason === null)
    .flatMap(({ due_at }) => (due_at !== null && due_at > now ? due_at : []))
    .sort((a, b) => Number(b) - Number(a))[0];
}
