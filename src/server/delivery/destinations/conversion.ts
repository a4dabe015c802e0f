/** Decides what an ad platform is told about a lead (docs/specification.md#conversions). */
import * as v from 'valibot';
import { type ClickIdName, type ClickIds, clickIdsOf } from '../../../model/fields/click-ids.ts';
import { calendarDate } from '../../../model/fields/dates.ts';
import { adPlatformRefusal, type StateRuleSettings } from '../../../model/rules/state-rules.ts';
import { unreadable } from '../../platform/outgoing-answer.ts';
import type { OutgoingAnswer } from '../../platform/outgoing-http.ts';
import { text, type Variable, wholeNumber } from '../../platform/variable.ts';
import { authorized, NEUTRAL_AGENT, type TokenSource } from './access-tokens.ts';
import {
  type DestinationDefinition,
  defineDestination,
  type SendRequest,
  type SendResult,
  type ValuesOf,
  type Variables,
} from './destination.ts';
import {
  aboutAnswer,
  type HttpSend,
  notSent,
  type PayloadVersions,
  postConnection,
  preparePost,
  readStatus,
} from './http-send.ts';

const namedTypes = ['lead.accepted', 'lead.sold', 'lead.signed'] as const;
type ConversionType = (typeof namedTypes)[number] | 'lead.returned';
/** The events that a platform is told, each with its name at the platform. */
type ConversionNames = Readonly<Partial<Record<ConversionType, string>>>;

/** Adds returns for a platform that changes the conversion of the sale, under the sale's name. */
export function withReturns(names: ConversionNames): ConversionNames {
  const sold = names['lead.sold'];
  return sold === undefined ? names : { ...names, 'lead.returned': sold };
}

/** Matches names that say what happened to a person. */
const TELLING = /injur|accident|crash|collision|wreck|hurt|medic|health|law|attorney|legal|claim/i;

/** Declares a setting such as `lead.accepted=Lead,lead.sold=Purchase`. `names`: what it takes. */
export function conversionNames(
  fallback?: string,
  names = /^[\w ]{1,40}$/,
): Variable<ConversionNames> {
  const entry = v.pipe(
    v.tuple([v.picklist(namedTypes), v.pipe(v.string(), v.regex(names))]),
    v.check(([, name]) => !TELLING.test(name), 'whose name says what happened to a person'),
  );
  const read = v.pipe(
    text,
    v.transform((value) => value.split(',').map((each) => each.split('=').map((s) => s.trim()))),
    v.array(entry),
    v.transform((entries): ConversionNames => Object.fromEntries(entries)),
  );
  const expected = `${namedTypes.join(', ')}, each with "=" and its neutral name or id there`;
  return { read, expected, fallback };
}

/** The rules of a platform. */
export type AdPlatform = {
  /** The platform's name in messages. */
  readonly title: string;
  /** The click ids that the platform knows. */
  readonly clickIds: readonly ClickIdName[];
  /** The age in days beyond which the platform refuses an event. */
  readonly maxAgeDays: number;
  /** The days after a sale within which the platform takes its return. Undefined: always. */
  readonly returnDays?: number;
  /** Hours within which the platform recognises a repeated event. Undefined: always. */
  readonly repeatHours?: number;
};

/** What a platform is told. Contains no personal data. */
export type Conversion = {
  /** The idempotency key: the buyer's delivery, or the lead. A return has the key of its sale. */
  readonly id: string;
  readonly type: ConversionType;
  /** The event's name at the platform. */
  readonly name: string;
  readonly at: Date;
  /** The time of the sale that a return takes back. */
  readonly soldAt?: Date | undefined;
  readonly clickIds: ClickIds;
  /** When the visit of the ad click began. */
  readonly clickedAt: Date;
  /** US dollars; null if they are unknown, as for an accepted lead. */
  readonly value: number | null;
};

const DAY_MS = 86_400_000;

