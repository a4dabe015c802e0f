/** `leads show`: writes one lead's story in at most 100 columns. */
import { formatPhoneMask } from '../domain/phone-format.ts';
import type { Proof } from '../server/operators/proof.ts';
import {
  type DeliveryStory,
  type LeadStory,
  nextAttemptAt,
  type StoryEvent,
  storyEvents,
} from '../server/operators/story.ts';
import { readableName, stateText } from '../server/operators/story-words.ts';
import { type TimeFormatter, timeFormatter } from '../server/operators/time-format.ts';
import { eventLines, inFormat, type Line, type LineIf } from './story-events.ts';
import { outputWidth, paint, plain, wrap } from './terminal.ts';

/** The widths of the first two columns: `14:30:05  delivery  `. */
const TIME_WIDTH = 10;
const KIND_WIDTH = 10;

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

/** Returns the whole story as text. */
export function storyText(
  story: LeadStory,
  proofs: readonly Proof[],
  timeZone: string,
  width = outputWidth(),
): string {
  const clock = timeFormatter(timeZone);
  const lines = laid(header(story, clock), width);
  const room = width - TIME_WIDTH - KIND_WIDTH;
  let date = '';
  for (const event of storyEvents(story)) {
    const at = clock(event.at);
    if (at.date !== date) {
      date = at.date;
      lines.push('', paint('bold', `${date} (${at.zone})`));
    }
    const [first, ...rest] = eventLines(event, proofs, clock);
    const label = paint('cyan', LABELS[event.kind].padEnd(KIND_WIDTH));
    [...laid([first], room), ...laid(rest, room, 2)].forEach((text, index) => {
      const start =
        index === 0 ? `${at.time.padEnd(TIME_WIDTH)}${label}` : ' '.repeat(TIME_WIDTH + KIND_WIDTH);
      lines.push(`${start}${text}`.trimEnd());
    });
  }
  return lines.join('\n');
}

/** Wraps lines to the width. Continuations are indented by two more. */
function laid(lines: readonly LineIf[], width: number, indent = 0): string[] {
  const given = lines.filter((line): line is Line => line === '' || Boolean(line));
  return given.flatMap((line) => {
    const { text, format } = typeof line === 'string' ? { text: line, format: undefined } : line;
    return wrap(plain(text), width - indent - 2).map((part, index) => {
      const indented = `${' '.repeat(index === 0 ? indent : indent + 2)}${part}`;
      return format === undefined ? indented : paint(format, indented);
    });
  });
}

function header(story: LeadStory, clock: TimeFormatter): LineIf[] {
  const { lead, claims, deliveries, events, is_suppressed, mapped_account, revisions } = story;
  const fields = revisions.at(-1)?.fields ?? {};
  const field = (name: string) =>
    typeof fields[name] === 'string' ? (fields[name] as string) : '';
  const marks = [
    ...(lead.is_test ? [' (test lead)'] : []),
    ...(lead.state === 'held' ? [' (held for review)'] : []),
    ...(is_suppressed ? [' (not to be contacted)'] : []),
  ];
  const person = [
    `${field('first_name')} ${field('last_name')}`.trim(),
    field('email'),
    field('phone') === '' ? '' : formatPhoneMask(field('phone')),
    [field('city'), `${field('state')} ${field('zip_code')}`.trim()].filter(Boolean).join(', '),
  ];
  const emptied = events.findLast(({ kind }) => kind === 'erased' || kind === 'expired');
  const disputed = claims.map(({ id, state }) => `${id} (${state})`).join(', ');
  return [
    inFormat('bold', `Lead ${lead.id}${marks.join('')}`),
    lead.erased_at === null
      ? person.filter(Boolean).join(' · ')
      : inFormat('red', `${emptied?.kind ?? 'erased'} on ${clock(lead.erased_at).full}`),
    `survey ${lead.survey} · flow ${lead.flow} · language ${lead.language} · revision ${lead.revision}`,
    lead.qualified
      ? inFormat('green', 'qualified: yes')
      : inFormat('yellow', `qualified: no, because of ${lead.dq_reason}`),
    `lead_is_qualified ${lead.lead_is_qualified ? 'yes' : 'no'} · do_not_send_to_dq ${lead.do_not_send_to_dq}`,
    lead.claims_id !== null &&
      inFormat(
        'yellow',
        `disputed post: sent under the id of lead ${lead.claims_id} without its secret`,
      ),
    ...story.others.map(({ id, created_at, state, sold }) => {
      const to =
        sold.length === 0 ? '' : `, at ${sold.map(({ destination }) => destination).join(', ')}`;
      return `same person: lead ${id}, ${clock(created_at).full} (${state}${to})`;
    }),
    claims.length > 0 && `disputed posts under this id, without its secret: ${disputed}`,
    lead.variants !== '' && `experiments ${lead.variants}`,
    lead.sec_gpc &&
      inFormat(
        'yellow',
        'came with the opt-out signal (Sec-GPC): no script, certificate, mirror, verification or exchange; ' +
          'the firms get it unless INGEST_AT_OPT_OUT or CONTACT_AT_OPT_OUT is "keep"',
      ),
    ...story.suppressions.map(({ kind, actor, created_at }) =>
      inFormat(
        'yellow',
        `${kind === 'email' ? 'e-mail address' : 'phone number'} on the suppression list since ` +
          `${clock(created_at).full}, by ${actor}; "suppress --undo" takes it off`,
      ),
    ),
    mapped_account !== null &&
      `account by the mapping service: ${mapped_account.campaignId}/${mapped_account.supplierId}`,
    ...deliveries.map((delivery) => {
      const next = delivery.waits_because === null ? nextAttemptAt(delivery) : null;
      const soon = next === null ? '' : `, next attempt ${clock(next).full}`;
      const { state, attempts } = delivery;
      return `${readableName(delivery)}: ${stateText(state)}, attempts: ${attempts}${pinText(delivery)}${soon}`;
    }),
  ];
}

/** Returns which revision the destination got, and which one it is pinned to. */
function pinText({ delivered_revision: got, revision, state, may_have_arrived }: DeliveryStory) {
  const pinned = revision === null ? '' : `, pinned to revision ${revision}`;
  const isOver = state === 'delivered';
  if (got !== null) return `, got revision ${got}${isOver ? '' : pinned}`;
  return pinned !== '' && may_have_arrived && !isOver
    ? `${pinned}, which may have arrived`
    : pinned;
}
