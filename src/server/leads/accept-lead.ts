/** The use case behind `POST /post-lead`: whatever is a lead is stored, once, and answered after that. */
import { v7 as uuid } from 'uuid';
import type { PostLeadAnswer } from '../../contract/lead.ts';
import type { BuyerOffer, OfferSettings } from '../../domain/buyers.ts';
import type { AddressLimit } from './address-limit.ts';
import {
  type BuildContext,
  type BuiltLead,
  buildLead,
  clickId,
  isWholeSurvey,
} from './build-lead.ts';
import type { AcceptedLead, DeliveryRecord, LeadProblem, StoredLead } from './lead-record.ts';
import { changedFields, isSameBody, mergeBodies } from './merge-bodies.ts';
import { offerOfLead } from './one-to-one.ts';
import { type Clock, type LeadStore, type OneToOneStore, StoreUnavailableError } from './ports.ts';
import { storable } from './storable.ts';
import type { SurveyTable } from './survey-table.ts';
import type { Visitor } from './visitor.ts';

export type AcceptLeadOptions = BuildContext & {
  readonly store: LeadStore;
  readonly surveys: SurveyTable;
  /** The offers that visitors of one-to-one surveys were made. */
  readonly oneToOne: {
    readonly store: Pick<OneToOneStore, 'findOffer'>;
    readonly settings: OfferSettings;
  };
  readonly addressLimit: AddressLimit;
  /** The destinations that are configured; a survey's others are marked "no destination". */
  readonly destinations: ReadonlySet<string>;
  readonly now: Clock;
};

/** Reasons to keep a lead back until a person has looked at it. */
export type HoldReason =
  /** The address has sent more leads than it may (fault 18). */
  | 'over_address_limit'
  /** There is no such survey, so nobody has agreed where its leads go. */
  | 'unknown_survey'
  /** No number of ten digits: nobody could be called, and no buyer's format takes it. */
  | 'no_usable_phone'
  /** No consent text came with it. */
  | 'no_consent';

/** Where leads of an unknown survey would go, once a person has released them. */
const DEFAULT_DESTINATIONS = ['ingest'];

/**
 * Takes one post. The same body again gets the same answer and writes nothing; another body of the
 * same id is merged as a later revision of the same lead, which is never sent a second time.
 *
 * @param body a JSON object whose `lead_id` is a UUID; everything else may be anything
 * @throws StoreUnavailableError when nothing could be stored
 */
export function createAcceptLead(options: AcceptLeadOptions) {
  const { store, addressLimit } = options;

  return async function acceptLead(
    body: Readonly<Record<string, unknown>>,
    visitor: Visitor,
  ): Promise<PostLeadAnswer> {
    const id = String(body.lead_id).toLowerCase();
    const received = storable(body);
    const isOverLimit = addressLimit.exceeds(visitor.addressKey);
    let isNew = false;
    let offer: BuyerOffer | undefined;
    try {
      offer = await offerOfLead(
        options.surveys(body.survey)?.survey,
        { id, zip: body.zip_code },
        options.oneToOne,
      );
      const lead = firstRevision(id, received, { visitor, offer }, isOverLimit, options);
      isNew = (await store.insert(lead)) === 'inserted';
      if (isNew) return answerOf(lead);
    } finally {
      if (!isNew) addressLimit.giveBack(visitor.addressKey);
    }
    return laterPost(id, received, { visitor, offer }, options);
  };
}

/** Who posts, and what they were offered before. */
type Poster = { readonly visitor: Visitor; readonly offer: BuyerOffer | undefined };

function answerOf(lead: AcceptedLead): PostLeadAnswer {
  return { lead_id: lead.id, revision: lead.revision, ...lead.change.answer };
}

function firstRevision(
  id: string,
  body: Readonly<Record<string, unknown>>,
  poster: Poster,
  isOverLimit: boolean,
  options: AcceptLeadOptions,
): AcceptedLead {
  const built = build(body, body, poster, poster.visitor, options);
  const holds = holdReasons(built);
  if (isOverLimit) holds.unshift('over_address_limit');
  return complete(id, 1, built, holds, body, [], options);
}

