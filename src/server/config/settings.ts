/** Parses the settings once at start. Only `main.ts` uses the whole object and passes parts of it on. */
import path from 'node:path';
import process from 'node:process';
import type { SiteSettings } from '../../contract/site-settings.ts';
import type { Buyer } from '../../domain/buyer-choice.ts';
import { FALLBACK_BUYER_IDS } from '../../domain/buyers.ts';
import { formatPhoneMask } from '../../domain/phone-format.ts';
import type { Experiment } from '../../flows/experiments.ts';
import { type Survey, surveys } from '../../flows/surveys.ts';
import type { DestinationDefinition, DestinationSetting } from '../destinations/destination.ts';
import { destinations } from '../destinations/index.ts';
import type { PaidCheckLimits } from '../lookups/paid-checks.ts';
import type { PhoneCodeLimits } from '../phone-codes/ports.ts';
import type { OptOutLimits } from '../site-forms/opt-out-store.ts';
import { runExperiments } from './experiment-settings.ts';
import { nearMisses } from './near-misses.ts';
import { destinationSetting, readVariables } from './read-variables.ts';
import { callTrackingProblems, scriptSettings } from './script-settings.ts';
import {
  checkProblems,
  checkSettings,
  lookup,
  operationsSettings,
  prefillSettings,
  readCodeSender,
} from './service-settings.ts';
import { SettingsError } from './settings-error.ts';
import { overrideSurveys } from './survey-overrides.ts';
import { type ThirdParty, thirdParties } from './third-parties.ts';
import { type VariableValues, variables } from './variables.ts';

/** The service that decides for which affiliates contact fields are prefilled. */
export type PrefillSettings = {
  readonly baseUrl: string;
  /** 0 to 100. */
  readonly percentage: number;
  readonly timeoutMs: number;
};

/** A service that is called while a visitor answers a survey. */
export type LookupSettings = { readonly baseUrl: string; readonly timeoutMs: number };

/** Where operators read metrics and health. Port 0 picks a free port. */
export type OperationsSettings = { readonly host: string; readonly port: number };
/** The services that check a visitor's answers. Undefined: our own check, or none. */
export type CheckSettings = {
  readonly phone: (LookupSettings & { readonly key: string }) | undefined;
  readonly email: (LookupSettings & { readonly key: string }) | undefined;
  readonly gibberish: LookupSettings | undefined;
  readonly zip: LookupSettings | undefined;
  readonly verification: LookupSettings | undefined;
  /** The service that receives copies of saved progress. */
  readonly saveData: LookupSettings | undefined;
  /** How long an answer is cached. */
  readonly answersDays: number;
};

