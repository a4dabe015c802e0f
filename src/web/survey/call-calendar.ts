/** The hours of each part of a day. Without a wish, a firm may call at any of the usual hours. */
const partsOfDay: Readonly<Record<string, readonly [from: number, until: number] | undefined>> = {
  morning: [9, 12],
  afternoon: [12, 17],
  evening: [17, 20],
};
const USUAL_HOURS = [9, 17] as const;

/** Returns a day and an hour in a calendar's format, in the reader's time zone. */
function localTime(day: Date, hour: number): string {
  // Swedish writes a date as 2026-11-30.
  return `${day.toLocaleDateString('sv').replaceAll('-', '')}T${String(hour).padStart(2, '0')}0000`;
}

/**
 * Returns a calendar entry (iCalendar) as a data URL: the next time on a working day at which a law
 * firm may call. The entry has no personal data and does not mark the time as busy.
 */
export function callEntry(
  now: Date,
  wishes: readonly string[],
  { title, note }: { readonly title: string; readonly note: string },
): string {
  const wish = wishes.find((each) => partsOfDay[each]);
  const [from, until] = partsOfDay[wish ?? ''] ?? USUAL_HOURS;
  const day = new Date(now);
  day.setHours(from, 0, 0, 0);
  while (day <= now || day.getDay() % 6 === 0) day.setDate(day.getDate() + 1);
  return textFile('text/calendar', [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//injury-claim-funnel//call//EN',
    'BEGIN:VEVENT',
    `UID:call-${now.getTime()}`,
    `DTSTAMP:${now.toISOString().replace(/[-:]|\.\d+/g, '')}`,
    `DTSTART:${localTime(day, from)}`,
    `DTEND:${localTime(day, until)}`,
    `SUMMARY:${escapeText(title)}`,
    `DESCRIPTION:${escapeText(note)}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
    'END:VCALENDAR',
  ]);
}

/** Escapes a text for a contact card (vCard) or a calendar entry. */
export function escapeText(text: string): string {
  return text.replace(/[\\,;]/g, (sign) => `\\${sign}`);
}

/** Returns the lines of a contact card or a calendar entry as a data URL. */
export function textFile(type: string, lines: readonly string[]): string {
  return `data:${type};charset=utf-8,${encodeURIComponent([...lines, ''].join('\r\n'))}`;
}
