/** Chooses the buyers of a lead (docs/specification.md#buyers-of-leads). */
import { localDay, nextOpening } from './buyer-hours.ts';
import type { BuyerTerms, Cap, PriceTerm } from './buyer-terms.ts';

/** How much of a cap is used in its current period. */
export type CapUse = {
  readonly cap: Cap;
  /** When the period ends. Null: never. */
  readonly until: Date | null;
  leads: number;
  /** The sum of the leads' prices in US cents. */
  cents: number;
};

/** A buyer that might get the lead. */
export type Candidate = {
  readonly destination: string;
  readonly terms: BuyerTerms;
  /** The use of each of the buyer's caps. */
  readonly uses: readonly CapUse[];
  /** True if nothing is sent to its destination now. */
  readonly isPaused: boolean;
};

/** The reasons for which a buyer does not get a lead. */
export const choiceReasons = [
  'has_buyer',
  'outside_states',
  'cap_reached',
  'closed_now',
  'buyer_paused',
  'buyer_off',
] as const;

/** Why a buyer does not get the lead. */
export type PassedOver = {
  readonly destination: string;
  readonly reason: (typeof choiceReasons)[number];
  /** When it may have the lead. Undefined: not by waiting. */
  readonly opensAt?: Date | undefined;
};

export type Choice = {
  /** The buyers that get the lead, each with its price in US dollars; undefined if its terms have none. */
  readonly chosen: readonly { readonly destination: string; readonly price: number | undefined }[];
  readonly others: readonly PassedOver[];
};

type Situation = {
  /** The buyers that do not have the lead and have not refused it. */
  readonly candidates: readonly Candidate[];
  /** The terms of the buyers that have the lead. */
  readonly holders: readonly Pick<BuyerTerms, 'sharedBy'>[];
  /** `state` is a two-letter code, or '' if it is unknown. */
  readonly lead: { readonly state: string; readonly survey: string };
  readonly now: Date;
  /** Returns a number in [0, 1), which decides among buyers of the same priority. */
  readonly random: () => number;
};

/** The choice is repeated after this time while a destination is paused, because a lead may test its account. */
const PAUSED_AGAIN_MS = 2 * 60_000;
const CENTS = 100;

/** Chooses who gets a lead, and says for each other candidate why it does not. */
export function chooseBuyers({ candidates, holders, lead, now, random }: Situation): Choice {
  const sharing = holders.map(({ sharedBy }) => sharedBy);
  const chosen: Choice['chosen'][number][] = [];
  const others: PassedOver[] = [];
  for (const candidate of inOrder(candidates, random)) {
    const { destination, terms } = candidate;
    const day = localDay(now, terms.timeZone);
    const price = priceOf(terms, { ...lead, day, owedAt: 'delivery' });
    const blocked = obstacleTo(candidate, lead.state, price, now);
    if (blocked !== undefined) {
      others.push({ destination, ...blocked });
    } else if (sharing.length + 1 > Math.min(terms.sharedBy, ...sharing)) {
      others.push({ destination, reason: 'has_buyer' });
    } else {
      sharing.push(terms.sharedBy);
      chosen.push({ destination, price });
    }
  }
  return { chosen, others };
}

/**
 * Returns what a lead brings in US dollars; undefined if no price applies. `day` is the lead's day in the buyer's time
 * zone (`yyyy-MM-dd`).
 */
export function priceOf(
  { prices }: Pick<BuyerTerms, 'prices'>,
  lead: Required<Pick<PriceTerm, 'state' | 'survey' | 'owedAt'>> & { readonly day: string },
): number | undefined {
  const exactness = ({ state, survey }: PriceTerm) =>
    Number(state !== undefined) + Number(survey !== undefined);
  return prices
    .filter(({ owedAt, from }) => owedAt === lead.owedAt && from <= lead.day)
    .filter(({ state = lead.state }) => state === lead.state)
    .filter(({ survey = lead.survey }) => survey === lead.survey)
    .sort((a, b) => exactness(b) - exactness(a) || (a.from < b.from ? 1 : -1))[0]?.amount;
}

/** Sorts by priority. Among equals, each comes first as often as its weight says. */
function inOrder(candidates: readonly Candidate[], random: () => number): Candidate[] {
  return candidates
    .map((candidate) => ({ candidate, draw: random() ** (1 / candidate.terms.weight) }))
    .sort((a, b) => a.candidate.terms.priority - b.candidate.terms.priority || b.draw - a.draw)
    .map(({ candidate }) => candidate);
}

/** Returns why a buyer may not have the lead now; undefined if it may. */
function obstacleTo(
  { terms, uses, isPaused }: Candidate,
  state: string,
  price: number | undefined,
  now: Date,
): Omit<PassedOver, 'destination'> | undefined {
  if (!terms.isOn) return { reason: 'buyer_off' };
  if (terms.states.length > 0 && !terms.states.includes(state)) return { reason: 'outside_states' };
  const cents = Math.round((price ?? 0) * CENTS);
  const reached = uses.filter((use) => !hasRoom(use, cents));
  const ends = reached.map(({ until }) => Number(until ?? 0));
  const opensAt = nextOpening(terms, new Date(Math.max(Number(now), ...ends)));
  if (reached.length > 0) {
    const isForever = reached.some(
      ({ cap, until }) => until === null || !hasRoom({ cap, leads: 0, cents: 0 }, cents),
    );
    return { reason: 'cap_reached', opensAt: isForever ? undefined : opensAt };
  }
  if (opensAt > now) return { reason: 'closed_now', opensAt };
  if (!isPaused) return undefined;
  return { reason: 'buyer_paused', opensAt: new Date(now.getTime() + PAUSED_AGAIN_MS) };
}

/** Returns whether a cap leaves room for one more lead of a price in cents. */
function hasRoom({ cap, leads, cents }: Pick<CapUse, 'cap' | 'leads' | 'cents'>, price: number) {
  if (cap.leads !== undefined && leads + 1 > cap.leads) return false;
  return cap.money === undefined || cents + price <= Math.round(cap.money * CENTS);
}
