/** Reads and stores the terms of buyers (docs/specification.md#buyers-of-leads). */
import * as v from 'valibot';
import { RETURN_REASONS } from '../../model/messages/money.ts';
import type { BuyerTerms } from '../../model/rules/buyer-terms.ts';
import { allStates } from '../../model/rules/submit-rules.ts';
import type { Queryable } from '../platform/database/database.ts';
import { usage } from '../platform/operator-error.ts';
import { isBuyer } from './destinations/index.ts';

/** A destination with the terms on which it buys leads. */
export type Buyer = {
  readonly destination: string;
  readonly terms: BuyerTerms;
  readonly changedAt: Date;
  readonly changedBy: string;
};

const whole = (from: number, to: number) =>
  v.pipe(
    v.number(),
    v.integer(`must be a whole number from ${from} to ${to}`),
    v.minValue(from, `must be a whole number from ${from} to ${to}`),
    v.maxValue(to, `must be a whole number from ${from} to ${to}`),
  );
const dollars = v.pipe(
  v.number(),
  v.check(
    (amount) =>
      amount >= 0 && amount < 1e9 && Math.abs(Math.round(amount * 100) / 100 - amount) < 1e-9,
    'must be an amount of dollars with at most two decimals',
  ),
);
const stateCode = v.pipe(
  v.string(),
  v.check((code) => allStates.includes(code), 'must be the code of a state, such as TX'),
);
const timeOfDay = v.pipe(
  v.string(),
  v.regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'must be a time such as 09:00'),
);
const isTimeZone = (name: string) => {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
};

const buyerTerms = v.strictObject({
  name: v.pipe(v.string(), v.trim(), v.minLength(1, 'must not be empty'), v.maxLength(100)),
  isOn: v.boolean(),
  priority: whole(0, 10_000),
  weight: whole(0, 10_000),
  sharedBy: whole(1, 10),
  states: v.array(stateCode),
  timeZone: v.pipe(v.string(), v.check(isTimeZone, 'must be a time zone, such as America/Chicago')),
  hours: v.array(
    v.pipe(
      v.strictObject({
        days: v.pipe(v.array(whole(1, 7)), v.minLength(1, 'must name a day')),
        from: timeOfDay,
        until: timeOfDay,
      }),
      v.check(({ from, until }) => from < until, 'must end after it begins'),
    ),
  ),
  caps: v.array(
    v.pipe(
      v.strictObject({
        per: v.picklist(['hour', 'day', 'week', 'month', 'total']),
        leads: v.exactOptional(whole(0, 1_000_000)),
        money: v.exactOptional(dollars),
      }),
      v.check(
        (cap) => (cap.leads === undefined) !== (cap.money === undefined),
        'must limit either leads or money',
      ),
    ),
  ),
  prices: v.array(
    v.strictObject({
      from: v.pipe(v.string(), v.isoDate('must be a day, such as 2026-01-31')),
      state: v.exactOptional(stateCode),
      survey: v.exactOptional(
        v.pipe(v.string(), v.startsWith('/', 'must be the path of a survey')),
      ),
      amount: dollars,
      owedAt: v.picklist(['delivery', 'signed']),
    }),
  ),
  returns: v.strictObject({
    days: whole(0, 3650),
    mostPercent: v.pipe(v.number(), v.minValue(0), v.maxValue(100)),
    reasons: v.array(v.picklist(Object.keys(RETURN_REASONS))),
  }),
}) satisfies v.GenericSchema<unknown, BuyerTerms>;

/** Returns all buyers, sorted by destination. */
export async function readBuyers(client: Queryable): Promise<Buyer[]> {
  const { rows } = await client.query<Buyer>(
    `select destination, terms, changed_at as "changedAt", changed_by as "changedBy" from buyers order by destination`,
  );
  return rows;
}

/** Returns checked terms. @throws OperatorError that names the wrong value of the terms */
export function checkTerms(destination: string, terms: unknown): BuyerTerms {
  if (!isBuyer(destination)) throw usage(`"${destination}" buys no leads.`);
  const read = v.safeParse(buyerTerms, terms);
  if (read.success) return read.output;
  const [issue] = read.issues;
  throw usage(
    `The terms of ${destination} are wrong: ${v.getDotPath(issue) ?? 'they'} ${messageOf(issue)}.`,
  );
}

/**
 * Stores the terms of a buyer, and returns the earlier ones for the audit log. `actor` is the operator's address.
 * @throws OperatorError that names the wrong value of the terms
 */
export async function saveBuyer(
  client: Queryable,
  destination: string,
  terms: unknown,
  actor: string,
): Promise<BuyerTerms | undefined> {
  const { rows } = await client.query<{ terms: BuyerTerms | null }>(
    `with earlier as (select terms from buyers where destination = $1)
     insert into buyers (destination, terms, changed_by) values ($1, $2, $3)
     on conflict (destination) do update
       set terms = excluded.terms, changed_at = now(), changed_by = excluded.changed_by
     returning (select terms from earlier) as terms`,
    [destination, JSON.stringify(checkTerms(destination, terms)), actor],
  );
  return rows[0]?.terms ?? undefined;
}

/** The default messages of valibot begin with "Invalid" and do not help operators. */
function messageOf({ message, received, expected }: v.BaseIssue<unknown>): string {
  if (!message.startsWith('Invalid')) return message;
  return received === 'undefined' ? 'is missing' : `may not be ${received}: expected ${expected}`;
}
