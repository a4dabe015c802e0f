/** Parses the settings once, at the start. Only `main.ts` reads the whole object. */

import { formatPhoneMask } from '../../model/fields/phone-format.ts';
import type { Survey } from '../../model/flows/surveys.ts';
import type { NumberPool, ScriptSettings } from '../../model/messages/script-declarations.ts';
import type { SiteSettings } from '../../model/messages/site-settings.ts';
import type { Buyer } from '../../model/rules/buyer-choice.ts';
import { FALLBACK_BUYER_IDS } from '../../model/rules/buyers.ts';
import {
  type DestinationDefinition,
  type DestinationSetting,
  definitionOf,
  destinations,
  isBuyer,
} from '../delivery/destinations/index.ts';
import { isLoopback } from '../platform/host-names.ts';
import { checkAccount, readVariables, settingLines } from './read-variables.ts';
import { overrideSurveys, runExperiments } from './survey-settings.ts';
import { services, thirdParties } from './third-parties.ts';
import {
  type PlacedValues,
  type VariableName,
  type VariableValues,
  variables,
} from './variables.ts';

/** Thrown for invalid settings. The message names each invalid setting and the expected value. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

/** The parsed settings, after a check that they do not contradict each other. */
export type Settings = Readonly<ReturnType<typeof parseSettings>>;
export type KeepDays = Readonly<Settings['keep']>;

/** The settings of a service that is called while a visitor or a lead waits. */
export type ServiceSettings = { readonly baseUrl: string; readonly timeoutMs: number };

type StemOf<Name, Suffix extends string> = Name extends `${infer Stem}${Suffix}` ? Stem : never;
/** The common prefix of a service's two settings, `…_URL` and `…_TIMEOUT_MS`. */
type ServiceName = StemOf<VariableName, '_URL'> & StemOf<VariableName, '_TIMEOUT_MS'>;

const SIGN_IN = {
  title: 'sign-in by OpenID Connect',
  needs: ['CONSOLE_OIDC_ISSUER', 'CONSOLE_OIDC_CLIENT_ID', 'CONSOLE_OIDC_CLIENT_SECRET'],
};
/** OPERATIONS_PORT is by default PORT plus this number. */
const OPERATIONS_OFFSET = 10_000;

/** Parses the settings of an environment. @throws SettingsError */
export function parseSettings(environment: NodeJS.ProcessEnv) {
  const problems: string[] = [];
  const values = readVariables(variables, environment, problems) as VariableValues;
  const extra = extraDestinations(values, environment, problems);
  const all = [...destinations, ...extra.map(({ definition }) => definition)];
  const there = {
    destinations: all.filter(({ takes }) => takes === undefined).map(({ name }) => name),
    hasBuyersService: values.BUYERS_URL !== undefined,
  };
  const table = overrideSurveys(values.SURVEY_OVERRIDES ?? {}, there, problems);
  const experiments = runExperiments(values.EXPERIMENTS ?? {}, problems);
  problems.push(...conflicts(values, environment, table));
  // The token alone is enough to take text messages, so it does not begin an account for codes.
  const sendsCodes = values.TWILIO_ACCOUNT_SID ?? values.TWILIO_VERIFY_SERVICE_SID;
  const accounts = services.filter(({ name }) => name !== 'sms' || sendsCodes !== undefined);
  for (const account of [...accounts, SIGN_IN]) checkAccount(account, values, problems);
  const found = destinations.map((definition): DestinationSetting => {
    const given = readVariables(definition.variables, environment, problems);
    const isWhole = checkAccount(definition, given, problems);
    return { definition, values: isWhole ? given : undefined };
  });
  for (const name of Object.keys(values.OUTCOME_SECRETS ?? {})) {
    if (!isBuyer(name) || all.every((definition) => definition.name !== name))
      problems.push(`OUTCOME_SECRETS: "${name}" is not a destination that buys leads`);
  }
  if (problems.length > 0) throw new SettingsError(problems);
  const ofDestinations = Object.assign({}, ...destinations.map((each) => each.variables));
  return {
    ...settingsOf(values, [...found, ...extra]),
    surveys: table,
    experiments,
    destinations: [...found, ...extra],
    /** Twilio account for SMS codes. `development`: only logs codes. Undefined: no codes. */
    codeSender:
      twilioAccount(values) ??
      (environment.NODE_ENV === 'production' ? undefined : ('development' as const)),
    /** Verifies text messages from Twilio. Undefined: none are taken. */
    twilioAuthToken: values.TWILIO_AUTH_TOKEN,
    /** Every setting as text. The text of a secret contains only the secret's length. */
    lines: settingLines(environment, { ...variables, ...ofDestinations }),
  };
}

