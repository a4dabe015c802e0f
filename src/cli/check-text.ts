/** The checks and codes of a lead's story, as lines of text. */
import type { LeadCheckRow, PhoneCodeRow } from '../server/storage/schema.ts';
import type { paint } from './terminal.ts';

export type Line = { text: string; format?: Parameters<typeof paint>[0] };

const CHECK_OUTCOMES: Readonly<Record<LeadCheckRow['outcome'], string>> = {
  answered: 'answered',
  remembered: 'known from before, not asked again',
  failed: 'failed',
  timed_out: 'did not answer in time',
  skipped: 'not asked, because it had failed again and again',
  over_limit: 'not checked',
};

/** What a third party was asked about the lead while somebody waited, and what it said. */
export function checkLines({
  service,
  revision,
  outcome,
  duration_ms,
  said,
  reason,
  asked_sha256,
}: LeadCheckRow): Line[] {
  const about = revision === null ? '' : ` of revision ${revision}`;
  const isSaid = outcome === 'answered' || outcome === 'remembered';
  return [
    {
      text: `${service}${about}: ${CHECK_OUTCOMES[outcome]}, ${duration_ms} ms`,
      ...(isSaid ? {} : { format: 'yellow' as const }),
    },
    ...(reason === null ? [] : [{ text: reason, format: 'yellow' as const }]),
    ...(said === null ? [] : [{ text: inline(said) }]),
    { text: `SHA-256 of what was asked ${asked_sha256}`, format: 'dim' },
  ];
}

/** What became of a code by SMS, by what was asked for and how it ended. */
const CODE_WORDS: Readonly<Record<PhoneCodeRow['kind'], Readonly<Record<string, string>>>> = {
  send: {
    sent: 'sent',
    too_many: 'not sent: the service sends this number no more',
    blocked: 'not sent: the service blocks this number',
    failed: 'not sent: the service failed',
  },
  check: {
    approved: 'tried: right, the number is verified',
    wrong: 'tried: another one',
    expired: 'tried: it is no longer valid',
    too_many: 'tried: too many tries',
    failed: 'tried: the service failed',
  },
};

/** @param number which of several numbers, counted from 1 */
export function codeLine({ kind, outcome, ended_at, at }: PhoneCodeRow, number?: number): Line {
  const about = number === undefined ? 'code' : `code for number ${number}`;
  const words = outcome === null ? 'no end is known' : (CODE_WORDS[kind][outcome] ?? outcome);
  const duration = ended_at === null ? '' : ` (${ended_at.getTime() - at.getTime()} ms)`;
  const format = outcome === 'approved' ? 'green' : outcome === 'sent' ? undefined : 'yellow';
  return { text: `${about} ${words}${duration}`, ...(format && { format }) };
}

/** Returns `name value, name value`. */
export function inline(values: unknown): string {
  if (typeof values !== 'object' || values === null) return String(values ?? '');
  return Object.entries(values)
    .map(
      ([name, value]) =>
        `${name} ${value === '' ? '(empty)' : typeof value === 'object' ? JSON.stringify(value) : String(value)}`,
    )
    .join(', ');
}
