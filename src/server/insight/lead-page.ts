import type pg from 'pg';
import { contactFlow } from '../../model/fields/contact-form.ts';
import { isLeadField } from '../../model/fields/lead-fields.ts';
import { formatPhoneMask } from '../../model/fields/phone-format.ts';
import { flowOf, surveyAt } from '../../model/flows/surveys.ts';
import {
  type AttemptBytes,
  type LeadAnswer,
  type LeadRowAnswer,
  type TimelineEntry,
  timelineKinds,
} from '../../model/messages/console/leads.ts';
import type { Role } from '../../model/messages/console/people.ts';
import { disqualifications, REVOCATION_SOURCES } from '../../model/messages/vocabulary.ts';
import { definitionOf, isBuyer } from '../delivery/destinations/index.ts';
import {
  type ResendVerdict,
  readBuyerNames,
  readResendVerdicts,
  type SaleRules,
} from '../delivery/index.ts';
import {
  evidenceText,
  previewRequest,
  readProven,
  rebuildRequest,
  recipientsOf,
} from '../evidence/index.ts';
import { type LeadHistory, readHistory } from '../leads/index.ts';
import { notFound } from '../platform/operator-error.ts';
import { timeFormatter } from '../platform/time-format.ts';
import type { Settings } from '../settings/settings.ts';
import { attemptEntry, deliveryEntry, deliveryPanel, endedBy } from './delivery-entries.ts';
import { actionsOf } from './lead-actions.ts';
import { checkEntry, decisionEntry, eventEntry, revisionEntry } from './lead-entries.ts';
import { readLeadMoney } from './lead-money.ts';
import {
  type EntryPart,
  field,
  fieldName,
  maskEmail,
  maskName,
  maskPhone,
  shown,
  textOf,
  type View,
} from './masking.ts';
import { holdReasons, outcomeOf } from './outcome.ts';
import { clickEntry, codeEntry, consentEntry, stepEntry } from './visit-entries.ts';
import { deliveryOfRow, destinationTitle } from './words.ts';

type LeadPageContext = {
  readonly pool: pg.Pool;
  readonly settings: SaleRules &
    Pick<Settings, 'operatorsTimeZone' | 'publicUrl' | 'surveys' | 'destinations' | 'limits'>;
};

/** The reader of the page. `isOpened`: the reader gave a reason, and may see personal data. */
type Reader = { readonly role: Role; readonly isOpened: boolean };

/** Reads a lead's page. @throws OperatorError `not_found` for an unknown id */
export async function readLead(
  { pool, settings }: LeadPageContext,
  id: string,
  { role, isOpened }: Reader,
): Promise<LeadAnswer> {
  const [history, buyerNames] = await Promise.all([
    readHistory(pool, id, role),
    readBuyerNames(pool),
  ]);
  const survey = surveyAt(history.lead.survey, settings.surveys);
  const [verdicts, flow, counted, proven, money] = await Promise.all([
    readResendVerdicts(pool, history.lead.id, settings),
    survey && flowOf(survey),
    pool.query<Pick<LeadRowAnswer, 'source' | 'affiliate' | 'usState'>>(
      'select source, affiliate, us_state as "usState" from visit_summaries where lead_id = $1',
      [history.lead.id],
    ),
    readProven(pool, history),
    readLeadMoney(pool, history.lead.id, buyerNames),
  ]);
  const view: View = {
    isOpened,
    now: new Date(),
    steps: new Set(Object.keys(flow?.steps ?? {})),
    clock: timeFormatter(settings.operatorsTimeZone),
    checkPrice: settings.limits.paidCheckPrice,
    saleRules: settings,
    buyerNames,
  };
  const answer = answerOf(history, verdicts, view, role);
  return {
    ...answer,
    money,
    lead: { ...answer.lead, ...counted.rows[0] },
    evidence: {
      text: evidenceText(proven, settings),
      isReady: proven.problem === undefined,
      recipients: recipientsOf(history),
    },
  };
}

