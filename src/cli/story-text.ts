/** `leads show`: writes one lead's story in at most 100 columns. */
import { formatPhoneMask } from '../domain/phone-format.ts';
import type { Proof } from '../server/operators/proof.ts';
import { deliveryName, nextAttemptAt } from '../server/operators/selection.ts';
import {
  attemptOutcome,
  type DeliveryStory,
  deliveryNote,
  type LeadStory,
  type StoryEvent,
  storyEvents,
} from '../server/operators/story.ts';
import type { DeliveryAttemptRow, LeadRevisionRow } from '../server/storage/schema.ts';
import { checkLines, codeLine, inline, type Line } from './check-text.ts';
import { eventText, listOf, stateText } from './event-text.ts';
import { outputWidth, paint, plain, wrap } from './terminal.ts';
import { type ClockText, clockIn } from './times.ts';

/** The widths of the first two columns: `14:30:05  delivery  `. */
const TIME_WIDTH = 10;
const KIND_WIDTH = 10;
/** A step received later than this is shown with both times. */
const LATE_MS = 5 * 60 * 1000;

const LABELS: Readonly<Record<StoryEvent['kind'], string>> = {
  click: 'click',
  step: 'step',
  code: 'sms',
  consent: 'consent',
  revision: 'post',
  decision: 'rules',
  attempt: 'delivery',
  delivery: 'delivery',
  check: 'check',
  event: 'event',
};

const YELLOW = /^(account|rejected|duplicate|retry|retrying|server error|unknown|held)$/;

/** Returns the whole story as text. */
export function storyText(
  story: LeadStory,
  proofs: readonly Proof[],
  timeZone: string,
  width = outputWidth(),
): string {
  const clock = clockIn(timeZone);
  const lines = [...header(story, width, clock)];
  let date = '';
  for (const event of storyEvents(story)) {
    const at = clock(event.at);
    if (at.date !== date) {
      date = at.date;
      lines.push('', paint('bold', `${date} (${at.zone})`));
    }
    const [first, ...rest] = describeEvent(event, proofs, clock);
    const room = width - TIME_WIDTH - KIND_WIDTH;
    const texts = [
      ...laid(first ?? { text: '' }, room, 0),
      ...rest.flatMap((line) => laid(line, room, 2)),
    ];
    texts.forEach((text, index) => {
      const lead =
        index === 0
          ? `${at.time.padEnd(TIME_WIDTH)}${paint('cyan', LABELS[event.kind].padEnd(KIND_WIDTH))}`
          : ' '.repeat(TIME_WIDTH + KIND_WIDTH);
      lines.push(`${lead}${text}`.trimEnd());
    });
  }
  return lines.join('\n');
}

/** Wraps a line to the width. Continuation lines are indented by two more. */
function laid({ text, format }: Line, width: number, indent: number): string[] {
  return wrap(plain(text), width - indent - 2).map((part, index) => {
    const line = `${' '.repeat(index === 0 ? indent : indent + 2)}${part}`;
    return format === undefined ? line : paint(format, line);
  });
}

