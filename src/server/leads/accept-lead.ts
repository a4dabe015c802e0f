/** The use case behind `POST /post-lead`, which stores every lead exactly once. */
import { hash } from 'node:crypto';
import { contactFlow } from '../../model/fields/contact-form.ts';
import { isLeadField } from '../../model/fields/lead-fields.ts';
import { withoutAdIds } from '../../model/fields/tracking.ts';
import { clickIdOf } from '../../model/fields/tracking-fields.ts';
import type { SurveyTable } from '../../model/flows/survey-table.ts';
import { bodySha256, changedFields, mergeBodies, storable } from '../../model/lead/body.ts';
import {
  buildContactLead,
  isContactForm,
  isWholeContactForm,
} from '../../model/lead/build-contact-lead.ts';
import { type BuiltLead, buildLead, isWholeSurvey } from '../../model/lead/build-lead.ts';
import {
  type BuildContext,
  mergeAnswers,
  type ServiceAnswers,
  type Visitor,
} from '../../model/lead/context.ts';
import type {
  AcceptedLead,
  DeliveryRecord,
  LeadProblem,
  StoredLead,
} from '../../model/lead/lead-record.ts';
import type { PostLeadAnswer } from '../../model/messages/lead.ts';
import type { HoldReason } from '../../model/messages/vocabulary.ts';
import type { BuyerList, BuyerListSettings } from '../../model/rules/buyers.ts';
import {
  buyerListOfLead,
  buyerListZip,
  type OneToOneStore,
  type PhoneCodeStore,
  type VerifiedNumbers,
} from '../checks/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { RequestCounts } from '../platform/database/request-counts.ts';
import { LeadErasedError, OverLimitError, StoreUnavailableError } from '../platform/errors.ts';
import { holdReasons, laterHolds } from './holds.ts';
import type { AddressLimit } from './lead-statements.ts';
import type { LeadStore } from './lead-store.ts';
import {
  type AddressBytes,
  countPost,
  isOverBytes,
  LATER_SECONDS,
  tooManyBytes,
} from './post-limits.ts';
import { leadOfDigest } from './repeated-forms.ts';

type Body = Readonly<Record<string, unknown>>;

/**
 * Stores one posted JSON object with a `lead_id`.
 * @throws StoreUnavailableError if nothing could be stored
 * @throws OverLimitError beyond a limit
 * @throws LeadErasedError if the lead was erased and `ifErased` is `refuse`
 */
export type AcceptLead = (
  body: Body,
  visitor: Visitor,
  options?: { readonly ifErased?: 'separate' | 'refuse' },
) => Promise<PostLeadAnswer>;

export type AcceptLeadOptions = BuildContext & {
  readonly store: LeadStore;
  readonly surveys: SurveyTable;
  /** The store of one-to-one consent, and the settings of one-to-one surveys. */
  readonly oneToOne: {
    readonly store: Pick<OneToOneStore, 'findBuyerList'>;
    readonly settings: BuyerListSettings;
  };
  /** Returns the phone numbers verified by SMS. Undefined if no survey verifies phone numbers. */
  readonly phoneCodes?: Pick<PhoneCodeStore, 'verifiedNumbers'> | undefined;
  /** Maximum number of persons per hour in the leads from one IP address. 0: unlimited. */
  readonly leadsPerAddressPerHour: number;
  /** Returns whether the person posted another lead recently. */
  readonly isSamePersonAgain?:
    | ((lead: Pick<AcceptedLead, 'id' | 'emailKey' | 'phoneKey'>) => Promise<boolean>)
    | undefined;
  readonly addressBytes: AddressBytes;
  readonly planDeliveries: (
    lead: Omit<BuiltLead, 'consentHold'>,
    state: AcceptedLead['state'],
    revision: number,
    hasOptOutSignal: boolean,
  ) => readonly DeliveryRecord[];
  /** Returns whether a destination that buys leads would get the lead. */
  readonly isForSale: (lead: BuiltLead) => boolean;
  readonly rulesVersion: string;
  /** Returns the cached answers of third parties about the values in a body. */
  readonly recallAnswers?: ((body: Body) => Promise<ServiceAnswers | null>) | undefined;
  /** Prepares a lead's verification. Call the returned function after the commit to start it. */
  readonly prepareVerification?:
    | ((lead: Pick<AcceptedLead, 'id' | 'revision' | 'fields'>) => (() => void) | undefined)
    | undefined;
  /** Counts the posts of each lead. */
  readonly requestCounts: RequestCounts;
  readonly now: Clock;
};

