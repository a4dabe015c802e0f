/** Declares every setting. `.env.example` explains each setting to operators. */
import * as v from 'valibot';
import { DESCRIPTION_LIMIT_CHARACTERS } from '../../model/fields/thresholds.ts';
import { BUYERS_REQUEST_TIMEOUT_MS } from '../../model/rules/buyer-choice.ts';
import { FALLBACK_BUYER_IDS } from '../../model/rules/buyers.ts';
import { definitionOf } from '../delivery/destinations/index.ts';
import {
  address,
  addressOf,
  oneOf,
  optional,
  optionalSecret,
  optionalText,
  secretText,
  stateCodes,
  states,
  text,
  type Variable,
  variable,
  wholeNumber,
} from '../platform/variable.ts';
import { experimentChanges, surveyOverrides } from './survey-settings.ts';
import * as kind from './variable-kinds.ts';

/** Declares the path of a setting's value in `Settings`, such as `limits.stepsPerVisit`. */
const at = <const Path extends string, Declared extends Variable<unknown>>(
  path: Path,
  declared: Declared,
) => ({ ...declared, path });

/** Every setting except those of destinations, in the order of `.env.example`. */
export const variables = {
  PORT: at('port', wholeNumber(0, 65_535, 3000)),
  HOST: at('host', kind.listenHost('to listen on, such as "localhost" or "0.0.0.0"', 'localhost')),
  OPERATIONS_PORT: kind.operatorsPort,
  OPERATIONS_HOST: kind.listenHost('to answer operators on, such as "127.0.0.1"', '127.0.0.1'),
  CONSOLE_PORT: kind.operatorsPort,
  CONSOLE_HOST: kind.listenHost('that the console listens on, such as "localhost"', 'localhost'),
  CONSOLE_URL: optional(kind.siteAddress, 'an origin such as "https://console.example.com"'),
  CONSOLE_OIDC_ISSUER: optional(kind.issuerAddress, 'the https address of an identity provider'),
  CONSOLE_OIDC_CLIENT_ID: optional(kind.serviceKey, 'the client id at the identity provider'),
  CONSOLE_OIDC_CLIENT_SECRET: optionalSecret(kind.serviceKey, 'the secret of that client'),
  DATA_DIR: at('dataDir', variable(kind.filePath, 'a directory', './data')),
  DATABASE_URL: at('databaseUrl', kind.database()),
  OPERATORS_DATABASE_URL: at('operatorsDatabaseUrl', kind.database()),
  DATABASE_POOL_MAX: at('databasePoolMax', wholeNumber(2, 200, 10)),
  PERSON_KEY_SECRET: at(
    'personKeySecret',
    secretText(
      /^[\x21-\x7e]{32,200}$/,
      '32 to 200 random characters without blanks, as "openssl rand -base64 32" makes them',
    ),
  ),
  EVIDENCE_KEY: at(
    'evidenceKey',
    secretText(
      /^[A-Za-z0-9+/]{63}[A-Za-z0-9+/=]$/,
      'a private Ed25519 key, as "openssl genpkey -algorithm ed25519 -outform DER | base64" makes it',
    ),
  ),
  EVIDENCE_HEADS_URL: at('evidenceHeads.url', optionalSecret(address, 'an http or https address')),
  EVIDENCE_RECIPIENTS: at(
    'evidenceRecipients',
    kind.json(
      v.record(
        v.pipe(
          v.string(),
          v.check((name) => definitionOf(name) !== undefined, 'is no destination'),
        ),
        v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(120)),
      ),
      'destinations and the firm behind each, such as {"ingest":"Smith & Sons LLP"}',
    ),
  ),
  EVIDENCE_HEADS_FILE: at('evidenceHeads.file', optional(kind.filePath, 'a file')),
  PUBLIC_URL: at(
    'publicUrl',
    optional(kind.siteAddress, 'an origin such as "https://claims.example.com"'),
  ),
  HSTS_SUBDOMAINS: at('hstsSubdomains', kind.onOff('off')),
  TRUSTED_PROXIES: at(
    'trustedProxies',
    variable(
      kind.networks,
      'addresses or networks with commas between them ("10.0.0.0/8,192.0.2.7"), or "loopback", ' +
        '"linklocal", "uniquelocal". Neither "true" (anyone could fake an address) nor a number ' +
        '(all visitors could look like one) is taken',
      '',
    ),
  ),
  LOG_LEVEL: at(
    'logLevel',
    oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'info'),
  ),
  TIME_ZONE: at('timeZone', kind.timeZone('America/New_York')),
  OPERATORS_TIME_ZONE: at('operatorsTimeZone', kind.timeZone('UTC')),
  CLICK_COST_PARAM: at(
    'clickCostParam',
    variable(
      kind.matching(/^[\w.-]{0,40}$/),
      'the name of a parameter of clicks, of at most 40 letters, digits, dots, hyphens and underscores, or empty',
      '',
    ),
  ),
  SANDBOX_PORT: at('sandboxPort', wholeNumber(0, 65_535, 4010)),
  SANDBOX_URL: kind.service('a running sandbox'),

  COMPANY_NAME: at('site.companyName', kind.phrase(80, 'Your Claim Guide')),
  FORMER_COMPANY_NAMES: at(
    'formerCompanyNames',
    variable(
      kind.namesUpTo(80),
      'names of at most 80 characters with a bar between them ("First Name|Second Name"), or empty',
      '',
    ),
  ),
  PHONE_NUMBER: variable(
    kind.phoneNumber,
    'an American phone number of ten digits, such as "(800) 555-0100"',
    '8005550100',
  ),
  CALL_HOURS: at('site.callHours.en', kind.phrase(120)),
  CALL_HOURS_ES: at('site.callHours.es', kind.phrase(120)),
  CONTACT_EMAIL: at(
    'site.contactEmail',
    variable(v.pipe(text, v.email()), 'an e-mail address', 'help@example.com'),
  ),
  LEGAL_ENTITY: at('site.publisher.entity', kind.phrase(120)),
  POSTAL_ADDRESS: at('site.publisher.address', kind.phrase(200)),
  FOUNDER_NAME: at('site.publisher.founderName', kind.phrase(80)),
  FOUNDER_NOTE: at('site.publisher.founderNote.en', kind.phrase(1_000)),
  FOUNDER_NOTE_ES: at('site.publisher.founderNote.es', kind.phrase(1_000)),
  REVIEWER: at('site.publisher.reviewer', kind.reviewer),
  DESCRIPTION_LIMIT: at(
    'site.descriptionLimit',
    wholeNumber(100, 10_000, DESCRIPTION_LIMIT_CHARACTERS),
  ),
  PARTNER_URL: at('site.partnerUrl', kind.addressOrNone),
  PIXEL_SCRIPT_URL: at('site.scripts.pixel', kind.addressOrNone),
  CASE_WORTH_SCRIPT_URL: at('site.scripts.caseWorth', kind.addressOrNone),
  CASE_WORTH_FACEBOOK_SCRIPT_URL: at('site.scripts.caseWorthFacebook', kind.addressOrNone),
  TICKET_SCRIPT_URL: at('site.scripts.ticket', kind.addressOrNone),
  AD_PIXEL_SCRIPT_URL: at('site.scripts.adPixel', kind.addressOrNone),
  CLICK_TRACKER_URL: kind.service('the click tracker, before "/clk" and "/scripts/main.js"'),
  CLICK_TRACKER_BY: oneOf(['page', 'server'], 'page'),
  CLICK_TRACKER_TIMEOUT_MS: wholeNumber(50, 60_000, 5_000),
  TRUSTEDFORM_SCRIPT_URL: at('site.scripts.trustedForm', kind.addressOrNone),
  LEADID_SCRIPT_URL: at('site.scripts.leadid', kind.addressOrNone),
  CALL_TRACKING: oneOf(['off', 'ringba', 'invoca', 'callrail'], 'off'),
  CALL_TRACKING_SCRIPT_URL: kind.addressOrNone,
  CALL_TRACKING_TAG_ID: kind.tagId,
  CALL_TRACKING_FACEBOOK_SCRIPT_URL: kind.addressOrNone,
  CALL_TRACKING_FACEBOOK_TAG_ID: kind.tagId,
  SCRIPT_HOSTS: at(
    'site.scripts.moreHosts',
    kind.json(
      kind.scriptHosts,
      `scripts by name (${kind.hostedScripts.join(', ')}), each with directives (script-src, connect-src, ` +
        'img-src, frame-src) and their origins, such as {"callTracking":{"connect-src":["https://calls.example.com"]}}',
    ),
  ),
  LIMITATION_TABLE: at('site.limitation', oneOf(['coded', 'present'], 'coded')),
  FORCED_TREATMENT: at('site.forcesTreatment', kind.onOff('on')),
  PARTIAL_FAULT_STATES: at(
    'site.partialFaultStates',
    states(stateCodes.filter((code) => !kind.contributoryStates.includes(code)).join(',')),
  ),
  DATE_OF_BIRTH_STATES: at('site.dateOfBirthStates', states('AL,NE')),
  VISITOR_STATE_HEADER: at('visitorStateHeader', kind.header('X-Visitor-State')),
  VISITOR_ADDRESS_HEADER: at('visitorAddressHeader', kind.header('CF-Connecting-IP')),
  SPECIAL_STATES: at('specialStates', kind.flowStates),
  PARTNER_CLOSED_STATES: at('site.partnerClosedStates', kind.flowStates),
  STATE_RULES: at(
    'stateRules.changes',
    kind.json(
      kind.stateRuleChanges,
      'states to a list of decisions (allowed, needs_basis, named_firm_only, prohibited), each with ' +
        'a reason and, if you want, a first day "from" and an end "until", such as ' +
        '{"CA":[{"decision":"allowed","from":"2026-12-01","reason":"Certified by the State Bar"}]}',
    ),
  ),
  STATE_RULES_UNDECIDED: at('stateRules.undecided', oneOf(['deliver', 'hold'], 'deliver')),
  EXPERIMENTS: kind.json(
    experimentChanges,
    'the id of an experiment to where it runs, such as {"buttons":{"surveys":["/survey/v4nv"]}}',
  ),
  SURVEY_OVERRIDES: kind.json(
    surveyOverrides,
    'the path of a survey to the columns of its row that differ, ' +
      'such as {"/survey/v4":{"offerId":90}}',
  ),

  OUTCOME_SECRETS: at('outcomeSecrets', kind.outcomeSecrets),
  OUTGOING_PRIVATE_NETWORKS: oneOf(['deny', 'allow'], 'deny'),
  DELIVERY_CONCURRENCY: at('deliveryConcurrency', wholeNumber(0, 500, 50)),
  EXTRA_DESTINATIONS: optionalSecret(
    kind.extraDestinations,
    'JSON: the name of each extra account (a to z, 0 to 9, -, _) to its settings and the destination that it is like, ' +
      'such as {"smith":{"like":"ingest","INGEST_CAMPAIGN_ID":"7"}}',
  ),
  DESTINATION_FAILURES: at('troubleLimits.failures', wholeNumber(1, 1_000, 5)),
  DESTINATION_WAIT_MINUTES: at('troubleLimits.waitMinutes', wholeNumber(1, 10_080, 10)),
  PAGES: at('servesPages', kind.onOff('on')),

  MAPPING_URL: kind.service('the mapping service, before "/inbound/get-mappings"'),
  MAPPING_TIMEOUT_MS: wholeNumber(50, 60_000, 10_000),
  BUYERS_URL: kind.service('the buyers service, before "/buyers/get-available"'),
  BUYERS_TIMEOUT_MS: wholeNumber(50, 20_000, BUYERS_REQUEST_TIMEOUT_MS),
  ONE_TO_ONE_PRESELECT: at('site.preselectsFirms', kind.onOff('on')),
  CHOICE_WAIT_MINUTES: at('site.choiceWaitMinutes', wholeNumber(0, 60, 10)),
  FALLBACK_BUYER_NAMES: variable(
    v.pipe(
      kind.namesUpTo(120),
      v.check((names) => names.length === FALLBACK_BUYER_IDS.length),
    ),
    'two names with a bar between them ("First Law Firm|Second Law Firm")',
    'Partner Law Firm 1|Partner Law Firm 2',
  ),

  ESTIMATE_URL: kind.service('the estimate service, before "/estimated-settlement-value"'),
  ESTIMATE_TIMEOUT_MS: wholeNumber(50, 10_000, 1_500),
  COMPENSATION_MULTIPLIERS: at(
    'site.compensationMultipliers',
    kind.json(
      kind.multipliers,
      'fields of a survey, their answers and the fraction, 0 to 100, by which each raises the ' +
        'estimate, such as {"specific_injury":{"Whiplash":0.3}}',
    ),
  ),

  PREFILL_URL: kind.service('the prefill service, before "/check-affid-pre"'),
  PREFILL_PERCENTAGE: wholeNumber(0, 100, 100),
  PREFILL_TIMEOUT_MS: wholeNumber(50, 10_000, 1_000),

  SLACK_WEBHOOK_URL: optionalSecret(address, 'the http or https address of an incoming webhook'),
  SLACK_TIMEOUT_MS: wholeNumber(100, 60_000, 5_000),
  PHONE_CHECK_URL: kind.service('the phone validation service, before "/api/json/phone"'),
  PHONE_CHECK_KEY: optionalSecret(kind.serviceKey, 'the key of the phone validation service'),
  PHONE_CHECK_TIMEOUT_MS: wholeNumber(50, 60_000, 4_000),
  EMAIL_CHECK_URL: kind.service('the e-mail validation service, before "/api/json/email"'),
  EMAIL_CHECK_KEY: optionalSecret(kind.serviceKey, 'the key of the e-mail validation service'),
  EMAIL_CHECK_TIMEOUT_MS: wholeNumber(50, 60_000, 7_000),
  GIBBERISH_URL: kind.service('the gibberish service', 'the whole'),
  GIBBERISH_TIMEOUT_MS: wholeNumber(50, 60_000, 3_000),
  ZIP_URL: kind.service('the zip service, before "/us/"'),
  ZIP_TIMEOUT_MS: wholeNumber(50, 60_000, 1_000),
  VERIFICATION_URL: kind.service('the pre-submit verification', 'the whole'),
  VERIFICATION_TIMEOUT_MS: wholeNumber(50, 60_000, 3_000),
  SAVE_DATA_URL: kind.service('the copies of saved progress, before "/api/save-data"'),
  SAVE_DATA_TIMEOUT_MS: wholeNumber(50, 60_000, 5_000),
  CHECK_ANSWERS_DAYS: at('checks.answersDays', wholeNumber(1, 365, 30)),
  CIRCUIT_FAILURES: at('circuit.failures', wholeNumber(1, 1_000, 5)),
  CIRCUIT_PAUSE_MS: at('circuit.pauseMs', wholeNumber(100, 3_600_000, 30_000)),
  TWILIO_ACCOUNT_SID: optionalText(/^AC[0-9a-fA-F]{32}$/, '"AC" and 32 hexadecimal digits'),
  TWILIO_AUTH_TOKEN: secretText(/^\S{8,200}$/, 'the auth token of the Twilio account'),
  TWILIO_VERIFY_SERVICE_SID: optionalText(/^VA[0-9a-fA-F]{32}$/, '"VA" and 32 hexadecimal digits'),
  TWILIO_VERIFY_URL: addressOf('Twilio Verify, before "/v2"', 'https://verify.twilio.com'),
  TWILIO_TIMEOUT_MS: wholeNumber(50, 20_000, 5_000),
  CODES_PER_NUMBER: at('phoneCodeLimits.sendsPerNumber', wholeNumber(1, 100, 3)),
  CODES_PER_ADDRESS_PER_HOUR: at('phoneCodeLimits.sendsPerAddress', wholeNumber(1, 100_000, 10)),
  CODES_PER_VISIT_PER_HOUR: at('phoneCodeLimits.sendsPerVisit', wholeNumber(1, 100, 6)),
  CODES_PER_HOUR: at('phoneCodeLimits.sends', wholeNumber(1, 1_000_000, 500)),
  CODE_TRIES_PER_NUMBER: at('phoneCodeLimits.triesPerNumber', wholeNumber(1, 100, 5)),
  CODE_TRIES_PER_VISIT_PER_HOUR: at('phoneCodeLimits.triesPerVisit', wholeNumber(1, 100, 10)),

  PHONE_KEEP_ACTIVE: at('checks.keepsActive', kind.onOff('off')),
  EMAIL_MX_LOOKUP: at('emailMxLookup', kind.onOff('on')),
  EMAIL_MX_TIMEOUT_MS: at('emailMxTimeoutMs', wholeNumber(50, 10_000, 1_000)),
  CONNECTIONS_PER_ADDRESS: at('limits.connectionsPerAddress', wholeNumber(0, 100_000, 256)),
  MEMORY_CEILING_MB: wholeNumber(300, 1_000_000, 640),
  LEADS_PER_ADDRESS_PER_HOUR: at('limits.leadsPerAddressPerHour', wholeNumber(0, 100_000, 120)),
  HOLD_SAME_PERSON_DAYS: at('limits.holdSamePersonDays', wholeNumber(0, 365, 0)),
  BYTES_PER_ADDRESS_PER_HOUR: at(
    'limits.bytesPerAddressPerHour',
    wholeNumber(0, 100_000_000_000, 20_000_000),
  ),
  STEPS_PER_VISIT: at('limits.stepsPerVisit', wholeNumber(50, 100_000, 500)),
  CHECKS_PER_ADDRESS_PER_MINUTE: at(
    'limits.checksPerAddressPerMinute',
    wholeNumber(1, 1_000_000, 120),
  ),
  OPT_OUTS_PER_ADDRESS_PER_HOUR: at('limits.optOuts.perAddressPerHour', wholeNumber(0, 100_000, 5)),
  OPT_OUTS_ALERT_PER_HOUR: at('limits.optOuts.alertPerHour', wholeNumber(0, 1_000_000, 20)),
  PAID_CHECKS_PER_ADDRESS_PER_HOUR: at(
    'limits.paidChecksPerHour.perAddress',
    wholeNumber(1, 1_000_000, 60),
  ),
  PAID_CHECKS_PER_HOUR: at('limits.paidChecksPerHour.overall', wholeNumber(1, 10_000_000, 2_000)),
  PAID_CHECK_PRICE: at(
    'limits.paidCheckPrice',
    optional(
      v.pipe(kind.matching(/^\d{1,3}(\.\d{1,4})?$/), v.transform(Number)),
      'US dollars, like 0.005',
    ),
  ),
  SAVES_PER_ADDRESS_PER_MINUTE: at(
    'limits.savesPerAddressPerMinute',
    wholeNumber(1, 1_000_000, 600),
  ),

  KEEP_VISITS_DAYS: at('keep.visits', wholeNumber(1, 3_660, 30)),
  KEEP_LEADS_DAYS: at('keep.leads', wholeNumber(30, 3_660, 1_826)),
  KEEP_CLICKS_DAYS: at('keep.clicks', wholeNumber(1, 3_660, 395)),
  KEEP_ATTEMPTS_DAYS: at('keep.attempts', wholeNumber(30, 3_660, 395)),
  KEEP_CONSENTS_DAYS: wholeNumber(1_826, 36_600, 1_826),
  KEEP_REQUESTS_DAYS: at('keep.requests', wholeNumber(731, 3_660, 1_826)),
} as const;

type Variables = typeof variables;
export type VariableName = keyof Variables;
type ValueOf<Declared> =
  Declared extends Variable<infer Output, infer Fallback>
    ? Output | (undefined extends Fallback ? undefined : never)
    : never;
/** The parsed value of each variable. */
export type VariableValues = { readonly [Name in VariableName]: ValueOf<Variables[Name]> };

type Nested<Path extends string, Value> = Path extends `${infer Group}.${infer Rest}`
  ? { readonly [Key in Group]: Nested<Rest, Value> }
  : { readonly [Key in Path]: Value };
type Placed<Declared> = Declared extends { readonly path: infer Path extends string }
  ? (all: Nested<Path, ValueOf<Declared>>) => void
  : never;
/** The values of all variables with a path, nested by that path. */
export type PlacedValues =
  Placed<Variables[VariableName]> extends (all: infer All) => void ? All : never;
