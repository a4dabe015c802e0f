/** Describes each event of a lead's story in lines of text. */
import type { Proof } from '../server/operators/proof.ts';
import { attemptOutcome, type DeliveryStory, type StoryEvent } from '../server/operators/story.ts';
import {
  BROUGHT_ALONG,
  CHECK_OUTCOMES,
  changeText,
  codeText,
  deliveryNote,
  LATE_MS,
  listOf,
  readableName,
  stateText,
} from '../server/operators/story-words.ts';
import type { TimeFormatter } from '../server/operators/time-format.ts';
import type {
  ClickRow,
  ConsentRow,
  DeliveryAttemptRow,
  LeadCheckRow,
  LeadEventRow,
  LeadRevisionRow,
  PhoneCodeRow,
  ProgressRow,
} from '../server/storage/schema.ts';
import type { paint } from './terminal.ts';

type Format = Parameters<typeof paint>[0];

/** A line of text, with its colour if it has one. */
export type Line = string | { readonly text: string; readonly format: Format };
/** A line, or an empty value for no line. */
export type LineIf = Line | false | null | undefined;

export const inFormat = (format: Format, text: string): Line => ({ text, format });

const YELLOW = /^(account|rejected|duplicate|retry|retrying|server error|unknown|held)$/;

/** Returns the lines about an event. The first one stands beside its time. */
export function eventLines(
  event: StoryEvent,
  proofs: readonly Proof[],
  clock: TimeFormatter,
): LineIf[] {
  switch (event.kind) {
    case 'click':
      return clickLines(event.click);
    case 'step':
      return stepLines(event.step, event.at, clock);
    case 'code':
      return [codeLine(event.code, event.number)];
    case 'consent':
      return consentLines(event.consent, clock);
    case 'revision':
      return revisionLines(event.revision);
    case 'decision':
      return decisionLines(event.revision);
    case 'check':
      return checkLines(event.check);
    case 'attempt':
      return attemptLines(event.delivery, event.attempt, proofs);
    case 'delivery':
      return deliveryLines(event.delivery, clock);
    case 'event':
      return [inFormat('magenta', eventText(event.event))];
  }
}

function clickLines(click: ClickRow): LineIf[] {
  return [
    `${click.landing_page ?? 'unknown page'}`,
    ...pairs(click.params),
    click.referer ? `came from ${click.referer}` : undefined,
    `click id ${click.id}${click.ip ? ` · address ${click.ip}` : ''}`,
    click.user_agent ? inFormat('dim', click.user_agent) : undefined,
    click.sec_gpc && 'the browser opts out of sale and sharing (Sec-GPC)',
  ];
}

function stepLines(step: ProgressRow, at: Date, clock: TimeFormatter): LineIf[] {
  const seconds = step.seconds === null ? '' : ` after ${Number(step.seconds)} s`;
  const refused = step.refused ? `: ${step.refused.replaceAll(',', ', ')}` : '';
  // A large delay means that the browser was offline or its clock is wrong.
  const isLate = step.received_at.getTime() - at.getTime() > LATE_MS;
  const { date, time } = clock(step.received_at);
  return [
    `${step.step} ${step.kind}${refused}${seconds}`,
    step.variants !== '' && inFormat('dim', `variants ${step.variants}`),
    ...pairs(step.answers),
    isLate && `time by the browser's clock; received ${date} ${time}`,
  ];
}

function codeLine(code: PhoneCodeRow, number?: number): Line {
  const text = codeText(code, number);
  if (code.outcome === 'sent') return text;
  return inFormat(code.outcome === 'approved' ? 'green' : 'yellow', text);
}

