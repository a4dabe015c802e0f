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
  /** Drawn in the browser, not read from an address. */
  traffic_source_pool?: 'google' | 'facebook';
  /** Marks the lead as a test at the ingest service. */
  lp_action?: 'test';
};

/** Default of `sub_id` and of the thank-you page's ids. */
export const DEFAULT_SUB_ID = '1';

/** Campaign parameters of web analytics; a contact form's lead carries them. */
export const utmNames = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
] as const;

const placeholderShapes: readonly RegExp[] = [
  /^\$?\{.*\}$/, // {x}, {{x}}, ${x}
  /^#\{.*\}$/, // #{x}
  /^\[.*\]$/, // [x], [[x]], [object Object]
  /^%.*%$/, // %x%, %%x%%
  /^__.+__$/, // __x__
  /^<.*>$/, // <x>, <%= x %>
  /^#.+#$/, // #x#, ##x##
  /^\(\(.*\)\)$/, // ((x))
  /^\$\(.*\)$/, // $(x)
  /^(undefined|null|nan|\(not set\))$/i,
];

function percentDecoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/**
 * Returns whether a value is an unfilled template placeholder (docs/specification.md#placeholders):
 * a bracketed word such as `{x}` or `%x%`, or what scripts print for a missing value (undefined,
 * null, NaN). Also recognises one that is percent-encoded once or twice. An empty string is not a
 * placeholder.
 */
export function isPlaceholder(value: string): boolean {
  let text = value.trim();
  if (text === '') return false;
  for (let depth = 0; depth <= 2; depth += 1) {
    const current = text;
    if (placeholderShapes.some((shape) => shape.test(current))) return true;
    if (!current.includes('%')) return false;
    text = percentDecoded(text).trim();
    if (text === current) return false;
  }
  return false;
}

/**
 * Returns the parameters whose raw value is a placeholder. Decoding would read the `%AD` of `%%ADID%%`
 * as an encoded character.
 */
function rawPlaceholders(search: string): Set<string> {
  const names = new Set<string>();
  for (const pair of search.replace(/^\?/, '').split('&')) {
    const separator = pair.indexOf('=');
    if (separator > 0 && isPlaceholder(pair.slice(separator + 1))) {
      names.add(percentDecoded(pair.slice(0, separator)));
    }
  }
  return names;
}

/**
 * Reads a click from a query string, with or without the question mark. Takes each parameter's first
 * value that is neither empty nor a placeholder, whole. Never throws.
 */
export function readTracking(search: string | URLSearchParams): Tracking {
  const parameters = typeof search === 'string' ? new URLSearchParams(search) : search;
  const unfilled = typeof search === 'string' ? rawPlaceholders(search) : new Set<string>();
  const first = (...names: string[]): string => {
    for (const name of names) {
      if (unfilled.has(name)) continue;
      for (const value of parameters.getAll(name)) {
        const trimmed = value.trim();
        if (trimmed !== '' && !isPlaceholder(trimmed)) return trimmed;
      }
    }
    return '';
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
    if (value !== '') tracking[name as keyof typeof optional] = value;
  }
  if (first('lp_action').toLowerCase() === 'test') tracking.lp_action = 'test';
  return tracking;
}
