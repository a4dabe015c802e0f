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
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  });
  return (at: Date) => {
    const parts = Object.fromEntries(
      format.formatToParts(at).map(({ type, value }) => [type, value]),
    );
    const { year, month, day, hour, minute, second, timeZoneName: zone = '' } = parts;
    const [date, time] = [`${year}-${month}-${day}`, `${hour}:${minute}:${second}`];
    return { date, time, zone, full: `${date} ${time} ${zone}` };
  };
}
