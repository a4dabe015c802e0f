/** Parses the settings once at start. Only `main.ts` uses the whole object and passes parts of it on. */
import path from 'node:path';
import process from 'node:process';
import type { SettingLine } from '../../contract/console/work.ts';
import type { SiteSettings } from '../../contract/site-settings.ts';
import type { Buyer } from '../../domain/buyer-choice.ts';
import { FALLBACK_BUYER_IDS } from '../../domain/buyers.ts';
import { formatPhoneMask } from '../../domain/phone-format.ts';
import type { Experiment } from '../../flows/experiments.ts';
import { type Survey, surveys } from '../../flows/surveys.ts';
import type { DestinationDefinition, DestinationSetting } from '../destinations/destination.ts';
import { destinations } from '../destinations/index.ts';
import { consoleProblems, consoleSettings } from './console-settings.ts';
import { runExperiments } from './experiment-settings.ts';
import { nearMisses } from './near-misses.ts';
import { destinationSetting, readVariables } from './read-variables.ts';
import { callTrackingProblems, scriptSettings } from './script-settings.ts';
import {
  type CodeSender,
  checkProblems,
  checkSettings,
  lookup,
  operationsSettings,
  readCodeSender,
} from './service-settings.ts';
import { settingLines } from './setting-lines.ts';
import { SettingsError } from './settings-error.ts';
import { overrideSurveys } from './survey-overrides.ts';
import { thirdParties } from './third-parties.ts';
import { type VariableValues, variables } from './variables.ts';

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
  const isProduction = environment.NODE_ENV === 'production';
  const table = overrideSurveys(surveys, values.SURVEY_OVERRIDES ?? {}, {
    destinations: definitions.filter(({ takes }) => takes === undefined).map(({ name }) => name),
    hasBuyersService: values.BUYERS_URL !== undefined,
  });
  if ('problems' in table) problems.push(...table.problems);
  const tried = runExperiments(
    values.EXPERIMENTS ?? {},
    'problems' in table ? surveys : table.surveys,
  );
  if ('problems' in tried) problems.push(...tried.problems);
  problems.push(...conflicts(values, isProduction, environment.PERSON_KEY_SECRET));
  const codeSender = readCodeSender(
    values,
    isProduction,
    'surveys' in table ? table.surveys : [],
    problems,
  );
  problems.push(...checkProblems(values, problems));
  problems.push(...callTrackingProblems(values));
  problems.push(...consoleProblems(values));
  const found = definitions.map((definition) =>
    destinationSetting(definition, environment, problems),
  );
  if (problems.length > 0 || 'problems' in table || 'problems' in tried)
    throw new SettingsError(problems);
  return {
    warnings: nearMisses(
      environment,
      Object.keys(variables),
      definitions.flatMap((definition) => Object.keys(definition.variables)),
    ),
    settings: settingsOf(values, {
      ...table,
      ...tried,
      ...{ destinations: found, codeSender, lines: settingLines(environment, definitions) },
    }),
  };
}

/** Returns a sentence for each setting that needs another one. */
function conflicts(
  values: Partial<VariableValues>,
  isProduction: boolean,
  secret: string | undefined,
): string[] {
  const problems: string[] = [];
  for (const name of ['VISITOR_STATE_HEADER', 'VISITOR_ADDRESS_HEADER'] as const) {
    if (values[name] === undefined || values.TRUSTED_PROXIES?.length !== 0) continue;
    problems.push(
      `${name} needs TRUSTED_PROXIES: the header is trusted only from a proxy named there`,
    );
  }
  // A secret in a file would be lost with its container and differ between machines.
  const needsSecret = isProduction && values.DATABASE_URL !== undefined;
  if (needsSecret && (secret ?? '').trim() === '') {
    problems.push(
      'PERSON_KEY_SECRET is missing: with DATABASE_URL every process needs the same one, ' +
        'and without it the suppression list matches nobody (create one with "openssl rand -base64 32")',
    );
  }
  if (values.OPERATORS_DATABASE_URL !== undefined && values.DATABASE_URL === undefined) {
    problems.push('OPERATORS_DATABASE_URL needs DATABASE_URL: it names a copy of that database');
  }
  if (values.HSTS_SUBDOMAINS === 'on' && !values.PUBLIC_URL?.startsWith('https:')) {
    problems.push('HSTS_SUBDOMAINS=on needs a PUBLIC_URL that begins with "https:"');
  }
  return problems;
}

/** The settings, from variables that fit together. */
export type Settings = Readonly<ReturnType<typeof settingsOf>>;

