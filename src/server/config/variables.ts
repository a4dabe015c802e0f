/**
 * Every setting: its name in the environment, how its text is read, what it is expected to be, and
 * its default. `.env.example` explains each to an operator; a test keeps the two together.
 */

import { isIP } from 'node:net';
import * as v from 'valibot';
import { BUYERS_REQUEST_TIMEOUT_MS } from '../../domain/buyer-choice.ts';
import { FALLBACK_BUYER_IDS } from '../../domain/buyers.ts';
import {
  type CompensationMultipliers,
  compensationMultipliers,
} from '../../domain/compensation-estimate.ts';
import {
  type AskedField,
  type AskedFieldName,
  askedFields,
  isAskedField,
} from '../../domain/lead/asked-fields.ts';
import { phoneDigits } from '../../domain/phone-format.ts';
import { DESCRIPTION_LIMIT_CHARACTERS } from '../../domain/thresholds.ts';

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

function variable<Output>(
  read: v.GenericSchema<string, Output>,
  expected: string,
  fallback: string,
): Variable<Output, string> {
  return { read, expected, fallback };
}

function optional<Output>(
  read: v.GenericSchema<string, Output>,
  expected: string,
): Variable<Output, undefined> {
  return { read, expected, fallback: undefined };
}

function optionalSecret<Output>(
  read: v.GenericSchema<string, Output>,
  expected: string,
): Variable<Output, undefined> {
  return { read, expected, fallback: undefined, secret: true };
}

const text = v.pipe(v.string(), v.trim());