/** Returns the page for a lead's history, without side effects. */
export function answerOf(
  history: LeadHistory,
  verdicts: ReadonlyMap<string, ResendVerdict>,
  view: View,
  role: Role,
): LeadAnswer {
  return {
    lead: rowOf(history, view),
    outcome: outcomeOf(history, view),
    notes: notesOf(history, view),
    others: history.others.map(({ id, created_at, state, sold }) => ({
      id,
      state,
      receivedAt: created_at.toISOString(),
      sold: sold.map(({ destination }) => destinationTitle(destination, view.buyerNames)),
    })),
    isSuppressed: history.is_suppressed,
    isOpened: view.isOpened,
    fields: fieldsOf(history, view),
    deliveries: history.deliveries
      .toSorted(
        (a, b) =>
          Number(isBuyer(b.destination)) - Number(isBuyer(a.destination)) ||
          Number(a.state === 'passed_over') - Number(b.state === 'passed_over'),
      )
      .map((delivery) => deliveryPanel(delivery, history, verdicts.get(delivery.id), view)),
    notOffered: notOfferedTo(history, view),
    money: null,
    story: entriesOf(history, view),
    actions: actionsOf(history, role, view.saleRules),
  };
}

/** Returns the entries of the timeline. */
function entriesOf(history: LeadHistory, view: View): TimelineEntry[] {
  const { lead, clicks, codes, consents, revisions, checks, events } = history;
  const entries: TimelineEntry[] = [];
  const add = (kind: TimelineEntry['kind'], at: Date, part: EntryPart) =>
    entries.push({
      text: '',
      tone: 'plain',
      ...part,
      at: at.toISOString(),
      kind,
      details: (part.details ?? []).filter(({ value }) => value !== ''),
    });
  let [first, latest]: (Date | undefined)[] = [];
  for (const step of history.progress) {
    const at = within(step.at ?? step.received_at, latest, step.received_at);
    latest = at;
    first ??= at;
    add('step', at, stepEntry(step, lead.flow, view));
  }
  // An ad click precedes the first step, so the click's time must not be later.
  for (const [index, click] of clicks.entries()) {
    const at = first !== undefined && first < click.created_at ? first : click.created_at;
    add('click', at, clickEntry(click, index, view));
  }
  for (const code of codes) add('code', code.at, codeEntry(code));
  for (const revision of revisions) {
    add('revision', revision.received_at, revisionEntry(revision, history, view));
    add('decision', revision.received_at, decisionEntry(revision, view));
  }
  for (const consent of consents) {
    const post = revisions.find(({ revision }) => revision === consent.revision);
    add('consent', post?.received_at ?? consent.created_at, consentEntry(consent, history, view));
  }
  for (const delivery of history.deliveries) {
    for (const attempt of delivery.log) {
      add('attempt', attempt.started_at, attemptEntry(delivery, attempt, history, view));
    }
    // The last attempt's entry already describes the end of this delivery.
    if (endedBy(delivery) !== undefined) continue;
    const last = delivery.log.at(-1);
    const at = delivery.finished_at ?? last?.ended_at ?? last?.started_at ?? delivery.created_at;
    add('delivery', at, deliveryEntry(delivery, history, view));
  }
  for (const check of checks) add('check', check.at, checkEntry(check, view));
  for (const event of events) add('event', event.at, eventEntry(event, view));
  // Sorts entries with the same time by kind, so that a cause precedes its effect.
  const order = ({ kind }: TimelineEntry) => timelineKinds.indexOf(kind);
  return entries.sort(
    (one, other) => Date.parse(one.at) - Date.parse(other.at) || order(one) - order(other),
  );
}

/** Limits a time to the range from `from` to `to`. */
function within(time: Date, from: Date | undefined, to: Date): Date {
  if (time > to) return to;
  return from !== undefined && time < from && from <= to ? from : time;
}

