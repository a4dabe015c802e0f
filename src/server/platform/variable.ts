/** Declares settings: each declaration turns the text of an environment variable into a value. */
import * as v from 'valibot';
import { askedFields } from '../../model/fields/asked-fields.ts';

/** The declaration of one setting. */
export type Variable<Output, Fallback extends string | undefined = string | undefined> = {
  readonly read: v.GenericSchema<string, Output>;
  /** The valid values in words, for the error message "NAME is …: expected …". */
  readonly expected: string;
  /** The default text. Undefined if the setting is off by default. */
  readonly fallback: Fallback;
  /** True if the value is secret and thus never shown, not even in an error message. */
  readonly secret?: true;
};

type Schema<Output> = v.GenericSchema<string, Output>;

export const variable = <Output>(read: Schema<Output>, expected: string, fallback: string) =>
  ({ read, expected, fallback }) satisfies Variable<Output>;

export const optional = <Output>(read: Schema<Output>, expected: string) =>
  ({ read, expected, fallback: undefined }) satisfies Variable<Output>;

export const optionalSecret = <Output>(read: Schema<Output>, expected: string) =>
  ({ ...optional(read, expected), secret: true }) satisfies Variable<Output>;

export const text = v.pipe(v.string(), v.trim());

const digits = v.pipe(text, v.regex(/^\d{1,12}$/), v.transform(Number));

export function wholeNumber(min: number, max: number, fallback: number) {
  const read = v.pipe(digits, v.minValue(min), v.maxValue(max));
  return variable(read, `a whole number from ${min} to ${max}`, String(fallback));
}

export function oneOf<const Choice extends string>(choices: readonly Choice[], fallback: Choice) {
  const expected = `one of ${choices.map((each) => `"${each}"`).join(', ')}`;
  return variable(v.pipe(text, v.picklist(choices)), expected, fallback);
}

export function webAddress(value: string): URL | undefined {
  const url = URL.parse(value) ?? undefined;
  return url && /^https?:$/.test(url.protocol) && !url.username && !url.password ? url : undefined;
}

/** An http or https address without user name and password. */
export const address = v.pipe(
  text,
  v.check((value) => webAddress(value) !== undefined),
);

/** Declares the address of a service. */
export const addressOf = (service: string, fallback: string) =>
  variable(address, `the http or https address of ${service}`, fallback);

/** Declares a text that must match a pattern. */
export const optionalText = (pattern: RegExp, expected: string) =>
  optional(v.pipe(text, v.regex(pattern)), expected);

/** Declares a secret text that must match a pattern. */
export const secretText = (pattern: RegExp, expected: string) =>
  optionalSecret(v.pipe(text, v.regex(pattern)), expected);

/** Returns the schema of a list. */
export function listOf(
  split: (value: string) => readonly string[],
  isAccepted: (entry: string) => boolean,
): v.GenericSchema<string, readonly string[]> {
  return v.pipe(
    text,
    v.transform(split),
    v.check((entries) => entries.every(isAccepted)),
  );
}

/** The codes of the 50 US states and DC. */
export const stateCodes: readonly string[] = askedFields.state.values ?? [];

/** A list of codes of US states, "all" or "none". */
export const stateList = listOf(
  (value) => {
    const word = value.toLowerCase();
    if (word === 'all') return stateCodes;
    if (word === 'none') return [];
    return value.split(',').map((code) => code.trim().toUpperCase());
  },
  (code) => stateCodes.includes(code),
);

export const states = (fallback: string) =>
  variable(stateList, 'state codes with commas between them ("AL,NE"), "all" or "none"', fallback);

/** Returns whether a text is a Standard Webhooks secret: `whsec_` and base64 of 24 to 64 bytes. */
export function isWebhookSecret(text: string): boolean {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text)?.[1] ?? '';
  const { length } = Buffer.from(encoded, 'base64');
  return encoded.length % 4 === 0 && length >= 24 && length <= 64;
}
