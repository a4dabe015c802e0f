import * as v from 'valibot';
import { credentials } from '../credentials.ts';
import {
  type Answer,
  act,
  guarded,
  type Handler,
  matching,
  reply,
  type StandIn,
  takes,
} from '../service.ts';
import { accessTokens } from './oauth.ts';

const { microsoft } = credentials;
const goals = ['Lead', 'Purchase', 'Contract'];
const time = v.pipe(v.string(), v.isoTimestamp('expected an ISO time'));

const conversion = v.strictObject({
  ConversionName: v.string(),
  ConversionTime: time,
  MicrosoftClickId: matching(/^[\w-]{6,}$/, 'a click id'),
  ConversionValue: v.optional(v.pipe(v.number(), v.minValue(0))),
  ConversionCurrencyCode: v.optional(v.literal('USD')),
});
const adjustment = v.strictObject({
  ...v.omit(conversion, ['ConversionValue', 'ConversionCurrencyCode']).entries,
  AdjustmentType: v.literal('Retract'),
  AdjustmentTime: time,
});
const goalQuery = v.strictObject({
  ConversionGoalIds: v.null(),
  ConversionGoalTypes: v.literal('OfflineConversion'),
});
const partial = (Code: number, ErrorCode: string) => ({
  status: 200,
  body: { PartialErrors: [{ Code, ErrorCode, Index: 0 }] },
});
const refused = (status: number, Code: number, ErrorCode: string): Answer => ({
  status,
  body: { Errors: [{ Code, ErrorCode, Message: 'sandbox' }] },
});

const malformed = refused(400, 201, 'ApiInputValidationError');
const account = {
  authorization: `Bearer ${accessTokens.microsoft}`,
  developertoken: microsoft.MICROSOFT_ADS_DEVELOPER_TOKEN,
  customerid: microsoft.MICROSOFT_ADS_CUSTOMER_ID,
  customeraccountid: microsoft.MICROSOFT_ADS_ACCOUNT_ID,
};
const ours = (handle: Handler) => guarded(account, refused(401, 105, 'InvalidCredentials'), handle);

/** The stand-in for Microsoft Advertising, which answers HTTP 200 with the errors of conversions. */
export const standIns: readonly StandIn[] = [
  ({ effect, memory }) => {
    /** The counted conversions, by click id, goal and time. */
    const counted = memory<true>();

    /** Applies a conversion, or retracts one. The errors of conversions come with HTTP 200. */
    function apply(event: v.InferOutput<typeof conversion>, isRetraction: boolean) {
      const { MicrosoftClickId: click, ConversionName: goal, ConversionTime: at } = event;
      return act(() => {
        if (!goals.includes(goal)) return partial(5606, 'OfflineConversionNameInvalid');
        if (click.startsWith('poison')) {
          return partial(5604, 'OfflineConversionMicrosoftClickIdInvalid');
        }
        const key = `${click} ${goal} ${at}`;
        const isKnown = counted.has(key);
        counted.set(key, true);
        const detail = { click, goal, at, isKnown, value: event.ConversionValue ?? '' };
        const keys = [isRetraction ? `${key} retracted` : key] as const;
        effect({ service: 'microsoft', keys, detail });
        return { status: 200, body: { PartialErrors: [] }, effect: true };
      }, click);
    }

    const convert = takes(
      'json',
      v.strictObject({ OfflineConversions: v.strictTuple([conversion]) }),
      ({ OfflineConversions: [event] }) => apply(event, false),
      () => malformed,
    );
    const adjust = takes(
      'json',
      v.strictObject({ OfflineConversionAdjustments: v.strictTuple([adjustment]) }),
      ({ OfflineConversionAdjustments: [event] }) => apply(event, true),
      () => malformed,
    );
    const listGoals = takes('json', goalQuery, () =>
      reply({ ConversionGoals: [], PartialErrors: [] }),
    );

    return {
      name: 'microsoft',
      secretHeaders: ['developertoken'],
      settings: (url) => ({
        ...microsoft,
        MICROSOFT_ADS_URL: url,
        MICROSOFT_ADS_TOKEN_URL: `${url}/oauth/microsoft/token`,
      }),
      failureBodies: {
        '429': refused(429, 117, 'CallRateExceeded').body,
        '500': refused(500, 0, 'InternalError').body,
        // A temporary error inside an HTTP 200.
        cap_reached: partial(0, 'InternalError').body,
      },
      routes: {
        'POST /CampaignManagement/v13/OfflineConversions/Apply': ours(convert),
        'POST /CampaignManagement/v13/OfflineConversionAdjustments/Apply': ours(adjust),
        'POST /CampaignManagement/v13/ConversionGoals/QueryByIds': ours(listGoals),
      },
    };
  },
];
