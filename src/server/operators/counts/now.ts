/** Reads what waits now, and what needs a person. */
import type { LeadCountAnswer } from '../../../contract/console/leads.ts';
import type { Attention, NowAnswer } from '../../../contract/console/numbers.ts';
import type { Role } from '../../../contract/console/people.ts';
import { destinationState } from '../../base/destination-health.ts';
import { type OpenDeliveries, type OpenDelivery, troublesOf } from '../../base/open-deliveries.ts';
import { readHealth } from '../../delivery/destination-health.ts';
import { readOpenDeliveries } from '../../delivery/open-deliveries.ts';
import type { Queryable } from '../../storage/database.ts';
import { type DiskSpace, isLow } from '../../storage/disk-space.ts';
import type { LocalPeriod } from '../destinations/period.ts';
import { countDead } from '../destinations/reasons.ts';
import { capitalised, destinationTitle, isBuyer } from '../lead-page/words.ts';
import { pauseReasonFor } from '../reasons.ts';
import { readFallenSurveys } from './fallen-surveys.ts';

/** A delivery that is due for longer needs a person. The worker takes due ones within seconds. */
const LATE_SECONDS = 5 * 60;
const URGENT_SECONDS = 15 * 60;
/** Counting of held leads stops here. */
const MOST_HELD = 10_000;
/** Numbers older than this are behind. */
const STALE_SECONDS = 10 * 60;
/** The period of the page of deliveries, unless another one is chosen. */
const DEAD_DAYS = 7;
/** The share of the database's connections above which it needs a person. */
const CONNECTIONS_SHARE = 0.9;

export type NowOptions = {
  readonly client: Queryable;
  /** Who reads: the words of a pause are for operators. */
  readonly role: Role;
  /** The names of all destinations, and of those whose errors are ignored. */
  readonly destinations: readonly string[];
  readonly ignored: readonly string[];
  /** The operators' time zone: its days bound what was given up. */
  readonly timeZone: string;
  /** Measures the disk of the database; undefined: it is on another machine. */
  readonly diskSpace?: (() => Promise<DiskSpace>) | undefined;
  /** Counts the leads that no buyer was set up for. */
  readonly countUnsold: () => Promise<LeadCountAnswer>;
  /** The settings of a buyer, if none is set up. */
  readonly missingBuyer: readonly string[];
};

/** Reads live counts and the matters that need a person, the urgent ones first. */
export async function readNow(options: NowOptions): Promise<NowAnswer> {
  const { client, role, destinations, ignored, timeZone, diskSpace, countUnsold, missingBuyer } =
    options;
  const watched = destinations.filter((name) => !ignored.includes(name));
  const [open, dead, held, reasons, fallen, state, setAside, space, unsold] = await Promise.all([
    readOpenDeliveries(client, destinations, async () =>
      (await readHealth(client, watched)).map((each) => ({
        ...each,
        pauseReason: pauseReasonFor(role, each),
      })),
    ),
    countDead(client, watched, lastDays(timeZone)),
    readHeld(client),
    readHolds(client),
    readFallenSurveys(client),
    readState(client),
    readSetAside(client),
    diskSpace?.().catch(() => undefined),
    countUnsold(),
  ]);
  const attention = [
    ...ofUnsold(unsold, missingBuyer),
    ...[...dead].flatMap(ofDead),
    ...open.flatMap(ofDestination),
    ...reasons.map(ofHold),
    ...fallen,
    ...(space && isLow(space) ? [ofDisk(space)] : []),
    ...ofDatabase(state),
    ...setAside.map(ofSetAside),
    ...(state.requests > 0 ? [ofRequests(state.requests)] : []),
  ];
  return {
    at: state.at.toISOString(),
    waiting: sum(open, ({ waiting, retrying, sending }) => waiting + retrying + sending),
    held,
    oldestDueSeconds: Math.round(Math.max(0, ...open.map(waitOf))),
    attention: attention.sort((a, b) => Number(b.isUrgent) - Number(a.isUrgent)),
  };
}

function waitOf({ health }: OpenDelivery): number {
  return health?.oldestWaitSeconds ?? 0;
}

function sum(open: OpenDeliveries, of: (one: OpenDelivery) => number): number {
  return open.reduce((all, one) => all + of(one), 0);
}

async function readHeld(client: Queryable): Promise<number> {
  const { rows } = await client.query<{ held: number }>(
    `select count(*)::integer as held from (
       select 1 from leads where state = 'held' and not is_test limit ${MOST_HELD}) as found`,
  );
  return rows[0]?.held ?? 0;
}

type Hold = { readonly reason: string; readonly leads: number };

async function readHolds(client: Queryable): Promise<Hold[]> {
  const { rows } = await client.query<Hold>(
    `select reason, count(*)::integer as leads from (
       select holds from visit_summaries where holds <> '{}' and not is_test limit ${MOST_HELD}) as lead
     cross join lateral unnest(holds) as reason group by 1 order by 2 desc, 1`,
  );
  return rows;
}

type State = {
  readonly at: Date;
  readonly requests: number;
  /** How long ago the ledger was counted; null: never. */
  readonly countedSeconds: number | null;
  readonly connections: number;
  readonly mostConnections: number;
};

