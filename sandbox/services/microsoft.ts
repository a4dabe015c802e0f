import * as v from 'valibot';
import { credentials } from '../credentials.ts';
import {
  type Answer,
  act,
  type Handler,
  matching,
  refuse,
  reply,
  type StandIn,
  takes,
} from '../service.ts';
import { isTokenOf } from './oauth.ts';

const goals: readonly string[] = Object.values(credentials.microsoftGoals);
const time = v.pipe(v.string(), v.isoTimestamp('expected an ISO time'));
const clickId = matching(/^[\w-]{6,}$/, 'a click id');

const conversion = v.strictObject({
  ConversionName: v.string(),
  ConversionTime: time,
  ConversionValue: v.optional(v.pipe(v.number(), v.minValue(0))),
  ConversionCurrencyCode: v.optional(v.literal('USD')),
  MicrosoftClickId: clickId,
});
const adjustment = v.strictObject({
  AdjustmentType: v.literal('Retract'),
  AdjustmentTime: time,
  ConversionName: v.string(),
  ConversionTime: time,
  MicrosoftClickId: clickId,
});
const goalQuery = v.strictObject({
  ConversionGoalIds: v.null(),
  ConversionGoalTypes: v.literal('OfflineConversion'),
});

const item = (Code: number, ErrorCode: string) => ({
  Code,
  ErrorCode,
  Index: 0,
  Type: 'BatchError',
});
const refused = (status: number, Code: number, ErrorCode: string): Answer => ({
  status,
  body: { Errors: [{ Code, ErrorCode, Message: 'sandbox' }] },
});

const DAY_MS = 86_400_000;
const MAX_AGE_DAYS = 90;

/** The stand-in for Microsoft Advertising, which answers HTTP 200 with the errors of conversions. */
export const standIns: readonly StandIn[] = [
  ({ now, effect, memory }) => {
    const flaky = memory<true>();
    /** The counted conversions, by click id, goal and time. */
    const counted = memory<true>();

    /** Returns the error of a conversion or its adjustment; undefined if it is applied. */
    function problemOf({
      ConversionName,
      ConversionTime,
      MicrosoftClickId: click,
    }: v.InferOutput<typeof conversion>) {
      const ageMs = now().getTime() - Date.parse(ConversionTime);
      if (!goals.includes(ConversionName)) return item(5606, 'OfflineConversionNameInvalid');
      if (ageMs > MAX_AGE_DAYS * DAY_MS) return item(5609, 'OfflineConversionTimeOutOfWindow');
      if (click.startsWith('poison')) return item(5604, 'OfflineConversionMicrosoftClickIdInvalid');
      if (click.startsWith('flaky') && !flaky.get(click)) {
        flaky.set(click, true);
        return item(0, 'InternalError');
      }
      return undefined;
    }

    const apply = takes(
      'json',
      v.strictObject({ OfflineConversions: v.pipe(v.array(conversion), v.maxLength(1_000)) }),
      ({ OfflineConversions: all }) =>
        act(() => {
          const PartialErrors = all.flatMap((each) => problemOf(each) ?? []);
          const isApplied = PartialErrors.length === 0;
          for (const each of isApplied ? all : []) {
            const {
              MicrosoftClickId: click,
              ConversionName: goal,
              ConversionTime: at,
              ConversionValue: value,
            } = each;
            const key = `${click} ${goal} ${at}`;
            counted.set(key, true);
            effect({
              service: 'microsoft',
              keys: [key],
              detail: { click, goal, at, value: value ?? '' },
            });
          }
          return { status: 200, body: { PartialErrors }, effect: isApplied };
        }, all[0]?.MicrosoftClickId),
      () => refused(400, 201, 'ApiInputValidationError'),
    );

    const adjust = takes(
      'json',
      v.strictObject({
        OfflineConversionAdjustments: v.pipe(v.array(adjustment), v.maxLength(1_000)),
      }),
      ({ OfflineConversionAdjustments: all }) =>
        act(() => {
          const PartialErrors = all.flatMap((each) => problemOf(each) ?? []);
          for (const each of PartialErrors.length === 0 ? all : []) {
            const { MicrosoftClickId: click, ConversionName: goal, ConversionTime: at } = each;
            const key = `${click} ${goal} ${at}`;
            const isKnown = counted.has(key);
            effect({
              service: 'microsoft',
              keys: [`${key} retracted`],
              detail: { click, goal, at, isKnown },
            });
          }
          return { status: 200, body: { PartialErrors }, effect: PartialErrors.length === 0 };
        }, all[0]?.MicrosoftClickId),
      () => refused(400, 201, 'ApiInputValidationError'),
    );

    const listGoals = takes('json', goalQuery, () =>
      reply({ ConversionGoals: goals.map((Name, Id) => ({ Id, Name })), PartialErrors: [] }),
    );

    const checked =
      (handle: Handler): Handler =>
      (exchange) => {
        const { authorization, developertoken, customerid, customeraccountid } = exchange.headers;
        const isOurs =
          isTokenOf('microsoft', authorization) &&
          developertoken === credentials.microsoftDeveloperToken &&
          customerid === credentials.microsoftCustomerId &&
          customeraccountid === credentials.microsoftAccountId;
        const refusal = refused(401, 105, 'InvalidCredentials');
        return isOurs ? handle(exchange) : refuse('headers: wrong account', refusal);
      };

    return {
      name: 'microsoft',
      secretHeaders: ['developertoken'],
      settings: (url) => ({
        MICROSOFT_ADS_DEVELOPER_TOKEN: credentials.microsoftDeveloperToken,
        MICROSOFT_ADS_CUSTOMER_ID: credentials.microsoftCustomerId,
        MICROSOFT_ADS_ACCOUNT_ID: credentials.microsoftAccountId,
        MICROSOFT_ADS_CLIENT_ID: credentials.microsoftClientId,
        MICROSOFT_ADS_CLIENT_SECRET: credentials.microsoftClientSecret,
        MICROSOFT_ADS_REFRESH_TOKEN: credentials.microsoftRefreshToken,
        MICROSOFT_ADS_GOALS: Object.entries(credentials.microsoftGoals)
          .map((each) => each.join('='))
          .join(),
        MICROSOFT_ADS_URL: url,
        MICROSOFT_ADS_TOKEN_URL: `${url}/oauth/microsoft/token`,
      }),
      failureBodies: {
        // A temporary error inside an HTTP 200.
        '429': refused(429, 117, 'CallRateExceeded').body,
        '500': refused(500, 0, 'InternalError').body,
      },
      routes: {
        'POST /CampaignManagement/v13/OfflineConversions/Apply': checked(apply),
        'POST /CampaignManagement/v13/OfflineConversionAdjustments/Apply': checked(adjust),
        'POST /CampaignManagement/v13/ConversionGoals/QueryByIds': checked(listGoals),
      },
    };
  },
];
