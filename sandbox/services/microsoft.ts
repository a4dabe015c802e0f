import * as v from 'valibot';
import { credentials } from '../credentials.ts';
import {
  type Answer,
  type Exchange,
  guarded,
  type Handler,
  isoTime,
  matching,
  reply,
  type StandIn,
  takes,
} from '../service.ts';
import { accessTokens } from './oauth.ts';

const { microsoft } = credentials;
const goals = ['Lead', 'Purchase', 'Contract'];

const conversion = v.strictObject({
  ConversionName: v.string(),
  ConversionTime: isoTime,
  MicrosoftClickId: matching(/^[\w-]{6,}$/, 'a click id'),
  ConversionValue: v.optional(v.pipe(v.number(), v.minValue(0))),
  ConversionCurrencyCode: v.optional(v.literal('USD')),
});
const adjustment = v.strictObject({
  ...v.omit(conversion, ['ConversionValue', 'ConversionCurrencyCode']).entries,
  AdjustmentType: v.literal('Retract'),
  AdjustmentTime: isoTime,
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

/** Applies a conversion, or retracts one. The errors of conversions come with HTTP 200. */
function apply(
  { MicrosoftClickId: click, ConversionName: goal, ...sent }: v.InferOutput<typeof conversion>,
  isRetraction: boolean,
  { effect, memory }: Exchange,
): Answer {
  if (!goals.includes(goal)) return partial(5606, 'OfflineConversionNameInvalid');
  if (click.startsWith('poison')) return partial(5604, 'OfflineConversionMicrosoftClickIdInvalid');
  const counted = memory<true>('counted conversions');
  const { ConversionTime: at, ConversionValue: value = '' } = sent;
  const key = `${click} ${goal} ${at}`;
  const isKnown = counted.has(key);
  counted.set(key, true);
  const detail = { click, goal, at, isKnown, value };
  effect({ keys: [isRetraction ? `${key} retracted` : key], detail });
  return reply({ PartialErrors: [] }, click);
}

const convert = takes(
  'json',
  v.strictObject({ OfflineConversions: v.strictTuple([conversion]) }),
  ({ OfflineConversions: [event] }, exchange) => apply(event, false, exchange),
  () => malformed,
);
const adjust = takes(
  'json',
  v.strictObject({ OfflineConversionAdjustments: v.strictTuple([adjustment]) }),
  ({ OfflineConversionAdjustments: [event] }, exchange) => apply(event, true, exchange),
  () => malformed,
);
/** The stand-in for Microsoft Advertising, which answers HTTP 200 with the errors of conversions. */
export const standIns: readonly StandIn[] = [
  {
    name: 'microsoft',
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
    },
  },
];