async function readState(client: Queryable): Promise<State> {
  const { rows } = await client.query<State>(
    `select now() as at,
       (select count(*)::integer from opt_out_requests where outcome = 'waiting') as requests,
       (select extract(epoch from now() - counted_until)::float8 from counting where id = 1) as "countedSeconds",
       (select count(*)::integer from pg_stat_activity where backend_type = 'client backend') as connections,
       current_setting('max_connections')::integer as "mostConnections"`,
  );
  return rows[0] as State;
}

const plural = (count: number, one: string, many = `${one}s`) =>
  `${count} ${count === 1 ? one : many}`;
const minutes = (seconds: number) => plural(Math.round(seconds / 60), 'minute');

function ofDestination(open: OpenDelivery): Attention[] {
  const { destination, health } = open;
  const waitSeconds = waitOf(open);
  const title = destinationTitle(destination);
  const to = `/deliveries?destination=${encodeURIComponent(destination)}`;
  const count = open.waiting + open.retrying + open.sending;
  const troubles = troublesOf({ ...open, destination: title }).map((text): Attention => {
    const isUrgent = health !== undefined && destinationState(health) !== 'off' && count > 0;
    return { kind: 'circuit', isUrgent, text: capitalised(text), to };
  });
  if (troubles.length > 0 || waitSeconds < LATE_SECONDS) return troubles;
  const text = `${plural(count, 'delivery', 'deliveries')} to ${title} ${count === 1 ? 'is' : 'are'} open, and the oldest is ${minutes(waitSeconds)} late.`;
  return [{ kind: 'delivery', isUrgent: waitSeconds >= URGENT_SECONDS, text, to }];
}

/** Deliveries that were given up in the days that the page of deliveries shows by itself: a plan can recover them. */
function ofDead([destination, dead]: readonly [string, number]): Attention[] {
  if (dead === 0) return [];
  const text = `${plural(dead, 'delivery', 'deliveries')} to ${destinationTitle(destination)} ${dead === 1 ? 'was' : 'were'} given up in the last ${DEAD_DAYS} days.`;
  const to = `/deliveries?destination=${encodeURIComponent(destination)}`;
  return [{ kind: 'delivery', isUrgent: isBuyer(destination), text, to }];
}

function lastDays(timeZone: string): LocalPeriod {
  const to = new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date());
  const from = new Date(Date.parse(to) - (DEAD_DAYS - 1) * 86_400_000).toISOString().slice(0, 10);
  return { from, to, timeZone };
}

/** Leads that nobody buys: they are kept, and go only when an operator sends them. */
function ofUnsold({ count, isExact }: LeadCountAnswer, missing: readonly string[]): Attention[] {
  if (count === 0 && missing.length === 0) return [];
  const leads = `${isExact ? '' : 'more than '}${plural(count, 'lead')} ${count === 1 ? 'is' : 'are'} unsold`;
  const to = '/leads?outcome=unsold';
  if (missing.length === 0) {
    const text = `${capitalised(leads)}: no buyer was set up for them. Select and resend them.`;
    return [{ kind: 'unsold', isUrgent: true, text, to }];
  }
  const setUp = `Set ${missing.join(', ')} and restart; then resend the unsold leads.`;
  const text = `No buyer is set up: ${count === 0 ? 'every lead stays unsold' : leads}. ${setUp}`;
  return [{ kind: 'unsold', isUrgent: true, text, to }];
}

function ofHold({ reason, leads }: Hold): Attention {
  const text = `${plural(leads, 'lead')} ${leads === 1 ? 'is' : 'are'} held: ${reason.replaceAll('_', ' ')}.`;
  const to = `/leads?lead=held&hold=${encodeURIComponent(reason)}`;
  return { kind: 'held', isUrgent: false, text, to };
}

function ofDisk({ freeBytes }: DiskSpace): Attention {
  const text = `The disk of the database has ${Math.floor(freeBytes / 2 ** 20)} MB left. Free some space, or leads can no longer be stored.`;
  return { kind: 'disk', isUrgent: true, text, to: '/system' };
}

function ofDatabase({ countedSeconds, connections, mostConnections }: State): Attention[] {
  const matter = (isUrgent: boolean, text: string) =>
    ({ kind: 'database', isUrgent, text, to: '/system' }) as const;
  return [
    ...(countedSeconds !== null && countedSeconds > STALE_SECONDS
      ? [matter(false, `The numbers are ${minutes(countedSeconds)} old: the counting is behind.`)]
      : []),
    ...(connections > mostConnections * CONNECTIONS_SHARE
      ? [
          matter(
            true,
            `${connections} of the database's ${mostConnections} connections are in use.`,
          ),
        ]
      : []),
  ];
}

type SetAside = { readonly job: string; readonly items: number };

async function readSetAside(client: Queryable): Promise<SetAside[]> {
  const { rows } = await client.query<SetAside>(
    'select job, count(*)::integer as items from set_aside group by job order by job',
  );
  return rows;
}

function ofSetAside({ job, items }: SetAside): Attention {
  const what =
    job === 'counts'
      ? `The numbers of ${plural(items, 'hour')} could not be counted`
      : `The job "${job}" has set aside ${plural(items, 'item')}`;
  const text = `${what}: the server log says why. It is tried again.`;
  return { kind: 'database', isUrgent: false, text, to: '/system' };
}

function ofRequests(requests: number): Attention {
  const text = `${plural(requests, 'do-not-sell request')} ${requests === 1 ? 'waits' : 'wait'} for a person.`;
  return { kind: 'requests', isUrgent: true, text, to: '/people-requests?tab=requests' };
}
