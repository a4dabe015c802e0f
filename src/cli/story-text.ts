/** `leads show`: one lead's story for people to read, in at most 100 columns. */
import { formatPhoneMask } from '../domain/phone-format.ts';
import { RESEND_NOTE } from '../server/delivery/ledger.ts';
import { type LeadStory, type StoryEvent, storyEvents } from './story.ts';
import { outputWidth, paint, plain, wrap } from './terminal.ts';
import { type ClockText, clockIn } from './times.ts';

/** `14:30:05  delivery  `: what an event's text is indented by. */
const TIME_WIDTH = 10;
const KIND_WIDTH = 10;
/** A step that was received later than this is shown with both times. */
const LATE_MS = 5 * 60 * 1000;

const LABELS: Readonly<Record<StoryEvent['kind'], string>> = {
  click: 'click',
  step: 'step',
  consent: 'consent',
  revision: 'post',
  decision: 'rules',
  attempt: 'delivery',
  delivery: 'delivery',
};

type Line = { text: string; format?: Parameters<typeof paint>[0] };

/** The whole story as text. */
export function storyText(story: LeadStory, timeZone: string, width = outputWidth()): string {
  const clock = clockIn(timeZone);
  const lines = [...header(story, width, clock)];
  let date = '';
  for (const event of storyEvents(story)) {
    const at = clock(event.at);
    if (at.date !== date) {
      date = at.date;
      lines.push('', paint('bold', `${date} (${at.zone})`));
    }
    const [first, ...rest] = describeEvent(event, story, clock);
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

/** A line broken to the width; what follows its first part is indented by two more. */
function laid({ text, format }: Line, width: number, indent: number): string[] {
  return wrap(plain(text), width - indent - 2).map((part, index) => {
    const line = `${' '.repeat(index === 0 ? indent : indent + 2)}${part}`;
    return format === undefined ? line : paint(format, line);
  });
}

function header(
  { lead, deliveries }: LeadStory,
  width: number,
  clock: (time: Date) => ClockText,
): string[] {
  const fields = lead.fields as Record<string, unknown>;
  const field = (name: string) =>
    typeof fields[name] === 'string' ? (fields[name] as string) : '';
  const marks = [
    ...(lead.is_test ? ['test lead'] : []),
    ...(lead.state === 'held' ? ['held for review'] : []),
  ];
  const person = [
    `${field('first_name')} ${field('last_name')}`.trim(),
    field('email'),
    field('phone') === '' ? '' : formatPhoneMask(field('phone')),
    [field('city'), `${field('state')} ${field('zip_code')}`.trim()].filter(Boolean).join(', '),
  ].filter(Boolean);
  const verdict = lead.qualified ? 'qualified: yes' : `qualified: no, because of ${lead.dq_reason}`;
  const rows: Line[] = [
    { text: `Lead ${lead.id}${marks.map((mark) => ` (${mark})`).join('')}`, format: 'bold' },
    { text: person.join(' · ') },
    {
      text: `survey ${lead.survey} · flow ${lead.flow} · language ${lead.language} · revision ${lead.revision}`,
    },
    { text: verdict, format: lead.qualified ? 'green' : 'yellow' },
    {
      text: `lead_is_qualified ${lead.lead_is_qualified ? 'yes' : 'no'} · do_not_send_to_dq ${lead.do_not_send_to_dq}`,
    },
    ...deliveries.map((delivery): Line => {
      const { destination, state, attempts, next_attempt_at } = delivery;
      const next = next_attempt_at === null ? undefined : clock(next_attempt_at);
      const soon =
        next === undefined ? '' : `, next attempt ${next.date} ${next.time} ${next.zone}`;
      return {
        text: `${destination}: ${stateText(state)}, attempts: ${attempts - resends(delivery)}${soon}`,
      };
    }),
  ];
  return rows.flatMap((row) => laid(row, width, 0));
}

function resends(delivery: LeadStory['deliveries'][number]): number {
  return delivery.log.filter((attempt) => attempt.outcome === RESEND_NOTE).length;
}

function stateText(state: string): string {
  return state === 'no_destination' ? 'no destination' : state;
}

function describeEvent(
  event: StoryEvent,
  story: LeadStory,
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
      // Saves come in bundles; much later means an offline browser, or one with a wrong clock.
      const isLate = step.received_at.getTime() - event.at.getTime() > LATE_MS;
      const received = clock(step.received_at);
      return [
        { text: `${step.step} ${step.kind}${seconds}` },
        ...pairs(step.answers),
        ...(isLate
          ? [{ text: `time by the browser's clock; received ${received.date} ${received.time}` }]
          : []),
      ];
    }
    case 'consent': {
      const { consent } = event;
      const time = (at: Date | null) =>
        at === null ? 'unknown' : `${clock(at).date} ${clock(at).time}`;
      return [
        {
          text: `as seen on ${consent.page}, language ${consent.language}${consent.version === '' ? '' : `, version ${consent.version}`}`,
        },
        { text: `“${consent.text}”` },
        {
          text: `shown ${time(consent.shown_at)}, given ${time(consent.given_at)} (the browser's clock)`,
        },
        { text: `address ${consent.ip ?? 'unknown'} · ${consent.user_agent ?? 'unknown browser'}` },
        ...(consent.certificate ? [{ text: `certificate ${consent.certificate}` }] : []),
        ...(consent.buyers.length > 0
          ? [{ text: `buyers ${JSON.stringify(consent.buyers)}` }]
          : []),
        ...(consent.sent_text ? [{ text: `sent in its place: “${consent.sent_text}”` }] : []),
        { text: `SHA-256 ${consent.text_sha256}`, format: 'dim' },
      ];
    }
    case 'revision': {
      const { revision } = event;
      const change = revision.change as { fields?: unknown; answer?: unknown };
      const changed = Array.isArray(change.fields) ? change.fields.map(String) : [];
      return [
        { text: revision.revision === 1 ? 'received' : `revision ${revision.revision} received` },
        ...(revision.revision === 1
          ? []
          : [{ text: changed.length === 0 ? 'nothing new' : `changed: ${changed.join(', ')}` }]),
        ...(revision.revision === 1
          ? []
          : pairs(Object.fromEntries(changed.map((name) => [name, revision.body[name]])))),
        ...(change.answer === undefined ? [] : [{ text: `answered ${inline(change.answer)}` }]),
      ];
    }
    case 'decision':
      return decision(story);
    case 'attempt': {
      const { delivery, attempt, number } = event;
      if (attempt.outcome === RESEND_NOTE) {
        return [
          { text: `${delivery.destination}: ${attempt.error ?? 'sent again'}`, format: 'magenta' },
        ];
      }
      const status = attempt.http_status === null ? '' : `, HTTP ${attempt.http_status}`;
      const duration = attempt.duration_ms === null ? '' : `, ${attempt.duration_ms} ms`;
      const outcome =
        attempt.outcome ?? (delivery.state === 'sending' ? 'under way' : 'no end is known');
      return [
        {
          text: `${delivery.destination} attempt ${number}: ${outcome}${status}${duration}`,
          ...outcomeFormat(outcome),
        },
        ...(attempt.error === null ? [] : [{ text: attempt.error }]),
        ...(attempt.response ? [{ text: attempt.response, format: 'dim' as const }] : []),
      ];
    }
    case 'delivery': {
      const { delivery } = event;
      const id = delivery.external_id === null ? '' : `, id ${delivery.external_id}`;
      return [
        {
          text: `${delivery.destination}: ${stateText(delivery.state)}${id}`,
          ...outcomeFormat(delivery.state),
        },
        ...(delivery.last_message === null ? [] : [{ text: delivery.last_message }]),
      ];
    }
  }
}