function header(story: LeadStory, width: number, clock: (time: Date) => ClockText): string[] {
  const { lead, claims, deliveries, events, is_suppressed, mapped_account, revisions } = story;
  const fields = revisions.at(-1)?.fields ?? {};
  const field = (name: string) =>
    typeof fields[name] === 'string' ? (fields[name] as string) : '';
  const marks = [
    ...(lead.is_test ? ['test lead'] : []),
    ...(lead.state === 'held' ? ['held for review'] : []),
    ...(is_suppressed ? ['not to be contacted'] : []),
  ];
  const person = [
    `${field('first_name')} ${field('last_name')}`.trim(),
    field('email'),
    field('phone') === '' ? '' : formatPhoneMask(field('phone')),
    [field('city'), `${field('state')} ${field('zip_code')}`.trim()].filter(Boolean).join(', '),
  ].filter(Boolean);
  const verdict = lead.qualified ? 'qualified: yes' : `qualified: no, because of ${lead.dq_reason}`;
  const when = whenIn(clock);
  const emptied = events.findLast(({ kind }) => kind === 'erased' || kind === 'expired');
  const rows: (Line | false)[] = [
    { text: `Lead ${lead.id}${marks.map((mark) => ` (${mark})`).join('')}`, format: 'bold' },
    lead.erased_at === null
      ? { text: person.join(' · ') }
      : { text: `${emptied?.kind ?? 'erased'} on ${when(lead.erased_at)}`, format: 'red' },
    {
      text: `survey ${lead.survey} · flow ${lead.flow} · language ${lead.language} · revision ${lead.revision}`,
    },
    { text: verdict, format: lead.qualified ? 'green' : 'yellow' },
    {
      text: `lead_is_qualified ${lead.lead_is_qualified ? 'yes' : 'no'} · do_not_send_to_dq ${lead.do_not_send_to_dq}`,
    },
    lead.claims_id !== null && {
      text: `disputed post: sent under the id of lead ${lead.claims_id} without its secret`,
      format: 'yellow',
    },
    claims.length > 0 && {
      text: `disputed posts under this id, without its secret: ${claims.map(({ id, state }) => `${id} (${state})`).join(', ')}`,
    },
    lead.variants !== '' && { text: `experiments ${lead.variants}` },
    lead.sec_gpc && {
      text:
        'came with the opt-out signal (Sec-GPC): no script, certificate, mirror, verification or exchange; ' +
        'the firms get it unless INGEST_AT_OPT_OUT or CONTACT_AT_OPT_OUT is "keep"',
      format: 'yellow',
    },
    ...story.suppressions.map(
      ({ kind, actor, created_at }): Line => ({
        text:
          `${kind === 'email' ? 'e-mail address' : 'phone number'} on the suppression list since ` +
          `${when(created_at)}, by ${actor}; "suppress --undo" takes it off`,
        format: 'yellow',
      }),
    ),
    mapped_account !== null && {
      text: `account by the mapping service: ${mapped_account.campaignId}/${mapped_account.supplierId}`,
    },
    ...deliveries.map((delivery): Line => {
      const next = delivery.waits_because === null ? nextAttemptAt(delivery) : null;
      const soon = next === null ? '' : `, next attempt ${when(next)}`;
      const { state, attempts } = delivery;
      return {
        text: `${readableName(delivery)}: ${stateText(state)}, attempts: ${attempts}${pinText(delivery)}${soon}`,
      };
    }),
  ];
  return rows.filter((row) => row !== false).flatMap((row) => laid(row, width, 0));
}

/** Returns a function that writes a time in full. */
function whenIn(clock: (time: Date) => ClockText): (at: Date) => string {
  return (at) => `${clock(at).date} ${clock(at).time} ${clock(at).zone}`;
}

/** Returns the destination that a delivery event is about, or undefined for events about the lead. */
function endedDelivery({ event }: DeliveryStory): string | undefined {
  const { destination } = (event ?? {}) as { destination?: unknown };
  return typeof destination === 'string' ? destination : undefined;
}

/** Returns `deliveryName` for people: with the destination's name instead of its delivery's id. */
function readableName(delivery: DeliveryStory): string {
  const ended = endedDelivery(delivery);
  if (ended === undefined) return deliveryName(delivery);
  return `${delivery.destination} ${delivery.event_key.split(' ')[0]} of ${ended}`;
}

/** Returns which revision the destination got, and which one it is pinned to. */
function pinText({ delivered_revision: got, revision, state, may_have_arrived }: DeliveryStory) {
  if (got !== null) {
    const again =
      state !== 'delivered' && revision !== null ? `, pinned to revision ${revision}` : '';
    return `, got revision ${got}${again}`;
  }
  if (revision === null) return '';
  return may_have_arrived && state !== 'delivered'
    ? `, pinned to revision ${revision}, which may have arrived`
    : `, pinned to revision ${revision}`;
}

