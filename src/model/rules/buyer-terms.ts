/** The terms of a buyer, which decide whether it may have a lead (docs/specification.md#buyers-of-leads). */

/** A limit on the leads or the money of one period. The period begins in the buyer's time zone. */
export type Cap = {
  readonly per: 'hour' | 'day' | 'week' | 'month' | 'total';
  /** Maximum number of leads. Undefined: money is limited. */
  readonly leads?: number;
  /** Maximum sum of the prices in US dollars. */
  readonly money?: number;
};

/** What a lead brings. The most exact term wins: state and survey, then either, then neither. */
export type PriceTerm = {
  /** The first day on which it applies, as `yyyy-MM-dd`. The newest day wins among equals. */
  readonly from: string;
  /** A two-letter code. Undefined: all states. */
  readonly state?: string;
  /** A survey's path. Undefined: all surveys. */
  readonly survey?: string;
  /** US dollars, with cents. */
  readonly amount: number;
  /** When the buyer owes it: once it took the lead, or once the person signed. */
  readonly owedAt: 'delivery' | 'signed';
};

/** Hours on some days of the week in which the buyer takes leads. */
export type OpenHours = {
  /** Days of the week, from 1 (Monday) to 7. */
  readonly days: readonly number[];
  /** Local times, such as `09:00` and `17:30`. `24:00` is the end of the day. */
  readonly from: string;
  readonly until: string;
};

export type BuyerTerms = {
  /** The buyer's name for people. */
  readonly name: string;
  readonly isOn: boolean;
  /** Buyers with a lower number come first. */
  readonly priority: number;
  /** The share of leads among buyers of the same priority. */
  readonly weight: number;
  /** How many buyers may have a lead that this one has. 1: exclusive. */
  readonly sharedBy: number;
  /** States whose leads it takes. Empty: all. */
  readonly states: readonly string[];
  /** IANA name, such as `America/Chicago`. */
  readonly timeZone: string;
  /** Empty: always. */
  readonly hours: readonly OpenHours[];
  readonly caps: readonly Cap[];
  readonly prices: readonly PriceTerm[];
  readonly returns: {
    /** Days after the delivery within which a lead may be returned. */
    readonly days: number;
    /** Maximum share of a month's leads, in percent. */
    readonly mostPercent: number;
    /** Accepted reasons, of `RETURN_REASONS`. */
    readonly reasons: readonly string[];
  };
};

/**
 * Returns what a lead brings in US dollars; undefined if no price applies. `day` is the lead's day in the buyer's time
 * zone (`yyyy-MM-dd`).
 */
export function priceOf(
  { prices }: Pick<BuyerTerms, 'prices'>,
  lead: {
    readonly state: string;
    readonly survey: string;
    readonly day: string;
    readonly owedAt: PriceTerm['owedAt'];
  },
): number | undefined {
  const exactness = ({ state, survey }: PriceTerm) =>
    Number(state !== undefined) + Number(survey !== undefined);
  return prices
    .filter(({ owedAt, from }) => owedAt === lead.owedAt && from <= lead.day)
    .filter(({ state = lead.state }) => state === lead.state)
    .filter(({ survey = lead.survey }) => survey === lead.survey)
    .sort((a, b) => exactness(b) - exactness(a) || (a.from < b.from ? 1 : -1))[0]?.amount;
}