function settingsOf(
  values: VariableValues,
  found: {
    readonly surveys: readonly Survey[];
    readonly experiments: readonly Experiment[];
    readonly destinations: readonly DestinationSetting[];
    readonly codeSender: CodeSender | undefined;
    readonly lines: readonly SettingLine[];
  },
) {
  const prefill = lookup(values, 'PREFILL');
  return {
    /** Every setting as text, without secrets. */
    lines: found.lines,
    port: values.PORT,
    host: values.HOST,
    /** Where operators read metrics and health. Undefined: no metrics are collected. */
    operations: operationsSettings(values),
    /** The operators' console. Undefined: it is off. */
    console: consoleSettings(values),
    /** Absolute path. */
    dataDir: path.resolve(values.DATA_DIR),
    /** Undefined: the embedded PostgreSQL in `dataDir`. */
    databaseUrl: values.DATABASE_URL,
    /** Where operators' lists, numbers and exports are read, such as a standby. Undefined: `databaseUrl`. */
    operatorsDatabaseUrl: values.OPERATORS_DATABASE_URL,
    databasePoolMax: values.DATABASE_POOL_MAX,
    /** Secret for the person keys. Undefined: the file in `dataDir` has it. */
    personKeySecret: values.PERSON_KEY_SECRET,
    /** The private key that signs evidence. Undefined: the file in `dataDir` has it. */
    evidenceKey: values.EVIDENCE_KEY,
    /** The firm behind each destination, for packs; by the destination's name. */
    evidenceRecipients: values.EVIDENCE_RECIPIENTS,
    /** The operator's own places for the heads of the log. Undefined: none. */
    evidenceHeads: {
      url: values.EVIDENCE_HEADS_URL,
      file: values.EVIDENCE_HEADS_FILE && path.resolve(values.EVIDENCE_HEADS_FILE),
    },
    /** The origin that visitors see. Undefined: the address that the server listens on. */
    publicUrl: values.PUBLIC_URL,
    /** Strict-Transport-Security includes the subdomains of `publicUrl`. */
    hstsSubdomains: values.HSTS_SUBDOMAINS === 'on',
    /** Networks whose `X-Forwarded-For` is trusted. */
    trustedProxies: values.TRUSTED_PROXIES,
    /** The header in which a trusted proxy gives the visitor's state, in lower case. */
    visitorStateHeader: values.VISITOR_STATE_HEADER,
    /** The header in which a trusted proxy gives the visitor's address, in lower case. */
    visitorAddressHeader: values.VISITOR_ADDRESS_HEADER,
    logLevel: values.LOG_LEVEL,
    /** The time zone for rules about days and months. */
    timeZone: values.TIME_ZONE,
    /** The time zone in which operators read and write times. */
    operatorsTimeZone: values.OPERATORS_TIME_ZONE,
    /** The port of a demo's sandbox. */
    sandboxPort: values.SANDBOX_PORT,
    site: siteSettings(values, found.destinations),
    /** Earlier values of `site.companyName`, under which consent texts were published. */
    formerCompanyNames: values.FORMER_COMPANY_NAMES,
    /** States whose disqualified leads are routed. Undefined: those of each survey's flow. */
    specialStates: values.SPECIAL_STATES,
    /** The table of surveys with the operator's overrides. */
    surveys: found.surveys,
    experiments: found.experiments,
    /** Every destination, with its settings if they are given. */
    destinations: found.destinations,
    /** Every third party, and what replaces it if it is not set up. */
    thirdParties: thirdParties(values, found.destinations),
    /** Undefined: nothing is prefilled. */
    prefill: prefill && { ...prefill, percentage: values.PREFILL_PERCENTAGE },
    /** Undefined: every lead goes to the account of `ingest`. */
    mapping: lookup(values, 'MAPPING'),
    /** Undefined: the fallback buyers. */
    buyers: lookup(values, 'BUYERS'),
    /** Undefined: our own estimate. */
    estimate: lookup(values, 'ESTIMATE'),
    checks: checkSettings(values),
    /** The circuit breaker: how many failures open it, and for how long. */
    circuit: { failures: values.CIRCUIT_FAILURES, pauseMs: values.CIRCUIT_PAUSE_MS },
    /** Undefined only if no survey verifies phone numbers. */
    codeSender: found.codeSender,
    phoneCodeLimits: {
      sendsPerNumber: values.CODES_PER_NUMBER,
      sendsPerAddress: values.CODES_PER_ADDRESS_PER_HOUR,
      sendsPerVisit: values.CODES_PER_VISIT_PER_HOUR,
      sends: values.CODES_PER_HOUR,
      triesPerNumber: values.CODE_TRIES_PER_NUMBER,
      triesPerVisit: values.CODE_TRIES_PER_VISIT_PER_HOUR,
    },
    fallbackBuyers: FALLBACK_BUYER_IDS.map(
      (id, index): Buyer => ({ name: values.FALLBACK_BUYER_NAMES[index] ?? '', ids: [id] }),
    ),
    /** The channel that receives alerts. Undefined: only the log. */
    slack: values.SLACK_WEBHOOK_URL
      ? { url: values.SLACK_WEBHOOK_URL, timeoutMs: values.SLACK_TIMEOUT_MS }
      : undefined,
    allowsPrivateNetworks: values.OUTGOING_PRIVATE_NETWORKS === 'allow',
    /** How many deliveries this process sends at once. With 0 another process must send them. */
    deliveryConcurrency: values.DELIVERY_CONCURRENCY,
    /** When operators are alerted about a destination. */
    troubleLimits: {
      failures: values.DESTINATION_FAILURES,
      waitMinutes: values.DESTINATION_WAIT_MINUTES,
    },
    /** Whether this process also serves pages, besides accepting and delivering leads. */
    servesPages: values.PAGES === 'on',
    emailMxLookup: values.EMAIL_MX_LOOKUP === 'on',
    emailMxTimeoutMs: values.EMAIL_MX_TIMEOUT_MS,
    limits: {
      /** Open connections. 0: no limit. */
      connectionsPerAddress: values.CONNECTIONS_PER_ADDRESS,
      memoryCeilingBytes: values.MEMORY_CEILING_MB * 1_000_000,
      /** Leads above the limit are accepted and held. 0: no limit. */
      leadsPerAddressPerHour: values.LEADS_PER_ADDRESS_PER_HOUR,
      /** A second lead of one person within so many days is held. 0: off. */
      holdSamePersonDays: values.HOLD_SAME_PERSON_DAYS,
      /** Bytes of posts and saves together. 0: no limit. */
      bytesPerAddressPerHour: values.BYTES_PER_ADDRESS_PER_HOUR,
      stepsPerVisit: values.STEPS_PER_VISIT,
      checksPerAddressPerMinute: values.CHECKS_PER_ADDRESS_PER_MINUTE,
      /** Calls to the paid phone and e-mail services. */
      paidChecksPerHour: {
        perAddress: values.PAID_CHECKS_PER_ADDRESS_PER_HOUR,
        overall: values.PAID_CHECKS_PER_HOUR,
      },
      /** What a call of these services costs, in US dollars. */
      paidCheckPrice: values.PAID_CHECK_PRICE,
      savesPerAddressPerMinute: values.SAVES_PER_ADDRESS_PER_MINUTE,
      optOuts: {
        perAddressPerHour: values.OPT_OUTS_PER_ADDRESS_PER_HOUR,
        alertPerHour: values.OPT_OUTS_ALERT_PER_HOUR,
      },
    },
    /** Retention periods in days, each at least one. */
    keep: {
      /** Visits without a lead, since their last save. */
      visits: values.KEEP_VISITS_DAYS,
      leads: values.KEEP_LEADS_DAYS,
      /** Clicks and steps of leads. */
      clicks: values.KEEP_CLICKS_DAYS,
      /** Answers of destinations. */
      attempts: values.KEEP_ATTEMPTS_DAYS,
      /** Never less than the leads that are sent with them. */
      consents: Math.max(values.KEEP_CONSENTS_DAYS, values.KEEP_LEADS_DAYS),
      /** The personal data of do-not-sell requests. */
      requests: values.KEEP_REQUESTS_DAYS,
    },
  };
}