async function laterPost(
  id: string,
  body: Readonly<Record<string, unknown>>,
  poster: Poster,
  options: AcceptLeadOptions,
): Promise<PostLeadAnswer> {
  let answer: PostLeadAnswer | undefined;
  const decide = (stored: StoredLead): AcceptedLead | undefined => {
    const same = stored.revisions.find((each) => isSameBody(each.body, body));
    if (same) {
      answer = { lead_id: id, revision: same.revision, ...same.change.answer };
      return undefined;
    }
    const lead = laterRevision(stored, body, poster, options);
    answer = answerOf(lead);
    return lead;
  };
  await options.store.revise(id, decide);
  // It was there a moment ago and is gone: the browser's next try finds the way free.
  if (answer === undefined) throw new StoreUnavailableError('The lead was removed meanwhile');
  return answer;
}

function laterRevision(
  stored: StoredLead,
  body: Readonly<Record<string, unknown>>,
  poster: Poster,
  options: AcceptLeadOptions,
): AcceptedLead {
  const { visitor } = poster;
  const isWhole = (each: Readonly<Record<string, unknown>>) =>
    isWholeSurvey(each, options.surveys(each.survey), options.now(), options);
  const before = mergeBodies(
    stored.revisions.map((each) => each.body),
    isWhole,
  );
  const merged = mergeBodies([before, body], isWhole);
  const origin = {
    address: stored.ip ?? visitor.address,
    userAgent: stored.userAgent ?? visitor.userAgent,
  };
  const built = build(merged, body, poster, origin, options);
  const holds = holdReasons(built);
  const wasOverLimit = stored.problems.some(
    ({ problem, reason }) => problem === 'held' && reason === 'over_address_limit',
  );
  if (wasOverLimit) holds.unshift('over_address_limit');
  // A person has released it since: it stays released.
  const isReleased = stored.state === 'accepted';
  return complete(
    stored.id,
    stored.revision + 1,
    // A test stays one, or a merge could turn a test into a sale.
    { ...built, isTest: built.isTest || stored.isTest },
    isReleased ? [] : holds,
    body,
    changedFields(before, merged),
    options,
  );
}

function build(
  body: Readonly<Record<string, unknown>>,
  latest: Readonly<Record<string, unknown>>,
  { visitor, offer }: Poster,
  origin: Pick<Visitor, 'address' | 'userAgent'>,
  options: AcceptLeadOptions,
): BuiltLead {
  const entry = options.surveys(body.survey);
  return buildLead({ body, latest, entry, offer, visitor, origin, now: options.now() }, options);
}

function holdReasons(built: BuiltLead): HoldReason[] {
  const reasons: HoldReason[] = [];
  if (built.flow === '') reasons.push('unknown_survey');
  if (built.phoneKey === null) reasons.push('no_usable_phone');
  // Nobody may be called on the strength of a lead without its consent.
  if (built.fields.tcpa === '') reasons.push('no_consent');
  return reasons;
}

function complete(
  id: string,
  revision: number,
  built: BuiltLead,
  holds: readonly HoldReason[],
  body: Readonly<Record<string, unknown>>,
  changed: readonly string[],
  options: AcceptLeadOptions,
): AcceptedLead {
  const state = holds.length > 0 ? 'held' : 'accepted';
  const marks = holds.map((reason): LeadProblem => ({ problem: 'held', reason }));
  return {
    ...built,
    id,
    revision,
    state,
    problems: [...marks, ...built.problems],
    body,
    change: {
      answer: { qualified: built.qualified ? 'yes' : 'no', dq_reason: built.dqReason },
      fields: changed,
    },
    click: { ...built.click, id: clickId(built, id) },
    deliveries: deliveriesOf(built, state, options),
  };
}

function deliveriesOf(
  built: BuiltLead,
  state: AcceptedLead['state'],
  { surveys, destinations }: AcceptLeadOptions,
): DeliveryRecord[] {
  const wanted = surveys(built.survey)?.survey.destinations ?? DEFAULT_DESTINATIONS;
  return wanted.map((destination) => ({
    id: uuid(),
    destination,
    state: !destinations.has(destination)
      ? 'no_destination'
      : state === 'held'
        ? 'held'
        : 'waiting',
  }));
}
