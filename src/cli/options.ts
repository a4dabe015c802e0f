/** Options that several commands have. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { LeadFilter } from '../contract/console/leads.ts';
import { operatorsTimeZone } from './connect.ts';
import { parseTime } from './times.ts';

/** The options that select leads. */
export type SelectionOptions = { since?: Date; until?: Date; survey?: string };

/** Adds `--since` and `--until`. */
function withPeriod(command: Command): Command {
  const time = (text: string) => parseTime(text, operatorsTimeZone());
  return command
    .addOption(
      new Option(
        '--since <time>',
        'received at or after: 2026-07-01, 2026-07-01T14:30 (OPERATORS_TIME_ZONE), 24h, 7d',
      ).argParser(time),
    )
    .addOption(new Option('--until <time>', 'received before').argParser(time));
}

/** Adds `--since`, `--until` and `--survey`. */
export function withSelection(command: Command): Command {
  return withPeriod(command).addOption(
    new Option('--survey <path>', 'of this survey, for example /survey/v4nv').argParser((text) =>
      text.startsWith('/') ? text.replace(/(.)\/+$/, '$1') : `/survey/${text}`,
    ),
  );
}

/** Returns the filter of the options. Test leads are not left out. */
export function filterOf({ since, until, survey }: SelectionOptions): LeadFilter {
  return {
    tests: 'with',
    ...(since && { from: since.toISOString() }),
    ...(until && { to: until.toISOString() }),
    ...(survey !== undefined && { survey }),
  };
}

/** Adds `--since`, `--until` and `--address`, which select do-not-sell requests. */
export function withSender(command: Command): Command {
  return withPeriod(command).option(
    '--address <address>',
    'sent from this IP address, or IPv6 /48 network',
  );
}

/** Reads a number from 1 to 999999. @throws InvalidArgumentError */
export function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected a number from 1 to 999999.');
}
