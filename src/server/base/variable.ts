/** How one setting is declared: its text in the environment, and what is made of it. */
import * as v from 'valibot';
import { askedFields } from '../../domain/asked-fields.ts';

/** One setting. `read` turns its text into its value; `fallback` is the text that counts when unset. */
export type Variable<Output, Fallback extends string | undefined = string | undefined> = {
  readonly read: v.GenericSchema<string, Output>;
  /** Completes "NAME is …: expected …". */
  readonly expected: string;
  /** The text that counts when the variable is missing or empty. `undefined`: the setting is off. */
  readonly fallback: Fallback;
  /** Its value is never repeated, not even in the message that refuses it. */
  readonly secret?: true;
};

export function variable<Output>(
  read: v.GenericSchema<string, Output>,
  expected: string,
  fallback: string,
): Variable<Output, string> {
  return { read, expected, fallback };
}

export function optional<Output>(
  read: v.GenericSchema<string, Output>,
  expected: string,
): Variable<Output, undefined> {
  return { read, expected, fallback: undefined };
}

export function optionalSecret<Output>(
  read: v.GenericSchema<string, Output>,
  expected: string,
): Variable<Output, undefined> {
  return { read, expected, fallback: undefined, secret: true };
}

export const text = v.pipe(v.string(), v.trim());

export function wholeNumber(
  min: number,
  max: number,
  fallback: number,
  unit = '',
): Variable<number, string> {
  return variable(
    v.pipe(
      text,
      v.regex(/^\d{1,12}$/),
      v.transform(Number),
      v.number(),
      v.minValue(min),
      v.maxValue(max),
    ),
    `a whole number${unit} from ${min} to ${max}`,
    String(fallback),
  );
}

export function oneOf<const Choice extends string>(
  choices: readonly Choice[],
  fallback: Choice,
): Variable<Choice, string> {
  return variable(
    v.pipe(text, v.picklist(choices)),
    `one of ${choices.map((each) => `"${each}"`).join(', ')}`,
    fallback,
  );
}

export function webAddress(value: string): URL | undefined {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  return url && /^https?:$/.test(url.protocol) && !url.username && !url.password ? url : undefined;
}

/** Says why a text is no web address; undefined: it is one. Repeats nothing of it but its scheme. */
function addressProblem(value: string): string | undefined {
  if (webAddress(value)) return undefined;
  if (!URL.canParse(value) || !value.includes('://')) {
    return /^[\w.-]+(:\d+)?(\/|$)/.test(value)
      ? 'which has no "https://" before the host'
      : 'which is no address';
  }
  const { protocol, username, password } = new URL(value);
  if (username || password) return 'which has a user name or password in it';
  return `whose scheme is "${protocol}"`;
}

/** An http or https address; its message says what is wrong with it. */
export const address = v.pipe(
  text,
  v.check(
    (value) => webAddress(value) !== undefined,
    ({ input }) => addressProblem(input) ?? '',
  ),
);

/** Of a service: the whole of it, or what paths are appended to. */
export const serviceAddress = address;

/** A list, of which each entry is looked at; the message names the first that is not accepted. */
export function listOf(
  split: (value: string) => readonly string[],
  isAccepted: (entry: string) => boolean,
  problem: (entry: string) => string,
): v.GenericSchema<string, readonly string[]> {
  return v.pipe(
    text,
    v.transform(split),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      const wrong = dataset.value.find((entry) => !isAccepted(entry));
      if (wrong !== undefined) addIssue({ message: problem(wrong) });
    }),
  );
}

/** Codes of the 50 states and DC. */
export const stateCodes: readonly string[] = askedFields.state.values ?? [];

/** State codes, "all" or "none". */
export const stateList = listOf(
  (value) => {
    const word = value.toLowerCase();
    if (word === 'all') return stateCodes;
    if (word === 'none') return [];
    return value.split(',').map((code) => code.trim().toUpperCase());
  },
  (code) => stateCodes.includes(code),
  (code) => `in which "${code}" is no code of a state`,
);

/** A list of states. */
export function states(fallback: string): Variable<readonly string[], string> {
  return variable(
    stateList,
    'state codes with commas between them ("AL,NE"), "all" or "none"',
    fallback,
  );
}
