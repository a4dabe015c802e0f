/**
 * Declares every setting: its environment variable, how it is parsed, what is expected, and its default.
 * `.env.example` explains each to operators; a test keeps the two in step.
 */
import * as v from 'valibot';
import { callTrackingVendors } from '../../contract/script-declarations.ts';
import { BUYERS_REQUEST_TIMEOUT_MS } from '../../domain/buyer-choice.ts';
import { FALLBACK_BUYER_IDS } from '../../domain/buyers.ts';
import { DESCRIPTION_LIMIT_CHARACTERS } from '../../domain/thresholds.ts';
import {
  oneOf,
  optional,
  optionalSecret,
  serviceAddress,
  stateCodes,
  states,
  text,
  type Variable,
  variable,
  wholeNumber,
} from '../base/variable.ts';
import { destinations } from '../destinations/index.ts';
import {
  addressOrNone,
  contributoryStates,
  dollars,
  flowStates,
  headerName,
  hostName,
  issuerAddress,
  isTimeZone,
  json,
  mailDomain,
  multipliers,
  networks,
  operatorsPort,
  phoneNumber,
  scriptHosts,
  serviceKey,
  siteAddress,
  tagId,
  words,
} from './variable-kinds.ts';

/** Declares a duration, by default of at least 50 ms. */
const milliseconds = (longest: number, fallback: number, shortest = 50) =>
  wholeNumber(shortest, longest, fallback, ' of milliseconds');

/** Declares the address of a database. */
const database = () =>
  optionalSecret(
    v.pipe(
      text,
      v.check((value) => URL.canParse(value) && /^postgres(ql)?:$/.test(new URL(value).protocol)),
    ),
    'a PostgreSQL address, "postgresql://user:password@host:5432/database"',
  );

/** Declares the address of a third party. */
const service = (whose: string) =>
  optional(serviceAddress, `the http or https address of ${whose}`);

const timeZone = (fallback: string) =>
  variable(
    v.pipe(text, v.check(isTimeZone)),
    'a time zone name such as "America/New_York"',
    fallback,
  );