const MAX_REVISIONS = 20;
/** Maximum number of stored posts to one lead without the lead's secret. */
const MAX_UNAUTHORIZED = 20;
const MAX_UNKNOWN_FIELDS = 200;

export function createAcceptLead(options: AcceptLeadOptions): AcceptLead {
  const { store, oneToOne, leadsPerAddressPerHour } = options;

  // The returned object must not refer to `first`, because the lead would then stay in memory.
  const insert = (first: AcceptedLead, limit: AddressLimit | null) => ({
    answer: answerOf(first),
    verify: verificationOf(first, options),
    inserted: store.insert(first, limit),
  });

  return async (body, visitor, { ifErased = 'separate' } = {}) => {
    const id = String(body.lead_id).toLowerCase();
    await countPost(options.requestCounts, id, visitor.secretSha256);
    limitUnknownFields(body);
    const received = storable(visitor.secGpc ? withoutAdIds(body) : body);
    const isOver = await isOverBytes(received, visitor.networkKey, options);
    const survey = options.surveys(body.survey)?.survey;
    const owned = { leadId: id, secretSha256: visitor.secretSha256 };
    const shown =
      survey?.buyers === 'fetched'
        ? await oneToOne.store.findBuyerList(owned, buyerListZip(received))
        : undefined;
    const consent = received['1_to_1_consent'];
    const buyerList = buyerListOfLead(survey, shown, consent, oneToOne.settings);
    const limit =
      leadsPerAddressPerHour === 0
        ? null
        : { addressKey: visitor.addressKey, mostPersons: leadsPerAddressPerHour };
    const [answers, verifiedAt] = await Promise.all([
      options.recallAnswers?.(received) ?? null,
      survey?.verifiesPhone ? options.phoneCodes?.verifiedNumbers(owned) : undefined,
    ]);
    const poster = { visitor, buyerList, answers, verifiedAt };
    const byBytes: readonly HoldReason[] = isOver ? ['over_address_bytes'] : [];
    const build = (holds: readonly HoldReason[] = []) =>
      firstRevision(id, received, [...byBytes, ...holds], poster, options);
    const samePerson = options.isSamePersonAgain
      ? await samePersonHold(build(), options.isSamePersonAgain)
      : [];
    const { answer, verify, inserted } = insert(build(samePerson), limit);
    if ((await inserted) === 'inserted') {
      verify?.();
      return answer;
    }

    const post = { id, body: received, bodySha256: bodySha256(received) };
    const found = await store.find(id, post.bodySha256);
    if (!found) throw new StoreUnavailableError('The lead was deleted meanwhile');
    const isOwner = found.secretSha256 !== null && found.secretSha256 === visitor.secretSha256;
    const mayAskAgain = isOwner || found.secretSha256 === null || found.isErased;
    // If a lead is erased, the database has only keyed hashes of the posted bodies.
    const findKeyed = () => store.find(id, options.personKey('post', post.bodySha256));
    const same = found.same ?? (found.isErased ? (await findKeyed())?.same : undefined);
    if (same && mayAskAgain) return { lead_id: id, revision: same.revision, ...same.answer };
    if (isOver) throw tooManyBytes(options.now);
    if (isOwner && !found.isErased) {
      // A later post needs the verified phone numbers even if it names no survey.
      const verified = verifiedAt ?? (await options.phoneCodes?.verifiedNumbers(owned));
      return laterPost(post, { visitor, answers, verifiedAt: verified, samePerson }, options);
    }
    if (isOwner && ifErased === 'refuse') throw new LeadErasedError('The visit was erased');

    if ((await store.insertUnauthorized(unauthorized(build()), MAX_UNAUTHORIZED)) === 'too_many') {
      throw new OverLimitError('too_many_posts', LATER_SECONDS);
    }
    return answer;
  };
}

