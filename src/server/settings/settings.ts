/** Parses the settings once at start. Only `main.ts` uses the whole object and passes parts of it on. */

import { formatPhoneMask } from '../../model/fields/phone-format.ts';
import { surveys } from '../../model/flows/surveys.ts';
import type { SiteSettings } from '../../model/messages/site-settings.ts';
import type { Buyer } from '../../model/rules/buyer-choice.ts';
import { FALLBACK_BUYER_IDS } from '../../model/rules/buyers.ts';
import {
  type DestinationDefinition,
  type DestinationSetting,
  destinations,
} from '../delivery/destinations/index.ts';
import { consoleProblems, consoleSettings } from './console-settings.ts';
import { runExperiments } from './experiment-settings.ts';
import { nearMisses } from './near-misses.ts';
import { destinationSetting, readVariables, settingLines } from './read-variables.ts';
import {
  callTrackingProblems,
  checkPairs,
  checkServices,
  combinedScripts,
  lookup,
  operationsSettings,
  readCodeSender,
} from './service-settings.ts';
import { overrideSurveys } from './survey-overrides.ts';
import { thirdParties } from './third-parties.ts';
import {
  type PlacedValues,
  type VariableName,
  type VariableValues,
  variables,
} from './variables.ts';

/** Thrown for bad settings. The message names each with what was expected. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/**
 * Parses the settings from an environment.
 *
 * @returns the settings, and warnings about variables that look misspelled.
 * @throws SettingsError that names every bad setting and what was expected.
 */
export function parseSettings(
  environment: NodeJS.ProcessEnv,
  definitions: readonly DestinationDefinition[] = destinations,
) {
  const problems: string[] = [];
  const values = readVariables(variables, environment, problems) as VariableValues;
  const isProduction = environment.NODE_ENV === 'production';
  const there = {
    destinations: definitions.filter(({ takes }) => takes === undefined).map(({ name }) => name),
    hasBuyersService: values.BUYERS_URL !== undefined,
  };
  const table = overrideSurveys(surveys, values.SURVEY_OVERRIDES ?? {}, there, problems);
  const experiments = runExperiments(values.EXPERIMENTS ?? {}, table, problems);
  problems.push(...conflicts(values, isProduction, environment.PERSON_KEY_SECRET));
  const codeSender = readCodeSender(values, isProduction, table, problems);
  checkPairs(values, problems);
  problems.push(...callTrackingProblems(values), ...consoleProblems(values));
  const found = definitions.map((definition) =>
    destinationSetting(definition, environment, problems),
  );
  if (problems.length > 0) throw new SettingsError(problems);
  const ofDestinations = Object.assign({}, ...definitions.map((each) => each.variables));
  const lines = settingLines(environment, { ...variables, ...ofDestinations });
  return {
    warnings: nearMisses(environment, Object.keys(variables), Object.keys(ofDestinations)),
    settings: {
      ...settingsOf(values, found),
      surveys: table,
      experiments,
      /** Every destination, with its settings if they are given. */
      destinations: found,
      /** Undefined only if no survey verifies phone numbers. */
      codeSender,
      /** Every setting as text, without secrets. */
      lines,
    },
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
  if (values.HSTS_SUBDOMAINS && !values.PUBLIC_URL?.startsWith('https:')) {
    problems.push('HSTS_SUBDOMAINS=on needs a PUBLIC_URL that begins with "https:"');
  }
  return problems;
}

/** The settings, from variables that fit together. */
export type Settings = Readonly<ReturnType<typeof parseSettings>['settings']>;

/** Adds to the placed values those that are combined from several. */
function settingsOf(values: VariableValues, destinations: readonly DestinationSetting[]) {
  const placed = placeValues(values);
  const { PREFILL_URL, PHONE_NUMBER, SLACK_WEBHOOK_URL: slackUrl } = values;
  const prefill = lookup(values, 'PREFILL');
  const site: SiteSettings = {
    ...placed.site,
    phoneDisplay: formatPhoneMask(PHONE_NUMBER),
    phoneHref: `tel:+1${PHONE_NUMBER}`,
    asksVisitorState: placed.visitorStateHeader !== undefined,
    prefill: PREFILL_URL !== undefined,
    withholdsAtOptOut: withholdsAtOptOut(destinations),
    scripts: { ...placed.site.scripts, ...combinedScripts(values) },
  };
  return {
    ...placed,
    site,
    /** Where operators read metrics and health. Undefined: no metrics are collected. */
    operations: operationsSettings(values),
    /** The operators' console. Undefined: it is off. */
    console: consoleSettings(values),
    /** Every third party, and what replaces it if it is not set up. */
    thirdParties: thirdParties(values, destinations),
    /** Undefined: nothing is prefilled. */
    prefill: prefill && { ...prefill, percentage: values.PREFILL_PERCENTAGE },
    /** Undefined: every lead goes to the account of `ingest`. */
    mapping: lookup(values, 'MAPPING'),
    /** Undefined: the fallback buyers. */
    buyers: lookup(values, 'BUYERS'),
    /** Undefined: our own estimate. */
    estimate: lookup(values, 'ESTIMATE'),
    checks: { ...placed.checks, ...checkServices(values) },
    fallbackBuyers: FALLBACK_BUYER_IDS.map(
      (id, index): Buyer => ({ name: values.FALLBACK_BUYER_NAMES[index] ?? '', ids: [id] }),
    ),
    /** The channel that receives alerts. Undefined: only the log. */
    slack: slackUrl ? { url: slackUrl, timeoutMs: values.SLACK_TIMEOUT_MS } : undefined,
    allowsPrivateNetworks: values.OUTGOING_PRIVATE_NETWORKS === 'allow',
    limits: { ...placed.limits, memoryCeilingBytes: values.MEMORY_CEILING_MB * 1_000_000 },
    keep: {
      ...placed.keep,
      /** Never less than the leads that are sent with them. */
      consents: Math.max(values.KEEP_CONSENTS_DAYS, values.KEEP_LEADS_DAYS),
    },
  };
}

function placeValues(values: VariableValues): PlacedValues {
  const all: Record<string, unknown> = {};
  for (const [name, declared] of Object.entries(variables)) {
    if (!('path' in declared)) continue;
    const groups = declared.path.split('.');
    const last = groups.pop() ?? '';
    let group = all;
    for (const key of groups) {
      group[key] ??= {};
      group = group[key] as Record<string, unknown>;
    }
    group[last] = values[name as VariableName];
  }
  return all as PlacedValues;
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
