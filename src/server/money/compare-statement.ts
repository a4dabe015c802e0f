/** Compares a buyer's statement with our ledger (docs/specification.md#statements-of-buyers). */
import type { BadLine } from '../../model/messages/console/people-requests.ts';
import type {
  Comparison,
  Difference,
  StatementRequest,
} from '../../model/messages/console/statements.ts';
import type { Queryable } from '../platform/database/database.ts';
import { usage } from '../platform/operator-error.ts';
import { midnight } from '../platform/time-format.ts';
import { centsOf, dayIn, readTable } from './csv.ts';
import { leadIdIn } from './outcomes.ts';

const HEADINGS = {
  lead: ['lead id', 'leadid', 'our lead id', 'id', 'lead', 'reference'],
  their_id: ['external id', 'externalid', 'external lead id', 'buyer lead id', 'transaction id'],
  price: ['price', 'payout', 'amount', 'lead price', 'revenue', 'cost'],
  state: ['status', 'lead status', 'disposition', 'state'],
  date: ['date', 'day', 'sold at', 'created at', 'created', 'received at', 'timestamp'],
};

const WORDS: Readonly<Record<NonNullable<StatementLine['state']>, string>> = {
  sold: 'accepted approved billable billed delivered paid sold success valid',
  returned: 'chargeback credit credited refund refunded return returned',
  rejected: 'declined denied duplicate error failed invalid refused rejected unsold',
};
const states = Object.keys(WORDS) as (keyof typeof WORDS)[];
const stateOf = (word: string) =>
  states.find((state) => WORDS[state].split(' ').includes(word.toLowerCase()));

/** Matches an id: it has a digit, no space and no @, unlike a name, an e-mail address or "Total". */
const ID = /^(?=.*\d)[\w.:-]{1,100}$/;

/** A line about one lead. */
type StatementLine = {
  /** The ids of the lead, ours or the buyer's. */
  readonly ids: readonly string[];
  /** `YYYY-MM-DD`. Undefined: the line has none. */
  readonly day: string | undefined;
  /** Undefined: the statement has no prices. NaN: this price cannot be read. */
  readonly cents: number | undefined;
  /** Undefined: the line names no state. */
  readonly state: 'sold' | 'returned' | 'rejected' | undefined;
};

/** Reads a statement. @throws OperatorError `usage` if it has no column of ids, or is too long */
function readFile(csv: string) {
  const words = new Set<string>();
  const badPrices: BadLine[] = [];
  const { columns, lines, refused } = readTable(
    csv,
    HEADINGS,
    (cells, line, { price }): StatementLine => {
      const ids = [cells.lead, cells.their_id].filter((id) => ID.test(id));
      if (ids.length === 0) throw usage('It has no lead id.');
      words.add(cells.state);
      const cents = price === undefined ? undefined : (centsOf(cells.price || '0') ?? NaN);
      if (Number.isNaN(cents)) {
        badPrices.push({
          line,
          reason: 'Its price must be an amount in US dollars, such as 1,234.50.',
        });
      }
      return {
        ids,
        day: dayIn(cells.date),
        cents,
        state: (cents ?? 0) < 0 ? 'returned' : stateOf(cells.state),
      };
    },
  );
  if (!columns.lead && !columns.their_id) {
    throw usage(
      `No column has lead ids. Give it one of the headings "${HEADINGS.lead.join('", "')}".`,
    );
  }
  return {
    columns,
    lines,
    refused: [...refused, ...badPrices].sort((a, b) => a.line - b.line),
    unknownWords: [...words].filter((word) => word !== '' && !stateOf(word)).slice(0, 10),
  };
}

const ZONE = '(select name from zone)';
/** SQL: true for entries of the period. A buyer that also pays at `signed` lists that sale on a later statement. */
const IN_PERIOD = `at >= ${midnight('$3', ZONE)} and at < ${midnight('$4', ZONE, 1)}`;

// SQL: reads the leads that lines name by the buyer's id or ours ($2, with days $6), and those sold in the period, with
// their money. The days are in the buyer's time zone, or in UTC if more lines have the UTC day of their sale.
const OURS = `
with named as (
  select name, day, coalesce(of_ours.lead_id, of_theirs.lead_id) as lead_id from unnest($2::text[], $6::text[]) as line (name, day)
  left join lateral (
    select lead_id from deliveries where destination = $1 and event_key = '' and lead_id = ${leadIdIn('name')} limit 1
  ) as of_ours on true
  left join lateral (
    -- A refused duplicate has the id of the lead that the buyer took.
    select lead_id from deliveries where destination = $1 and event_key = '' and external_id = name
    order by state = 'delivered' desc, finished_at desc limit 1
  ) as of_theirs on true
), zone as (
  select name from (
    select coalesce((select terms->>'timeZone' from buyers where destination = $1), $5) as name, 0 as place
    union all select 'UTC', 1
  ) as zones
  order by (
    select count(*) from named join money_entries m using (lead_id)
    where m.kind = 'sale' and coalesce(m.destination, '') = $1 and (m.at at time zone zones.name)::date::text = day
  ) desc, place limit 1
), leads as (
  select lead_id, array_remove(array_agg(name), null) as ids, bool_or(name is null) as "isInPeriod" from (
    select name, lead_id from named where lead_id is not null
    union
    select null, lead_id from money_entries
    where destination = $1 and kind = 'sale' and lead_id is not null
      and ${IN_PERIOD}
  ) as wanted group by lead_id
)
select leads.lead_id as "leadId", ids, "isInPeriod", coalesce(sold, 0) as sold, coalesce(owed, 0) as owed, "isReturnedLater",
  case when "isReturned" then 'returned' when sold > 0 or coalesce((
    select state = 'delivered' from deliveries d
    where d.lead_id = leads.lead_id and d.destination = $1 and d.event_key = ''), true)
  then 'sold' else 'rejected' end as word
from leads
cross join lateral (
  select round(100 * sum(amount) filter (where kind <> 'return'))::float8 as sold,
    round(100 * sum(amount))::float8 as owed, bool_or(kind = 'return') as "isReturned",
    bool_and(at >= ${midnight('$4', ZONE, 1)}) filter (where kind = 'return') as "isReturnedLater"
  -- The coalesce keeps the planner from the index on destinations, which has all entries of a buyer.
  from money_entries m where m.lead_id = leads.lead_id and coalesce(m.destination, '') = $1
    and m.kind in ('sale', 'return', 'adjustment') and (m.kind <> 'sale' or not "isInPeriod" or ${IN_PERIOD})
) as money`;