/** Returns the conversion of a request, or the result if the platform must not be told. */
export function readConversion(
  { event, leadId, isTest, ad, mayHaveArrived, externalId, now = new Date() }: SendRequest,
  { title, clickIds, maxAgeDays, returnDays = Infinity, repeatHours = Infinity }: AdPlatform,
  names: ConversionNames,
): Conversion | SendResult {
  const refused = (why: string) => notSent(why, 'rejected');
  // Only types of conversions have a name.
  const type = event?.type as ConversionType;
  const name = names[type];
  if (!event || name === undefined) return refused(`${title} does not get this event`);
  if (isTest) return refused('A test lead is not reported');
  if (ad?.refusal !== undefined) return refused(ad.refusal);
  const ids = Object.entries(ad?.clickIds ?? {}).filter(([id]) => clickIds.some((x) => x === id));
  if (ids.length === 0) return refused(`The lead has no click id of ${title}`);
  const at = new Date(event.at);
  const soldAt = ad?.soldAt;
  const ageMs = now.getTime() - at.getTime();
  const sinceSaleMs = at.getTime() - (soldAt ?? at).getTime();
  // With an id of the platform, the attempt only asks for the result of an earlier one.
  const isNew = externalId === undefined;
  if (isNew && ageMs > maxAgeDays * DAY_MS) {
    const days = (ageMs / DAY_MS).toFixed(1);
    return refused(`The event is ${days} days old, and ${title} takes at most ${maxAgeDays} days`);
  }
  if (isNew && sinceSaleMs > returnDays * DAY_MS) {
    return refused(`${title} changes a sale for ${returnDays} days, so it keeps this one`);
  }
  if (isNew && mayHaveArrived && ageMs > repeatHours * 3_600_000) {
    const why = `after ${repeatHours} hours ${title} would count it twice`;
    return notSent(`It may have arrived, and ${why}`);
  }
  const isSale = 'value' in event;
  return {
    id: isSale ? event.delivery_id : leadId,
    type,
    name,
    at,
    soldAt,
    clickIds: Object.fromEntries(ids),
    clickedAt: visitBegan(leadId, at),
    value: isSale ? event.value : null,
  };
}

/** Returns the time in a lead's UUIDv7, which the browser made. Never later than the event. */
function visitBegan(leadId: string, at: Date): Date {
  const ms = Number.parseInt(leadId.replaceAll('-', '').slice(0, 12), 16);
  const isLikely = ms <= at.getTime() && ms > at.getTime() - 400 * DAY_MS;
  return isLikely ? new Date(ms) : at;
}

/** What an answer is read with: the secrets to hide, and the settings of the account. */
export type ReadWith = {
  readonly secrets: readonly string[];
  readonly accountSettings: readonly string[];
};
type ReadAnswer = (answer: OutgoingAnswer, about: ReadWith) => SendResult;
/** A call with JSON. Default: the event's body, and the platform's way to read the answer. */
type Call = Omit<HttpSend, 'body' | 'read' | 'timeoutMs'> & {
  readonly body?: string;
  readonly read?: ReadAnswer;
};

type AdPlatformOf<Declared extends Variables, Values = ValuesOf<Declared>> = AdPlatform & {
  readonly name: string;
  readonly variables: Declared;
  readonly needs: readonly (keyof Declared & string)[];
  readonly names: (values: Values) => ConversionNames;
  /** Builds the body. Never change a version that was used to send events. */
  readonly payloads: PayloadVersions<(conversion: Conversion, values: Values) => string>;
  /** Where to get access tokens for the calls. Default: the calls need none. */
  readonly tokens?: (values: Values) => TokenSource;
  /** Builds the call, or returns the result if the platform cannot be told now. */
  readonly call: (
    values: Values,
    conversion: Conversion,
    about: { readonly body: string; readonly request: SendRequest },
  ) => Call | SendResult;
  readonly read: ReadAnswer;
};

