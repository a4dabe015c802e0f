/** The tracking parameters of an ad click (docs/specification.md#tracking-parameters). */
export type Tracking = {
  sub_id: string;
  sub_id2: string;
  sub_id3: string;
  sub_id4: string;
  click_id: string;
  ef_transaction_id: string;
  gclid: string;
  fbclid: string;
  /** Replaces the offer id of the survey. */
  oid?: string;
  /** Replaces the affiliate id of the survey. */
  affid?: string;
  uid?: string;
  source_id?: string;
  traffic_source_pool?: 'google' | 'facebook';
  lp_action?: 'test';
};

/** The value of `sub_id` if the URL contains none. */
export const DEFAULT_SUB_ID = '1';

/** The click ids of ad networks. After an opt-out signal, the server must not store them. */
export const adClickNames = [
  'gbraid',
  'wbraid',
  'ttclid',
  'msclkid',
  'li_fat_id',
  'twclid',
  'rdt_cid',
] as const;

/** The campaign parameters of web analytics. */
export const utmNames = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
] as const;

/** Maps lead fields to their query parameters, where the names differ. */
const parameterOf: Readonly<Record<string, string>> = {
  sub_id: 's1',
  sub_id2: 'sub2',
  sub_id3: 'sub3',
  sub_id4: 'sub4',
  click_id: 'sub5',
  ef_transaction_id: '_ef_transaction_id',
};

/** Returns the name of the query parameter for a lead field. */
export function clickParameter(field: string): string {
  return parameterOf[field] ?? field;
}

/** The cookies of the Meta pixel. */
export const adCookieNames = ['_fbc', '_fbp'] as const;

const adNames = new Set<string>([...adClickNames, ...adCookieNames]);

/** Returns the values without the click ids of ad networks. */
export function withoutAdIds<T>(values: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !adNames.has(name)));
}

/** Matches placeholders such as {x}, %x% and [x], and texts such as `null`. */
const placeholder =
  /^([#$]?\{.*\}|\[.*\]|%.*%|__.+__|<.*>|#.+#|\(\(.*\)\)|\$\(.*\)|undefined|null|nan|\(not set\))$/i;

function percentDecoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** Returns whether a value is a placeholder (docs/specification.md#placeholders). */
export function isPlaceholder(value: string): boolean {
  let text = value.trim();
  for (let depth = 0; depth <= 2; depth += 1) {
    if (placeholder.test(text)) return true;
    text = percentDecoded(text).trim();
  }
  return false;
}

/** Reads the tracking parameters of a query string. Never throws. */
export function readTracking(search: string): Tracking {
  const given = search.split('&').flatMap((pair): [string, string][] => {
    const [[name = '', value = ''] = []] = new URLSearchParams(pair);
    // Checks the raw value too, because decoding would change the placeholder `%%ADID%%`.
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

/** The traffic source to which a visit is assigned (docs/specification.md#traffic-source). */
export type TrafficSourcePool = 'google' | 'facebook';

/** The share of visits without a click id that are assigned to google. */
const GOOGLE_SHARE = 15 / 20;

/** Assigns a visit to a traffic source. `chance` is a random number below 1. */
export function trafficSourcePool(
  { gclid, fbclid }: Pick<Tracking, 'gclid' | 'fbclid'>,
  chance: number,
): TrafficSourcePool {
  if (gclid) return 'google';
  return fbclid || chance >= GOOGLE_SHARE ? 'facebook' : 'google';
}
