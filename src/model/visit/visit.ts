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

/** Time in which a visitor can resume a visit. */
export const VISIT_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** The data of a visit besides its answers. Posts and saves include it. */
export type Visit = {
  readonly session: ProgressSession;
  /** The lead's secret. Absent in visits from before leads had secrets. */
  readonly secret?: string;
  readonly tracking: Tracking;
  /** `step:seconds` of each completed step, separated by bars (docs/specification.md#fields-of-the-variants). */
  timeOnSteps: string;
  /** Time at which the page last showed the consent text (ISO 8601, UTC), or empty. */
  consentShownAt: string;
  /** The flow's version when the visit began. */
  flowVersion?: string;
  /** The state from the landing page or a proxy, if a question depends on it. */
  state?: string | undefined;
  /** Fields from third-party scripts (docs/specification.md#scripts-of-third-parties). */
  collected?: CollectedFields;
  /** The lead field `came_by`, set for visits without JavaScript (docs/specification.md#without-javascript). */
  cameBy?: string;
  /** Id of the click that the page has registered, so that it registers each click once. */
  countedClick?: string;
};

type Landing = {
  readonly href: string;
  readonly referrer: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Random number from 0 to below 1 that decides the traffic source pool. */
  readonly chance?: number;
};

/** Starts a visit with a new lead id and secret, and the click of the URL. Creates a missing click id. */
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
      // Without the query, which may contain contact details.
      referer: referrer.split('?', 1)[0] as string,
      started_at: new Date(now).toISOString(),
    },
    secret: randomHex(),
    tracking,
    timeOnSteps: '',
    consentShownAt: '',
  };
}

/** Matches the names in `adClickNames` and `utmNames`. Smaller in pages than the two lists. */
const untracked = /utm_|clk?id|braid|fat_id|rdt_/;

/** Resumes a stored visit. A new click in the URL replaces the old click. Lead id, secret and times stay. */
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

/** Returns the given state in upper case if `states` lists it. */
export function stateThatCounts(
  told: string | undefined,
  states: readonly string[],
): string | undefined {
  return states.find((state) => state === told?.toUpperCase());
}

/** Adds the transaction id to a URL. Returns path, query and fragment (docs/specification.md#transaction-id). */
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
  // Resets the consent time, since the other survey may have another consent text.
  return { ...rest, consentShownAt: '', session: { ...visit.session, survey } };
}