/** Every variable except those of the destinations, in the order of `.env.example`. */
export const variables = {
  PORT: wholeNumber(0, 65_535, 3000),
  HOST: variable(
    hostName,
    'the address or host name to listen on, such as "localhost" or "0.0.0.0"',
    'localhost',
  ),
  OPERATIONS_PORT: operatorsPort,
  OPERATIONS_HOST: variable(
    hostName,
    'the address or host name to answer operators on, such as "127.0.0.1"',
    '127.0.0.1',
  ),
  CONSOLE_PORT: operatorsPort,
  CONSOLE_HOST: variable(
    hostName,
    'the address or host name that the console listens on, such as "localhost"',
    'localhost',
  ),
  CONSOLE_URL: optional(
    siteAddress,
    'the address that operators see, such as "https://console.example.com", without a path',
  ),
  CONSOLE_OIDC_ISSUER: optional(
    issuerAddress,
    'the https address of an identity provider, before "/.well-known/openid-configuration"',
  ),
  CONSOLE_OIDC_CLIENT_ID: optional(
    v.pipe(text, v.regex(/^[\x21-\x7e]{1,200}$/)),
    'the client id of the console at the identity provider',
  ),
  CONSOLE_OIDC_CLIENT_SECRET: optionalSecret(
    serviceKey,
    'the client secret of the console at the identity provider',
  ),
  CONSOLE_OIDC_DOMAIN: optional(mailDomain, 'the domain of mail addresses, such as "example.com"'),
  DATA_DIR: variable(v.pipe(text, v.minLength(1)), 'a directory', './data'),
  DATABASE_URL: database(),
  OPERATORS_DATABASE_URL: database(),
  DATABASE_POOL_MAX: wholeNumber(2, 200, 10),
  PERSON_KEY_SECRET: optionalSecret(
    v.pipe(text, v.regex(/^[\x21-\x7e]{32,200}$/)),
    '32 to 200 random characters without blanks, as "openssl rand -base64 32" makes them',
  ),
  EVIDENCE_KEY: optionalSecret(
    v.pipe(text, v.regex(/^[A-Za-z0-9+/]{63}[A-Za-z0-9+/=]$/)),
    'a private Ed25519 key, as "openssl genpkey -algorithm ed25519 -outform DER | base64" makes it',
  ),
  EVIDENCE_HEADS_URL: optionalSecret(
    serviceAddress,
    'the http or https address that gets the signed heads of the log',
  ),
  EVIDENCE_RECIPIENTS: variable(
    v.pipe(
      json,
      v.record(
        v.picklist(destinations.map(({ name }) => name)),
        v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(120)),
      ),
    ),
    'JSON: destinations and the firm behind each, such as {"ingest":"Smith & Sons LLP"}',
    '{}',
  ) as Variable<Readonly<Record<string, string>>, string>,
  EVIDENCE_HEADS_FILE: optional(v.pipe(text, v.minLength(1)), 'a file'),
  PUBLIC_URL: optional(
    siteAddress,
    'the address that visitors see, such as "https://claims.example.com", without a path',
  ),
  HSTS_SUBDOMAINS: oneOf(['off', 'on'], 'off'),
  TRUSTED_PROXIES: variable(
    networks,
    'addresses or networks with commas between them ("10.0.0.0/8,192.0.2.7"), or "loopback", ' +
      '"linklocal", "uniquelocal". Neither "true" (anyone could fake an address) nor a number ' +
      '(all visitors could look like one) is taken',
    '',
  ),
  LOG_LEVEL: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'info'),
  TIME_ZONE: timeZone('America/New_York'),
  OPERATORS_TIME_ZONE: timeZone('UTC'),
  SANDBOX_PORT: wholeNumber(0, 65_535, 4010),
  SANDBOX_URL: service('a running sandbox'),

  COMPANY_NAME: variable(words(80), 'a name of at most 80 characters', 'Your Claim Guide'),
  FORMER_COMPANY_NAMES: variable(
    v.pipe(
      text,
      v.transform((value): readonly string[] =>
        value === '' ? [] : value.split('|').map((name) => name.trim()),
      ),
      v.check(
        (names) => names.every((name) => name.length > 0 && name.length <= 80),
        'in which a name is empty or longer than 80 characters',
      ),
    ),
    'names of at most 80 characters with a bar between them ("First Name|Second Name"), or empty',
    '',
  ),
  PHONE_NUMBER: variable(
    phoneNumber,
    'an American phone number of ten digits, such as "(800) 555-0100"',
    '8005550100',
  ),
  CALL_HOURS: variable(
    words(120),
    'words of at most 120 characters',
    'Monday to Friday, 9 am to 6 pm Eastern',
  ),
  CALL_HOURS_ES: variable(
    words(120),
    'words of at most 120 characters',
    'De lunes a viernes, de 9 a. m. a 6 p. m., hora del Este',
  ),
  CONTACT_EMAIL: variable(v.pipe(text, v.email()), 'an e-mail address', 'help@example.com'),
  DESCRIPTION_LIMIT: wholeNumber(100, 10_000, DESCRIPTION_LIMIT_CHARACTERS),
  PARTNER_URL: addressOrNone,
  PIXEL_SCRIPT_URL: addressOrNone,
  CASE_WORTH_SCRIPT_URL: addressOrNone,
  CASE_WORTH_FACEBOOK_SCRIPT_URL: addressOrNone,
  TICKET_SCRIPT_URL: addressOrNone,
  AD_PIXEL_SCRIPT_URL: addressOrNone,
  CLICK_TRACKER_URL: service('the click tracker, before "/clk" and "/scripts/main.js"'),
  CLICK_TRACKER_BY: oneOf(['page', 'server'], 'page'),
  CLICK_TRACKER_TIMEOUT_MS: milliseconds(60_000, 5_000),
  TRUSTEDFORM_SCRIPT_URL: addressOrNone,
  LEADID_SCRIPT_URL: addressOrNone,
  CALL_TRACKING: oneOf(['off', ...callTrackingVendors], 'off'),
  CALL_TRACKING_SCRIPT_URL: addressOrNone,
  CALL_TRACKING_TAG_ID: tagId,
  CALL_TRACKING_FACEBOOK_SCRIPT_URL: addressOrNone,
  CALL_TRACKING_FACEBOOK_TAG_ID: tagId,
  SCRIPT_HOSTS: variable(
    scriptHosts,
    'JSON: scripts by name (pixel, caseWorth, ticket, adPixel, clickTracker, trustedForm, leadid, ' +
      'callTracking), each with directives (script-src, connect-src, img-src, frame-src) and their ' +
      'origins, such as {"callTracking":{"connect-src":["https://calls.example.com"]}}',
    '{}',
  ),
  LIMITATION_TABLE: oneOf(['coded', 'present'], 'coded'),
  FORCED_TREATMENT: oneOf(['on', 'off'], 'on'),
  PARTIAL_FAULT_STATES: states(
    stateCodes.filter((code) => !contributoryStates.includes(code)).join(','),
  ),
  DATE_OF_BIRTH_STATES: states('AL,NE'),
  VISITOR_STATE_HEADER: optional(headerName, 'the name of a header, such as "X-Visitor-State"'),
  VISITOR_ADDRESS_HEADER: optional(headerName, 'the name of a header, such as "CF-Connecting-IP"'),
  SPECIAL_STATES: flowStates,
  PARTNER_CLOSED_STATES: flowStates,
  EXPERIMENTS: variable(
    v.pipe(json, v.record(v.string(), v.unknown())),
    'JSON: the id of an experiment to where it runs, such as {"buttons":{"surveys":["/survey/v4nv"]}}',
    '{}',
  ),
  SURVEY_OVERRIDES: variable(
    v.pipe(json, v.record(v.string(), v.record(v.string(), v.unknown()))),
    'JSON: the path of a survey to the columns of its row that differ, ' +
      'such as {"/survey/v4":{"offerId":90}}',
    '{}',
  ),

  OUTGOING_PRIVATE_NETWORKS: oneOf(['deny', 'allow'], 'deny'),
  DELIVERY_CONCURRENCY: wholeNumber(0, 500, 50),
  DESTINATION_FAILURES: wholeNumber(1, 1_000, 5),
  DESTINATION_WAIT_MINUTES: wholeNumber(1, 10_080, 10, ' of minutes'),
  PAGES: oneOf(['on', 'off'], 'on'),

  MAPPING_URL: service('the mapping service, before "/inbound/get-mappings"'),
  MAPPING_TIMEOUT_MS: milliseconds(60_000, 10_000),
  BUYERS_URL: service('the buyers service, before "/buyers/get-available"'),
  BUYERS_TIMEOUT_MS: milliseconds(20_000, BUYERS_REQUEST_TIMEOUT_MS),
  ONE_TO_ONE_PRESELECT: oneOf(['on', 'off'], 'on'),
  CHOICE_WAIT_MINUTES: wholeNumber(0, 60, 10, ' of minutes'),
  FALLBACK_BUYER_NAMES: variable(
    v.pipe(
      text,
      v.transform((value): readonly string[] => value.split('|').map((name) => name.trim())),
      v.check(
        (names) => names.length === FALLBACK_BUYER_IDS.length,
        ({ input }) => `in which the number of names is ${input.length}`,
      ),
      v.check(
        (names) => names.every((name) => name.length > 0 && name.length <= 120),
        'in which a name is empty or longer than 120 characters',
      ),
    ),
    'two names with a bar between them ("First Law Firm|Second Law Firm")',
    'Partner Law Firm 1|Partner Law Firm 2',
  ),

  ESTIMATE_URL: service('the estimate service, before "/estimated-settlement-value"'),
  ESTIMATE_TIMEOUT_MS: milliseconds(10_000, 1_500),
  COMPENSATION_MULTIPLIERS: variable(
    multipliers,
    'JSON: fields of a survey, their answers and the fraction, 0 to 100, by which each raises the ' +
      'estimate, such as {"specific_injury":{"Whiplash":0.3}}',
    '{}',
  ),

  PREFILL_URL: service('the prefill service, before "/check-affid-pre"'),
  PREFILL_PERCENTAGE: wholeNumber(0, 100, 100),
  PREFILL_TIMEOUT_MS: milliseconds(10_000, 1_000),

  SLACK_WEBHOOK_URL: optionalSecret(
    serviceAddress,
    'the http or https address of an incoming webhook',
  ),
  SLACK_TIMEOUT_MS: milliseconds(60_000, 5_000, 100),
  PHONE_CHECK_URL: service('the phone validation service, before "/api/json/phone"'),
  PHONE_CHECK_KEY: optionalSecret(serviceKey, 'the key of the phone validation service'),
  PHONE_CHECK_TIMEOUT_MS: milliseconds(60_000, 4_000),
  EMAIL_CHECK_URL: service('the e-mail validation service, before "/api/json/email"'),
  EMAIL_CHECK_KEY: optionalSecret(serviceKey, 'the key of the e-mail validation service'),
  EMAIL_CHECK_TIMEOUT_MS: milliseconds(60_000, 7_000),
  GIBBERISH_URL: optional(
    serviceAddress,
    'the whole http or https address of the gibberish service',
  ),
  GIBBERISH_TIMEOUT_MS: milliseconds(60_000, 3_000),
  ZIP_URL: service('the zip service, before "/us/"'),
  ZIP_TIMEOUT_MS: milliseconds(60_000, 1_000),
  VERIFICATION_URL: optional(
    serviceAddress,
    'the whole http or https address of the pre-submit verification',
  ),
  VERIFICATION_TIMEOUT_MS: milliseconds(60_000, 3_000),
  SAVE_DATA_URL: optional(
    serviceAddress,
    'the http or https address that saved progress is copied to, before "/api/save-data"',
  ),
  SAVE_DATA_TIMEOUT_MS: milliseconds(60_000, 5_000),
  CHECK_ANSWERS_DAYS: wholeNumber(1, 365, 30, ' of days'),
  CIRCUIT_FAILURES: wholeNumber(1, 1_000, 5),
  CIRCUIT_PAUSE_MS: milliseconds(3_600_000, 30_000, 100),
  TWILIO_ACCOUNT_SID: optional(
    v.pipe(text, v.regex(/^AC[0-9a-fA-F]{32}$/)),
    'the SID of a Twilio account: "AC" and 32 hexadecimal digits',
  ),
  TWILIO_AUTH_TOKEN: optionalSecret(
    v.pipe(text, v.regex(/^\S{8,200}$/)),
    'the auth token of the Twilio account',
  ),
  TWILIO_VERIFY_SERVICE_SID: optional(
    v.pipe(text, v.regex(/^VA[0-9a-fA-F]{32}$/)),
    'the SID of a Twilio Verify service: "VA" and 32 hexadecimal digits',
  ),
  TWILIO_VERIFY_URL: variable(
    serviceAddress,
    'the http or https address of Twilio Verify, before "/v2"',
    'https://verify.twilio.com',
  ),
  TWILIO_TIMEOUT_MS: milliseconds(20_000, 5_000),
  CODES_PER_NUMBER: wholeNumber(1, 100, 3),
  CODES_PER_ADDRESS_PER_HOUR: wholeNumber(1, 100_000, 10),
  CODES_PER_VISIT_PER_HOUR: wholeNumber(1, 100, 6),
  CODES_PER_HOUR: wholeNumber(1, 1_000_000, 500),
  CODE_TRIES_PER_NUMBER: wholeNumber(1, 100, 5),
  CODE_TRIES_PER_VISIT_PER_HOUR: wholeNumber(1, 100, 10),

  PHONE_KEEP_ACTIVE: oneOf(['on', 'off'], 'off'),
  EMAIL_MX_LOOKUP: oneOf(['on', 'off'], 'on'),
  EMAIL_MX_TIMEOUT_MS: milliseconds(10_000, 1_000),
  CONNECTIONS_PER_ADDRESS: wholeNumber(0, 100_000, 256),
  MEMORY_CEILING_MB: wholeNumber(300, 1_000_000, 640),
  LEADS_PER_ADDRESS_PER_HOUR: wholeNumber(0, 100_000, 120),
  HOLD_SAME_PERSON_DAYS: wholeNumber(0, 365, 0, ' of days'),
  BYTES_PER_ADDRESS_PER_HOUR: wholeNumber(0, 100_000_000_000, 20_000_000, ' of bytes'),
  STEPS_PER_VISIT: wholeNumber(50, 100_000, 500, ' of steps'),
  CHECKS_PER_ADDRESS_PER_MINUTE: wholeNumber(1, 1_000_000, 120),
  OPT_OUTS_PER_ADDRESS_PER_HOUR: wholeNumber(0, 100_000, 5),
  OPT_OUTS_ALERT_PER_HOUR: wholeNumber(0, 1_000_000, 20),
  PAID_CHECKS_PER_ADDRESS_PER_HOUR: wholeNumber(1, 1_000_000, 60),
  PAID_CHECKS_PER_HOUR: wholeNumber(1, 10_000_000, 2_000),
  PAID_CHECK_PRICE: optional(dollars, 'US dollars, like 0.005'),
  SAVES_PER_ADDRESS_PER_MINUTE: wholeNumber(1, 1_000_000, 600),

  KEEP_VISITS_DAYS: wholeNumber(1, 3_660, 30, ' of days'),
  KEEP_LEADS_DAYS: wholeNumber(30, 3_660, 1_826, ' of days'),
  KEEP_CLICKS_DAYS: wholeNumber(1, 3_660, 395, ' of days'),
  KEEP_ATTEMPTS_DAYS: wholeNumber(30, 3_660, 395, ' of days'),
  KEEP_CONSENTS_DAYS: wholeNumber(1_826, 36_600, 1_826, ' of days'),
  KEEP_REQUESTS_DAYS: wholeNumber(731, 3_660, 1_826, ' of days'),
} as const;

export type VariableName = keyof typeof variables;
/** The parsed value of each variable. Only variables without a default can be undefined. */
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
