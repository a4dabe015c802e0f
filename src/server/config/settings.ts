/**
 * The settings, parsed once at start. After that only the parsed object travels; `main.ts` alone
 * reads it and hands its parts on.
 */
import path from 'node:path';
import process from 'node:process';
import * as v from 'valibot';
import type { NumberPool, ScriptSettings } from '../../contract/script-declarations.ts';
import type { SiteSettings } from '../../contract/site-settings.ts';
import type { Buyer } from '../../domain/buyer-choice.ts';
import { FALLBACK_BUYER_IDS } from '../../domain/buyers.ts';
import type { CompensationMultipliers } from '../../domain/compensation-estimate.ts';
import { formatPhoneMask } from '../../domain/phone-format.ts';
import type { Experiment } from '../../flows/experiments.ts';
import { type Survey, surveys } from '../../flows/surveys.ts';
import type { DestinationDefinition, DestinationSetting } from '../destinations/destination.ts';
import { destinations } from '../destinations/index.ts';
import type { PhoneCodeLimits } from '../leads/ports.ts';
import { runExperiments } from './experiment-settings.ts';
import { nearMisses } from './near-misses.ts';
import { SettingsError } from './settings-error.ts';
import { overrideSurveys } from './survey-overrides.ts';
import { type ThirdParty, thirdParties } from './third-parties.ts';
import type { Variable } from './variable.ts';
import { type VariableValues, variables } from './variables.ts';

/** The service that says whose contact fields are prefilled. */
export type PrefillSettings = {
  readonly baseUrl: string;
  /** 0 to 100. */
  readonly percentage: number;
  readonly timeoutMs: number;
};

/** A service that is asked while a survey is answered. */
export type LookupSettings = { readonly baseUrl: string; readonly timeoutMs: number };

/** `port` 0: a free one. */
export type OperationsSettings = { readonly host: string; readonly port: number };
/** Services that are asked about what a visitor gives; undefined: our own check, or nothing. */
export type CheckSettings = {
  readonly phone: (LookupSettings & { readonly key: string }) | undefined;
  readonly email: (LookupSettings & { readonly key: string }) | undefined;
  readonly gibberish: LookupSettings | undefined;
  readonly zip: LookupSettings | undefined;
  readonly verification: LookupSettings | undefined;
  /** Where saved progress is copied to. */
  readonly saveData: LookupSettings | undefined;
  /** How long an answer is used again. */
  readonly answersDays: number;
};

/** The account that codes are sent from by SMS. */
export type TwilioSettings = {
  readonly baseUrl: string;
  readonly accountSid: string;
  /** Secret. */
  readonly authToken: string;
  readonly serviceSid: string;
  readonly timeoutMs: number;
};

export type Settings = {
  readonly port: number;
  readonly host: string;
  /** Where operators read metrics and health; undefined: nowhere, and nothing is measured. */
  readonly operations: OperationsSettings | undefined;
  /** Absolute. */
  readonly dataDir: string;
  /** Undefined: the embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl: string | undefined;
  readonly databasePoolMax: number;
  /** Origin that visitors see; undefined: the address that the server listens on. */
  readonly publicUrl: string | undefined;
  /** Browsers are held to https on all subdomains of `publicUrl` as well. */
  readonly hstsSubdomains: boolean;
  /** Networks whose `X-Forwarded-For` is believed; empty: nobody's. */
  readonly trustedProxies: readonly string[];
  /** The header in which such a proxy says the visitor's state, in lower case; undefined: none does. */
  readonly visitorStateHeader: string | undefined;
  /** The header in which such a proxy says the visitor's address, in lower case; undefined: none does. */
  readonly visitorAddressHeader: string | undefined;
  readonly logLevel: VariableValues['LOG_LEVEL'];
  /** The calendar that day and month rules count in. */
  readonly timeZone: string;
  /** What a page may know. */
  readonly site: SiteSettings;
  /** Names that consent texts were published under before `site.companyName`. */
  readonly formerCompanyNames: readonly string[];
  /** States whose disqualified leads are routed; undefined: those of each survey's flow. */
  readonly specialStates: readonly string[] | undefined;
  /** The table of surveys with the operator's changes. */
  readonly surveys: readonly Survey[];
  /** What of the surveys' look differs from visitor to visitor, and where. */
  readonly experiments: readonly Experiment[];
  /** Every third party that leads are sent to, with its settings where they are given. */
  readonly destinations: readonly DestinationSetting[];
  /** Every third party there is, and what stands in where it is not set up. */
  readonly thirdParties: readonly ThirdParty[];
  /** Undefined: nothing is prefilled. */
  readonly prefill: PrefillSettings | undefined;
  /** The mapping service; undefined: every lead goes to the account of `ingest`. */
  readonly mapping: LookupSettings | undefined;
  /** The buyers service; undefined: the fallback buyers. */
  readonly buyers: LookupSettings | undefined;
  /** The estimate service; undefined: our own estimate. */
  readonly estimate: LookupSettings | undefined;
  readonly checks: CheckSettings;
  /** When a service that fails is left alone, and for how long. */
  readonly circuit: { readonly failures: number; readonly pauseMs: number };
  /**
   * Who sends codes by SMS; `development`: they are printed to the log. Undefined: nobody, and no survey
   * asks for one.
   */
  readonly codeSender: TwilioSettings | 'development' | undefined;
  readonly phoneCodeLimits: PhoneCodeLimits;
  /** What our own estimate is made with. */
  readonly compensationMultipliers: CompensationMultipliers;
  readonly fallbackBuyers: readonly Buyer[];
  /** The channel that alerts go to; undefined: the log alone. */
  readonly slack: { readonly url: string; readonly timeoutMs: number } | undefined;
  readonly allowsPrivateNetworks: boolean;
  /** Deliveries under way at once in this process; 0: it only takes leads, another process sends. */
  readonly deliveryConcurrency: number;
  /** Whether this process serves pages, too; without them it takes leads and delivers. */
  readonly servesPages: boolean;
  readonly emailMxLookup: boolean;
  readonly emailMxTimeoutMs: number;
  readonly limits: {
    /** More are accepted and held for review; 0: no limit. */
    readonly leadsPerAddressPerHour: number;
    readonly checksPerAddressPerMinute: number;
    readonly savesPerAddressPerMinute: number;
  };
  readonly keep: KeepDays;
};

