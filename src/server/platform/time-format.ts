/** Returns SQL that formats a time in ISO 8601, like `toISOString`. */
export function isoTime(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** Returns SQL for the midnight at which a day begins in a time zone. */
export function midnight(day: string, zone: string, daysLater = 0): string {
  return `((${day}::date + ${daysLater})::timestamp at time zone ${zone}::text)`;
}

/** Formats a time in the operators' time zone. */
export type TimeFormatter = ReturnType<typeof timeFormatter>;

/** Returns a formatter for a time zone. `full` returns text such as `2026-07-01 14:30:05 EDT`. */
export function timeFormatter(timeZone: string) {
  // The Swedish format of a time is that of ISO 8601.
  const clock = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  const zones = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'short' });
  return (at: Date) => {
    const text = clock.format(at);
    const [date = '', time = ''] = text.split(' ');
    const zone = zones.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    return { date, time, zone, full: `${text} ${zone}` };
  };
}
