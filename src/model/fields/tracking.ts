/** Maps each lead field to its query parameters. The first parameter with a value counts. */
const parameters = {
  sub_id: ['s1', 'sub1'],
  sub_id2: ['sub2'],
  sub_id3: ['sub3'],
  sub_id4: ['sub4'],
  click_id: ['sub5'],
  ef_transaction_id: ['_ef_transaction_id', 'transaction_id'],
  gclid: ['gclid'],
  fbclid: ['fbclid'],
} as const;

/** Maps each optional parameter to the pattern of its value. */
const optional = { oid: /^\d{1,12}$/, affid: /^\d{1,12}$/, uid: /./, source_id: /./ } as const;

/** The tracking parameters of an ad click (docs/specification.md#tracking-parameters). */
export type Tracking = Record<keyof typeof parameters, string> & {
  -readonly [Name in keyof typeof optional]?: string;
} & {
  traffic_source_pool?: TrafficSourcePool;
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

/** Returns the name of the query parameter for a lead field. */
export function clickParameter(field: string): string {
  return (parameters as Readonly<Record<string, readonly string[]>>)[field]?.[0] ?? field;
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
  const first = (names: readonly string[]): string => {
    const found = names.flatMap((name) => given.find(([each]) => each === name) ?? []);
    return found[1] ?? '';
  };
  const fields = Object.entries(parameters).map(([field, names]) => [field, first(names)]);
  const tracking: Tracking = Object.fromEntries(fields);
  tracking.sub_id ||= DEFAULT_SUB_ID;
  for (const [name, form] of Object.entries(optional)) {
    const value = first([name]);
    if (form.test(value)) tracking[name as keyof typeof optional] = value;
  }
  if (/^test$/i.test(first(['lp_action']))) tracking.lp_action = 'test';
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