/** Returns a hold reason if the same person has another recent lead. */
async function samePersonHold(
  lead: AcceptedLead,
  isSamePersonAgain: NonNullable<AcceptLeadOptions['isSamePersonAgain']>,
): Promise<readonly HoldReason[]> {
  const hasPerson = lead.emailKey !== null || lead.phoneKey !== null;
  return !lead.isTest && hasPerson && (await isSamePersonAgain(lead)) ? ['same_person'] : [];
}

type Poster = {
  readonly visitor: Visitor;
  readonly buyerList: BuyerList | undefined;
  readonly answers: ServiceAnswers | null;
  readonly verifiedAt: VerifiedNumbers | undefined;
  readonly samePerson?: readonly HoldReason[];
  /** The time at which the server first received a consent of this lead. */
  readonly consentReceivedAt?: Date | undefined;
};

function verificationOf(lead: AcceptedLead, { prepareVerification }: AcceptLeadOptions) {
  // Verification shares data with a third party, which the opt-out signal forbids.
  return lead.flow === contactFlow || lead.secGpc ? undefined : prepareVerification?.(lead);
}

function answerOf(lead: AcceptedLead): PostLeadAnswer {
  return { lead_id: lead.id, revision: lead.revision, ...lead.change.answer };
}

function limitUnknownFields(body: Body): void {
  let unknown = 0;
  for (const name in body) if (!isLeadField(name)) unknown += 1;
  if (unknown > MAX_UNKNOWN_FIELDS) throw new OverLimitError('too_many_fields', LATER_SECONDS);
}

function firstRevision(
  id: string,
  body: Body,
  holds: readonly HoldReason[],
  poster: Poster,
  options: AcceptLeadOptions,
): AcceptedLead {
  const built = build(body, body, poster, poster.visitor, options);
  const post = { id, revision: 1, body, merged: null, bodySha256: bodySha256(body), changed: [] };
  const reasons = [...holds, ...holdReasons(built, options.isForSale(built))];
  return complete(post, built, reasons, poster.visitor, options);
}

/** Makes a separate lead from a post without the lead's secret. The separate lead is held. */
function unauthorized(first: AcceptedLead): AcceptedLead {
  const mark: LeadProblem = { problem: 'held', reason: 'unproven_claim' satisfies HoldReason };
  const digest = hash('sha256', `${first.id} ${first.bodySha256}`, 'hex');
  return {
    ...first,
    id: leadOfDigest(digest).leadId,
    claimsId: first.id,
    secretSha256: null,
    state: 'held',
    problems: [mark, ...first.problems],
    deliveries: first.deliveries.map((delivery) =>
      delivery.state === 'waiting' ? { ...delivery, state: 'held' } : delivery,
    ),
  };
}

async function laterPost(
  received: Pick<AcceptedLead, 'id' | 'body' | 'bodySha256'>,
  poster: Omit<Poster, 'buyerList'>,
  options: AcceptLeadOptions,
): Promise<PostLeadAnswer> {
  let answer: PostLeadAnswer | undefined;
  let verify: (() => void) | undefined;
  await options.store.revise(received.id, received.bodySha256, (stored) => {
    if (stored.same) {
      answer = { lead_id: received.id, revision: stored.same.revision, ...stored.same.answer };
      return undefined;
    }
    // An erased lead must not get personal data again.
    if (stored.isErased) throw new StoreUnavailableError('The lead was erased meanwhile');
    if (stored.revision >= MAX_REVISIONS) {
      throw new OverLimitError('too_many_posts', LATER_SECONDS);
    }
    // Keeps the stored answers of third parties about values that this post may lack.
    const given = mergeAnswers(stored.given, poster.answers);
    const lead = laterRevision(stored, received, { ...poster, answers: given }, options);
    answer = answerOf(lead);
    verify = verificationOf(lead, options);
    return lead;
  });
  if (answer === undefined) throw new StoreUnavailableError('The lead was deleted meanwhile');
  verify?.();
  return answer;
}

