/**
 * The settings, parsed once at start. After that only the parsed object travels; `main.ts` alone
 * reads it and hands its parts on.
 */
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
  /** What the keys of persons are made with. Secret. Undefined: the file in `dataDir`. */
  readonly personKeySecret: string | undefined;
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
  /** In which operators read and write times. */
  readonly operatorsTimeZone: string;
  /** Where a demo starts its sandbox. */
  readonly sandboxPort: number;
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
  readonly fallbackBuyers: readonly Buyer[];
  /** The channel that alerts go to; undefined: the log alone. */
  readonly slack: { readonly url: string; readonly timeoutMs: number } | undefined;
  readonly allowsPrivateNetworks: boolean;
  /** Deliveries under way at once in this process; 0: it only takes leads, another process sends. */
  readonly deliveryConcurrency: number;
  /** When operators are told of a destination's trouble. */
  readonly troubleLimits: { readonly failures: number; readonly waitMinutes: number };
  /** Whether this process serves pages, too; without them it takes leads and delivers. */
  readonly servesPages: boolean;
  readonly emailMxLookup: boolean;
  readonly emailMxTimeoutMs: number;
  readonly limits: {
    /** More are accepted and held for review; 0: no limit. */
    readonly leadsPerAddressPerHour: number;
    /** Posts and saves together; 0: no limit. */
    readonly bytesPerAddressPerHour: number;
    readonly stepsPerVisit: number;
    readonly checksPerAddressPerMinute: number;
    /** Calls to the paid services of phone numbers and e-mail addresses. */
    readonly paidChecksPerHour: PaidCheckLimits;
    readonly savesPerAddressPerMinute: number;
    readonly optOuts: OptOutLimits;
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
  const isProduction = environment.NODE_ENV === 'production';
  // A container's own file would be gone with it, and another machine would make another one.
  const needsSecret = isProduction && values.DATABASE_URL !== undefined;
  if (needsSecret && (environment.PERSON_KEY_SECRET ?? '').trim() === '') {
    problems.push(
      'PERSON_KEY_SECRET is missing: with DATABASE_URL every process needs the same one, ' +
        'and without it the suppression list finds nobody (make one with "openssl rand -base64 32")',
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

/** Whether a destination keeps leads with the opt-out signal back by its own setting. */
function withholdsAtOptOut(settings: readonly DestinationSetting[], name: string): boolean {
  const found = settings.find(({ definition }) => definition.name === name);
  return found?.values?.[`${name.toUpperCase()}_AT_OPT_OUT`] === 'keep';
}
