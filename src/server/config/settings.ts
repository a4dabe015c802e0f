/**
 * The settings, parsed once at start. After that only the parsed object travels; `main.ts` alone
 * reads it and hands its parts on.
 */
import path from 'node:path';
import process from 'node:process';
import * as v from 'valibot';
import type { SiteSettings } from '../../contract/site-settings.ts';
import type { Buyer } from '../../domain/buyer-choice.ts';
import { FALLBACK_BUYER_IDS } from '../../domain/buyers.ts';
import type { CompensationMultipliers } from '../../domain/compensation-estimate.ts';
import { formatPhoneMask } from '../../domain/phone-format.ts';
import { type Survey, surveys } from '../../flows/surveys.ts';
import { nearMisses } from './near-misses.ts';
import { SettingsError } from './settings-error.ts';
import { overrideSurveys } from './survey-overrides.ts';
import { type Variable, type VariableName, type VariableValues, variables } from './variables.ts';

/** The lead-ingest service and our account there. */
export type IngestSettings = {
  readonly url: string;
  readonly campaignId: string;
  readonly supplierId: string;
  readonly key: string;
  readonly timeoutMs: number;
};

/** The service that says whose contact fields are prefilled. */
export type PrefillSettings = {
  readonly baseUrl: string;
  /** 0 to 100. */
  readonly percentage: number;
  readonly timeoutMs: number;
};

/** A service that is asked while a survey is answered. */
export type LookupSettings = { readonly baseUrl: string; readonly timeoutMs: number };

export type Settings = {
  readonly port: number;
  readonly host: string;
  /** Absolute. */
  readonly dataDir: string;
  /** Undefined: the embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl: string | undefined;
  readonly databasePoolMax: number;
  /** Origin that visitors see; undefined: the address that the server listens on. */
  readonly publicUrl: string | undefined;
  /** Networks whose `X-Forwarded-For` is believed; empty: nobody's. */
  readonly trustedProxies: readonly string[];
  readonly logLevel: VariableValues['LOG_LEVEL'];
  /** The calendar that day and month rules count in. */
  readonly timeZone: string;
  /** What a page may know. */
  readonly site: SiteSettings;
  /** States in which bad words are reported. */
  readonly badWordsStates: readonly string[];
  /** The table of surveys with the operator's changes. */
  readonly surveys: readonly Survey[];
  /** Undefined: leads are stored and marked "no destination". */
  readonly ingest: IngestSettings | undefined;
  /** Undefined: nothing is prefilled. */
  readonly prefill: PrefillSettings | undefined;
  /** The mapping service; undefined: every lead goes to the account of `ingest`. */
  readonly mapping: LookupSettings | undefined;
  /** The buyers service; undefined: the fallback buyers. */
  readonly buyers: LookupSettings | undefined;
  /** The estimate service; undefined: our own estimate. */
  readonly estimate: LookupSettings | undefined;
  /** What our own estimate is made with. */
  readonly compensationMultipliers: CompensationMultipliers;
  readonly fallbackBuyers: readonly Buyer[];
  readonly allowsPrivateNetworks: boolean;
  /** Deliveries under way at once in this process; 0: it only takes leads, another process sends. */
  readonly deliveryConcurrency: number;
  readonly emailMxLookup: boolean;
  readonly emailMxTimeoutMs: number;
  readonly limits: {
    /** More are accepted and held for review; 0: no limit. */
    readonly leadsPerAddressPerHour: number;
    readonly checksPerAddressPerMinute: number;
    readonly savesPerAddressPerMinute: number;
  };
};

/**
 * Reads the environment of the process, after a `.env` file in the working directory, if there is
 * one, has been added to it (what the environment says already, wins).
 *
 * @returns the settings, and sentences about variables that look like slips of the pen.
 * @throws SettingsError naming every bad setting and what it was expected to be.
 */
export function loadSettings(): { settings: Settings; warnings: readonly string[] } {
  try {
    process.loadEnvFile('.env');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
      throw new SettingsError([`.env cannot be read: ${(error as Error).message}`]);
    }
  }
  return parseSettings(process.env);
}