function describeEvent(
  event: StoryEvent,
  proofs: readonly Proof[],
  clock: (time: Date) => ClockText,
): Line[] {
  switch (event.kind) {
    case 'click': {
      const { click } = event;
      return [
        { text: `${click.landing_page ?? 'unknown page'}` },
        ...pairs(click.params),
        ...(click.referer ? [{ text: `came from ${click.referer}` }] : []),
        { text: `click id ${click.id}${click.ip ? ` · address ${click.ip}` : ''}` },
        ...(click.user_agent ? [{ text: click.user_agent, format: 'dim' as const }] : []),
        ...(click.sec_gpc ? [{ text: 'the browser opts out of sale and sharing (Sec-GPC)' }] : []),
      ];
    }
    case 'step': {
      const { step } = event;
      const seconds = step.seconds === null ? '' : ` after ${Number(step.seconds)} s`;
      // A large delay means that the browser was offline or its clock is wrong.
      const isLate = step.received_at.getTime() - event.at.getTime() > LATE_MS;
      const received = clock(step.received_at);
      return [
        { text: `${step.step} ${step.kind}${seconds}` },
        ...(step.variants === ''
          ? []
          : [{ text: `variants ${step.variants}`, format: 'dim' as const }]),
        ...pairs(step.answers),
        ...(isLate
          ? [{ text: `time by the browser's clock; received ${received.date} ${received.time}` }]
          : []),
      ];
    }
    case 'code': {
      return [codeLine(event.code, event.number)];
    }
    case 'consent': {
      const { consent } = event;
      const time = (at: Date | null) =>
        at === null ? 'unknown' : `${clock(at).date} ${clock(at).time}`;
      const version = consent.version === '' ? '' : `, version ${consent.version}`;
      const seen = `language ${consent.language}${version}`;
      // Consents are stored with their text, so an empty text means that it was erased.
      const isErased = consent.text === '';
      const sender = `address ${consent.ip ?? 'unknown'} · ${consent.user_agent ?? 'unknown browser'}`;
      return [
        { text: isErased ? `${seen}; its text was erased` : `as seen on ${consent.page}, ${seen}` },
        ...(isErased ? [] : [{ text: `“${consent.text}”` }]),
        {
          text: `shown ${time(consent.shown_at)}, given ${time(consent.given_at)} (the browser's clock)`,
        },
        ...(isErased ? [] : [{ text: sender }]),
        ...(consent.certificate ? [{ text: `certificate ${consent.certificate}` }] : []),
        ...(consent.buyers.length > 0
          ? [{ text: `buyers shown: ${consent.buyers.map(buyerText).join(', ')}` }]
          : []),
        ...(consent.sent_text ? [{ text: `sent instead: “${consent.sent_text}”` }] : []),
        { text: `SHA-256 ${consent.text_sha256}`, format: 'dim' },
      ];
    }
    case 'revision': {
      const { revision } = event;
      const change = revision.change as { fields?: unknown; answer?: unknown };
      const changed = Array.isArray(change.fields) ? change.fields.map(String) : [];
      const isErased = Object.keys(revision.body).length === 0;
      return [
        { text: revision.revision === 1 ? 'received' : `revision ${revision.revision} received` },
        ...(revision.revision === 1 || isErased
          ? []
          : [{ text: changed.length === 0 ? 'nothing new' : `changed: ${changed.join(', ')}` }]),
        ...(revision.revision === 1
          ? []
          : pairs(Object.fromEntries(changed.map((name) => [name, revision.body[name]])))),
        ...(revision.revision === 1 ? pairs(broughtAlong(revision)) : []),
        ...(change.answer === undefined ? [] : [{ text: `answered ${inline(change.answer)}` }]),
        { text: `SHA-256 of the body ${revision.body_sha256}`, format: 'dim' },
      ];
    }
    case 'decision':
      return decision(event.revision);
    case 'attempt': {
      const { delivery, attempt } = event;
      const status = attempt.http_status === null ? '' : `, HTTP ${attempt.http_status}`;
      const duration = attempt.duration_ms === null ? '' : `, ${attempt.duration_ms} ms`;
      const outcome =
        attemptOutcome(attempt) ?? (delivery.state === 'sending' ? 'under way' : 'end unknown');
      return [
        {
          text: `${readableName(delivery)} attempt ${attempt.attempt}: ${outcome}${status}${duration}`,
          ...outcomeFormat(outcome),
        },
        ...(attempt.error === null ? [] : [{ text: attempt.error }]),
        ...(attempt.response ? [{ text: attempt.response, format: 'dim' as const }] : []),
        ...sentLines(attempt, proofs),
      ];
    }
    case 'delivery': {
      const { delivery } = event;
      const id = delivery.external_id === null ? '' : `, id ${delivery.external_id}`;
      const note = deliveryNote(delivery, whenIn(clock));
      return [
        {
          text: `${readableName(delivery)}: ${stateText(delivery.state)}${id}`,
          ...outcomeFormat(delivery.state),
        },
        ...(note === undefined ? [] : [{ text: note }]),
      ];
    }
    case 'check':
      return checkLines(event.check);
    case 'event':
      return [{ text: eventText(event.event), format: 'magenta' }];
  }
}

/** Fields set by the page's scripts, by SMS verification, or by an unusual way of posting. */
const BROUGHT_ALONG = [
  'ef_transaction_id',
  'trustedform_cert_url',
  'leadid_token',
  'call_tracking_number',
  'sms_verified',
  'came_by',
] as const;

function broughtAlong({ fields, body }: LeadRevisionRow): Record<string, unknown> {
  // Fields that are not sent on are only in the body.
  const all: Readonly<Record<string, unknown>> = { ...body, ...fields };
  return Object.fromEntries(
    BROUGHT_ALONG.filter((name) => all[name]).map((name) => [name, all[name]]),
  );
}