/** How long what is kept, in days, at least a day. */
export type KeepDays = {
  /** Visits that ended without a lead, since they were last heard of. */
  readonly visits: number;
  readonly leads: number;
  /** Clicks and steps of leads. */
  readonly clicks: number;
  /** What destinations answered. */
  readonly attempts: number;
  readonly consents: number;
  /** Do-not-sell requests with who made them. */
  readonly requests: number;
};

/**
 * Reads the environment of the process, after a `.env` file in the working directory, if there is
 * one, has been added to it (what the environment says already, wins).
 *
 * @returns the settings, and sentences about variables that look like slips of the pen.
 * @throws SettingsError naming every bad setting and what it was expected to be.
 */
export function loadSettings(definitions?: readonly DestinationDefinition[]): {
  settings: Settings;
  warnings: readonly string[];
} {
  try {
    process.loadEnvFile('.env');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
      throw new SettingsError([`.env cannot be read: ${(error as Error).message}`]);
    }
  }
  return parseSettings(process.env, definitions);
}

/** The settings that an environment describes. Errors as `loadSettings`; reads nothing else. */
export function parseSettings(
  environment: NodeJS.ProcessEnv,
  definitions: readonly DestinationDefinition[] = destinations,
): { settings: Settings; warnings: readonly string[] } {
  const problems: string[] = [];
  const values = readVariables(variables, environment, problems) as VariableValues;
  const ofSurveys = definitions.filter(({ takes }) => takes === undefined);
  const names = ofSurveys.map(({ name }) => name);
  const table = overrideSurveys(surveys, values.SURVEY_OVERRIDES ?? {}, {
    destinations: names,
    hasBuyersService: values.BUYERS_URL !== undefined,
  });
  if ('problems' in table) problems.push(...table.problems);
  const tried = runExperiments(
    values.EXPERIMENTS ?? {},
    'problems' in table ? surveys : table.surveys,
  );
  if ('problems' in tried) problems.push(...tried.problems);
  for (const name of ['VISITOR_STATE_HEADER', 'VISITOR_ADDRESS_HEADER'] as const) {
    if (values[name] === undefined || values.TRUSTED_PROXIES?.length !== 0) continue;
    problems.push(`${name} needs TRUSTED_PROXIES: only a proxy that is named there is believed`);
  }
  if (values.HSTS_SUBDOMAINS === 'on' && !values.PUBLIC_URL?.startsWith('https:')) {
    problems.push('HSTS_SUBDOMAINS=on needs a PUBLIC_URL that begins with "https:"');
  }
  const codeSender = readCodeSender(
    values,
    environment.NODE_ENV === 'production',
    'surveys' in table ? table.surveys : [],
    problems,
  );
  for (const check of ['PHONE_CHECK', 'EMAIL_CHECK'] as const) {
    const [url, key] = [`${check}_URL`, `${check}_KEY`] as const;
    // One that was given and refused has its own sentence.
    const isGiven = (name: string) => problems.some((problem) => problem.startsWith(`${name} `));
    for (const [name, other] of [
      [url, key],
      [key, url],
    ] as const) {
      if (values[name] !== undefined || isGiven(name)) continue;
      if (values[other] !== undefined) problems.push(`${name} is missing: ${other} needs it`);
    }
  }
  problems.push(...callTrackingProblems(values));
  const settings = definitions.map((definition) =>
    destinationSetting(definition, environment, problems),
  );
  if (problems.length > 0 || 'problems' in table || 'problems' in tried)
    throw new SettingsError(problems);
  const prefill = prefillSettings(values);
  return {
    warnings: nearMisses(
      environment,
      Object.keys(variables),
      definitions.flatMap((definition) => Object.keys(definition.variables)),
    ),
    settings: {
      port: values.PORT,
      host: values.HOST,
      operations: operationsSettings(values),
      dataDir: path.resolve(values.DATA_DIR),
      databaseUrl: values.DATABASE_URL,
      databasePoolMax: values.DATABASE_POOL_MAX,
      publicUrl: values.PUBLIC_URL,
      hstsSubdomains: values.HSTS_SUBDOMAINS === 'on',
      trustedProxies: values.TRUSTED_PROXIES,
      visitorStateHeader: values.VISITOR_STATE_HEADER,
      visitorAddressHeader: values.VISITOR_ADDRESS_HEADER,
      logLevel: values.LOG_LEVEL,
      timeZone: values.TIME_ZONE,
      site: {
        companyName: values.COMPANY_NAME,
        phoneDisplay: formatPhoneMask(values.PHONE_NUMBER),
        phoneHref: `tel:+1${values.PHONE_NUMBER}`,
        callHours: { en: values.CALL_HOURS, es: values.CALL_HOURS_ES },
        contactEmail: values.CONTACT_EMAIL,
        descriptionLimit: values.DESCRIPTION_LIMIT,
        partnerUrl: values.PARTNER_URL,
        dateOfBirthStates: values.DATE_OF_BIRTH_STATES,
        asksVisitorState: values.VISITOR_STATE_HEADER !== undefined,
        partialFaultStates: values.PARTIAL_FAULT_STATES,
        partnerClosedStates: values.PARTNER_CLOSED_STATES,
        limitation: values.LIMITATION_TABLE,
        prefill: prefill !== undefined,
        scripts: scriptSettings(values),
      },
      formerCompanyNames: values.FORMER_COMPANY_NAMES,
      specialStates: values.SPECIAL_STATES,
      surveys: table.surveys,
      experiments: tried.experiments,
      destinations: settings,
      thirdParties: thirdParties(values, settings),
      prefill,
      mapping: lookup(values.MAPPING_URL, values.MAPPING_TIMEOUT_MS),
      buyers: lookup(values.BUYERS_URL, values.BUYERS_TIMEOUT_MS),
      estimate: lookup(values.ESTIMATE_URL, values.ESTIMATE_TIMEOUT_MS),
      checks: checkSettings(values),
      circuit: { failures: values.CIRCUIT_FAILURES, pauseMs: values.CIRCUIT_PAUSE_MS },
      codeSender,
      phoneCodeLimits: {
        sendsPerNumber: values.CODES_PER_NUMBER,
        sendsPerAddress: values.CODES_PER_ADDRESS_PER_HOUR,
        sendsPerVisit: values.CODES_PER_VISIT_PER_HOUR,
        sends: values.CODES_PER_HOUR,
        triesPerNumber: values.CODE_TRIES_PER_NUMBER,
        triesPerVisit: values.CODE_TRIES_PER_VISIT_PER_HOUR,
      },
      compensationMultipliers: values.COMPENSATION_MULTIPLIERS,
      fallbackBuyers: FALLBACK_BUYER_IDS.map((id, index) => ({
        name: values.FALLBACK_BUYER_NAMES[index] ?? '',
        ids: [id],
      })),
      slack: values.SLACK_WEBHOOK_URL
        ? { url: values.SLACK_WEBHOOK_URL, timeoutMs: values.SLACK_TIMEOUT_MS }
        : undefined,
      allowsPrivateNetworks: values.OUTGOING_PRIVATE_NETWORKS === 'allow',
      deliveryConcurrency: values.DELIVERY_CONCURRENCY,
      servesPages: values.PAGES === 'on',
      emailMxLookup: values.EMAIL_MX_LOOKUP === 'on',
      emailMxTimeoutMs: values.EMAIL_MX_TIMEOUT_MS,
      limits: {
        leadsPerAddressPerHour: values.LEADS_PER_ADDRESS_PER_HOUR,
        checksPerAddressPerMinute: values.CHECKS_PER_ADDRESS_PER_MINUTE,
        savesPerAddressPerMinute: values.SAVES_PER_ADDRESS_PER_MINUTE,
      },
      keep: {
        visits: values.KEEP_VISITS_DAYS,
        leads: values.KEEP_LEADS_DAYS,
        clicks: values.KEEP_CLICKS_DAYS,
        attempts: values.KEEP_ATTEMPTS_DAYS,
        consents: values.KEEP_CONSENTS_DAYS,
        requests: values.KEEP_REQUESTS_DAYS,
      },
    },
  };
}