export type KeepDays = Readonly<Settings['keep']>;

/** Returns whether the destinations' settings withhold leads with the opt-out signal, by kind of lead. */
export function withholdsAtOptOut(
  destinations: readonly DestinationSetting[],
): SiteSettings['withholdsAtOptOut'] {
  const withholds = (name: string) => {
    const found = destinations.find(({ definition }) => definition.name === name);
    return found?.values?.[`${name.toUpperCase()}_AT_OPT_OUT`] === 'keep';
  };
  return { survey: withholds('ingest'), contact: withholds('contact') };
}

/** Returns the settings that pages may know. */
function siteSettings(
  values: VariableValues,
  destinations: readonly DestinationSetting[],
): SiteSettings {
  return {
    companyName: values.COMPANY_NAME,
    phoneDisplay: formatPhoneMask(values.PHONE_NUMBER),
    phoneHref: `tel:+1${values.PHONE_NUMBER}`,
    callHours: { en: values.CALL_HOURS, es: values.CALL_HOURS_ES },
    choiceWaitMinutes: values.CHOICE_WAIT_MINUTES,
    preselectsFirms: values.ONE_TO_ONE_PRESELECT === 'on',
    contactEmail: values.CONTACT_EMAIL,
    descriptionLimit: values.DESCRIPTION_LIMIT,
    partnerUrl: values.PARTNER_URL,
    dateOfBirthStates: values.DATE_OF_BIRTH_STATES,
    asksVisitorState: values.VISITOR_STATE_HEADER !== undefined,
    partialFaultStates: values.PARTIAL_FAULT_STATES,
    compensationMultipliers: values.COMPENSATION_MULTIPLIERS,
    partnerClosedStates: values.PARTNER_CLOSED_STATES,
    limitation: values.LIMITATION_TABLE,
    forcesTreatment: values.FORCED_TREATMENT === 'on',
    prefill: values.PREFILL_URL !== undefined,
    withholdsAtOptOut: withholdsAtOptOut(destinations),
    scripts: scriptSettings(values),
  };
}
