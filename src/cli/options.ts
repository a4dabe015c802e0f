/** Declares and parses options that several commands have. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { addDays, formatIso, parseIso } from '../model/fields/dates.ts';
import type { LeadFilter } from '../model/messages/console/leads.ts';

/** Options that select leads by time and survey. */
export type SelectionOptions = { since?: string; until?: string; survey?: string };

/** Adds `--since`, `--until` and `--survey`. */
export function withSelection(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--since <time>',
        'received at or after: 2026-07-01 (OPERATORS_TIME_ZONE), 2026-07-01T14:30-04:00, 24h, 7d',
      ).argParser((text) => parseTime(text)),
    )
    .addOption(new Option('--until <time>', 'received before').argParser((text) => parseTime(text)))
    .addOption(
      new Option('--survey <path>', 'of this survey, for example /survey/v4nv').argParser((text) =>
        text.startsWith('/') ? text.replace(/(.)\/+$/, '$1') : `/survey/${text}`,
      ),
    );
}

/** Returns the filter for leads that match the options. */
export function filterOf({ since, until = '', survey }: SelectionOptions): LeadFilter {
  const day = parseIso(until);
  // The filter includes the day `to`, but `--until` is the first day that is not included.
  const to = day ? formatIso(addDays(day, -1)) : until;
  return {
    tests: 'with',
    ...(since && { from: since }),
    ...(to && { to }),
    ...(survey && { survey }),
  };
}

/** Parses a whole number from 1 to 999999. @throws InvalidArgumentError */
export function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected a number from 1 to 999999.');
}

const HOUR_MS = 3_600_000;

/** Parses `2026-07-01`, `2026-07-01T14:30-04:00`, `24h` or `7d`. @throws InvalidArgumentError */
export function parseTime(text: string, now: Date = new Date()): string {
  if (parseIso(text)) return text;
  const [, count, unit] = /^(\d{1,5})([hd])$/.exec(text) ?? [];
  const ageMs = Number(count) * (unit === 'd' ? 24 * HOUR_MS : HOUR_MS);
  const isMoment = /^\d{4}-\d{2}-\d{2}T.+(Z|[+-]\d{2}:\d{2})$/.test(text);
  const time = new Date(isMoment ? text : now.getTime() - ageMs);
  if (!Number.isNaN(time.getTime())) return time.toISOString();
  throw new InvalidArgumentError(
    'Expected a day (2026-07-01), a time with its zone (2026-07-01T14:30-04:00) or an age (24h, 7d).',
  );
}
