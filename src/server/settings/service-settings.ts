/** Builds the settings of services and scripts from the variables that belong together. */

import type { Survey } from '../../model/flows/surveys.ts';
import type { NumberPool, ScriptSettings } from '../../model/messages/script-declarations.ts';
import { checkAccount } from './read-variables.ts';
import type { VariableName, VariableValues } from './variables.ts';

/** A service that is called while a visitor or a lead waits. */
export type LookupSettings = { readonly baseUrl: string; readonly timeoutMs: number };

type StemOf<Name, Suffix extends string> = Name extends `${infer Stem}${Suffix}` ? Stem : never;
/** The prefix of the settings with a service's address and time-out. */
type ServiceName = StemOf<VariableName, '_URL'> & StemOf<VariableName, '_TIMEOUT_MS'>;

/** Offset from the site's port: servers on one machine with different site ports don't collide here either. */
const OPERATIONS_OFFSET = 10_000;

/** Returns where operators read metrics and health. Port 0 picks a free port. */
export function operationsSettings(values: VariableValues) {
  const { PORT, OPERATIONS_PORT, OPERATIONS_HOST: host } = values;
  if (OPERATIONS_PORT === undefined) return undefined;
  if (OPERATIONS_PORT !== 'auto') return { host, port: OPERATIONS_PORT };
  if (PORT === 0) return { host, port: 0 };
  const isHigh = PORT + OPERATIONS_OFFSET > 65_535;
  return { host, port: isHigh ? PORT - OPERATIONS_OFFSET : PORT + OPERATIONS_OFFSET };
}

/** Returns the settings of a service, or undefined if it has no address. */
export function lookup(values: VariableValues, name: ServiceName): LookupSettings | undefined {
  const baseUrl = values[`${name}_URL`];
  return baseUrl === undefined ? undefined : { baseUrl, timeoutMs: values[`${name}_TIMEOUT_MS`] };
}

/** Returns the services that check a visitor's answers. Undefined: our own check, or none. */
export function checkServices(values: VariableValues) {
  const withKey = (name: 'PHONE_CHECK' | 'EMAIL_CHECK') => {
    const [found, key] = [lookup(values, name), values[`${name}_KEY`]];
    return found && key !== undefined ? { ...found, key } : undefined;
  };
  return {
    phone: withKey('PHONE_CHECK'),
    email: withKey('EMAIL_CHECK'),
    gibberish: lookup(values, 'GIBBERISH'),
    zip: lookup(values, 'ZIP'),
    verification: lookup(values, 'VERIFICATION'),
    /** The service that receives copies of saved progress. */
    saveData: lookup(values, 'SAVE_DATA'),
  };
}

/** Reports checks that have an address without a key, or a key without an address. */
export function checkPairs(values: Partial<VariableValues>, problems: string[]): void {
  for (const service of ['PHONE_CHECK', 'EMAIL_CHECK'] as const) {
    const pair = [`${service}_URL`, `${service}_KEY`] as const;
    checkAccount(pair, values, problems, (missing) => {
      return `${pair.find((name) => name !== missing)} needs it`;
    });
  }
}

/**
 * Reads the Twilio account that sends SMS codes, all or nothing; `development` logs them. In production it is
 * required if a survey verifies phone numbers.
 */
export function readCodeSender(
  values: VariableValues,
  isProduction: boolean,
  surveys: readonly Survey[],
  problems: string[],
) {
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
  const account = { TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN, TWILIO_VERIFY_SERVICE_SID };
  const names = Object.keys(account) as (keyof typeof account)[];
  const why = `SMS codes need all of ${names.join(', ')}`;
  if (checkAccount(names, values, problems, () => why)) return undefined;
  if (!isProduction) return 'development' as const;
  const verifying = surveys.filter(({ verifiesPhone }) => verifiesPhone);
  if (verifying.length > 0) {
    const paths = verifying.map(({ path }) => `"${path}"`).join(', ');
    problems.push(
      `SURVEY_OVERRIDES: ${paths} verifies phone numbers, but no SMS account is set up: ` +
        `set ${names.join(', ')}, or turn "verifiesPhone" off`,
    );
  }
  return undefined;
}

/** Returns the settings of the scripts that have several. Each script is off without its setting. */
export function combinedScripts(
  values: VariableValues,
): Pick<ScriptSettings, 'click' | 'callTracking'> {
  const baseUrl = values.CLICK_TRACKER_URL?.replace(/\/+$/, '');
  const vendor = values.CALL_TRACKING;
  const pool = (src: string, tagId: string): NumberPool => ({
    src,
    ...(vendor === 'invoca' && { tagId }),
  });
  const numbers = pool(values.CALL_TRACKING_SCRIPT_URL, values.CALL_TRACKING_TAG_ID);
  // Invoca has one script for all customers; the tag id selects the number pool.
  const facebook = pool(
    values.CALL_TRACKING_FACEBOOK_SCRIPT_URL || numbers.src,
    values.CALL_TRACKING_FACEBOOK_TAG_ID,
  );
  const hasFacebook = vendor === 'invoca' ? facebook.tagId !== '' : facebook.src !== numbers.src;
  return {
    ...(baseUrl && {
      click: { baseUrl, by: values.CLICK_TRACKER_BY, timeoutMs: values.CLICK_TRACKER_TIMEOUT_MS },
    }),
    ...(vendor !== 'off' && {
      callTracking: { vendor, numbers, ...(hasFacebook && { facebook }) },
    }),
  };
}

/** Returns problems of an incomplete call-tracking account, which would silently show the fallback number. */
export function callTrackingProblems(values: Partial<VariableValues>): string[] {
  const { CALL_TRACKING: vendor, CALL_TRACKING_SCRIPT_URL, CALL_TRACKING_TAG_ID } = values;
  const needs = {
    ...(vendor !== 'off' && { CALL_TRACKING_SCRIPT_URL }),
    ...(vendor === 'invoca' && { CALL_TRACKING_TAG_ID }),
  };
  return Object.entries(needs)
    .filter(([, value]) => value === '')
    .map(([name]) => `${name} is missing: CALL_TRACKING "${vendor}" needs it`);
}
