/** Options that several commands have, and parsing of their times. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { LeadFilter } from '../model/messages/console/leads.ts';
import { timeFormatter } from '../server/platform/time-format.ts';
import { operatorsTimeZone } from './connect.ts';

/** The options that select leads. */
export type SelectionOptions = { since?: Date; until?: Date; survey?: string };

/** Adds `--since`, `--until` and `--survey`. */
export function withSelection(command: Command): Command {
  const time = (text: string) => parseTime(text, operatorsTimeZone());
  return command
    .addOption(
      new Option(
        '--since <time>',
        'received at or after: 2026-07-01, 2026-07-01T14:30 (OPERATORS_TIME_ZONE), 24h, 7d',
      ).argParser(time),
    )
    .addOption(new Option('--until <time>', 'received before').argParser(time))
    .addOption(
      new Option('--survey <path>', 'of this survey, for example /survey/v4nv').argParser((text) =>
        text.startsWith('/') ? text.replace(/(.)\/+$/, '$1') : `/survey/${text}`,
      ),
    );
}

/** Returns the filter of the options. It includes test leads. */
export function filterOf({ since, until, survey }: SelectionOptions): LeadFilter {
  return {
    tests: 'with',
    ...(since && { from: since.toISOString() }),
    ...(until && { to: until.toISOString() }),
    ...(survey !== undefined && { survey }),
  };
}

/** Parses a whole number from 1 to 999999. @throws InvalidArgumentError */
export function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected a number from 1 to 999999.');
}

const UNITS_MS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};

/**
 * Parses a time: `2026-07-01` (midnight), `2026-07-01T14:30`, or an age such as `90m`, `24h`, `7d`, `2w`.
 * Uses the given time zone unless the text names its own (`Z`, `-04:00`).
 *
 * @throws InvalidArgumentError, which the command reports as a usage error.
 */
export function parseTime(text: string, timeZone: string, now: Date = new Date()): Date {
  const age = /^(\d{1,5})([mhdw])$/.exec(text);
  if (age?.[1] !== undefined && age[2] !== undefined) {
    return new Date(now.getTime() - Number(age[1]) * (UNITS_MS[age[2]] ?? 0));
  }
  const iso =
    /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:\d{2})?)?$/.exec(
      text,
    );
  if (iso !== null) {
    const [, year, month, day, clock = '00:00', zone] = iso;
    const written = new Date(`${year}-${month}-${day}T${clock}${zone ?? 'Z'}`);
    const time = zone === undefined ? inZone(written, timeZone) : written;
    const midnight = new Date(`${year}-${month}-${day}T00:00:00Z`);
    // Compares the days, because `Date` silently turns 30 February into 2 March.
    if (!Number.isNaN(time.getTime()) && midnight.getUTCDate() === Number(day)) return time;
  }
  throw new InvalidArgumentError(
    'Expected a date (2026-07-01), a time (2026-07-01T14:30) or an age (90m, 24h, 7d, 2w).',
  );
}

/** Returns the moment of a local time in the zone. `shown` has the local time in its UTC fields. */
function inZone(shown: Date, timeZone: string): Date {
  const clock = timeFormatter(timeZone);
  const offsetMs = (at: Date) => {
    const { date, time } = clock(at);
    return Date.parse(`${date}T${time}Z`) - Math.floor(at.getTime() / 1_000) * 1_000;
  };
  if (Number.isNaN(shown.getTime())) return shown;
  const near = new Date(shown.getTime() - offsetMs(shown));
  // Uses the offset at the result, since daylight saving time may begin or end in between.
  return new Date(shown.getTime() - offsetMs(near));
}
