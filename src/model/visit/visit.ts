import {
  DEFAULT_SUB_ID,
  readTracking,
  type Tracking,
  trafficSourcePool,
} from '../fields/tracking.ts';
import type { Survey } from '../flows/surveys.ts';
import type { ProgressSession } from '../messages/progress.ts';
import type { CollectedFields } from '../messages/script-declarations.ts';
import type { PageSettings } from '../messages/site-settings.ts';
import { randomHex, uuidV7 } from './ids.ts';

/** Time for which a stored visit can be resumed. */
export const VISIT_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** The data of a visit that the browser stores, without the answers. */
export type Visit = {
  readonly session: ProgressSession;
  readonly secret?: string;
  readonly tracking: Tracking;
  /** Seconds on each step, as text (docs/specification.md#fields-of-the-variants). */
  timeOnSteps: string;
  /** The time at which the page displayed the consent text (ISO 8601), or ''. */
  consentShownAt: string;
  flowVersion?: string;
  /** The visitor's U.S. state at the start of the visit. */
  state?: string | undefined;
  /** Fields that third-party scripts set (docs/specification.md#scripts-of-third-parties). */
  collected?: CollectedFields;
  /** The lead field `came_by` (docs/specification.md#without-javascript). */
  cameBy?: string;
  countedClick?: string;
};

type Landing = {
  readonly href: string;
  readonly referrer: string;
  /** The present time, in milliseconds. */
  readonly now: number;
  readonly chance?: number;
};

/** Starts a visit with the tracking parameters in the page's URL. */
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
      // The referrer's query may contain contact details.
      referer: referrer.split('?', 1)[0] as string,
      started_at: new Date(now).toISOString(),
    },
    secret: randomHex(),
    tracking,
    timeOnSteps: '',
    consentShownAt: '',
  };
}

/** Matches the names in `adClickNames` and `utmNames`. Those lists would make pages larger. */
const untracked = /utm_|clk?id|braid|fat_id|rdt_/;

/** Returns the stored visit, with new tracking parameters if the page's URL has any. */
export function resumedVisit(stored: Visit, landing: Landing): Visit {
  const { search, searchParams } = new URL(landing.href);
  const isNewClick =
    Object.entries(readTracking(search)).some(
      ([name, value]) =>
        value !== stored.tracking[name as keyof Tracking] && value && value !== DEFAULT_SUB_ID,
    ) ||
    [...searchParams].some(
      ([name, value]) => untracked.test(name) && value && value !== stored.session.params[name],
    );
  if (!isNewClick) return stored;
  const { session, tracking } = newVisit(stored.session.survey, landing);
  return { ...stored, tracking, session: { ...session, lead_id: stored.session.lead_id } };
}

export function timeOn({ timeOnSteps }: Visit, step: string, seconds: number): string {
  return `${timeOnSteps}${timeOnSteps && '|'}${step}:${Math.round(seconds)}`;
}

/** Returns the affiliate id of a visit (docs/specification.md#offer-and-affiliate-ids). */
export function affiliateOf(survey: Survey, visit: Visit): string {
  return visit.tracking.affid ?? String(survey.affiliateId);
}

/** Returns the U.S. state code if it decides on a step or a notice of the survey. */
export function listedState(
  given: string | undefined,
  { dateOfBirthStates, closedStates }: Pick<PageSettings, 'dateOfBirthStates' | 'closedStates'>,
): string | undefined {
  return [...dateOfBirthStates, ...closedStates].find((state) => state === given?.toUpperCase());
}

/** Adds the transaction id to a URL (docs/specification.md#transaction-id). */
export function addressWithTransactionId(href: string, transactionId: string): string {
  const url = new URL(href);
  if (url.searchParams.get('_ef_transaction_id') !== transactionId) {
    url.searchParams.set('_ef_transaction_id', transactionId);
  }
  return url.pathname + url.search + url.hash;
}

/** Moves a visit to another survey. */
export function visitOn(survey: string, visit: Visit): Visit {
  if (visit.session.survey === survey) return visit;
  const { flowVersion: _, ...rest } = visit;
  // Clears the display time, because the visitor has not yet seen the new survey's consent text.
  return { ...rest, consentShownAt: '', session: { ...visit.session, survey } };
}