function laterRevision(
  stored: StoredLead,
  { body, bodySha256 }: Pick<AcceptedLead, 'body' | 'bodySha256'>,
  { samePerson = [], ...given }: Omit<Poster, 'buyerList'>,
  options: AcceptLeadOptions,
): AcceptedLead {
  const isWhole = (each: Body) =>
    isContactForm(each)
      ? isWholeContactForm(each)
      : isWholeSurvey(each, options.surveys(each.survey), options.now(), options);
  const merged = mergeBodies([stored.merged, body], isWhole);
  limitUnknownFields(merged);
  // Reads the survey from all merged posts, because a later post may not name the survey.
  const survey = options.surveys(merged.survey)?.survey;
  const shown = stored.buyerLists[buyerListZip(merged)];
  const consent = merged['1_to_1_consent'];
  const buyerList = buyerListOfLead(survey, shown, consent, options.oneToOne.settings);
  const consentReceivedAt = stored.consentReceivedAt ?? undefined;
  const poster = { ...given, buyerList, consentReceivedAt };
  const { visitor } = given;
  const origin = {
    address: stored.ip ?? visitor.address,
    userAgent: stored.userAgent ?? visitor.userAgent,
  };
  const built = { ...build(merged, body, poster, origin, options), isTest: stored.isTest };
  const own = [...samePerson, ...holdReasons(built, options.isForSale(built))];
  const { reasons, state } = laterHolds(stored, merged, own);
  const post = {
    id: stored.id,
    revision: stored.revision + 1,
    body,
    merged,
    bodySha256,
    changed: changedFields(stored.merged, merged),
    state,
  };
  return complete(post, built, reasons, visitor, options);
}

function build(
  body: Body,
  latest: Body,
  { visitor, consentReceivedAt, ...known }: Poster,
  origin: Pick<Visitor, 'address' | 'userAgent'>,
  options: AcceptLeadOptions,
): BuiltLead {
  const now = options.now();
  const input = { body, latest, visitor, origin, now, consentReceivedAt };
  if (isContactForm(body)) return buildContactLead(input, options);
  return buildLead({ ...input, ...known, entry: options.surveys(body.survey) }, options);
}

type Post = Pick<AcceptedLead, 'id' | 'revision' | 'body' | 'merged' | 'bodySha256'> & {
  readonly changed: readonly string[];
  readonly state?: AcceptedLead['state'];
};

function complete(
  { changed, ...post }: Post,
  { consentHold: _, ...built }: BuiltLead,
  holds: readonly HoldReason[],
  visitor: Visitor,
  options: AcceptLeadOptions,
): AcceptedLead {
  const state = post.state ?? (holds.length > 0 ? 'held' : 'accepted');
  const marks = holds.map((reason): LeadProblem => ({ problem: 'held', reason }));
  const answer = { qualified: built.qualified ? 'yes' : 'no', dq_reason: built.dqReason } as const;
  const deliveries = options.planDeliveries(built, state, post.revision, visitor.secGpc);
  return {
    ...built,
    ...post,
    claimsId: null,
    secretSha256: visitor.secretSha256,
    secGpc: visitor.secGpc,
    variants: visitor.variants ?? '',
    state,
    problems: [...marks, ...built.problems],
    change: { answer, fields: changed },
    rulesVersion: options.rulesVersion,
    flowVersion: options.surveys(built.survey)?.flowVersion ?? '',
    click: { ...built.click, id: clickIdOf(built.fields, post.id) },
    deliveries,
  };
}
