/** Decides what an ad platform is told about a lead (docs/specification.md#conversions). */
import * as v from 'valibot';
import { type ClickIdName, type ClickIds, clickIdsOf } from '../../../model/fields/click-ids.ts';
import { calendarDate } from '../../../model/fields/dates.ts';
import { adPlatformRefusal, type StateRuleSettings } from '../../../model/rules/state-rules.ts';
import { unreadable } from '../../platform/outgoing-answer.ts';
import type { OutgoingAnswer, OutgoingHttp } from '../../platform/outgoing-http.ts';
import { text, type Variable } from '../../platform/variable.ts';
import { authorized, type TokenSource } from './access-tokens.ts';
import {
  type DestinationDefinition,
  defineDestination,
  type PreparedSend,
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

export const conversionTypes = [
  'lead.accepted',
  'lead.sold',
  'lead.signed',
  'lead.returned',
] as const;
export type ConversionType = (typeof conversionTypes)[number];
/** The events that a platform is told, each with its name at the platform. */
export type ConversionNames = Readonly<Partial<Record<ConversionType, string>>>;

/** Adds returns for a platform that changes the conversion of the sale, under the sale's name. */
export function withReturns(names: ConversionNames): ConversionNames {
  const sold = names['lead.sold'];
  return sold === undefined ? names : { ...names, 'lead.returned': sold };
}

/** Matches names that say what happened to a person. */
const TELLING = /injur|accident|crash|collision|wreck|hurt|medic|health|law|attorney|legal|claim/i;

/**
 * Declares a setting such as `lead.accepted=Lead,lead.sold=Purchase`. `types`: the events that the
 * platform can be told; `name`: the names that it takes.
 */
export function conversionNames(
  fallback?: string,
  {
    types = ['lead.accepted', 'lead.sold', 'lead.signed'],
    name = /^[\w ]{1,40}$/,
  }: { readonly types?: readonly ConversionType[]; readonly name?: RegExp } = {},
): Variable<ConversionNames> {
  const entry = v.pipe(
    v.tuple([v.picklist(types), v.pipe(v.string(), v.regex(name))]),
    v.check(([, chosen]) => !TELLING.test(chosen), 'whose name says what happened to a person'),
  );
  const read = v.pipe(
    text,
    v.transform((value) => value.split(',').map((each) => each.split('=').map((s) => s.trim()))),
    v.array(entry),
    v.transform((entries): ConversionNames => Object.fromEntries(entries)),
  );
  return {
    read,
    expected: `${types.join(', ')}, each with "=" and its neutral name or id there`,
    fallback,
  };
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
  { title, clickIds, maxAgeDays, returnDays, repeatHours }: AdPlatform,
  names: ConversionNames,
): Conversion | SendResult {
  const type = conversionTypes.find((each) => each === event?.type);
  const name = type && names[type];
  if (!event || !type || name === undefined) {
    return notSent(`${title} does not get this event`, 'rejected');
  }
  if (isTest) return notSent('A test lead is not reported', 'rejected');
  if (ad?.refusal !== undefined) return notSent(ad.refusal, 'rejected');
  const ids = Object.entries(ad?.clickIds ?? {}).filter(([id]) => clickIds.some((x) => x === id));
  if (ids.length === 0) return notSent(`The lead has no click id of ${title}`, 'rejected');
  const at = new Date(event.at);
  const ageMs = now.getTime() - at.getTime();
  // With an id of the platform, the attempt only asks for the result of an earlier one.
  const isNew = externalId === undefined;
  if (isNew && ageMs > maxAgeDays * DAY_MS) {
    const days = (ageMs / DAY_MS).toFixed(1);
    const refusal = `The event is ${days} days old, and ${title} takes at most ${maxAgeDays} days`;
    return notSent(refusal, 'rejected');
  }
  const soldAt = ad?.soldAt;
  const sinceSaleMs = at.getTime() - (soldAt ?? at).getTime();
  if (isNew && returnDays !== undefined && sinceSaleMs > returnDays * DAY_MS) {
    return notSent(
      `${title} changes a sale for ${returnDays} days, so it keeps this one`,
      'rejected',
    );
  }
  if (isNew && mayHaveArrived && repeatHours !== undefined && ageMs > repeatHours * 3_600_000) {
    return notSent(
      `It may have arrived, and after ${repeatHours} hours ${title} would count it twice`,
    );
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

/** Prepares a call, with an access token if the platform needs one. */
type Prepare = (call: HttpSend) => PreparedSend;

/** Declares an ad platform, which gets one event a request. */
export function defineAdPlatform<const Declared extends Variables>(
  platform: AdPlatform & {
    readonly name: string;
    readonly variables: Declared;
    readonly needs: readonly (keyof Declared & string)[];
    readonly names: (values: ValuesOf<Declared>) => ConversionNames;
    /** Builds the body. Never change a version that was used to send events. */
    readonly payloads: PayloadVersions<
      (conversion: Conversion, values: ValuesOf<Declared>) => string
    >;
    /** Where to get access tokens for the calls. Default: the calls need none. */
    readonly tokens?: (values: ValuesOf<Declared>) => TokenSource;
    /** Builds the call, or returns the result if the platform cannot be told now. */
    readonly call: (
      values: ValuesOf<Declared>,
      about: {
        readonly body: string;
        readonly conversion: Conversion;
        readonly request: SendRequest;
        readonly prepare: Prepare;
      },
    ) => HttpSend | PreparedSend | SendResult;
    /** A call that tests the account without an effect, and what its success means. */
    readonly probe?: {
      readonly call: (values: ValuesOf<Declared>) => HttpSend;
      readonly works: string;
    };
  },
): DestinationDefinition {
  const { name, title, clickIds, variables, needs, names, payloads, tokens, probe } = platform;
  const preparer = (values: ValuesOf<Declared>, http: OutgoingHttp): Prepare => {
    const neutral = withoutOurName(http);
    return tokens
      ? authorized(neutral, tokens(values))
      : (call: HttpSend) => preparePost(neutral, call);
  };
  return defineDestination<Declared>({
    name,
    title: `conversions (${title})`,
    variables,
    needs,
    isAdPlatform: true,
    buysNothing: true,
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
    ...(probe && {
      async probe(values: ValuesOf<Declared>, http: OutgoingHttp) {
        const result = await preparer(values, http)(probe.call(values)).send();
        const { account, message, error, outcome } = result;
        return outcome === 'delivered'
          ? ({ state: 'works', text: probe.works } as const)
          : ({ state: 'wrong', text: account?.problem ?? message ?? error ?? outcome } as const);
      },
    }),
    connect(values, http) {
      const prepare = preparer(values, http);
      return postConnection(http, {
        recognisesDuplicates: true,
        payloads,
        post(payload, request) {
          const conversion = readConversion(request, platform, names(values));
          if ('outcome' in conversion) return conversion;
          const body = payload(conversion, values);
          const made = platform.call(values, { body, conversion, request, prepare });
          return 'url' in made ? prepare(made) : made;
        },
      });
    },
  });
}

/** Our name says what happened to a person, so ad platforms get another `User-Agent`. */
function withoutOurName(http: OutgoingHttp): OutgoingHttp {
  return {
    ...http,
    request: ({ headers, ...call }) =>
      http.request({ ...call, headers: { 'user-agent': 'conversions/1', ...headers } }),
  };
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
  readonly means: 'taken' | 'temporary' | 'account' | 'refused';
};

/** Reads an answer whose body has a code. `said`: what the body says; undefined if unreadable. */
export function readSaid(
  answer: OutgoingAnswer,
  said: Said | undefined,
  { secret = '', settings }: { readonly secret?: string; readonly settings: readonly string[] },
): SendResult {
  const secrets = [secret];
  const about = aboutAnswer(answer, secrets);
  if (said === undefined) {
    const result = readStatus(answer, { secrets, accountSettings: [...settings] });
    if (result.outcome !== 'delivered') return result;
    return { ...about, outcome: 'unknown', error: unreadable(answer) };
  }
  const error = `Code ${said.code}: ${said.text}`;
  switch (said.means) {
    case 'taken':
      return { ...about, outcome: 'delivered' };
    case 'temporary':
      return { ...about, outcome: 'retry', error };
    case 'account': {
      const problem = `it refuses our account (code ${said.code}: ${said.text})`;
      return { ...about, outcome: 'account', error, account: { problem, settings } };
    }
    case 'refused':
      return { ...about, outcome: 'rejected', error, code: String(said.code) };
  }
}
