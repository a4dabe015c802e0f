/** A click, read from the landing page's address (docs/specification.md#tracking-parameters). */
export type Tracking = {
  /** From `s1` or `sub1`. Default: 1. */
  sub_id: string;
  /** From `sub2`, `sub3`, `sub4`. Default: ''. */
  sub_id2: string;
  sub_id3: string;
  sub_id4: string;
  /** From `sub5`. Default: ''. */
  click_id: string;
  /** From `_ef_transaction_id` or the click tracker's `transaction_id`. Default: ''. */
  ef_transaction_id: string;
  gclid: string;
  fbclid: string;
  /** Overrides the offer id. Absent unless a whole number. */
  oid?: string;
  /** Affiliate id. Absent unless a whole number. */
  affid?: string;
  /** Further parameters of the click tracker. */
  uid?: string;
  source_id?: string;
  /** The browser draws it at random. */
  traffic_source_pool?: 'google' | 'facebook';
  /** Marks the lead as a test at the ingest service. */
  lp_action?: 'test';
};

/** Default of `sub_id` and of the thank-you page's ids. */
export const DEFAULT_SUB_ID = '1';

/** Click ids of further ad networks. Buyers do not receive them, and an opt-out signal forbids storing them. */
export const adClickNames = [
  'gbraid',
  'wbraid',
  'ttclid',
  'msclkid',
  'li_fat_id',
  'twclid',
  'rdt_cid',
] as const;

/** Campaign parameters of web analytics. Buyers do not receive them. */
export const utmNames = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
] as const;

/** The query parameters whose names differ from the lead field. */
const parameterOf: Readonly<Record<string, string>> = {
  sub_id: 's1',
  sub_id2: 'sub2',
  sub_id3: 'sub3',
  sub_id4: 'sub4',
  click_id: 'sub5',
  ef_transaction_id: '_ef_transaction_id',
};

/** Returns the query parameter that fills a lead field of a click. */
export function clickParameter(field: string): string {
  return parameterOf[field] ?? field;
}

/** Cookies of the Meta pixel, stored with the click. */
export const adCookieNames = ['_fbc', '_fbp'] as const;

const adNames = new Set<string>([...adClickNames, ...adCookieNames]);

/** Returns a copy without the advertising ids that the opt-out signal forbids to store. */
export function withoutAdIds<T>(values: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !adNames.has(name)));
}

/** Matches {x}, ${x}, #{x}, [x], %x%, __x__, <x>, #x#, ((x)), $(x), and undefined, null and NaN. */
const placeholder =
  /^([#$]?\{.*\}|\[.*\]|%.*%|__.+__|<.*>|#.+#|\(\(.*\)\)|\$\(.*\)|undefined|null|nan|\(not set\))$/i;

function percentDecoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/**
 * Returns whether a value is an unfilled template placeholder, such as `{x}`, `%x%` or `undefined`
 * (docs/specification.md#placeholders). Recognises placeholders that are percent-encoded once or twice.
 * An empty string is not a placeholder.
 */
export function isPlaceholder(value: string): boolean {
  let text = value.trim();
  for (let depth = 0; depth <= 2; depth += 1) {
    if (placeholder.test(text)) return true;
    text = percentDecoded(text).trim();
  }
  return false;
}

/** Reads a click from a query string. Takes each parameter's first filled-in value; never throws. */
export function readTracking(search: string): Tracking {
  const given = search.split('&').flatMap((pair): [string, string][] => {
    const [[name = '', value = ''] = []] = new URLSearchParams(pair);
    // Checks the raw value, too: decoding would read the `%AD` of `%%ADID%%` as a character.
    const isUnfilled = [pair.slice(pair.indexOf('=') + 1), value].some(isPlaceholder);
    return isUnfilled || value.trim() === '' ? [] : [[name, value.trim()]];
  });
  const first = (...names: string[]): string => {
    const found = names.flatMap((name) => given.find(([each]) => each === name) ?? []);
    return found[1] ?? '';
  };
  const wholeNumber = (name: string): string => {
    const value = first(name);
    return /^\d{1,12}$/.test(value) ? value : '';
  };
  const tracking: Tracking = {
    sub_id: first('s1', 'sub1') || DEFAULT_SUB_ID,
    sub_id2: first('sub2'),
    sub_id3: first('sub3'),
    sub_id4: first('sub4'),
    click_id: first('sub5'),
    ef_transaction_id: first('_ef_transaction_id', 'transaction_id'),
    gclid: first('gclid'),
    fbclid: first('fbclid'),
  };
  const optional = {
    oid: wholeNumber('oid'),
    affid: wholeNumber('affid'),
    uid: first('uid'),
    source_id: first('source_id'),
  };
  for (const [name, value] of Object.entries(optional)) {
    if (value) tracking[name as keyof typeof optional] = value;
  }
  if (/^test$/i.test(first('lp_action'))) tracking.lp_action = 'test';
  return tracking;
}

/** The traffic source that a visit is assigned to (docs/specification.md#traffic-source). */
export type TrafficSourcePool = 'google' | 'facebook';

/** 15 of 20 visits go to google, the other 5 to facebook. */
const GOOGLE_SHARE = 15 / 20;

/**
 * Returns the pool that decides a page's ad script and call-tracking numbers: google for a gclid,
 * facebook for a fbclid, else by chance. Buyers do not receive it as the lead's source.
 *
 * @param chance a random number, 0 to below 1
 */
export function trafficSourcePool(
  { gclid, fbclid }: Pick<Tracking, 'gclid' | 'fbclid'>,
  chance: number,
): TrafficSourcePool {
  if (gclid) return 'google';
  return fbclid || chance >= GOOGLE_SHARE ? 'facebook' : 'google';
}
