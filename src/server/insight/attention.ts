/** Reads live counts for the console, and the warnings that need an operator. */
import { addDays, calendarDate, formatIso } from '../../model/fields/dates.ts';
import type { LeadCountAnswer, LeadFilter } from '../../model/messages/console/leads.ts';
import type { Attention, NowAnswer } from '../../model/messages/console/numbers.ts';
import type { Role } from '../../model/messages/console/people.ts';
import { isBuyer } from '../delivery/destinations/index.ts';
import {
  type DestinationHealth,
  destinationState,
  readBuyerNames,
  readHealth,
  troublesOf,
} from '../delivery/index.ts';
import type { Queryable } from '../platform/database/database.ts';
import { type DiskSpace, isLow } from '../platform/database/disk-space.ts';
import { pauseReasonFor } from '../platform/shown-reason.ts';
import { countDead, type LocalPeriod } from './failure-reasons.ts';
import { capitalised, counted, destinationTitle } from './words.ts';

const MOST_COUNTED = 10_000;
/** Counts that are older than this raise a warning. */
const STALE_SECONDS = 10 * 60;
/** Dead deliveries raise a warning for this many days. */
const DEAD_DAYS = 7;

type NowOptions = {
  readonly client: Queryable;
  readonly role: Role;
  /** The names of the destinations. Destinations in `ignored` raise no warnings. */
  readonly destinations: readonly string[];
  readonly ignored: readonly string[];
  /** The operators' time zone, which decides when a day begins. */
  readonly timeZone: string;
  /** Measures the database's disk. Undefined if the database is on another machine. */
  readonly diskSpace?: (() => Promise<DiskSpace>) | undefined;
  /** Counts the leads of a filter. */
  readonly countLeads: (filter: LeadFilter) => Promise<LeadCountAnswer>;
  /** The missing settings of a buyer. Empty if a buyer is configured. */
  readonly missingBuyer: readonly string[];
};

/** Reads live counts and warnings, the urgent warnings first. */
export async function readNow(options: NowOptions): Promise<NowAnswer> {
  const { client, role, destinations, ignored, timeZone, diskSpace } = options;
  const watched = destinations.filter((name) => !ignored.includes(name));
  const days = lastDays(timeZone);
  const [open, dead, { rows: states }, space, unsold, passedOver, buyerNames] = await Promise.all([
    readHealth(client, watched),
    countDead(client, watched, days),
    client.query<State>(STATE, [destinations]),
    diskSpace?.().catch(() => undefined),
    options.countLeads({ outcome: 'unsold' }),
    options.countLeads({ outcome: 'passed_over', from: days.from }),
    readBuyerNames(client),
  ]);
  const titleOf = (destination: string) => destinationTitle(destination, buyerNames);
  const state = states[0] as State;
  const attention = [
    ...ofUnsold(unsold, options.missingBuyer),
    ...state.removed.map((each) => ofRemoved(each, titleOf(each.destination))),
    ...ofPassedOver(passedOver, days.from),
    ...[...dead].flatMap(([destination, count]) =>
      ofDead(destination, titleOf(destination), count),
    ),
    ...open.flatMap((each) => troublesOfDestination(each, titleOf(each.destination), role)),
    ...state.holds.map(ofHold),
    ...ofState(state, space),
  ];
  return { attention: attention.sort((a, b) => Number(b.isUrgent) - Number(a.isUrgent)) };
}

const STATE = `
select
  (select coalesce(json_agg(hold), '[]') from (
    select reason, count(*) as leads from (
      select holds from visit_summaries where holds <> '{}' and not is_test limit ${MOST_COUNTED}) as lead
    cross join lateral unnest(holds) as reason group by 1 order by 2 desc, 1) as hold) as holds,
  (select coalesce(json_agg(aside), '[]') from (
    select job, count(*) as items from set_aside group by job order by job) as aside) as "setAside",
  (select count(*)::integer from (select distinct lead_id from deliveries where is_unrouted and state = 'waiting'
      and created_at < now() - interval '1 day' limit ${MOST_COUNTED}) as waiting) as unchosen,
  (select coalesce(json_agg(gone order by destination), '[]') from (
    select destination, (select count(*) from (select 1 from deliveries d where d.destination = buyers.destination
      and state in ('waiting', 'sending', 'retrying') and not is_unrouted limit ${MOST_COUNTED}) as open) as leads
    from buyers where destination <> all($1::text[])) as gone where leads > 0) as removed,
  (select count(*)::integer from outcomes where kind = 'returned' and decision is null and lead_id is not null) as returns,
  (select count(*)::integer from opt_out_requests where outcome = 'waiting') as requests,
  (select json_build_object('open', count(*), 'due', to_char(min(confirm_by), 'Mon FMDD'),
      'isUrgent', min(confirm_by) <= current_date + 2)
    from revocations where confirmed_at is null) as revocations,
  (select extract(epoch from now() - counted_until)::float8 from counting where id = 1) as "countedSeconds"`;

type State = {
  readonly holds: readonly { readonly reason: string; readonly leads: number }[];
  readonly setAside: readonly { readonly job: string; readonly items: number }[];
  /** Leads that have waited for a buyer for more than a day. */
  readonly unchosen: number;
  /** Buyers that are no destinations any more, with the leads that wait to be sent to them. */
  readonly removed: readonly { readonly destination: string; readonly leads: number }[];
  readonly requests: number;
  /** Returns that wait for a decision. */
  readonly returns: number;
  readonly revocations: { readonly open: number; readonly due: string; readonly isUrgent: boolean };
  /** The age of the counts in seconds; null if nothing was counted yet. */
  readonly countedSeconds: number | null;
};

