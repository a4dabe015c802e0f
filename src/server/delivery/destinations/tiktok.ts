/** Tells TikTok about leads from its ads, by the Events API (docs/accounts/tiktok.md). */
import * as v from 'valibot';
import { readBody } from '../../platform/outgoing-answer.ts';
import type { OutgoingAnswer } from '../../platform/outgoing-http.ts';
import { addressOf, optionalText, secretText } from '../../platform/variable.ts';
import {
  type Conversion,
  conversionNames,
  defineAdPlatform,
  readSaid,
  type Said,
} from './conversion.ts';
import type { ValuesOf } from './destination.ts';

const variables = {
  TIKTOK_PIXEL_ID: optionalText(/^[A-Z0-9]{10,40}$/, 'the id of a pixel'),
  TIKTOK_ACCESS_TOKEN: secretText(/^[\w.-]{20,200}$/, 'an access token'),
  TIKTOK_EVENTS: conversionNames('lead.accepted=Lead,lead.sold=Purchase'),
  TIKTOK_URL: addressOf(
    'the Business API with its version',
    'https://business-api.tiktok.com/open_api/v1.3',
  ),
};

function payloadV1(
  { id, name, at, clickIds: { ttclid }, value }: Conversion,
  { TIKTOK_PIXEL_ID }: ValuesOf<typeof variables>,
): string {
  const event = {
    event: name,
    event_time: Math.floor(at.getTime() / 1000),
    event_id: id,
    user: { ttclid },
    ...(value !== null && { properties: { value, currency: 'USD' } }),
  };
  return JSON.stringify({
    event_source: 'web',
    event_source_id: TIKTOK_PIXEL_ID,
    data: [event],
  });
}

const answerSchema = v.object({ code: v.number(), message: v.optional(v.string(), '') });

/** Codes of limits and outages. TikTok sends them with HTTP 200. */
const isTemporary = (code: number) =>
  [40_016, 40_100, 40_133, 42_900].includes(code) || code >= 50_000;
/** Codes about the token and its rights. */
const isAboutAccount = (code: number) => code === 40_001 || (code >= 40_101 && code <= 40_110);

function saidOf(answer: OutgoingAnswer): Said | undefined {
  const said = readBody(answerSchema, answer);
  if (said === undefined) return undefined;
  const { code, message: text } = said;
  if (code === 0) return { code, text, outcome: 'delivered' };
  if (isTemporary(code)) return { code, text, outcome: 'retry' };
  return { code, text, outcome: isAboutAccount(code) ? 'account' : 'rejected' };
}

/** The ad platform `tiktok` gets events about leads with a `ttclid`. */
export const tiktok = defineAdPlatform({
  name: 'tiktok',
  title: 'TikTok',
  variables,
  needs: ['TIKTOK_PIXEL_ID', 'TIKTOK_ACCESS_TOKEN'],
  clickIds: ['ttclid'],
  names: ({ TIKTOK_EVENTS }) => TIKTOK_EVENTS,
  // TikTok names no limit of age. A click counts for at most 28 days.
  maxAgeDays: 28,
  repeatHours: 48,
  payloads: { 1: payloadV1 },
  call: (values) => ({
    url: `${values.TIKTOK_URL}/event/track/`,
    headers: { 'access-token': values.TIKTOK_ACCESS_TOKEN },
  }),
  read: (answer, about) => readSaid(answer, saidOf(answer), about),
});
