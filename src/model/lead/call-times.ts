import type { CalendarDate } from '../fields/dates.ts';
import { callHours } from '../rules/state-rules.ts';

/** Finds the time zone of a zip code. `isNearBorder` means that a zone with other times is close. */
export type FindZipZone = (
  zip: string,
) => { readonly timeZone: string; readonly isNearBorder: boolean } | undefined;

/** Moves a time of day by whole hours. */
function moved(time: string, hours: number): string {
  return `${Number(time.slice(0, 2)) + hours}`.padStart(2, '0') + time.slice(2);
}

/** Returns the fields with the hours for calls (docs/specification.md#fields-of-our-own). */
export function callTimes(
  zone: ReturnType<FindZipZone>,
  state: string | undefined,
  day: CalendarDate,
): Readonly<Record<string, string>> {
  if (zone === undefined) return {};
  const { from, until, sunday } = callHours(state, day);
  // Near a border of time zones, the hours must hold in both zones.
  const margin = Number(zone.isNearBorder);
  return {
    may_call_from: moved(from, margin),
    may_call_until: moved(until, -margin),
    may_call_time_zone: zone.timeZone,
    ...(sunday === 'none' && { may_call_on_sunday: 'no' }),
  };
}