/** Reads the accounts that EXTRA_DESTINATIONS adds. What an account does not set is taken from the environment. */
function extraDestinations(
  { EXTRA_DESTINATIONS: extra = {} }: Partial<VariableValues>,
  environment: NodeJS.ProcessEnv,
  problems: string[],
): DestinationSetting[] {
  return Object.entries(extra).map(([account, { like, ...own }]) => {
    const base = definitionOf(like) as DestinationDefinition;
    const name = `${like}/${account}`;
    const definition: DestinationDefinition = {
      ...base,
      name,
      title: `${base.title}, account ${account}`,
      // The mapping service names accounts of the first destination only.
      connect: (...of) => ({ ...base.connect(...of), name, usesMappedAccounts: false }),
    };
    const wrong = Object.keys(own)
      .filter((name) => !Object.hasOwn(base.variables, name))
      .map((name) => `${name} is not a setting of ${like}`);
    const values = readVariables(base.variables, { ...environment, ...own }, wrong);
    const isWhole = checkAccount(definition, values, wrong);
    if (!isWhole && wrong.length === 0) wrong.push(`${base.needs.join(', ')} are missing`);
    problems.push(...wrong.map((problem) => `EXTRA_DESTINATIONS: in "${account}", ${problem}`));
    return { definition, values: isWhole ? values : undefined };
  });
}

/** Returns a sentence for each contradiction between settings, and for each missing setting. */
function conflicts(
  values: Partial<VariableValues>,
  { NODE_ENV, PERSON_KEY_SECRET = '' }: NodeJS.ProcessEnv,
  table: readonly Survey[],
): string[] {
  const problems: string[] = [];
  const { CONSOLE_HOST: host, CONSOLE_URL: url, TRUSTED_PROXIES, DATABASE_URL } = values;
  const isProduction = NODE_ENV === 'production';
  for (const name of ['VISITOR_STATE_HEADER', 'VISITOR_ADDRESS_HEADER'] as const) {
    if (values[name] === undefined || TRUSTED_PROXIES?.length !== 0) continue;
    problems.push(
      `${name} needs TRUSTED_PROXIES: the header is trusted only from a proxy named there`,
    );
  }
  // Requires the secret, because a generated secret would be different on each machine.
  if (isProduction && DATABASE_URL !== undefined && PERSON_KEY_SECRET.trim() === '') {
    problems.push(
      'PERSON_KEY_SECRET is missing: with DATABASE_URL every process needs the same one, ' +
        'and without it the suppression list matches nobody (create one with "openssl rand -base64 32")',
    );
  }
  if (values.OPERATORS_DATABASE_URL !== undefined && DATABASE_URL === undefined) {
    problems.push('OPERATORS_DATABASE_URL needs DATABASE_URL: it names a copy of that database');
  }
  if (values.HSTS_SUBDOMAINS && !values.PUBLIC_URL?.startsWith('https:')) {
    problems.push('HSTS_SUBDOMAINS=on needs a PUBLIC_URL that begins with "https:"');
  }
  const verifying = table.filter(({ verifiesPhone }) => verifiesPhone);
  if (isProduction && verifying.length > 0 && !twilioAccount(values)) {
    const paths = verifying.map(({ path }) => `"${path}"`).join(', ');
    problems.push(
      `SURVEY_OVERRIDES: ${paths} verifies phone numbers, but no SMS account is set up: ` +
        'set TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN, TWILIO_VERIFY_SERVICE_SID, or turn "verifiesPhone" off',
    );
  }
  // If these settings were missing, pages would show the fallback number without any warning.
  const { CALL_TRACKING: vendor } = values;
  const needed = ['CALL_TRACKING_SCRIPT_URL', 'CALL_TRACKING_TAG_ID'] as const;
  for (const name of needed.slice(0, { off: 0, invoca: 2 }[vendor as string] ?? 1)) {
    if (values[name] !== '') continue;
    problems.push(`${name} is missing: CALL_TRACKING "${vendor}" needs it`);
  }
  // A container may listen on all IP addresses if the container's port is published on loopback.
  const isPublishedHere = url !== undefined && isLoopback(new URL(url).hostname);
  const isOpen = values.CONSOLE_PORT !== undefined && host !== undefined && !isLoopback(host);
  const isProxied = TRUSTED_PROXIES?.length !== 0 && url?.startsWith('https:');
  if (isOpen && !isPublishedHere && !isProxied) {
    problems.push(
      `CONSOLE_HOST is "${host}", which other machines can reach: name the proxy that has https in ` +
        'TRUSTED_PROXIES and its address in CONSOLE_URL ("https://…"), or set CONSOLE_HOST to localhost. A container ' +
        'whose port is published on loopback only needs CONSOLE_URL="http://localhost:3001"',
    );
  }
  return problems;
}