function wholeNumber(
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

function oneOf<const Choice extends string>(
  choices: readonly Choice[],
  fallback: Choice,
): Variable<Choice, string> {
  return variable(
    v.pipe(text, v.picklist(choices)),
    `one of ${choices.map((each) => `"${each}"`).join(', ')}`,
    fallback,
  );
}

/** Codes of the 50 states and DC. */
export const stateCodes: readonly string[] = askedFields.state.values ?? [];

function states(fallback: string): Variable<readonly string[], string> {
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

/** A list of states in place of what each flow says; undefined: as the flows say. */
const flowStates: Variable<readonly string[] | undefined, string> = variable(
  v.union([
    v.pipe(
      text,
      v.literal('by-flow'),
      v.transform(() => undefined),
    ),
    states('all').read,
  ]),
  'state codes with commas between them ("AL,NE"), "all", "none" or "by-flow"',
  'by-flow',
);

function webAddress(value: string): URL | undefined {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  return url && /^https?:$/.test(url.protocol) && !url.username && !url.password ? url : undefined;
}

/** Of a service that paths are appended to. */
const serviceAddress = v.pipe(
  text,
  v.check((value) => webAddress(value) !== undefined),
);

const addressOrNone: Variable<string, string> = variable(
  v.pipe(
    text,
    v.check((value) => value === '' || webAddress(value) !== undefined),
  ),
  'an http or https address, or empty',
  '',
);

/** Names that stand for whole networks, as Fastify's trustProxy knows them. */
const namedNetworks = ['loopback', 'linklocal', 'uniquelocal'];

function isNetwork(entry: string): boolean {
  if (namedNetworks.includes(entry)) return true;
  const [address = '', prefix, ...rest] = entry.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  return (
    /^\d{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= (version === 4 ? 32 : 128)
  );
}

const networks = v.pipe(
  text,
  v.transform((value): readonly string[] =>
    value === '' ? [] : value.split(',').map((entry) => entry.trim()),
  ),
  v.check((entries) => entries.every(isNetwork)),
);

function isTimeZone(value: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en-US', { timeZone: value }));
  } catch {
    return false;
  }
}

/** States without comparative fault (readings, "Partial-fault states": all but these). */
const contributoryStates = ['AL', 'DC', 'MD', 'NC', 'VA'];

const json = v.pipe(
  text,
  v.rawTransform<string, unknown>(({ dataset, addIssue, NEVER }) => {
    try {
      return JSON.parse(dataset.value);
    } catch {
      addIssue({ message: 'not JSON' });
      return NEVER;
    }
  }),
);

/** A table of multipliers over the default one, answer by answer. */
const multipliers = v.pipe(
  json,
  v.record(v.string(), v.record(v.string(), v.pipe(v.number(), v.minValue(0), v.maxValue(100)))),
  v.check((table) =>
    Object.entries(table).every(([field, fractions]) => {
      const rule: AskedField | undefined = isAskedField(field) ? askedFields[field] : undefined;
      return Object.keys(fractions).every((answer) => rule?.values?.includes(answer));
    }),
  ),
  v.transform((table): CompensationMultipliers => {
    const fields = Object.keys({ ...compensationMultipliers, ...table }) as AskedFieldName[];
    return Object.fromEntries(
      fields.map((field) => [field, { ...compensationMultipliers[field], ...table[field] }]),
    );
  }),
);

/** Every variable that the server reads, by name, in the order of `.env.example`. */
export const variables = {
  PORT: wholeNumber(0, 65_535, 3000),
  HOST: variable(
    v.pipe(text, v.regex(/^[A-Za-z0-9.:_-]+$/)),
    'the address or host name to listen on, such as "localhost" or "0.0.0.0"',
    'localhost',
  ),
  DATA_DIR: variable(v.pipe(text, v.minLength(1)), 'a directory', './data'),
  DATABASE_URL: optionalSecret(
    v.pipe(
      text,
      v.check((value) => URL.canParse(value) && /^postgres(ql)?:$/.test(new URL(value).protocol)),
    ),
    'a PostgreSQL address, "postgresql://user:password@host:5432/database"',
  ),
  DATABASE_POOL_MAX: wholeNumber(2, 200, 10),
  PUBLIC_URL: optional(
    v.pipe(
      text,
      v.check((value) => {
        const url = webAddress(value);
        return url !== undefined && url.pathname === '/' && !url.search && !url.hash;
      }),
      v.transform((value) => new URL(value).origin),
    ),
    'the address that visitors see, such as "https://claims.example.com", without a path',
  ),
  TRUSTED_PROXIES: variable(
    networks,
    'addresses or networks with commas between them ("10.0.0.0/8,192.0.2.7"), or "loopback", ' +
      '"linklocal", "uniquelocal". Neither "true" (anyone could fake an address) nor a number ' +
      '(all visitors could look like one) is taken',
    '',
  ),
  LOG_LEVEL: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'info'),
  TIME_ZONE: variable(
    v.pipe(text, v.check(isTimeZone)),
    'a time zone name such as "America/New_York"',
    'America/New_York',
  ),

  COMPANY_NAME: variable(
    v.pipe(text, v.maxLength(80)),
    'a name of at most 80 characters',
    'Your Claim Guide',
  ),
  PHONE_NUMBER: variable(
    v.pipe(text, v.transform(phoneDigits), v.regex(/^[2-9]\d{9}$/)),
    'an American phone number of ten digits, such as "(800) 555-0100"',
    '8005550100',
  ),
  CONTACT_EMAIL: variable(v.pipe(text, v.email()), 'an e-mail address', 'help@example.com'),
  DESCRIPTION_LIMIT: wholeNumber(100, 10_000, DESCRIPTION_LIMIT_CHARACTERS),
  PARTNER_URL: addressOrNone,
  PIXEL_SCRIPT_URL: addressOrNone,
  CASE_WORTH_SCRIPT_URL: addressOrNone,
  CASE_WORTH_FACEBOOK_SCRIPT_URL: addressOrNone,
  TICKET_SCRIPT_URL: addressOrNone,
  AD_PIXEL_SCRIPT_URL: addressOrNone,
  LIMITATION_TABLE: oneOf(['coded', 'present'], 'coded'),
  PARTIAL_FAULT_STATES: states(
    stateCodes.filter((code) => !contributoryStates.includes(code)).join(','),
  ),
  DATE_OF_BIRTH_STATES: states('AL,NE'),
  SPECIAL_STATES: flowStates,
  BAD_WORDS_STATES: states('all'),
  SURVEY_OVERRIDES: variable(
    v.pipe(json, v.record(v.string(), v.record(v.string(), v.unknown()))),
    'JSON: the path of a survey to the columns of its row that differ, ' +
      'such as {"/survey/v4":{"offerId":90}}',
    '{}',
  ),

  INGEST_URL: optional(
    serviceAddress,
    'the http or https address of the lead-ingest service, before "/ingest"',
  ),
  INGEST_CAMPAIGN_ID: optional(v.pipe(text, v.regex(/^[\w-]{1,64}$/)), 'the id of a campaign'),
  INGEST_SUPPLIER_ID: optional(v.pipe(text, v.regex(/^[\w-]{1,64}$/)), 'the id of a supplier'),
  INGEST_KEY: optionalSecret(
    v.pipe(text, v.regex(/^\S{1,200}$/)),
    'the key that belongs to the supplier',
  ),
  INGEST_TIMEOUT_MS: wholeNumber(100, 120_000, 30_000, ' of milliseconds'),
  OUTGOING_PRIVATE_NETWORKS: oneOf(['deny', 'allow'], 'deny'),
  DELIVERY_CONCURRENCY: wholeNumber(0, 500, 50),

  MAPPING_URL: optional(
    serviceAddress,
    'the http or https address of the mapping service, before "/inbound/get-mappings"',
  ),
  MAPPING_TIMEOUT_MS: wholeNumber(50, 60_000, 10_000, ' of milliseconds'),
  BUYERS_URL: optional(
    serviceAddress,
    'the http or https address of the buyers service, before "/buyers/get-available"',
  ),
  BUYERS_TIMEOUT_MS: wholeNumber(50, 20_000, BUYERS_REQUEST_TIMEOUT_MS, ' of milliseconds'),
  FALLBACK_BUYER_NAMES: variable(
    v.pipe(
      text,
      v.transform((value): readonly string[] => value.split('|').map((name) => name.trim())),
      v.check(
        (names) =>
          names.length === FALLBACK_BUYER_IDS.length &&
          names.every((name) => name.length > 0 && name.length <= 120),
      ),
    ),
    'two names with a bar between them ("First Law Firm|Second Law Firm")',
    'Partner Law Firm 1|Partner Law Firm 2',
  ),

  ESTIMATE_URL: optional(
    serviceAddress,
    'the http or https address of the estimate service, before "/estimated-settlement-value"',
  ),
  ESTIMATE_TIMEOUT_MS: wholeNumber(50, 10_000, 1_500, ' of milliseconds'),
  COMPENSATION_MULTIPLIERS: variable(
    multipliers,
    'JSON: fields of a survey, their answers and the fraction, 0 to 100, by which each raises the ' +
      'estimate, such as {"specific_injury":{"Whiplash":0.3}}',
    '{}',
  ),

  PREFILL_URL: optional(
    serviceAddress,
    'the http or https address of the prefill service, before "/check-affid-pre"',
  ),
  PREFILL_PERCENTAGE: wholeNumber(0, 100, 100),
  PREFILL_TIMEOUT_MS: wholeNumber(50, 10_000, 1_000, ' of milliseconds'),

  EMAIL_MX_LOOKUP: oneOf(['on', 'off'], 'on'),
  EMAIL_MX_TIMEOUT_MS: wholeNumber(50, 10_000, 1_000, ' of milliseconds'),
  LEADS_PER_ADDRESS_PER_HOUR: wholeNumber(0, 1_000_000, 30),
  CHECKS_PER_ADDRESS_PER_MINUTE: wholeNumber(1, 1_000_000, 120),
  SAVES_PER_ADDRESS_PER_MINUTE: wholeNumber(1, 1_000_000, 600),
} as const;

export type VariableName = keyof typeof variables;
/** What each variable's text was read as; undefined only for those without a default. */
export type VariableValues = {
  readonly [Name in VariableName]: (typeof variables)[Name] extends Variable<
    infer Output,
    infer Fallback
  >
    ? undefined extends Fallback
      ? Output | undefined
      : Output
    : never;
};
