/** A narrow no-break space, which separates groups of digits. */
const THIN = '\u202f';
/** The text in place of a missing value. */
export const NONE = '–';

/** Writes a number with thin spaces between thousands: `12 480`. */
export function count(n: number): string {
  const text = n.toLocaleString('en-US', { maximumFractionDigits: 0 });
  return text.replaceAll(',', THIN).replace('-', '−');
}

const usd = { style: 'currency', currency: 'USD', signDisplay: 'negative' } as const;

/** Writes an amount in US dollars, such as `$1,234.50`. */
export function dollars(amount: number): string {
  return amount.toLocaleString('en-US', usd).replace('-', '−');
}

/** Writes a round amount of US dollars for an axis, such as `$15K`. */
export function shortDollars(amount: number): string {
  return amount.toLocaleString('en-US', { ...usd, notation: 'compact' }).replace('-', '−');
}

/** Writes an amount in US dollars for each of some things, such as `$12.50`. */
export function dollarsPer(amount: number, of: number): string {
  return of === 0 ? NONE : dollars(amount / of);
}

/** Writes a number with its noun, such as `3 leads`. */
export function counted(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

function signed(n: number, decimals: number): string {
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return n.toLocaleString('en-US', { ...digits, signDisplay: 'exceptZero' }).replace('-', '−');
}

/** Writes a difference in percentage points, such as `+1.2`. */
export function pointsText(points: number): string {
  return signed(points, 1);
}

/** Writes a share in percent, such as `12.4 %`. */
export function percent(part: number, of: number, decimals = 1): string {
  return of === 0 ? NONE : `${((100 * part) / of).toFixed(decimals)}${THIN}%`;
}

/** Writes a change in percent, such as `+12 %`. */
export function change(now: number, before: number): string {
  if (before === 0) return now === 0 ? '±0' : 'new';
  const ratio = (100 * (now - before)) / Math.abs(before);
  return `${signed(ratio, Math.abs(ratio) < 10 ? 1 : 0)}${THIN}%`;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const dayLength = 24 * hour;

/** Each row has the shortest time for a unit, the unit's length and the unit's name. */
const units = [
  [2 * dayLength, dayLength, 'd'],
  [hour, hour, 'h'],
  [minute, minute, 'min'],
  [second, second, 's'],
  [0, 1, 'ms'],
] as const;

function unitOf(ms: number) {
  const [, length, name] = units.find(([least]) => ms >= least) ?? units[4];
  return { length, name };
}

/** Writes a duration, such as `4.2 min`. */
export function duration(ms: number): string {
  const { length, name } = unitOf(ms);
  const decimals = length > 1 && ms < 10 * length ? 1 : 0;
  return `${(ms / length).toFixed(decimals)}${THIN}${name}`;
}

export function durationText(ms: number | null): string {
  return ms === null ? NONE : duration(ms);
}

/** Writes a time relative to `now`, such as `3 min ago`. */
export function relativeTime(iso: string, now: number): string {
  const ms = now - Date.parse(iso);
  const far = Math.abs(ms);
  if (far < 10 * second) return 'just now';
  const { length, name } = unitOf(far);
  const text = `${Math.floor(far / length)}${THIN}${name}`;
  return ms > 0 ? `${text} ago` : `in ${text}`;
}

/** Returns the beginning of a lead's id, by which the search finds the lead. */
export function leadName(id: string): string {
  return id.slice(0, 13);
}

export function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return next;
}

export function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

const fullDay: Intl.DateTimeFormatOptions = {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZoneName: 'short',
};

/** Writes a time in full, such as `Mon, Nov 23, 2026, 14:02:11 EST`. */
export function exactTime(iso: string, timeZone: string): string {
  const clock = {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  } as const;
  return new Date(iso).toLocaleString('en-US', { ...fullDay, ...clock, timeZone });
}

/** Writes the time of day, such as `14:02`. */
export function timeOfDay(
  iso: string,
  timeZone: string,
  timeStyle: 'short' | 'medium' = 'short',
): string {
  return new Date(iso).toLocaleTimeString('en-GB', { timeStyle, timeZone });
}

/** Writes the day of a time, such as `Mon, Nov 23, 2026, EST`. */
export function dayInFull(iso: string, timeZone: string): string {
  return new Date(iso).toLocaleDateString('en-US', { ...fullDay, timeZone });
}

/** Writes a day, such as `Nov 23`, without conversion to another time zone. */
export function day(iso: string): string {
  const noon = new Date(`${iso.slice(0, 10)}T12:00:00Z`);
  return noon.toLocaleDateString('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
}

export function dayOf(at: number, timeZone: string): string {
  // The Swedish locale writes dates as `YYYY-MM-DD`.
  return new Date(at).toLocaleDateString('sv-SE', { timeZone });
}

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T12:00:00Z`) + days * dayLength).toISOString().slice(0, 10);
}
