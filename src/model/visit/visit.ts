import {
  DEFAULT_SUB_ID,
  readTracking,
  type Tracking,
  trafficSourcePool,
} from '../fields/tracking.ts';
import type { Survey } from '../flows/surveys.ts';
import type { ProgressSession } from '../messages/progress.ts';
import type { CollectedFields } from '../messages/script-declarations.ts';
import { randomHex, uuidV7 } from './ids.ts';

/** A visit can be resumed for this long. */
export const VISIT_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** A visit's data besides its answers, as posts and saves carry it. */
export type Visit = {
  readonly session: ProgressSession;
  /** Value of `leadSecretHeader`. Absent in visits stored before it existed. */
  readonly secret?: string;
  readonly tracking: Tracking;
  /** `step:seconds` of every left step, joined by a bar (docs/specification.md#fields-of-the-variants). */
  timeOnSteps: string;
  /** When the consent text was last shown (ISO 8601, UTC), or empty if it was not. */
  consentShownAt: string;
  /** The flow's version when the visit began. */
  flowVersion?: string;
  /** The state from the landing page or a proxy, if a question depends on it. */
  state?: string | undefined;
  /** Fields from third-party scripts (docs/specification.md#scripts-of-third-parties). */
  collected?: CollectedFields;
  /** How the answers arrived, if not all by the page's script (docs/specification.md#without-javascript). */
  cameBy?: string;
  /** `session.click_id` of the counted click, so that it is counted only once. */
  countedClick?: string;
};

type Landing = {
  readonly href: string;
  readonly referrer: string;
  /** ms since 1970 */
  readonly now: number;
  /** A random number, 0 to below 1, for the traffic source pool. */
  readonly chance?: number;
};

/** Starts a visit with a new lead id and secret, and the address's click. Makes a missing click id. */
export function newVisit(
  survey: string,
  { href, referrer, now, chance = Math.random() }: Landing,
): Visit {
  const { origin, pathname, search, searchParams } = new URL(href);
  const tracking = readTracking(search);
  tracking.ef_transaction_id ||= randomHex();
  const traffic_source_pool = trafficSourcePool(tracking, chance);
  tracking.traffic_source_pool = traffic_source_pool;
  return {
    session: {
      lead_id: uuidV7(now),
      survey,
      click_id: tracking.ef_transaction_id,
      landing_page: origin + pathname,
      params: { ...Object.fromEntries(searchParams), traffic_source_pool },
      // An own page's address may have ids that no buyer gets, or contact details.
      referer: referrer.split('?', 1)[0] as string,
      started_at: new Date(now).toISOString(),
    },
    secret: randomHex(),
    tracking,
    timeOnSteps: '',
    consentShownAt: '',
  };
}

/** Matches the names of `adClickNames` and `utmNames`, in fewer bytes than these. */
const untracked = /utm_|clk?id|braid|fat_id|rdt_/;

/** Resumes a stored visit. A new click in the address replaces the old one; lead id, secret and times stay. */
export function resumedVisit(kept: Visit, landing: Landing): Visit {
  const { search, searchParams } = new URL(landing.href);
  const isNewClick =
    Object.entries(readTracking(search)).some(
      ([name, value]) =>
        value !== kept.tracking[name as keyof Tracking] && value && value !== DEFAULT_SUB_ID,
    ) ||
    [...searchParams].some(
      ([name, value]) => untracked.test(name) && value && value !== kept.session.params[name],
    );
  if (!isNewClick) return kept;
  const { session, tracking } = newVisit(kept.session.survey, landing);
  return { ...kept, tracking, session: { ...session, lead_id: kept.session.lead_id } };
}

export function timeOn({ timeOnSteps }: Visit, step: string, seconds: number): string {
  return `${timeOnSteps}${timeOnSteps && '|'}${step}:${Math.round(seconds)}`;
}

/** Returns the click's affiliate id, else the survey's (docs/specification.md#offer-and-affiliate-ids). */
export function affiliateOf(survey: Survey, visit: Visit): string {
  return visit.tracking.affid ?? String(survey.affiliateId);
}

/** Returns the given state if it is one of `states`, in any case. */
export function stateThatCounts(
  told: string | undefined,
  states: readonly string[],
): string | undefined {
  return states.find((state) => state === told?.toUpperCase());
}

/** Returns path, query and fragment with the transaction id (docs/specification.md#transaction-id). */
export function addressWithTransactionId(href: string, transactionId: string): string {
  const url = new URL(href);
  if (url.searchParams.get('_ef_transaction_id') !== transactionId) {
    url.searchParams.set('_ef_transaction_id', transactionId);
  }
  return url.pathname + url.search + url.hash;
}

/** Moves a visit to another survey, which will post the lead. */
export function visitOn(survey: string, visit: Visit): Visit {
  if (visit.session.survey === survey) return visit;
  const { flowVersion: _, ...rest } = visit;
  // The other survey may have another consent text.
  return { ...rest, consentShownAt: '', session: { ...visit.session, survey } };
}