function readVariables(
  declarations: Readonly<Record<string, Variable<unknown>>>,
  environment: NodeJS.ProcessEnv,
  problems: string[],
): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const [name, declared] of Object.entries(declarations)) {
    const given = environment[name];
    const isGiven = given !== undefined && given.trim() !== '';
    const text = isGiven ? given : declared.fallback;
    if (text === undefined) continue;
    const result = v.safeParse(declared.read, text);
    if (result.success) {
      values[name] = result.output;
    } else {
      const shown = declared.secret ? '' : `, not ${JSON.stringify(text.slice(0, 100))}`;
      problems.push(`${name} must be ${declared.expected}${shown}`);
    }
  }
  return values;
}

/** From the site's own port, so that servers on one machine that do not collide there, do not here. */
const OPERATIONS_OFFSET = 10_000;

function operationsSettings(values: VariableValues): OperationsSettings | undefined {
  const { PORT, OPERATIONS_PORT, OPERATIONS_HOST: host } = values;
  if (OPERATIONS_PORT === undefined) return undefined;
  if (OPERATIONS_PORT !== 'auto') return { host, port: OPERATIONS_PORT };
  if (PORT === 0) return { host, port: 0 };
  const isHigh = PORT + OPERATIONS_OFFSET > 65_535;
  return { host, port: isHigh ? PORT - OPERATIONS_OFFSET : PORT + OPERATIONS_OFFSET };
}