const deliveriesTo = (destination: string) =>
  `/deliveries?destination=${encodeURIComponent(destination)}`;

function warning(isUrgent: boolean, text: string, to: string): Attention {
  return { isUrgent, text, to };
}

function troublesOfDestination(health: DestinationHealth, title: string, role: Role): Attention[] {
  const { destination, waiting, retrying, sending } = health;
  const shown = { ...health, destination: title, pauseReason: pauseReasonFor(role, health) };
  const isUrgent = destinationState(health) !== 'off' && waiting + retrying + sending > 0;
  return troublesOf(shown).map((text) =>
    warning(isUrgent, capitalised(text), deliveriesTo(destination)),
  );
}

function ofDead(destination: string, title: string, dead: number): Attention[] {
  if (dead === 0) return [];
  const text = `${counted(dead, 'delivery', 'deliveries')} to ${title} ${dead === 1 ? 'was' : 'were'} given up in the last ${DEAD_DAYS} days.`;
  return [warning(isBuyer(destination), text, deliveriesTo(destination))];
}

function lastDays(timeZone: string): LocalPeriod {
  const today = calendarDate(new Date(), timeZone);
  const from = formatIso(addDays(today, 1 - DEAD_DAYS));
  return { from, to: formatIso(today), timeZone };
}

const atLeast = ({ count, isExact }: LeadCountAnswer, ...nouns: [string, string?]) =>
  `${isExact ? '' : 'more than '}${counted(count, ...nouns)}`;

/** Warns of leads that wait because no buyer was configured. */
function ofUnsold(unsold: LeadCountAnswer, missing: readonly string[]): Attention[] {
  const { count } = unsold;
  if (count === 0 && missing.length === 0) return [];
  const leads = `${atLeast(unsold, 'lead is', 'leads are')} unsold`;
  const setUp = `Set ${missing.join(', ')} and restart; then resend the unsold leads.`;
  const text =
    missing.length === 0
      ? `${capitalised(leads)}: no buyer was set up for them. Select and resend them.`
      : `No buyer is set up: ${count === 0 ? 'every lead stays unsold' : leads}. ${setUp}`;
  return [warning(true, text, '/leads?outcome=unsold')];
}

/** Warns of leads that were to be sent to a buyer that is no destination any more. */
function ofRemoved({ destination, leads }: State['removed'][number], title: string): Attention {
  const text = `${counted(leads, 'lead waits', 'leads wait')} for ${title}, which is not set up any more. Add ${destination} to EXTRA_DESTINATIONS, or resend them to other buyers.`;
  const to = `/leads?delivery=waiting&destination=${encodeURIComponent(destination)}`;
  return warning(true, text, to);
}

/** Warns of leads that no buyer may have. */
function ofPassedOver(passedOver: LeadCountAnswer, from: string): Attention[] {
  if (passedOver.count === 0) return [];
  const text = `${capitalised(atLeast(passedOver, 'lead'))} of the last ${DEAD_DAYS} days went to nobody: no buyer may have them. Change terms, then resend them.`;
  return [warning(false, text, `/leads?outcome=passed_over&from=${from}`)];
}

function ofHold({ reason, leads }: State['holds'][number]): Attention {
  const isRule = reason === 'state_rule';
  const why = isRule ? 'a state’s rule does not allow the sale' : reason.replaceAll('_', ' ');
  const text = `${counted(leads, 'lead is', 'leads are')} held: ${why}.`;
  return warning(false, text, `/leads?lead=held&hold=${encodeURIComponent(reason)}`);
}

function ofState(state: State, space: DiskSpace | undefined): Attention[] {
  const { countedSeconds, requests, returns, unchosen } = state;
  const { open, due, isUrgent } = state.revocations;
  const found: Attention[] = [];
  const add = (...of: Parameters<typeof warning>) => found.push(warning(...of));
  if (space && isLow(space)) {
    const text = `The disk of the database has ${Math.floor(space.freeBytes / 2 ** 20)} MB left. Free some space, or leads can no longer be stored.`;
    add(true, text, '/system');
  }
  if (unchosen > 0) {
    const text = `${counted(unchosen, 'lead has', 'leads have')} waited for a buyer for more than a day.`;
    add(false, text, '/buyers');
  }
  if (countedSeconds !== null && countedSeconds > STALE_SECONDS) {
    const age = counted(Math.round(countedSeconds / 60), 'minute');
    add(false, `The numbers are ${age} old: the counting is behind.`, '/system');
  }
  for (const { job, items } of state.setAside) {
    const what = `The job "${job}" has set aside ${counted(items, 'item')}`;
    const text = `${what}: the server log says why. It is tried again.`;
    add(false, text, '/system');
  }
  if (requests > 0) {
    const text = `${counted(requests, 'do-not-sell request waits', 'do-not-sell requests wait')} for a person.`;
    add(true, text, '/people-requests?tab=requests');
  }
  if (returns > 0) {
    const text = `${counted(returns, 'return waits', 'returns wait')} for your decision.`;
    add(false, text, '/buyers?tab=returns');
  }
  if (open > 0) {
    const who = counted(open, 'recipient has', 'recipients have');
    const text = `${who} not confirmed a revocation; the first is due on ${due}.`;
    add(isUrgent, text, '/people-requests?tab=revocations');
  }
  return found;
}