function consentLines(consent: ConsentRow, clock: TimeFormatter): LineIf[] {
  const time = (at: Date | null) =>
    at === null ? 'unknown' : `${clock(at).date} ${clock(at).time}`;
  const version = consent.version === '' ? '' : `, version ${consent.version}`;
  const seen = `language ${consent.language}${version}`;
  // Consents are stored with their text, so an empty text means that it was erased.
  const isErased = consent.text === '';
  const sender = `address ${consent.ip ?? 'unknown'} · ${consent.user_agent ?? 'unknown browser'}`;
  const buyers = consent.buyers.map(buyerText).join(', ');
  return [
    isErased ? `${seen}; its text was erased` : `as seen on ${consent.page}, ${seen}`,
    !isErased && `“${consent.text}”`,
    `shown ${time(consent.shown_at)}, given ${time(consent.given_at)} (the browser's clock)`,
    !isErased && sender,
    consent.certificate ? `certificate ${consent.certificate}` : undefined,
    consent.buyers.length > 0 && `buyers shown: ${buyers}`,
    consent.sent_text ? `sent instead: “${consent.sent_text}”` : undefined,
    inFormat('dim', `SHA-256 ${consent.text_sha256}`),
  ];
}

/** Returns a buyer as text: `Example Law (50001, 50002), chosen`. */
function buyerText(buyer: unknown): string {
  const { name, ids, chosen } = buyer as { name?: unknown; ids?: unknown; chosen?: unknown };
  return `${String(name)} (${listOf<string>(ids).join(', ')})${chosen === true ? ', chosen' : ''}`;
}

function revisionLines(revision: LeadRevisionRow): LineIf[] {
  const change = revision.change as { fields?: unknown; answer?: unknown };
  const changed = listOf<unknown>(change.fields).map(String);
  const isFirst = revision.revision === 1;
  const isErased = Object.keys(revision.body).length === 0;
  const values = changed.map((name) => [name, revision.body[name]]);
  return [
    isFirst ? 'received' : `revision ${revision.revision} received`,
    !isFirst &&
      !isErased &&
      (changed.length === 0 ? 'nothing new' : `changed: ${changed.join(', ')}`),
    ...pairs(isFirst ? broughtAlong(revision) : Object.fromEntries(values)),
    change.answer !== undefined && `answered ${inline(change.answer)}`,
    revision.body_sha256 !== '' && inFormat('dim', `SHA-256 of the body ${revision.body_sha256}`),
  ];
}

function broughtAlong({ fields, body }: LeadRevisionRow): Record<string, unknown> {
  // Fields that are not sent on are only in the body.
  const all: Readonly<Record<string, unknown>> = { ...body, ...fields };
  return Object.fromEntries(
    BROUGHT_ALONG.filter((name) => all[name]).map((name) => [name, all[name]]),
  );
}

/** Returns the rules with their inputs, and the server's overrides, differences and problems. */
function decisionLines(revision: LeadRevisionRow): LineIf[] {
  const { answer } = revision.change as { answer?: { qualified?: string; dq_reason?: string } };
  const { gibberish = {}, places = {} } = (revision.given ?? {}) as {
    gibberish?: Record<string, unknown>;
    places?: Record<string, unknown>;
  };
  const { rules_version, flow_version } = revision;
  const versions = [
    ...(rules_version === '' ? [] : [`rules ${rules_version.slice(0, 12)}`]),
    ...(flow_version === '' ? [] : [`flow ${flow_version.slice(0, 12)}`]),
  ];
  const verdict =
    answer?.qualified === 'no' ? `not qualified: ${answer.dq_reason ?? ''}` : 'qualified';
  type Facts = Readonly<Record<string, unknown>>;
  return [
    answer === undefined ? 'decided' : verdict,
    versions.length > 0 && `versions: ${versions.join(', ')}`,
    ...Object.values(gibberish).map(
      (said) => `from the gibberish service: is_gibberish ${word(said)}`,
    ),
    ...Object.values(places).map((place) => `from the zip service: ${inline(place)}`),
    ...listOf<Facts>(revision.decisions).map(({ rule, result, inputs }) => {
      const by = inline(inputs);
      return `rule ${word(rule)}: ${word(result)}${by === '' ? '' : `  (${by})`}`;
    }),
    ...listOf<Facts>(revision.overrides).map(({ field, answered, becomes, rule }) => {
      const was = answered === undefined ? 'no answer' : `answered ${word(answered)}`;
      const text = `override ${word(field)}: ${was}, becomes ${word(becomes)} (${word(rule)})`;
      return inFormat('yellow', text);
    }),
    ...listOf<Facts>(revision.differences).map(({ field, browser, server }) => {
      const [theirs, ours] = [word(browser) || 'nothing', word(server) || 'nothing'];
      const text = `difference ${word(field)}: the browser said ${theirs}, the server ${ours}`;
      return inFormat('yellow', text);
    }),
    ...listOf<Facts>(revision.problems).map(({ problem, field, value, reason }) => {
      const about = field === undefined ? '' : `: ${word(field)}`;
      const given = value === undefined ? '' : ` = ${word(value)}`;
      const why = reason === undefined ? '' : ` (${word(reason)})`;
      return inFormat('yellow', `problem ${word(problem)}${about}${given}${why}`);
    }),
  ];
}