function rowOf(history: LeadHistory, view: View): LeadRowAnswer {
  const { lead } = history;
  const newest = history.revisions.at(-1)?.fields ?? {};
  const of = (name: string) => textOf(newest[name]);
  const { isOpened } = view;
  return {
    id: lead.id,
    receivedAt: lead.created_at.toISOString(),
    // Without a flow, the survey's name can be any text that was posted, and is therefore masked.
    survey: shown(view, lead.survey, lead.flow !== ''),
    language: shown(view, lead.language, /^[a-z]{2}$/.test(lead.language)),
    state: lead.state,
    qualified: lead.qualified,
    reason: shown(view, lead.dq_reason, Object.hasOwn(disqualifications, lead.dq_reason)),
    holds: lead.state === 'held' ? holdReasons(history) : [],
    isTest: lead.is_test,
    name: isOpened
      ? `${of('first_name')} ${of('last_name')}`.trim()
      : maskName(of('first_name'), of('last_name')),
    phone: isOpened ? formatPhoneMask(of('phone')) : maskPhone(of('phone')),
    email: isOpened ? of('email') : maskEmail(of('email')),
    usState: '',
    source: '',
    affiliate: '',
    variants: lead.variants,
    revision: lead.revision,
    deliveries: history.deliveries
      .filter(({ event }) => event === null)
      .map((delivery) => deliveryOfRow(lead.state, delivery, view.buyerNames)),
  };
}

function fieldsOf(history: LeadHistory, view: View): LeadAnswer['fields'] {
  const fields = Object.entries(history.revisions.at(-1)?.fields ?? {});
  const masked = { ...view, isOpened: false };
  return fields
    .filter(([name]) => isLeadField(name) || view.isOpened)
    .map(([name, value]) => ({
      name: fieldName(view, name),
      value: field(view, name, value).value,
      isPersonal: field(masked, name, value).isMasked === true,
    }));
}

/** Returns the names of the buyers that take leads of this kind, but were never offered this one. */
function notOfferedTo({ lead, deliveries }: LeadHistory, { buyerNames }: View): string[] {
  const kind = lead.flow === contactFlow ? 'contact' : 'survey';
  return [...buyerNames]
    .filter(([buyer]) => (definitionOf(buyer)?.takes ?? 'survey') === kind)
    .filter(([buyer]) => deliveries.every(({ destination }) => destination !== buyer))
    .map(([, name]) => name);
}

/** Returns sentences about the lead that an operator must know. */
function notesOf(history: LeadHistory, view: View): string[] {
  const { lead, claims, suppressions, mapped_account } = history;
  const listedBy = suppressions.map(
    ({ kind, actor, source, created_at }) =>
      `The ${kind === 'email' ? 'e-mail address' : 'phone number'} is on the suppression list since ` +
      `${view.clock(created_at).full}, by ${actor}: revoked ${REVOCATION_SOURCES[source]}.`,
  );
  return [
    ...(lead.is_test ? ['This is a test lead. It never counts.'] : []),
    ...(lead.claims_id === null
      ? []
      : [`An unauthorized post: sent under the id of lead ${lead.claims_id} without its secret.`]),
    ...claims.map(({ id, state }) => `Lead ${id} (${state}) was posted under this lead’s id.`),
    ...(lead.sec_gpc
      ? [
          'It came with the opt-out signal (Sec-GPC): no script, certificate, mirror, verification or exchange.',
        ]
      : []),
    ...listedBy,
    ...(mapped_account === null ? [] : ['The mapping service named the account for this lead.']),
  ];
}

/**
 * Reads the bytes that an attempt sent and received, or those that an open delivery would send now.
 * @throws OperatorError `not_found`
 */
export async function readAttemptBytes(
  { pool, settings }: LeadPageContext,
  id: string,
  asked: { readonly deliveryId: string; readonly attempt?: number | undefined },
): Promise<AttemptBytes> {
  const history = await readHistory(pool, id);
  const delivery = history.deliveries.find((each) => each.id === asked.deliveryId);
  const attempt = delivery?.log.find((each) => each.attempt === asked.attempt);
  if (!delivery || (!attempt && asked.attempt !== undefined)) {
    throw notFound('The lead has no such attempt.');
  }
  if (!attempt || (attempt.sent_sha256 === null && delivery.finished_at === null)) {
    return previewRequest(history, delivery, { settings: settings.destinations, rules: settings });
  }
  const from = { settings: settings.destinations, client: pool };
  const made = await rebuildRequest(history, delivery, attempt, from);
  return {
    ...made,
    answer: attempt.response ?? attempt.error,
    status: attempt.http_status,
    sha256: attempt.sent_sha256,
  };
}