/** The scripts of third parties; each off without its setting. */
function scriptSettings(values: VariableValues): ScriptSettings {
  const baseUrl = values.CLICK_TRACKER_URL?.replace(/\/+$/, '');
  const vendor = values.CALL_TRACKING;
  const pool = (src: string, tagId: string): NumberPool => ({
    src,
    ...(vendor === 'invoca' && { tagId }),
  });
  const numbers = pool(values.CALL_TRACKING_SCRIPT_URL, values.CALL_TRACKING_TAG_ID);
  // Invoca's script is the same for all; its tag is the pool.
  const facebook = pool(
    values.CALL_TRACKING_FACEBOOK_SCRIPT_URL || numbers.src,
    values.CALL_TRACKING_FACEBOOK_TAG_ID,
  );
  const hasFacebook = vendor === 'invoca' ? facebook.tagId !== '' : facebook.src !== numbers.src;
  return {
    pixel: values.PIXEL_SCRIPT_URL,
    caseWorth: values.CASE_WORTH_SCRIPT_URL,
    caseWorthFacebook: values.CASE_WORTH_FACEBOOK_SCRIPT_URL,
    ticket: values.TICKET_SCRIPT_URL,
    adPixel: values.AD_PIXEL_SCRIPT_URL,
    trustedForm: values.TRUSTEDFORM_SCRIPT_URL,
    leadid: values.LEADID_SCRIPT_URL,
    moreHosts: values.SCRIPT_HOSTS,
    ...(baseUrl && {
      click: { baseUrl, by: values.CLICK_TRACKER_BY, timeoutMs: values.CLICK_TRACKER_TIMEOUT_MS },
    }),
    ...(vendor !== 'off' && {
      callTracking: { vendor, numbers, ...(hasFacebook && { facebook }) },
    }),
  };
}

/** Half a call-tracking account would show the fallback number and nobody would know why. */
function callTrackingProblems(values: Partial<VariableValues>): string[] {
  const { CALL_TRACKING: vendor, CALL_TRACKING_SCRIPT_URL, CALL_TRACKING_TAG_ID } = values;
  const needs = {
    ...(vendor !== 'off' && { CALL_TRACKING_SCRIPT_URL }),
    ...(vendor === 'invoca' && { CALL_TRACKING_TAG_ID }),
  };
  return Object.entries(needs)
    .filter(([, value]) => value === '')
    .map(([name]) => `${name} is missing: CALL_TRACKING "${vendor}" needs it`);
}