/** The account that sends SMS codes. */
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
  /** Undefined: no metrics are collected. */
  readonly operations: OperationsSettings | undefined;
  /** Absolute path. */
  readonly dataDir: string;
  /** Default: the embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl: string | undefined;
  readonly databasePoolMax: number;
  /** Secret for the person keys. Default: the file in `dataDir`. */
  readonly personKeySecret: string | undefined;
  /** The origin that visitors see. Default: the address that the server listens on. */
  readonly publicUrl: string | undefined;
  /** Strict-Transport-Security includes the subdomains of `publicUrl`. */
  readonly hstsSubdomains: boolean;
  /** Networks whose `X-Forwarded-For` is trusted. Default: none. */
  readonly trustedProxies: readonly string[];
  /** The header in which a trusted proxy gives the visitor's state, in lower case. Default: none. */
  readonly visitorStateHeader: string | undefined;
  /** The header in which a trusted proxy gives the visitor's address, in lower case. Default: none. */
  readonly visitorAddressHeader: string | undefined;
  readonly logLevel: VariableValues['LOG_LEVEL'];
  /** The time zone for rules about days and months. */
  readonly timeZone: string;
  /** The time zone in which operators read and write times. */
  readonly operatorsTimeZone: string;
  /** The port of a demo's sandbox. */
  readonly sandboxPort: number;
  /** The settings that pages may know. */
  readonly site: SiteSettings;
  /** Earlier values of `site.companyName`, under which consent texts were published. */
  readonly formerCompanyNames: readonly string[];
  /** States whose disqualified leads are routed. Default: those of each survey's flow. */
  readonly specialStates: readonly string[] | undefined;
  /** The table of surveys with the operator's overrides. */
  readonly surveys: readonly Survey[];
  readonly experiments: readonly Experiment[];
  /** Every destination, with its settings if they are given. */
  readonly destinations: readonly DestinationSetting[];
  /** Every third party, and what replaces it if it is not set up. */
  readonly thirdParties: readonly ThirdParty[];
  /** Default: nothing is prefilled. */
  readonly prefill: PrefillSettings | undefined;
  /** The mapping service. Default: every lead goes to the account of `ingest`. */
  readonly mapping: LookupSettings | undefined;
  /** The buyers service. Default: the fallback buyers. */
  readonly buyers: LookupSettings | undefined;
  /** The estimate service. Default: our own estimate. */
  readonly estimate: LookupSettings | undefined;
  readonly checks: CheckSettings;
  /** The circuit breaker: how many failures open it, and for how long. */
  readonly circuit: { readonly failures: number; readonly pauseMs: number };
  /** Sends SMS codes; `development` logs them. Undefined only if no survey verifies phone numbers. */
  readonly codeSender: TwilioSettings | 'development' | undefined;
  readonly phoneCodeLimits: PhoneCodeLimits;
  readonly fallbackBuyers: readonly Buyer[];
  /** The channel that receives alerts. Default: only the log. */
  readonly slack: { readonly url: string; readonly timeoutMs: number } | undefined;
  readonly allowsPrivateNetworks: boolean;
  /** How many deliveries this process sends at once. With 0 another process must send them. */
  readonly deliveryConcurrency: number;
  /** When operators are alerted about a destination. */
  readonly troubleLimits: { readonly failures: number; readonly waitMinutes: number };
  /** Whether this process also serves pages, besides accepting and delivering leads. */
  readonly servesPages: boolean;
  readonly emailMxLookup: boolean;
  readonly emailMxTimeoutMs: number;
  readonly limits: {
    /** Leads above the limit are accepted and held. 0: no limit. */
    readonly leadsPerAddressPerHour: number;
    /** Bytes of posts and saves together. 0: no limit. */
    readonly bytesPerAddressPerHour: number;
    readonly stepsPerVisit: number;
    readonly checksPerAddressPerMinute: number;
    /** Calls to the paid phone and e-mail services. */
    readonly paidChecksPerHour: PaidCheckLimits;
    readonly savesPerAddressPerMinute: number;
    readonly optOuts: OptOutLimits;
  };
  readonly keep: KeepDays;
};

/** Retention periods in days, each at least one. */
export type KeepDays = {
  /** Visits without a lead, since their last save. */
  readonly visits: number;
  readonly leads: number;
  /** Clicks and steps of leads. */
  readonly clicks: number;
  /** Answers of destinations. */
  readonly attempts: number;
  readonly consents: number;
  /** The personal data of do-not-sell requests. */
  readonly requests: number;
};