/** Returns a buyer as text: `Example Law (50001, 50002), chosen`. */
function buyerText(buyer: unknown): string {
  const { name, ids, chosen } = buyer as { name?: unknown; ids?: unknown; chosen?: unknown };
  return `${String(name)} (${listOf<string>(ids).join(', ')})${chosen === true ? ', chosen' : ''}`;
}

/** Returns what an attempt sent, and whether it is proven. */
function sentLines(attempt: DeliveryAttemptRow, proofs: readonly Proof[]): Line[] {
  const { revision, account, payload_version, sent_sha256 } = attempt;
  const sent = [
    ...(revision === null ? [] : [`revision ${revision}`]),
    ...(account === null ? [] : [`account ${account}`]),
    ...(payload_version === null ? [] : [`payload version ${payload_version}`]),
  ];
  const proof = proofs.find(
    (one) => one.delivery_id === attempt.delivery_id && one.attempt === attempt.attempt,
  );
  return [
    ...(sent.length === 0 ? [] : [{ text: sent.join(' · ') }]),
    ...(sent_sha256 === null ? [] : [{ text: `SHA-256 ${sent_sha256}`, format: 'dim' as const }]),
    ...(proof === undefined
      ? []
      : [{ text: proof.text, format: proof.is_proven ? ('green' as const) : ('dim' as const) }]),
  ];
}

function outcomeFormat(outcome: string): { format?: Line['format'] } {
  if (outcome === 'delivered') return { format: 'green' };
  if (['dead', 'uncertain', 'failed'].includes(outcome)) return { format: 'red' };
  return YELLOW.test(outcome) ? { format: 'yellow' } : {};
}

/** Returns the rules with their inputs, and the server's overrides, differences and problems. */
function decision(revision: LeadRevisionRow): Line[] {
  const rules = listOf<{ rule?: unknown; inputs?: unknown; result?: unknown }>(revision.decisions);
  const overrides = listOf<Record<string, unknown>>(revision.overrides);
  const differences = listOf<Record<string, unknown>>(revision.differences);
  const problems = listOf<Record<string, unknown>>(revision.problems);
  const word = (value: unknown) => (typeof value === 'string' ? value : inline(value));
  const { answer } = revision.change as { answer?: { qualified?: string; dq_reason?: string } };
  const { gibberish = {}, places = {} } = (revision.given ?? {}) as {
    gibberish?: Record<string, unknown>;
    places?: Record<string, unknown>;
  };
  const versions = [
    ...(revision.rules_version === '' ? [] : [`rules ${revision.rules_version.slice(0, 12)}`]),
    ...(revision.flow_version === '' ? [] : [`flow ${revision.flow_version.slice(0, 12)}`]),
  ];
  return [
    {
      text:
        answer === undefined
          ? 'decided'
          : answer.qualified === 'no'
            ? `not qualified: ${answer.dq_reason ?? ''}`
            : 'qualified',
    },
    ...(versions.length === 0 ? [] : [{ text: `versions: ${versions.join(', ')}` }]),
    ...Object.values(gibberish).map((said) => ({
      text: `from the gibberish service: is_gibberish ${word(said)}`,
    })),
    ...Object.values(places).map((place) => ({
      text: `from the zip service: ${inline(place)}`,
    })),
    ...rules.map((rule): Line => {
      const inputs = inline(rule.inputs);
      return {
        text: `rule ${word(rule.rule)}: ${word(rule.result)}${inputs === '' ? '' : `  (${inputs})`}`,
      };
    }),
    ...overrides.map(
      ({ field, answered, becomes, rule }): Line => ({
        text: `override ${word(field)}: ${answered === undefined ? 'no answer' : `answered ${word(answered)}`}, becomes ${word(becomes)} (${word(rule)})`,
        format: 'yellow',
      }),
    ),
    ...differences.map(
      ({ field, browser, server }): Line => ({
        text: `difference ${word(field)}: the browser said ${word(browser) || 'nothing'}, the server ${word(server) || 'nothing'}`,
        format: 'yellow',
      }),
    ),
    ...problems.map(({ problem, field, value, reason }): Line => {
      const about = field === undefined ? '' : `: ${word(field)}`;
      const given = value === undefined ? '' : ` = ${word(value)}`;
      const why = reason === undefined ? '' : ` (${word(reason)})`;
      return { text: `problem ${word(problem)}${about}${given}${why}`, format: 'yellow' };
    }),
  ];
}

/** Returns one line per name and value, in stored order. */
function pairs(values: unknown): Line[] {
  if (typeof values !== 'object' || values === null) return [];
  return Object.entries(values).map(([name, value]) => ({
    text: `${name} = ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  }));
}
