/** Removes what is of use for a day at most, answers that have expired, and old plans. */
import type { Queryable } from '../storage/database.ts';
import { MOST_ITEMS_OF_PERSONS } from './forget-reasons.ts';

const PORTION = 1_000;
const NIL = '00000000-0000-0000-0000-000000000000';

/** Tables of the last day, with their keys. The limits look back one hour only. */
const DAYS: readonly {
  readonly table: string;
  readonly time: string;
  readonly key: readonly string[];
  /** A key before all others. */
  readonly start: readonly string[];
}[] = [
  {
    ...{ table: 'address_persons', time: 'seen_at' },
    ...{ key: ['address_window', 'person'], start: [NIL, NIL] },
  },
  { table: 'address_bytes', time: 'seen_at', key: ['address_window'], start: [NIL] },
  { table: 'phone_code_limits', time: 'last_at', key: ['key'], start: [''] },
  { table: 'paid_checks', time: 'hour', key: ['key', 'hour'], start: ['', '-infinity'] },
  { table: 'blocked_emails', time: 'at', key: ['key'], start: [''] },
  { table: 'request_counts', time: 'since', key: ['key'], start: [NIL] },
];

/**
 * Deletes the old rows among the next ones behind the key $2…, and returns the last key. The walk along the key reads
 * each row once: an index of the time would cost every post more.
 */
function dayStatement({ table, time, key }: (typeof DAYS)[number]): string {
  const columns = key.join(', ');
  const after = key.map((_, at) => `$${at + 2}`).join(', ');
  const last = key.map((name) => `${name}::text`).join(', ');
  const descending = key.map((name) => `portion.${name} desc`).join(', ');
  const same = key.map((name) => `stored.${name} = portion.${name}`).join(' and ');
  return `
with portion as (
  select ${columns} from ${table} where (${columns}) > (${after}) order by ${columns} limit ${PORTION}
), gone as (
  delete from ${table} as stored using portion where ${same} and stored.${time} < $1
)
select ${last} from portion order by ${descending} limit 1`;
}

// A visit can be resumed for a day; after that its form is of no use.
const FORMS = `
update visits set form = null, form_keys = null
where form is not null and seen_at < $1 and lead_id = any(array(
  select lead_id from visits where form is not null and seen_at < $1 order by seen_at limit ${PORTION}))`;

// So few that PostgreSQL looks up each one, even in a small table.
const CHECK_ANSWERS = `
delete from check_answers where (service, asked_sha256) in (
  select service, asked_sha256 from check_answers where expires_at < $1 order by expires_at limit 100)`;

/**
 * An old plan that has ended. A small one stays until all its leads are emptied, because what operators wrote about
 * them is found by it. Avoids `not exists`, which the planner may answer by hashing all leads.
 */
const OLD_PLAN = `
delete from plans where id = (
  select id from plans where created_at < $1 and state <> 'running'
  and ((select count(*) from plan_items i where i.plan_id = plans.id) > ${MOST_ITEMS_OF_PERSONS} or (
    select true from plan_items i join leads l on l.id = i.lead_id
    where i.plan_id = plans.id and l.erased_at is null limit 1) is null)
order by created_at limit 1 for update of plans)`;

/** Does a portion of a work. Returns whether there may be more. */
type Work = (client: Queryable) => Promise<boolean>;

/**
 * Returns works to be done in portions, each in a transaction until it returns false.
 *
 * @param before.plans plans that were made earlier are removed
 */
export function shortLivedWorks(before: {
  readonly now: Date;
  readonly yesterday: Date;
  readonly plans: Date;
}): readonly Work[] {
  const { now, yesterday } = before;
  const changes =
    (statement: string, until: Date): Work =>
    async (client) =>
      (await client.query(statement, [until])).rowCount !== 0;
  return [
    ...DAYS.map((day) => dayWork(day, yesterday)),
    changes(FORMS, yesterday),
    changes(CHECK_ANSWERS, now),
    changes(OLD_PLAN, before.plans),
  ];
}

function dayWork(day: (typeof DAYS)[number], yesterday: Date): Work {
  const statement = dayStatement(day);
  let after = day.start;
  return async (client) => {
    const { rows } = await client.query<Record<string, string>>(statement, [yesterday, ...after]);
    const [last] = rows;
    if (last === undefined) return false;
    after = day.key.map((name) => last[name] ?? '');
    return true;
  };
}