function outcomeFormat(outcome: string): { format?: Line['format'] } {
  if (outcome === 'delivered') return { format: 'green' };
  if (['dead', 'uncertain', 'failed'].includes(outcome)) return { format: 'red' };
  if (['rejected', 'duplicate', 'retry', 'retrying', 'unknown', 'held'].includes(outcome)) {
    return { format: 'yellow' };
  }
  return {};
}

/** The rules with what they looked at, and where the server changed or doubted what came in. */
function decision({ lead }: LeadStory): Line[] {
  const rules = listOf<{ rule?: unknown; inputs?: unknown; result?: unknown }>(lead.decisions);
  const overrides = listOf<Record<string, unknown>>(lead.overrides);
  const differences = listOf<Record<string, unknown>>(lead.differences);
  const problems = listOf<Record<string, unknown>>(lead.problems);
  const word = (value: unknown) => (typeof value === 'string' ? value : inline(value));
  return [
    { text: lead.qualified ? 'qualified' : `not qualified: ${lead.dq_reason}` },
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

function listOf<Item>(value: unknown): Item[] {
  return Array.isArray(value) ? (value as Item[]) : [];
}

/** One line a name and value, in the order that they were stored. */
function pairs(values: unknown): Line[] {
  if (typeof values !== 'object' || values === null) return [];
  return Object.entries(values).map(([name, value]) => ({
    text: `${name} = ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  }));
}

/** `name value, name value` */
function inline(values: unknown): string {
  if (typeof values !== 'object' || values === null) return String(values ?? '');
  return Object.entries(values)
    .map(
      ([name, value]) =>
        `${name} ${value === '' ? '(empty)' : typeof value === 'object' ? JSON.stringify(value) : String(value)}`,
    )
    .join(', ');
}