/** What became of a lead, and what the buyer owes for it, in cents. */
type Account = { readonly word: string; readonly owed: number };
type Ours = Account & {
  readonly leadId: string;
  readonly ids: readonly string[];
  readonly isInPeriod: boolean;
  /** True if the lead was returned after the period. */
  readonly isReturnedLater: boolean | null;
  readonly sold: number;
};

/**
 * Compares a statement with our ledger, and stores nothing.
 * @throws OperatorError `usage` if the file cannot be compared
 */
export async function compareStatement(
  client: Queryable,
  request: Pick<StatementRequest, 'destination' | 'csv' | 'firstDay' | 'lastDay'>,
  operatorsTimeZone: string,
): Promise<Omit<Comparison, 'id' | 'found'>> {
  const { lines, ...file } = readFile(request.csv);
  const days = lines.flatMap(({ day = [] }) => day).sort();
  const { destination, firstDay = days[0], lastDay = days.at(-1) } = request;
  if (firstDay === undefined || lastDay === undefined || firstDay > lastDay) {
    throw usage('Give the first and the last day of the statement.');
  }
  const ids = lines.flatMap((line) => line.ids);
  const daysOfIds = lines.flatMap((line) => line.ids.map(() => line.day));
  const values = [destination, ids, firstDay, lastDay, operatorsTimeZone, daysOfIds];
  const { rows } = await client.query<Ours>(OURS, values);
  const byId = new Map(rows.flatMap((us) => us.ids.map((id) => [id, us] as const)));
  const groups = Map.groupBy(
    lines,
    (line) => line.ids.map((id) => byId.get(id)).find(Boolean) ?? line.ids[0] ?? '',
  );
  for (const us of rows) if (us.isInPeriod && us.owed !== 0 && !groups.has(us)) groups.set(us, []);

  const differences: Difference[] = [];
  let [agree, owed, theirs] = [0, 0, 0];
  for (const [key, group] of groups) {
    let us = typeof key === 'string' ? undefined : key;
    const them = theirsOf(group, us);
    // The buyer may list a return after the period on the next statement.
    if (us?.isReturnedLater && them.word === 'sold') us = { ...us, word: 'sold', owed: us.sold };
    const kind = kindOf(group, us, them);
    // A line whose price cannot be read says nothing about its lead, but names it.
    if (Number.isNaN(them.owed)) continue;
    owed += us?.owed ?? 0;
    theirs += them.owed;
    if (us !== undefined && kind === undefined) agree += 1;
    if (kind === undefined) continue;
    differences.push({
      number: differences.length + 1,
      kind,
      reference: group[0]?.ids[0] ?? us?.leadId ?? '',
      leadId: us?.leadId ?? null,
      ours: us ? textOf(us) : '',
      theirs: group.length > 0 ? textOf(them) : '',
      amount: (them.owed - (us?.owed ?? 0)) / 100,
      state: 'open',
      note: '',
    });
  }
  const read = lines.filter(({ cents }) => !Number.isNaN(cents)).length;
  const sums = { lines: read, agree, ours: owed / 100, theirs: theirs / 100 };
  return { ...file, ...sums, firstDay, lastDay, differences };
}

const isSale = ({ state }: StatementLine) => state !== 'returned' && state !== 'rejected';
const isReturn = ({ state }: StatementLine) => state === 'returned';

/** Adds up the lines about one lead. A credit is a line of its own, or makes the sale's line a return. */
function theirsOf(lines: readonly StatementLine[], us: Ours | undefined): Account {
  const isCredited = lines.some((line) => isReturn(line) && (line.cents ?? 0) >= 0);
  const sum = lines
    .filter((line) => isSale(line) || isReturn(line))
    .reduce((cents, line) => cents + (line.cents ?? us?.sold ?? 0), 0);
  const owed = isCredited ? 0 : Math.max(0, sum);
  if (owed === 0 && lines.some(isReturn)) return { word: 'returned', owed };
  return { word: lines.some(isSale) ? 'sold' : 'rejected', owed };
}

function kindOf(lines: readonly StatementLine[], us: Ours | undefined, them: Account) {
  // A buyer lists refused leads under ids that we do not have. It pays nothing for them.
  if (us === undefined) return them.word === 'rejected' ? undefined : 'missing_here';
  if (lines.length === 0) return 'missing_there';
  const sales = lines.filter(isSale);
  if (sales.length > 1 && them.owed !== us.owed) return 'twice';
  const saysState = them.word !== 'sold' || sales.some(({ state }) => state !== undefined);
  if (saysState && us.word !== them.word) return 'state';
  return them.owed === us.owed ? undefined : 'price';
}

const textOf = ({ word, owed }: Account) => `${word}, $${(owed / 100).toFixed(2)}`;
