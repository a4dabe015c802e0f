/** How one setting is declared: its text in the environment, and what is made of it. */
import * as v from 'valibot';
import { askedFields } from '../../domain/lead/asked-fields.ts';

/** One setting. `read` turns its text into its value; `fallback` is the text that counts when unset. */
export type Variable<Output, Fallback extends string | undefined = string | undefined> = {
  readonly read: v.GenericSchema<string, Output>;
  /** Completes "NAME must be …". */
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

/** Of a service: the whole of it, or what paths are appended to. */
export const serviceAddress = v.pipe(
  text,
  v.check((value) => webAddress(value) !== undefined),
);

/** Codes of the 50 states and DC. */
export const stateCodes: readonly string[] = askedFields.state.values ?? [];

/** A list of states. */
export function states(fallback: string): Variable<readonly string[], string> {
  const list = v.pipe(
    text,
    v.transform((value): readonly string[] => {
      const word = value.toLowerCase();
      if (word === 'all') return stateCodes;
      if (word === 'none') return [];
      return value.split(',').map((code) => code.trim().toUpperCase());
    }),
    v.check((codes) => codes.every((code) => stateCodes.includes(code))),
  );
  return variable(
    list,
    'state codes with commas between them ("AL,NE"), "all" or "none"',
    fallback,
  );
}
