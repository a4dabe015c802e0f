/**
 * Contact details in the query string of a landing page (docs/specification.md#prefill). They may
 * prefill the contact fields, and never stay in an address, a log or a click.
 */
import { isPlaceholder } from './tracking.ts';

/**
 * The fields that can be prefilled, and the state, which decides about a question
 * (docs/specification.md#date-of-birth).
 */
export type ContactDetails = {
  -readonly [Field in
    | ('first_name' | 'last_name' | 'email' | 'phone' | 'zip_code')
    | 'state']?: string;
};

/**
 * The names that such a parameter has, without case, `_` and `-`, and its field. Beside the lead's own
 * names those of the contact form and the calls: firstName, lastName, phoneNumber, zipCode. What is
 * personal and fills no field has none.
 */
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

/** The names of all personal parameters, without case, `_` and `-`. */
export function personalParameterNames(): readonly string[] {
  return Object.keys(parameters);
}

/** Whether a query parameter of this name holds something personal, whatever its value. */
export function isPersonalParameter(name: string): boolean {
  return fieldOf(name) !== undefined;
}

/**
 * Takes the personal parameters out of an address. The rest of it stays as it is written, to the
 * letter. Of several values of a field the first counts; placeholders count as empty. Never throws for
 * what `URL` can read.
 *
 * @param href an absolute address
 */
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