/** The settings that an environment describes. Errors as `loadSettings`; reads nothing else. */
export function parseSettings(environment: NodeJS.ProcessEnv): {
  settings: Settings;
  warnings: readonly string[];
} {
  const problems: string[] = [];
  const values = readVariables(environment, problems);
  const table = overrideSurveys(surveys, values.SURVEY_OVERRIDES ?? {});
  if ('problems' in table) problems.push(...table.problems);
  const ingest = ingestSettings(values, problems);
  if (problems.length > 0 || 'problems' in table) throw new SettingsError(problems);
  const prefill = prefillSettings(values);
  return {
    warnings: nearMisses(environment),
    settings: {
      port: values.PORT,
      host: values.HOST,
      dataDir: path.resolve(values.DATA_DIR),
      databaseUrl: values.DATABASE_URL,
      databasePoolMax: values.DATABASE_POOL_MAX,
      publicUrl: values.PUBLIC_URL,
      trustedProxies: values.TRUSTED_PROXIES,
      logLevel: values.LOG_LEVEL,
      timeZone: values.TIME_ZONE,
      site: {
        companyName: values.COMPANY_NAME,
        phoneDisplay: formatPhoneMask(values.PHONE_NUMBER),
        phoneHref: `tel:+1${values.PHONE_NUMBER}`,
        contactEmail: values.CONTACT_EMAIL,
        descriptionLimit: values.DESCRIPTION_LIMIT,
        partnerUrl: values.PARTNER_URL,
        dateOfBirthStates: values.DATE_OF_BIRTH_STATES,
        partialFaultStates: values.PARTIAL_FAULT_STATES,
        specialStates: values.SPECIAL_STATES,
        limitation: values.LIMITATION_TABLE,
        prefill: prefill !== undefined,
        scripts: {
          pixel: values.PIXEL_SCRIPT_URL,
          caseWorth: values.CASE_WORTH_SCRIPT_URL,
          caseWorthFacebook: values.CASE_WORTH_FACEBOOK_SCRIPT_URL,
          ticket: values.TICKET_SCRIPT_URL,
          adPixel: values.AD_PIXEL_SCRIPT_URL,
        },
      },
      badWordsStates: values.BAD_WORDS_STATES,
      surveys: table.surveys,
      ingest,
      prefill,
      mapping: lookup(values.MAPPING_URL, values.MAPPING_TIMEOUT_MS),
      buyers: lookup(values.BUYERS_URL, values.BUYERS_TIMEOUT_MS),
      estimate: lookup(values.ESTIMATE_URL, values.ESTIMATE_TIMEOUT_MS),
      compensationMultipliers: values.COMPENSATION_MULTIPLIERS,
      fallbackBuyers: FALLBACK_BUYER_IDS.map((id, index) => ({
        name: values.FALLBACK_BUYER_NAMES[index] ?? '',
        ids: [id],
      })),
      allowsPrivateNetworks: values.OUTGOING_PRIVATE_NETWORKS === 'allow',
      deliveryConcurrency: values.DELIVERY_CONCURRENCY,
      emailMxLookup: values.EMAIL_MX_LOOKUP === 'on',
      emailMxTimeoutMs: values.EMAIL_MX_TIMEOUT_MS,
      limits: {
        leadsPerAddressPerHour: values.LEADS_PER_ADDRESS_PER_HOUR,
        checksPerAddressPerMinute: values.CHECKS_PER_ADDRESS_PER_MINUTE,
        savesPerAddressPerMinute: values.SAVES_PER_ADDRESS_PER_MINUTE,
      },
    },
  };
}

function readVariables(environment: NodeJS.ProcessEnv, problems: string[]): VariableValues {
  const values: Record<string, unknown> = {};
  for (const [name, declared] of Object.entries(variables) as [VariableName, Variable<unknown>][]) {
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
  return values as VariableValues;
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

function lookup(baseUrl: string | undefined, timeoutMs: number): LookupSettings | undefined {
  return baseUrl === undefined ? undefined : { baseUrl, timeoutMs };
}

/** All four of the account, or none: half an account would lose leads quietly. */
function ingestSettings(values: VariableValues, problems: string[]): IngestSettings | undefined {
  const {
    INGEST_URL: url,
    INGEST_CAMPAIGN_ID: campaignId,
    INGEST_SUPPLIER_ID: supplierId,
    INGEST_KEY: key,
    INGEST_TIMEOUT_MS: timeoutMs,
  } = values;
  const account = {
    INGEST_URL: url,
    INGEST_CAMPAIGN_ID: campaignId,
    INGEST_SUPPLIER_ID: supplierId,
    INGEST_KEY: key,
  };
  const missing = Object.entries(account).filter(([, value]) => value === undefined);
  if (missing.length === 4) return undefined;
  if (url && campaignId && supplierId && key)
    return { url, campaignId, supplierId, key, timeoutMs };
  for (const [name] of missing) {
    // One that was given and refused has its own sentence.
    if (!problems.some((problem) => problem.startsWith(`${name} `))) {
      problems.push(
        `${name} is missing: the ingest service needs all of ${Object.keys(account).join(', ')}`,
      );
    }
  }
  return undefined;
}