function checkLines(check: LeadCheckRow): LineIf[] {
  const { service, revision, outcome, duration_ms, said, reason, asked_sha256 } = check;
  const about = revision === null ? '' : ` of revision ${revision}`;
  const text = `${service}${about}: ${CHECK_OUTCOMES[outcome]}, ${duration_ms} ms`;
  const isSaid = outcome === 'answered' || outcome === 'remembered';
  return [
    isSaid ? text : inFormat('yellow', text),
    reason !== null && inFormat('yellow', reason),
    said !== null && inline(said),
    inFormat('dim', `key of the request ${asked_sha256}`),
  ];
}

function attemptLines(
  delivery: DeliveryStory,
  attempt: DeliveryAttemptRow,
  proofs: readonly Proof[],
): LineIf[] {
  const { revision, account, payload_version, sent_sha256 } = attempt;
  const status = attempt.http_status === null ? '' : `, HTTP ${attempt.http_status}`;
  const duration = attempt.duration_ms === null ? '' : `, ${attempt.duration_ms} ms`;
  const outcome =
    attemptOutcome(attempt) ?? (delivery.state === 'sending' ? 'under way' : 'end unknown');
  const sent = [
    ...(revision === null ? [] : [`revision ${revision}`]),
    ...(account === null ? [] : [`account ${account}`]),
    ...(payload_version === null ? [] : [`payload version ${payload_version}`]),
  ];
  const proof = proofs.find(
    (one) => one.delivery_id === attempt.delivery_id && one.attempt === attempt.attempt,
  );
  return [
    byOutcome(
      outcome,
      `${readableName(delivery)} attempt ${attempt.attempt}: ${outcome}${status}${duration}`,
    ),
    attempt.error,
    attempt.response ? inFormat('dim', attempt.response) : undefined,
    sent.length > 0 && sent.join(' · '),
    sent_sha256 !== null && inFormat('dim', `SHA-256 ${sent_sha256}`),
    proof && inFormat(proof.is_proven ? 'green' : 'dim', proof.text),
  ];
}

function deliveryLines(delivery: DeliveryStory, clock: TimeFormatter): LineIf[] {
  const { state, external_id } = delivery;
  const id = external_id === null ? '' : `, id ${external_id}`;
  return [
    byOutcome(state, `${readableName(delivery)}: ${stateText(state)}${id}`),
    deliveryNote(delivery, (at) => clock(at).full),
  ];
}

function byOutcome(outcome: string, text: string): Line {
  if (outcome === 'delivered') return inFormat('green', text);
  if (['dead', 'uncertain', 'failed'].includes(outcome)) return inFormat('red', text);
  return YELLOW.test(outcome) ? inFormat('yellow', text) : text;
}

/** Returns what was done to a lead. */
function eventText(event: LeadEventRow): string {
  const { reason } = event.detail;
  const why = typeof reason === 'string' ? `; reason: ${reason}` : '';
  return `${changeText(event)}${why}`;
}

function word(value: unknown): string {
  return typeof value === 'string' ? value : inline(value);
}

/** Returns an object as `name value, name value`. */
function inline(values: unknown): string {
  if (typeof values !== 'object' || values === null) return String(values ?? '');
  const text = (value: unknown) => {
    if (value === '') return '(empty)';
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  };
  return Object.entries(values)
    .map(([name, value]) => `${name} ${text(value)}`)
    .join(', ');
}

/** Returns one line per name and value, in stored order. */
function pairs(values: unknown): string[] {
  if (typeof values !== 'object' || values === null) return [];
  return Object.entries(values).map(
    ([name, value]) => `${name} = ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
}
