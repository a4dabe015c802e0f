/** Tells Meta about leads from its ads, by the Conversions API (docs/accounts/meta.md). */
import * as v from 'valibot';
import { readBody, readJson } from '../../platform/outgoing-answer.ts';
import type { OutgoingAnswer } from '../../platform/outgoing-http.ts';
import { addressOf, optionalText, secretText } from '../../platform/variable.ts';
import {
  type Conversion,
  conversionNames,
  defineAdPlatform,
  readSaid,
  type Said,
} from './conversion.ts';

const variables = {
  META_DATASET_ID: optionalText(/^\d{5,20}$/, 'the id of a dataset, 5 to 20 digits'),
  META_ACCESS_TOKEN: secretText(/^[\w|.-]{20,500}$/, 'an access token'),
  META_EVENTS: conversionNames('lead.accepted=Lead,lead.sold=Purchase'),
  META_URL: addressOf('the Graph API with its version', 'https://graph.facebook.com/v26.0'),
};

function payloadV1({ id, name, at, clickIds, clickedAt, value }: Conversion): string {
  const event = {
    event_name: name,
    event_time: Math.floor(at.getTime() / 1000),
    event_id: id,
    // Events of a website need the page's address and the user agent, which we never tell.
    action_source: 'system_generated',
    user_data: { fbc: `fb.1.${clickedAt.getTime()}.${clickIds.fbclid}` },
    ...(value !== null && { custom_data: { value, currency: 'USD' } }),
  };
  return JSON.stringify({ data: [event] });
}

const received = v.object({ events_received: v.pipe(v.number(), v.minValue(1)) });
const refusal = v.object({
  error: v.object({
    code: v.number(),
    error_subcode: v.optional(v.number()),
    message: v.optional(v.string(), ''),
    error_user_msg: v.optional(v.string()),
    is_transient: v.optional(v.boolean(), false),
  }),
});

/** Codes of outages and limits (developers.facebook.com/docs/graph-api/guides/error-handling). */
const isTemporary = (code: number) =>
  [1, 2, 4, 17, 32, 341, 368, 613].includes(code) || (code >= 80_000 && code < 80_100);
/** Codes about the token, its rights, or a dataset that the token cannot see (100 with 33). */
const isAboutAccount = (code: number, subcode?: number) =>
  [3, 10, 102, 190].includes(code) ||
  (code >= 200 && code <= 299) ||
  (code === 100 && subcode === 33);

function saidOf(answer: OutgoingAnswer): Said | undefined {
  const error = readBody(refusal, answer)?.error;
  if (error === undefined) {
    return readJson(received)(answer) && { code: 0, text: '', outcome: 'delivered' };
  }
  const { code, error_subcode: subcode, message, error_user_msg: advice, is_transient } = error;
  const about = { code, text: advice ?? message };
  if (is_transient || isTemporary(code)) return { ...about, outcome: 'retry' };
  return { ...about, outcome: isAboutAccount(code, subcode) ? 'account' : 'rejected' };
}

/** The ad platform `meta` gets events about leads with an `fbclid`. */
export const meta = defineAdPlatform({
  name: 'meta',
  title: 'Meta',
  variables,
  needs: ['META_DATASET_ID', 'META_ACCESS_TOKEN'],
  clickIds: ['fbclid'],
  names: ({ META_EVENTS }) => META_EVENTS,
  maxAgeDays: 7,
  repeatHours: 48,
  payloads: { 1: payloadV1 },
  call: (values) => ({
    url: `${values.META_URL}/${values.META_DATASET_ID}/events`,
    headers: { authorization: `Bearer ${values.META_ACCESS_TOKEN}` },
  }),
  read: (answer, about) => readSaid(answer, saidOf(answer), about),
});
