import type { ProgressSession } from '../contract/progress.ts';
import type { CollectedFields } from '../contract/third-party-scripts.ts';
import { DEFAULT_SUB_ID, readTracking, type Tracking } from '../domain/tracking.ts';
import { trafficSourcePool } from '../domain/traffic-source.ts';
import type { Survey } from '../flows/surveys.ts';
import { randomHex, uuidV7 } from './ids.ts';
import type { JourneyState } from './state.ts';

/** A visit that stopped longer ago than this is not taken up again. */
export const VISIT_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** What is known of a visit beside its answers: everything that its posts and saves carry. */
export type Visit = {
  readonly session: ProgressSession;
  /** What `leadSecretHeader` shows. Absent in visits that were kept before there was one. */
  readonly secret?: string;
  readonly tracking: Tracking;
  /**
   * `step:seconds` of every step that was left, joined by a pipe
   * (docs/specification.md#fields-of-the-variants).
   */
  timeOnSteps: string;
  /** When the consent text came on screen last (ISO 8601, UTC), or empty: another one may have been before. */
  consentShownAt: string;
  /** The version of the flow that the visit began with. */
  flowVersion?: string;
  /** The state that the landing page or a proxy told, where it decides about a question. */
  state?: string | undefined;
  /** What the scripts of third parties brought (docs/specification.md#scripts-of-third-parties). */
  collected?: CollectedFields;
  /** How its answers came, where not all by the page's script (docs/specification.md#without-javascript). */
  cameBy?: string;
  /** `session.click_id` of the click that was counted: never a second one for it. */
  countedClick?: string;
};

/** What of the state is kept; the rest is of the moment. */
export type KeptState = Pick<JourneyState, 'given' | 'drafts' | 'at'>;

/** What a new visit is read from. */
export type Landing = {
  /** Address of the page. */
  readonly href: string;
  readonly referrer: string;
  /** ms since 1970 */
  readonly now: number;
  /** A random number, 0 to below 1, for the traffic source pool. */
  readonly chance?: number;
};

/**
 * A new visit: a lead id and its secret, the click as the address tells it, and a click id of our own
 * without one.
 */
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
      referer: referrer,
      started_at: new Date(now).toISOString(),
    },
    secret: randomHex(),
    tracking,
    timeOnSteps: '',
    consentShownAt: '',
  };
}

/**
 * A kept visit in the page that takes it up. Where the address brings a click of its own, that click
 * counts from now on, and only that: the visitor came by it. Lead id, secret and times stay.
 */
export function takenUp(kept: Visit, landing: Landing): Visit {
  const brought = Object.entries(readTracking(new URL(landing.href).search));
  const isNewClick = brought.some(
    ([name, value]) =>
      value !== kept.tracking[name as keyof Tracking] && value && value !== DEFAULT_SUB_ID,
  );
  if (!isNewClick) return kept;
  const { session, tracking } = newVisit(kept.session.survey, landing);
  return { ...kept, tracking, session: { ...session, lead_id: kept.session.lead_id } };
}

/**
 * The affiliate: the click's own, else the survey's (docs/specification.md#offer-and-affiliate-ids).
 */
export function affiliateOf(survey: Survey, visit: Visit): string {
  return visit.tracking.affid ?? String(survey.affiliateId);
}

/** A state that was told, where it decides about a question: one of `states`, in any case. */
export function stateThatCounts(
  told: string | undefined,
  states: readonly string[],
): string | undefined {
  return states.find((state) => state === told?.toUpperCase());
}

/**
 * The address with the transaction id in it (docs/specification.md#transaction-id), path, query and
 * fragment.
 */
export function addressWithTransactionId(href: string, transactionId: string): string {
  const url = new URL(href);
  if (url.searchParams.get('_ef_transaction_id') !== transactionId) {
    url.searchParams.set('_ef_transaction_id', transactionId);
  }
  return url.pathname + url.search + url.hash;
}

/** Returns a visit as it goes on at a survey: the lead is that of the survey that posts it. */
export function visitOn(survey: string, visit: Visit): Visit {
  if (visit.session.survey === survey) return visit;
  const { flowVersion: _, ...rest } = visit;
  // The consent text is another one there.
  return { ...rest, consentShownAt: '', session: { ...visit.session, survey } };
}