function settingsOf(values: VariableValues, destinations: readonly DestinationSetting[]) {
  const placed = placeValues(values);
  const { PHONE_NUMBER, SLACK_WEBHOOK_URL: slackUrl } = values;
  const service = (name: ServiceName): ServiceSettings | undefined => {
    const baseUrl = values[`${name}_URL`];
    return baseUrl === undefined ? undefined : { baseUrl, timeoutMs: values[`${name}_TIMEOUT_MS`] };
  };
  const withKey = (name: 'PHONE_CHECK' | 'EMAIL_CHECK') => {
    const [given, key] = [service(name), values[`${name}_KEY`]];
    return given && key !== undefined ? { ...given, key } : undefined;
  };
  const prefill = service('PREFILL');
  const site: SiteSettings = {
    ...placed.site,
    phoneDisplay: formatPhoneMask(PHONE_NUMBER),
    phoneHref: `tel:+1${PHONE_NUMBER}`,
    asksVisitorState: placed.visitorStateHeader !== undefined,
    prefill: prefill !== undefined,
    stateRules: placed.stateRules,
    withholdsAtOptOut: withholdsAtOptOut(destinations),
    authorizedFirms: [placed.evidenceRecipients].flatMap(({ ingest }) => ingest ?? []),
    scripts: { ...placed.site.scripts, ...combinedScripts(values) },
  };
  return {
    ...placed,
    site,
    /** Undefined: no metrics are collected. */
    operations: operationsSettings(values),
    /** Undefined: the console is off. */
    console: consoleSettings(values),
    thirdParties: thirdParties(values, destinations),
    prefill: prefill && { ...prefill, percentage: values.PREFILL_PERCENTAGE },
    mapping: service('MAPPING'),
    buyers: service('BUYERS'),
    estimate: service('ESTIMATE'),
    checks: {
      ...placed.checks,
      phone: withKey('PHONE_CHECK'),
      email: withKey('EMAIL_CHECK'),
      gibberish: service('GIBBERISH'),
      zip: service('ZIP'),
      verification: service('VERIFICATION'),
      saveData: service('SAVE_DATA'),
    },
    fallbackBuyers: FALLBACK_BUYER_IDS.map(
      (id, index): Buyer => ({ name: values.FALLBACK_BUYER_NAMES[index] ?? '', ids: [id] }),
    ),
    /** Undefined: alerts are only logged. */
    slack: slackUrl ? { url: slackUrl, timeoutMs: values.SLACK_TIMEOUT_MS } : undefined,
    allowsPrivateNetworks: values.OUTGOING_PRIVATE_NETWORKS === 'allow',
    limits: { ...placed.limits, memoryCeilingBytes: values.MEMORY_CEILING_MB * 1_000_000 },
    keep: {
      ...placed.keep,
      /** A lead refers to a consent, so consents must be stored at least as long as leads. */
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

/** Returns the address and port of metrics and health. */
function operationsSettings({ PORT, OPERATIONS_PORT, OPERATIONS_HOST: host }: VariableValues) {
  if (OPERATIONS_PORT === undefined) return undefined;
  if (OPERATIONS_PORT !== 'auto') return { host, port: OPERATIONS_PORT };
  if (PORT === 0) return { host, port: 0 };
  const isHigh = PORT + OPERATIONS_OFFSET > 65_535;
  return { host, port: isHigh ? PORT - OPERATIONS_OFFSET : PORT + OPERATIONS_OFFSET };
}

/** Returns the console's address and the ways to sign in. */
function consoleSettings(values: VariableValues) {
  const { PORT, CONSOLE_PORT, CONSOLE_HOST: host, CONSOLE_URL: url } = values;
  if (CONSOLE_PORT === undefined) return undefined;
  const { CONSOLE_OIDC_ISSUER: issuer, CONSOLE_OIDC_CLIENT_ID: clientId } = values;
  const { CONSOLE_OIDC_CLIENT_SECRET: clientSecret } = values;
  const next = PORT === 65_535 ? PORT - 1 : PORT && PORT + 1;
  return {
    host,
    port: CONSOLE_PORT === 'auto' ? next : CONSOLE_PORT,
    /** The URL of the console. Undefined: the address that the console listens on. */
    url,
    /** Undefined: only sign-in links work. */
    oidc: issuer && clientId && clientSecret ? { issuer, clientId, clientSecret } : undefined,
  };
}

function twilioAccount(values: Partial<VariableValues>) {
  const { TWILIO_ACCOUNT_SID: accountSid, TWILIO_AUTH_TOKEN: authToken } = values;
  const { TWILIO_VERIFY_SERVICE_SID: serviceSid } = values;
  const { TWILIO_VERIFY_URL: baseUrl = '', TWILIO_TIMEOUT_MS: timeoutMs = 0 } = values;
  if (!accountSid || !authToken || !serviceSid) return undefined;
  return { baseUrl, accountSid, authToken, serviceSid, timeoutMs };
}

/** Returns the settings of scripts that are made from several variables. */
function combinedScripts(values: VariableValues): Pick<ScriptSettings, 'click' | 'callTracking'> {
  const baseUrl = values.CLICK_TRACKER_URL?.replace(/\/+$/, '');
  const vendor = values.CALL_TRACKING;
  const isInvoca = vendor === 'invoca';
  const pool = (src: string, tagId: string): NumberPool => (isInvoca ? { src, tagId } : { src });
  const numbers = pool(values.CALL_TRACKING_SCRIPT_URL, values.CALL_TRACKING_TAG_ID);
  // All customers of Invoca load the same script. The tag id alone selects the number pool.
  const facebook = pool(
    values.CALL_TRACKING_FACEBOOK_SCRIPT_URL || numbers.src,
    values.CALL_TRACKING_FACEBOOK_TAG_ID,
  );
  const hasFacebook = isInvoca ? facebook.tagId !== '' : facebook.src !== numbers.src;
  return {
    ...(baseUrl && {
      click: { baseUrl, by: values.CLICK_TRACKER_BY, timeoutMs: values.CLICK_TRACKER_TIMEOUT_MS },
    }),
    ...(vendor !== 'off' && { callTracking: { numbers, ...(hasFacebook && { facebook }) } }),
  };
}

/** Returns whether the destination withholds leads with the opt-out signal, for each lead kind. */
export function withholdsAtOptOut(destinations: readonly DestinationSetting[]) {
  const withholds = (name: string) => {
    const found = destinations.find(({ definition }) => definition.name === name);
    return found?.values?.[`${name.toUpperCase()}_AT_OPT_OUT`] === 'keep';
  };
  return { survey: withholds('ingest'), contact: withholds('contact') };
}