function prefillSettings(values: VariableValues): PrefillSettings | undefined {
  const { PREFILL_URL, PREFILL_PERCENTAGE, PREFILL_TIMEOUT_MS } = values;
  if (PREFILL_URL === undefined) return undefined;
  return {
    baseUrl: PREFILL_URL,
    percentage: PREFILL_PERCENTAGE,
    timeoutMs: PREFILL_TIMEOUT_MS,
  };
}

function checkSettings(values: VariableValues): CheckSettings {
  const withKey = (found: LookupSettings | undefined, key: string | undefined) =>
    found && key !== undefined ? { ...found, key } : undefined;
  const phone = lookup(values.PHONE_CHECK_URL, values.PHONE_CHECK_TIMEOUT_MS);
  const email = lookup(values.EMAIL_CHECK_URL, values.EMAIL_CHECK_TIMEOUT_MS);
  return {
    phone: withKey(phone, values.PHONE_CHECK_KEY),
    email: withKey(email, values.EMAIL_CHECK_KEY),
    gibberish: lookup(values.GIBBERISH_URL, values.GIBBERISH_TIMEOUT_MS),
    zip: lookup(values.ZIP_URL, values.ZIP_TIMEOUT_MS),
    verification: lookup(values.VERIFICATION_URL, values.VERIFICATION_TIMEOUT_MS),
    saveData: lookup(values.SAVE_DATA_URL, values.SAVE_DATA_TIMEOUT_MS),
    answersDays: values.CHECK_ANSWERS_DAYS,
  };
}

const twilioNames = [
  'TWILIO_ACCOUNT_SID',
  'TWILIO_AUTH_TOKEN',
  'TWILIO_VERIFY_SERVICE_SID',
] as const;

/** The whole account, or none of it; and in production none only where no survey needs it. */
function readCodeSender(
  values: VariableValues,
  isProduction: boolean,
  surveys: readonly Survey[],
  problems: string[],
): Settings['codeSender'] {
  const { TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN, TWILIO_VERIFY_SERVICE_SID } = values;
  if (TWILIO_ACCOUNT_SID && TWILIO_AUTH_TOKEN && TWILIO_VERIFY_SERVICE_SID) {
    return {
      baseUrl: values.TWILIO_VERIFY_URL,
      accountSid: TWILIO_ACCOUNT_SID,
      authToken: TWILIO_AUTH_TOKEN,
      serviceSid: TWILIO_VERIFY_SERVICE_SID,
      timeoutMs: values.TWILIO_TIMEOUT_MS,
    };
  }
  // One that was given and refused has its own sentence.
  const isRefused = (name: string) => problems.some((problem) => problem.startsWith(`${name} `));
  if (twilioNames.some((name) => values[name] !== undefined || isRefused(name))) {
    for (const name of twilioNames.filter((each) => values[each] === undefined)) {
      if (isRefused(name)) continue;
      problems.push(`${name} is missing: codes by SMS need all of ${twilioNames.join(', ')}`);
    }
    return undefined;
  }
  if (!isProduction) return 'development';
  const verifying = surveys.filter(({ verifiesPhone }) => verifiesPhone);
  if (verifying.length > 0) {
    const paths = verifying.map(({ path }) => `"${path}"`).join(', ');
    problems.push(
      `SURVEY_OVERRIDES: ${paths} verifies phone numbers, and in production nobody sends the codes: ` +
        `set ${twilioNames.join(', ')}, or turn "verifiesPhone" off`,
    );
  }
  return undefined;
}

function lookup(baseUrl: string | undefined, timeoutMs: number): LookupSettings | undefined {
  return baseUrl === undefined ? undefined : { baseUrl, timeoutMs };
}

/** All that a destination needs, or none of it: half an account would lose leads quietly. */
function destinationSetting(
  definition: DestinationDefinition,
  environment: NodeJS.ProcessEnv,
  problems: string[],
): DestinationSetting {
  const refused: string[] = [];
  const values = readVariables(definition.variables, environment, refused);
  problems.push(...refused);
  const missing = definition.needs.filter((name) => values[name] === undefined);
  if (missing.length === 0) return { definition, values };
  // One that was given and refused has its own sentence.
  const isGiven = (name: string) => refused.some((problem) => problem.startsWith(`${name} `));
  if (missing.length < definition.needs.length || missing.some(isGiven)) {
    for (const name of missing.filter((each) => !isGiven(each))) {
      problems.push(
        `${name} is missing: ${definition.title} needs all of ${definition.needs.join(', ')}`,
      );
    }
  }
  return { definition, values: undefined };
}
