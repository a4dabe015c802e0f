/** Builds the settings of services from the variables that belong together. */
import type { Survey } from '../../flows/surveys.ts';
import { isRefused } from './read-variables.ts';
import type {
  CheckSettings,
  LookupSettings,
  OperationsSettings,
  PrefillSettings,
  Settings,
} from './settings.ts';
import type { VariableValues } from './variables.ts';

/** Offset from the site's port: servers on one machine with different site ports don't collide here either. */
const OPERATIONS_OFFSET = 10_000;

export function operationsSettings(values: VariableValues): OperationsSettings | undefined {
  const { PORT, OPERATIONS_PORT, OPERATIONS_HOST: host } = values;
  if (OPERATIONS_PORT === undefined) return undefined;
  if (OPERATIONS_PORT !== 'auto') return { host, port: OPERATIONS_PORT };
  if (PORT === 0) return { host, port: 0 };
  const isHigh = PORT + OPERATIONS_OFFSET > 65_535;
  return { host, port: isHigh ? PORT - OPERATIONS_OFFSET : PORT + OPERATIONS_OFFSET };
}

export function prefillSettings(values: VariableValues): PrefillSettings | undefined {
  const { PREFILL_URL, PREFILL_PERCENTAGE, PREFILL_TIMEOUT_MS } = values;
  if (PREFILL_URL === undefined) return undefined;
  return {
    baseUrl: PREFILL_URL,
    percentage: PREFILL_PERCENTAGE,
    timeoutMs: PREFILL_TIMEOUT_MS,
  };
}

export function checkSettings(values: VariableValues): CheckSettings {
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

/** Returns problems of checks that have an address without a key, or a key without an address. */
export function checkProblems(
  values: Partial<VariableValues>,
  problems: readonly string[],
): string[] {
  const pairs = [
    ['PHONE_CHECK_URL', 'PHONE_CHECK_KEY'],
    ['EMAIL_CHECK_URL', 'EMAIL_CHECK_KEY'],
  ] as const;
  return pairs
    .flatMap(([url, key]) => [[url, key] as const, [key, url] as const])
    .filter(([name, other]) => {
      const isMissing = values[name] === undefined && !isRefused(problems, name);
      return isMissing && values[other] !== undefined;
    })
    .map(([name, other]) => `${name} is missing: ${other} needs it`);
}

const twilioNames = [
  'TWILIO_ACCOUNT_SID',
  'TWILIO_AUTH_TOKEN',
  'TWILIO_VERIFY_SERVICE_SID',
] as const;

/** Reads the Twilio account, all or nothing. In production it is required if a survey verifies phone numbers. */
export function readCodeSender(
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
  if (twilioNames.some((name) => values[name] !== undefined || isRefused(problems, name))) {
    for (const name of twilioNames.filter((each) => values[each] === undefined)) {
      if (isRefused(problems, name)) continue;
      problems.push(`${name} is missing: SMS codes need all of ${twilioNames.join(', ')}`);
    }
    return undefined;
  }
  if (!isProduction) return 'development';
  const verifying = surveys.filter(({ verifiesPhone }) => verifiesPhone);
  if (verifying.length > 0) {
    const paths = verifying.map(({ path }) => `"${path}"`).join(', ');
    problems.push(
      `SURVEY_OVERRIDES: ${paths} verifies phone numbers, but no SMS account is set up: ` +
        `set ${twilioNames.join(', ')}, or turn "verifiesPhone" off`,
    );
  }
  return undefined;
}

export function lookup(baseUrl: string | undefined, timeoutMs: number): LookupSettings | undefined {
  return baseUrl === undefined ? undefined : { baseUrl, timeoutMs };
}