/** The settings of all ad platforms. */
const shared = { CONVERSIONS_TIMEOUT_MS: wholeNumber(100, 60_000, 15_000) };

/** Declares an ad platform, which gets one event a request. */
export function defineAdPlatform<const Declared extends Variables>(
  platform: AdPlatformOf<Declared>,
): DestinationDefinition {
  const { name, title, clickIds, variables, needs, names, payloads, tokens } = platform;

  return defineDestination({
    name,
    title: `conversions (${title})`,
    variables: { ...variables, ...shared },
    needs,
    isAdPlatform: true,
    getsNoContact: true,
    whenOff: 'skip',
    permission: { consent: 'any', stopsAtOptOut: true },
    events: (values) => Object.keys(names(values)) as ConversionType[],
    appliesTo({ isTest, click }, values) {
      // Without settings, posts of leads need not search for ids.
      if (values === undefined || isTest) return false;
      const ids = clickIdsOf(click?.params ?? {});
      return clickIds.some((id) => ids[id] !== undefined);
    },
    connect(values, http) {
      const timeoutMs = Number(values.CONVERSIONS_TIMEOUT_MS);
      const send = tokens
        ? authorized(http, tokens(values), timeoutMs)
        : (call: HttpSend) => preparePost(http, call);
      const secrets = Object.entries(values).flatMap(([setting, value]) =>
        variables[setting]?.secret && typeof value === 'string' ? [value] : [],
      );
      const prepare = (body: string, { read = platform.read, headers, ...call }: Call) =>
        send({
          body,
          timeoutMs,
          ...call,
          headers: {
            ...NEUTRAL_AGENT,
            ...(call.method !== 'GET' && { 'content-type': 'application/json' }),
            ...headers,
          },
          read: (answer) => read(answer, { secrets, accountSettings: needs }),
        });
      return postConnection(http, {
        recognisesDuplicates: true,
        payloads,
        post(payload, request) {
          const conversion = readConversion(request, platform, names(values));
          if ('outcome' in conversion) return conversion;
          const body = payload(conversion, values);
          const made = platform.call(values, conversion, { body, request });
          return 'url' in made ? prepare(body, made) : made;
        },
      });
    },
  });
}

/** Adds today's ruling on a lead's states to a request (docs/specification.md#rules-by-state). */
export function withAdRuling<Request extends Pick<SendRequest, 'ad'>>(
  request: Request,
  { stateRules, timeZone }: { readonly stateRules: StateRuleSettings; readonly timeZone: string },
): Request {
  if (request.ad === undefined) return request;
  const day = calendarDate(new Date(), timeZone);
  const refusal = adPlatformRefusal(request.ad.states, day, stateRules);
  return { ...request, ad: { ...request.ad, refusal } };
}

/** What a platform's answer says in its body. The code counts more than the HTTP status. */
export type Said = {
  readonly code: number;
  readonly text: string;
  readonly outcome: 'delivered' | 'retry' | 'account' | 'rejected';
};

/** Reads an answer whose body has a code. `said`: what the body says; undefined if unreadable. */
export function readSaid(
  answer: OutgoingAnswer,
  said: Said | undefined,
  { secrets, accountSettings: settings }: ReadWith,
): SendResult {
  const about = aboutAnswer(answer, secrets);
  if (said === undefined) {
    const result = readStatus(answer, { secrets, accountSettings: settings });
    if (result.outcome !== 'delivered') return result;
    return { ...about, outcome: 'unknown', error: unreadable(answer) };
  }
  const { code, text, outcome } = said;
  if (outcome === 'delivered') return { ...about, outcome };
  const error = `Code ${code}: ${text}`;
  const problem = `it refuses our account (code ${code}: ${text})`;
  const account = outcome === 'account' ? { problem, settings } : undefined;
  return { ...about, outcome, error, account, code: String(code) };
}
