import { isPlaceholder } from './tracking.ts';

/** Contact details in the query of a URL, which prefill fields (docs/specification.md#prefill). */
export type ContactDetails = {
  -readonly [Field in
    | ('first_name' | 'last_name' | 'email' | 'phone' | 'zip_code')
    | 'state']?: string;
};

/** Maps each query parameter with personal data to the prefilled field. '' means no field. */
const parameters: Readonly<Record<string, keyof ContactDetails | ''>> = {
  firstname: 'first_name',
  lastname: 'last_name',
  email: 'email',
  phone: 'phone',
  phonenumber: 'phone',
  zipcode: 'zip_code',
  zip: 'zip_code',
  name: '',
  fullname: '',
  address: '',
  city: '',
  state: 'state',
  statelong: '',
  county: '',
  dob: '',
  dateofbirth: '',
};

function fieldOf(name: string): keyof ContactDetails | '' | undefined {
  const key = name.toLowerCase().replace(/[-_]/g, '');
  return Object.hasOwn(parameters, key) ? parameters[key] : undefined;
}

/** Returns the names of all query parameters with personal data. */
export function personalParameterNames(): readonly string[] {
  return Object.keys(parameters);
}

/** Returns whether a query parameter of this name has personal data. */
export function isPersonalParameter(name: string): boolean {
  return fieldOf(name) !== undefined;
}

/** Moves the parameters with personal data from a URL into `details`. */
export function takeContactDetails(href: string): { href: string; details: ContactDetails } {
  const url = new URL(href);
  const details: ContactDetails = {};
  const pairs = url.search.slice(1).split('&');
  const kept = pairs.filter((pair) => {
    const [[name, raw] = ['', '']] = new URLSearchParams(pair);
    const field = fieldOf(name);
    const value = raw.trim();
    if (field && value && !isPlaceholder(value)) details[field] ??= value;
    return field === undefined;
  });
  if (kept.length === pairs.length) return { href, details };
  url.search = kept.join('&');
  return { href: url.href, details };
}
