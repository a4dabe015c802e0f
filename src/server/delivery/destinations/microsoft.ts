/** Reports offline conversions to Microsoft Advertising (docs/accounts/microsoft-advertising.md). */
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { isSuccess, jsonObject, readBody } from '../../platform/outgoing-answer.ts';
import type { OutgoingAnswer } from '../../platform/outgoing-http.ts';
import { readSecretFile, writeSecretFile } from '../../platform/secret-file.ts';
import { addressOf, optionalText, secretText } from '../../platform/variable.ts';
import type { TokenSource } from './access-tokens.ts';
import {
  type Conversion,
  conversionNames,
  defineAdPlatform,
  readSaid,
  type Said,
  withReturns,
} from './conversion.ts';
import type { ValuesOf } from './destination.ts';

/** The age beyond which an offline conversion or its adjustment is refused (OfflineConversion). */
const WINDOW_DAYS = 90;
/** Microsoft asks to wait so long after a click, because it must know the click (OfflineConversion). */
const CLICK_KNOWN_AFTER_MS = 3_600_000;

const SECRET = /^[\x21-\x7e]{8,4000}$/;
const NUMBER = /^\d{1,19}$/;

const variables = {
  MICROSOFT_ADS_DEVELOPER_TOKEN: secretText(SECRET, 'a developer token'),
  MICROSOFT_ADS_CUSTOMER_ID: optionalText(NUMBER, 'the number of a manager account (cid)'),
  MICROSOFT_ADS_ACCOUNT_ID: optionalText(NUMBER, 'the number of an ad account (aid)'),
  MICROSOFT_ADS_CLIENT_ID: optionalText(v.UUID_REGEX, 'the client id of an app (a UUID)'),
  MICROSOFT_ADS_CLIENT_SECRET: secretText(SECRET, 'the client secret of the app'),
  MICROSOFT_ADS_REFRESH_TOKEN: secretText(SECRET, 'a refresh token of the app'),
  MICROSOFT_ADS_TOKEN_FILE: optionalText(/^\//, 'the absolute path of a file to write'),
  MICROSOFT_ADS_GOALS: conversionNames(),
  MICROSOFT_ADS_URL: addressOf(
    'the Campaign Management API',
    'https://campaign.api.bingads.microsoft.com',
  ),
  MICROSOFT_ADS_TOKEN_URL: addressOf(
    'the service that gives access tokens',
    'https://login.microsoftonline.com/common/oauth2/v2.0/token',
  ),
};

type Values = ValuesOf<typeof variables>;

function payloadV1({ type, name, at, soldAt, value, clickIds }: Conversion): string {
  // Microsoft recognises a conversion by click id, goal and time: it takes no id of ours.
  const conversion = {
    ConversionName: name,
    ConversionTime: (soldAt ?? at).toISOString(),
    MicrosoftClickId: clickIds.msclkid,
  };
  if (type === 'lead.returned') {
    const retraction = { AdjustmentType: 'Retract', AdjustmentTime: at.toISOString() };
    return JSON.stringify({ OfflineConversionAdjustments: [{ ...retraction, ...conversion }] });
  }
  const worth = value !== null && { ConversionValue: value, ConversionCurrencyCode: 'USD' };
  return JSON.stringify({ OfflineConversions: [{ ...conversion, ...worth }] });
}

/**
 * Says where to get the access tokens of a person who signed in to the app. Each use gives a new refresh
 * token, and each refresh token is valid for 90 days, so the newest one is stored.
 */
function tokens(values: Values): TokenSource {
  const { MICROSOFT_ADS_REFRESH_TOKEN: first, MICROSOFT_ADS_TOKEN_FILE: file } = values;
  // A file that began with another first token is out of date.
  const mark = createHash('sha256').update(first).digest('hex').slice(0, 16);
  let newest: string | undefined;
  return {
    url: values.MICROSOFT_ADS_TOKEN_URL,
    accountSettings: [
      'MICROSOFT_ADS_REFRESH_TOKEN',
      'MICROSOFT_ADS_TOKEN_FILE',
      'MICROSOFT_ADS_CLIENT_ID',
      'MICROSOFT_ADS_CLIENT_SECRET',
    ],
    async form() {
      const [stored, token] = ((file && (await readSecretFile(file))) || '').split(' ');
      return {
        grant_type: 'refresh_token',
        client_id: values.MICROSOFT_ADS_CLIENT_ID,
        client_secret: values.MICROSOFT_ADS_CLIENT_SECRET,
        refresh_token: (stored === mark ? token : newest) ?? first,
        scope: 'https://ads.microsoft.com/msads.manage offline_access',
      };
    },
    async keep(refreshToken) {
      newest = refreshToken;
      if (file) await writeSecretFile(file, `${mark} ${refreshToken}`, { replaces: true });
    },
  };
}

function apiCall(values: Values, operation: string) {
  return {
    url: `${values.MICROSOFT_ADS_URL}/CampaignManagement/v13/${operation}`,
    headers: {
      DeveloperToken: values.MICROSOFT_ADS_DEVELOPER_TOKEN,
      CustomerId: values.MICROSOFT_ADS_CUSTOMER_ID,
      CustomerAccountId: values.MICROSOFT_ADS_ACCOUNT_ID,
    },
  };
}

/** An error is in the list of its kind: of an item, of the call, or of the account. */
const apiError = v.object({ Code: v.number(), ErrorCode: v.nullish(v.string(), '') });

/** Errors that say nothing about the event. A goal takes conversions two hours after its creation. */
const TEMPORARY: ReadonlySet<number> = new Set([0, 117, 207]);
/** Error codes that refuse our account, and 5606, which does not know the goal. */
const ABOUT_THE_ACCOUNT: ReadonlySet<number> = new Set([
  105, 106, 108, 109, 116, 120, 122, 123, 124, 125, 208, 5606,
]);

/** Reads what an answer says. HTTP 200 may contain an error of the event, or a temporary one. */
function saidOf(answer: OutgoingAnswer): Said | undefined {
  const body = readBody(jsonObject, answer);
  const lists = Object.entries(body ?? {}).filter(([name]) => name.endsWith('Errors'));
  const error = lists.flatMap(([, list]) => list).find((each) => v.is(apiError, each));
  if (error === undefined) {
    const isTaken = isSuccess(answer) && body?.PartialErrors !== undefined;
    return isTaken ? { code: 0, text: '', outcome: 'delivered' } : undefined;
  }
  const { Code: code, ErrorCode } = error;
  const about = { code, text: ErrorCode ?? '' };
  const isTemporary = TEMPORARY.has(code) || about.text === 'OfflineConversionGoalTooRecent';
  if (isTemporary) return { ...about, outcome: 'retry' };
  return { ...about, outcome: ABOUT_THE_ACCOUNT.has(code) ? 'account' : 'rejected' };
}

/** The ad platform `microsoft` gets events about leads that came from Microsoft's ads. */
export const microsoft = defineAdPlatform({
  name: 'microsoft',
  title: 'Microsoft Advertising',
  variables,
  needs: [
    'MICROSOFT_ADS_DEVELOPER_TOKEN',
    'MICROSOFT_ADS_CUSTOMER_ID',
    'MICROSOFT_ADS_ACCOUNT_ID',
    'MICROSOFT_ADS_CLIENT_ID',
    'MICROSOFT_ADS_CLIENT_SECRET',
    'MICROSOFT_ADS_REFRESH_TOKEN',
    'MICROSOFT_ADS_GOALS',
  ],
  clickIds: ['msclkid'],
  names: ({ MICROSOFT_ADS_GOALS }) => withReturns(MICROSOFT_ADS_GOALS),
  maxAgeDays: WINDOW_DAYS,
  returnDays: WINDOW_DAYS,
  payloads: { 1: payloadV1 },
  tokens,
  call(values, { type, clickedAt }, { request: { now = new Date() } }) {
    // The platform has already taken the sale of a return.
    if (type === 'lead.returned') return apiCall(values, 'OfflineConversionAdjustments/Apply');
    const retryAfterMs = clickedAt.getTime() + CLICK_KNOWN_AFTER_MS - now.getTime();
    if (retryAfterMs <= 0) return apiCall(values, 'OfflineConversions/Apply');
    const message = 'Microsoft Advertising knows a click an hour after it';
    return { outcome: 'later', message, retryAfterMs, durationMs: 0 };
  },
  read(answer, about) {
    const said = saidOf(answer);
    return { ...readSaid(answer, said, about), code: said?.text || undefined };
  },
});
