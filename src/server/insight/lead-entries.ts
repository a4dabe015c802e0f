/** Makes a lead's timeline entries about posts, decisions, checks and operators' actions. */
import { rulingText, saleRuleOf } from '../../model/lead/sale.ts';
import type {
  TimelineChange,
  TimelineDetail,
  TimelineRule,
  TimelineTone,
} from '../../model/messages/console/leads.ts';
import { CHECK_OUTCOMES, holdClause, listedReasons } from '../../model/messages/vocabulary.ts';
import type { RuleResult } from '../../model/rules/qualification.ts';
import { type LeadHistory, listOf } from '../leads/index.ts';
import type { LeadCheckRow, LeadEventRow, LeadRevisionRow } from '../platform/database/schema.ts';
import {
  detail,
  type EntryPart,
  fieldName,
  isClear,
  isClearAnswer,
  isClearInput,
  isClearResult,
  MASKED,
  open,
  personal,
  shown,
  stepName,
  textOf,
  type View,
  version,
} from './masking.ts';
import { dqClause } from './outcome.ts';
import { capitalised, counted, stateText } from './words.ts';

type Facts = Readonly<Record<string, unknown>>;

/** Describes one post of the lead, with the changed fields. */
export function revisionEntry(
  revision: LeadRevisionRow,
  { revisions }: LeadHistory,
  view: View,
): EntryPart {
  const before = revisions.find((each) => each.revision === revision.revision - 1);
  const { fields: names } = revision.change as { fields?: unknown };
  const changed = listOf<unknown>(names).map(String);
  const count = Object.keys(revision.body).length;
  const said = changed.length === 0 ? 'It says nothing new.' : '';
  const text = before === undefined ? `The post has ${count} fields.` : said;
  return {
    id: `revision-${revision.revision}`,
    title:
      before === undefined ? 'The lead was posted' : `Revision ${revision.revision} was posted`,
    text: count === 0 ? 'Its data was removed.' : text,
    ...(before !== undefined && {
      changes: changed.map((name) =>
        change(view, name, before.body[name], revision.body[name], ''),
      ),
    }),
    details: [personal(view, 'SHA-256 of the body', revision.body_sha256)],
  };
}

/** Describes a changed field of the lead. */
function change(
  view: View,
  name: string,
  before: unknown,
  after: unknown,
  by: string,
): TimelineChange {
  const [was, is] = [textOf(before), textOf(after)];
  const isOpen = view.isOpened || (isClear(name, was) && isClear(name, is));
  const value = (text: string) => (isOpen || text === '' ? text : MASKED);
  return {
    field: fieldName(view, name),
    before: value(was),
    after: value(is),
    by,
    ...(!isOpen && { isMasked: true }),
  };
}

/** Describes what the rules decided about one post of the lead. */
export function decisionEntry(revision: LeadRevisionRow, view: View): EntryPart {
  const { answer } = revision.change as { answer?: { qualified?: string; dq_reason?: string } };
  const isRejected = answer?.qualified === 'no';
  const rules = listOf<Facts>(revision.decisions).map((each) => ruleOf(each, view));
  const sale = rulingText(saleRuleOf(listOf(revision.decisions)));
  const forced = listOf<Facts>(revision.overrides).map(({ field: name, answered, becomes, rule }) =>
    change(view, textOf(name), answered, becomes, textOf(rule)),
  );
  const different = listOf<Facts>(revision.differences).map(({ field: name, browser, server }) =>
    change(view, textOf(name), browser, server, 'the server decides, not the browser'),
  );
  const changed =
    forced.length === 0 ? '' : `, ${counted(forced.length, 'answer was', 'answers were')} changed`;
  const { rules_version, flow_version } = revision;
  return {
    id: `decision-${revision.revision}`,
    title: isRejected
      ? `Not qualified: ${dqClause(answer?.dq_reason ?? '')}`
      : answer === undefined
        ? 'The rules were applied'
        : 'Qualified',
    text: rules.length === 0 ? '' : `${rules.length} rules were applied${changed}. ${sale}`.trim(),
    tone: isRejected ? 'warning' : 'good',
    rules,
    changes: [...forced, ...different],
    details: [
      ...problemDetails(revision, view),
      version(view, 'version of the rules', rules_version),
      version(view, 'version of the flow', flow_version),
    ],
  };
}

