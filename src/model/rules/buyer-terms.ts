/** The terms of a buyer, which decide whether it may have a lead (docs/specification.md#buyers-of-leads). */
import * as v from 'valibot';
import { allStates } from './submit-rules.ts';

const whole = (from: number, to: number) =>
  v.pipe(
    v.number(),
    v.check(
      (value) => Number.isInteger(value) && value >= from && value <= to,
      `must be a whole number from ${from} to ${to}`,
    ),
  );
const dollars = v.pipe(
  v.number(),
  v.check(
    (amount) => amount >= 0 && amount < 1e9 && Number(amount.toFixed(2)) === amount,
    'must be an amount of dollars with at most two decimals',
  ),
);
const stateCode = v.picklist(allStates, 'must be the code of a state, such as TX');
const timeOfDay = v.pipe(
  v.string(),
  v.regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'must be a time such as 09:00'),
);
const isTimeZone = (timeZone: string) => {
  try {
    // PostgreSQL reads +05:00 and CST differently from JavaScript, and rejects AET.
    const isPlace = /^(UTC|[A-Z]+\/.+)$/i.test(timeZone);
    return isPlace && new Intl.DateTimeFormat('en-US', { timeZone }) !== undefined;
  } catch {
    return false;
  }
};

/** Hours on some days of the week in which the buyer takes leads. */
const openHours = v.pipe(
  v.strictObject({
    /** Days of the week, from 1 (Monday) to 7. */
    days: v.pipe(v.array(whole(1, 7)), v.minLength(1, 'must name a day')),
    /** Local times, such as `09:00` and `17:30`. `24:00` is the end of the day. */
    from: timeOfDay,
    until: timeOfDay,
  }),
  v.check(({ from, until }) => from < until, 'must end after it begins'),
);

/** A limit on the leads or the money of one period. The period begins in the buyer's time zone. */
const cap = v.pipe(
  v.strictObject({
    per: v.picklist(['hour', 'day', 'week', 'month', 'total']),
    /** Maximum number of leads. Undefined: money is limited. */
    leads: v.exactOptional(whole(0, 1_000_000)),
    /** Maximum sum of the prices in US dollars. */
    money: v.exactOptional(dollars),
  }),
  v.check(
    ({ leads, money }) => (leads === undefined) !== (money === undefined),
    'must limit either leads or money',
  ),
);

/** What a lead brings. The most exact term wins: state and survey, then either, then neither. */
const priceTerm = v.strictObject({
  /** The first day on which it applies, as `yyyy-MM-dd`. The newest day wins among equals. */
  from: v.pipe(v.string(), v.isoDate('must be a day, such as 2026-01-31')),
  /** Undefined: all states. */
  state: v.exactOptional(stateCode),
  /** A survey's path. Undefined: all surveys. */
  survey: v.exactOptional(v.pipe(v.string(), v.startsWith('/', 'must be the path of a survey'))),
  amount: dollars,
  /** When the buyer owes it: once it took the lead, or once the person signed. */
  owedAt: v.picklist(['delivery', 'signed']),
});

export const buyerTerms = v.strictObject({
  /** The buyer's name for people. */
  name: v.pipe(v.string(), v.trim(), v.minLength(1, 'must not be empty'), v.maxLength(100)),
  isOn: v.boolean(),
  /** Buyers with a lower number come first. */
  priority: whole(0, 10_000),
  /** The share of leads among buyers of the same priority. */
  weight: whole(0, 10_000),
  /** How many buyers may have a lead that this one has. 1: exclusive. */
  sharedBy: whole(1, 10),
  /** States whose leads it takes. Empty: all. */
  states: v.array(stateCode),
  timeZone: v.pipe(v.string(), v.check(isTimeZone, 'must be a time zone, such as America/Chicago')),
  /** Empty: always. */
  hours: v.array(openHours),
  caps: v.array(cap),
  prices: v.array(priceTerm),
  returns: v.strictObject({
    /** Days after the delivery within which a lead may be returned. */
    days: whole(0, 3650),
    /** Maximum share of a month's leads, in percent. */
    mostPercent: v.pipe(v.number(), v.minValue(0), v.maxValue(100)),
    /** Accepted reasons, of `RETURN_REASONS`. */
    reasons: v.array(v.string()),
  }),
});

type Frozen<T> = { readonly [Key in keyof T]: Frozen<T[Key]> };
export type BuyerTerms = Frozen<v.InferOutput<typeof buyerTerms>>;
export type Cap = Frozen<v.InferOutput<typeof cap>>;
export type PriceTerm = Frozen<v.InferOutput<typeof priceTerm>>;
