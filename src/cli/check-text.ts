/** Writes the checks and SMS codes of a lead's story as text. */
import type { LeadCheckRow, PhoneCodeRow } from '../server/storage/schema.ts';
import type { paint } from './terminal.ts';

export type Line = { text: string; format?: Parameters<typeof paint>[0] };

const CHECK_OUTCOMES: Readonly<Record<LeadCheckRow['outcome'], string>> = {
  answered: 'answered',
  remembered: 'answered from the cache',
  failed: 'failed',
  timed_out: 'did not answer in time',
  skipped: 'not asked, because it had failed repeatedly',
  over_limit: 'not checked',
};

/** Returns the lines for one check by a third-party service. */
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
    { text: `key of the request ${asked_sha256}`, format: 'dim' },
  ];
}

/** The words for an SMS code, by action and outcome. */
const CODE_WORDS: Readonly<Record<PhoneCodeRow['kind'], Readonly<Record<string, string>>>> = {
  send: {
    sent: 'sent',
    too_many: 'not sent: the service sends no further codes to this number',
    blocked: 'not sent: the service blocks this number',
    failed: 'not sent: the service failed',
  },
  check: {
    approved: 'entered: correct, the number is verified',
    wrong: 'entered: wrong',
    expired: 'entered: no longer valid',
    too_many: 'entered: too many tries',
    failed: 'entered: the service failed',
  },
};

/** Returns the line for one SMS code. @param number which of several phone numbers, counted from 1 */
export function codeLine({ kind, outcome, ended_at, at }: PhoneCodeRow, number?: number): Line {
  const about = number === undefined ? 'code' : `code for number ${number}`;
  const words = outcome === null ? 'end unknown' : (CODE_WORDS[kind][outcome] ?? outcome);
  const duration = ended_at === null ? '' : ` (${ended_at.getTime() - at.getTime()} ms)`;
  const format = outcome === 'approved' ? 'green' : outcome === 'sent' ? undefined : 'yellow';
  return { text: `${about} ${words}${duration}`, ...(format && { format }) };
}

/** Returns an object as `name value, name value`. */
export function inline(values: unknown): string {
  if (typeof values !== 'object' || values === null) return String(values ?? '');
  return Object.entries(values)
    .map(
      ([name, value]) =>
        `${name} ${value === '' ? '(empty)' : typeof value === 'object' ? JSON.stringify(value) : String(value)}`,
    )
    .join(', ');
}