/**
 * Reads the process's environment, to which it adds `.env` from the working directory. The environment takes
 * precedence.
 *
 * @returns the settings, and warnings about variables that look misspelled.
 * @throws SettingsError that names every bad setting and what was expected.
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

/** Parses the settings from an environment. @throws SettingsError as `loadSettings` */
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
    problems.push(
      `${name} needs TRUSTED_PROXIES: the header is trusted only from a proxy named there`,
    );
  }
  const isProduction = environment.NODE_ENV === 'production';
  // A secret in a file would be lost with its container and differ between machines.
  const needsSecret = isProduction && values.DATABASE_URL !== undefined;
  if (needsSecret && (environment.PERSON_KEY_SECRET ?? '').trim() === '') {
    problems.push(
      'PERSON_KEY_SECRET is missing: with DATABASE_URL every process needs the same one, ' +
        'and without it the suppression list matches nobody (create one with "openssl rand -base64 32")',
    );
  }
  if (values.HSTS_SUBDOMAINS === 'on' && !values.PUBLIC_URL?.startsWith('https:')) {
    problems.push('HSTS_SUBDOMAINS=on needs a PUBLIC_URL that begins with "https:"');
  }
  const codeSender = readCodeSender(
    values,
    isProduction,
    'surveys' in table ? table.surveys : [],
    problems,
  );
  problems.push(...checkProblems(values, problems));
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
      personKeySecret: values.PERSON_KEY_SECRET,
      publicUrl: values.PUBLIC_URL,
      hstsSubdomains: values.HSTS_SUBDOMAINS === 'on',
      trustedProxies: values.TRUSTED_PROXIES,
      visitorStateHeader: values.VISITOR_STATE_HEADER,
      visitorAddressHeader: values.VISITOR_ADDRESS_HEADER,
      logLevel: values.LOG_LEVEL,
      timeZone: values.TIME_ZONE,
      operatorsTimeZone: values.OPERATORS_TIME_ZONE,
      sandboxPort: values.SANDBOX_PORT,
      site: {
        companyName: values.COMPANY_NAME,
        phoneDisplay: formatPhoneMask(values.PHONE_NUMBER),
        phoneHref: `tel:+1${values.PHONE_NUMBER}`,
        callHours: { en: values.CALL_HOURS, es: values.CALL_HOURS_ES },
        choiceWaitMinutes: values.CHOICE_WAIT_MINUTES,
        contactEmail: values.CONTACT_EMAIL,
        descriptionLimit: values.DESCRIPTION_LIMIT,
        partnerUrl: values.PARTNER_URL,
        dateOfBirthStates: values.DATE_OF_BIRTH_STATES,
        asksVisitorState: values.VISITOR_STATE_HEADER !== undefined,
        partialFaultStates: values.PARTIAL_FAULT_STATES,
        compensationMultipliers: values.COMPENSATION_MULTIPLIERS,
        partnerClosedStates: values.PARTNER_CLOSED_STATES,
        limitation: values.LIMITATION_TABLE,
        prefill: prefill !== undefined,
        withholdsAtOptOut: {
          survey: withholdsAtOptOut(settings, 'ingest'),
          contact: withholdsAtOptOut(settings, 'contact'),
        },
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
      fallbackBuyers: FALLBACK_BUYER_IDS.map((id, index) => ({
        name: values.FALLBACK_BUYER_NAMES[index] ?? '',
        ids: [id],
      })),
      slack: values.SLACK_WEBHOOK_URL
        ? { url: values.SLACK_WEBHOOK_URL, timeoutMs: values.SLACK_TIMEOUT_MS }
        : undefined,
      allowsPrivateNetworks: values.OUTGOING_PRIVATE_NETWORKS === 'allow',
      deliveryConcurrency: values.DELIVERY_CONCURRENCY,
      troubleLimits: {
        failures: values.DESTINATION_FAILURES,
        waitMinutes: values.DESTINATION_WAIT_MINUTES,
      },
      servesPages: values.PAGES === 'on',
      emailMxLookup: values.EMAIL_MX_LOOKUP === 'on',
      emailMxTimeoutMs: values.EMAIL_MX_TIMEOUT_MS,
      limits: {
        leadsPerAddressPerHour: values.LEADS_PER_ADDRESS_PER_HOUR,
        bytesPerAddressPerHour: values.BYTES_PER_ADDRESS_PER_HOUR,
        stepsPerVisit: values.STEPS_PER_VISIT,
        checksPerAddressPerMinute: values.CHECKS_PER_ADDRESS_PER_MINUTE,
        paidChecksPerHour: {
          perAddress: values.PAID_CHECKS_PER_ADDRESS_PER_HOUR,
          overall: values.PAID_CHECKS_PER_HOUR,
        },
        savesPerAddressPerMinute: values.SAVES_PER_ADDRESS_PER_MINUTE,
        optOuts: {
          perAddressPerHour: values.OPT_OUTS_PER_ADDRESS_PER_HOUR,
          alertPerHour: values.OPT_OUTS_ALERT_PER_HOUR,
        },
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

/** Returns whether a destination's setting withholds leads with the opt-out signal. */
function withholdsAtOptOut(settings: readonly DestinationSetting[], name: string): boolean {
  const found = settings.find(({ definition }) => definition.name === name);
  return found?.values?.[`${name.toUpperCase()}_AT_OPT_OUT`] === 'keep';
}