function ruleOf({ rule, inputs, result }: Facts, view: View): TimelineRule {
  const text = textOf(result);
  const given = Object.entries((inputs ?? {}) as Facts);
  return {
    name: textOf(rule),
    result: shown(view, text, isClearResult(text)),
    tone: RESULT_TONES.get(text) ?? 'plain',
    inputs: given.map(([name, value]) =>
      detail(view, name, value, isClearInput(name, textOf(value))),
    ),
  };
}

const RESULT_TONES = new Map<string, TimelineTone>([
  ['rejects', 'bad'],
  ['cleared', 'warning'],
  ['passes', 'good'],
]);

function problemDetails({ problems }: LeadRevisionRow, view: View): TimelineDetail[] {
  return (problems as Facts[]).map(({ problem, field: name, value, reason }) => {
    const about = name === undefined ? '' : ` ${fieldName(view, name)}`;
    const label = `${problem}${about}`;
    if (value === undefined) {
      const step = problem === 'incomplete' ? stepName(view, textOf(reason)) : textOf(reason);
      return open(label, step);
    }
    const why = reason === undefined ? '' : ` (${reason})`;
    return detail(view, `${label}${why}`, value, isClear(textOf(name), textOf(value)));
  });
}

/** Services that charge for each answer (docs/specification.md#services-of-checks). */
const PAID_SERVICES = ['phone', 'email'];

/** Describes a check by a third party. */
export function checkEntry(check: LeadCheckRow, view: View): EntryPart {
  const isSaid = check.outcome === 'answered' || check.outcome === 'remembered';
  const about = check.revision === null ? '' : ` of revision ${check.revision}`;
  const took = check.outcome === 'remembered' ? [] : [`after ${check.duration_ms} ms`];
  const isPaid = check.outcome === 'answered' && PAID_SERVICES.includes(check.service);
  const cost = isPaid && view.checkPrice !== undefined ? [`for US$\u2009${view.checkPrice}`] : [];
  return {
    id: `check-${check.id}`,
    title: `${capitalised(check.service)} check${about}: ${CHECK_OUTCOMES[check.outcome]}`,
    text: [...took, ...cost].join(', '),
    tone: isSaid ? 'plain' : 'warning',
    details: [
      ...Object.entries(check.said ?? {}).map(([name, value]) => {
        const isKnown = isClearAnswer(name, textOf(value));
        return detail(view, isKnown || view.isOpened ? name : 'answer', value, isKnown);
      }),
      personal(view, 'reason', check.reason),
      personal(view, 'key of the request', check.asked_sha256),
    ],
  };
}

/** Returns a sentence about an action on a lead, with the operator's name. */
function changeText({ kind, actor, detail }: LeadEventRow): string {
  if (kind === 'resent') {
    const was = detail.was === undefined ? '' : `; it was ${stateText(String(detail.was))}`;
    return `Sent again by ${actor}${detail.forced ? ', forced' : ''}${was}${covered(detail)}`;
  }
  if (kind === 'suppressed') {
    return `${detail.undone ? 'taken off' : 'put on'} the suppression list by ${actor}`;
  }
  return `${kind} by ${actor}${kind === 'dismissed' ? '' : covered(detail)}`;
}

function covered({ revision, reasons }: LeadEventRow['detail']): string {
  return revision === undefined ? '' : ` although ${holdClause(listOf<string>(reasons))}`;
}

/** Describes a change of the lead by an operator or by retention. */
export function eventEntry(event: LeadEventRow, view: View): EntryPart {
  const reason = textOf(event.detail.reason);
  return {
    id: `event-${event.id}`,
    title: capitalised(changeText(event)),
    text: rulingText(event.detail.ruling as RuleResult | undefined),
    tone: event.kind === 'erased' || event.kind === 'suppressed' ? 'warning' : 'plain',
    details: [
      // A reason in an operator's own words may name the person, and is therefore masked.
      detail(view, 'reason', reason, listedReasons.includes(reason)),
      personal(view, 'note', event.detail.note),
    ],
  };
}
