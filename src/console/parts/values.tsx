import type { ReactNode } from 'react';
import { useMe } from '../api.ts';
import { change, count, duration, exactTime, percent, relativeTime } from '../format.ts';
import { Go } from './link.tsx';
import { useNow } from './now.ts';

type CountProps = {
  readonly value: number;
  /** The number of the period before; shown as a change. */
  readonly before?: number | undefined;
  /** The list behind the number. */
  readonly to?: string | undefined;
};

/** Shows a number, its change and a link to the list behind it. */
export function Count({ value, before, to }: CountProps) {
  const text = <span className="count">{count(value)}</span>;
  return (
    <>
      {to === undefined ? text : <Go to={to}>{text}</Go>}
      {before !== undefined && <Change value={value} before={before} />}
    </>
  );
}

/** Shows the change from a number to the present one, without judging it. */
export function Change({ value, before }: { readonly value: number; readonly before: number }) {
  return (
    <span className="change" title={`${count(before)} in the period before`}>
      {change(value, before)}
      <span className="visually-hidden">, {count(before)} in the period before</span>
    </span>
  );
}

/** Shows a share in percent with the number that it is a share of. */
export function Share({ part, of }: { readonly part: number; readonly of: number }) {
  return (
    <span className="share" title={`${count(part)} of ${count(of)}`}>
      {percent(part, of)} <span className="quiet">of {count(of)}</span>
    </span>
  );
}

/** Returns the operators' time zone; the browser's until the operator is known. */
export function useTimeZone(): string {
  return useMe()?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Shows when something happened, relative to now; the exact time is its tooltip. */
export function Ago({ at }: { readonly at: string | null }) {
  const now = useNow();
  const timeZone = useTimeZone();
  if (at === null) return <span className="quiet">never</span>;
  return (
    <time className="ago" dateTime={at} title={exactTime(at, timeZone)}>
      {relativeTime(at, now)}
    </time>
  );
}

/** Shows a duration with its units; a dash if it is not known. */
export function Duration({ ms }: { readonly ms: number | null }) {
  return <span className="count">{ms === null ? '–' : duration(ms)}</span>;
}

/** Shows an identifier, a path or a value of the wire. */
export function Code({ children }: { readonly children: ReactNode }) {
  return <code className="code">{children}</code>;
}

/** How a state looks: red only for what needs a person now. */
type Tone = 'good' | 'warn' | 'bad' | 'accent' | 'plain';

const tones: Readonly<Record<string, Tone>> = {
  // A lead, a delivery.
  accepted: 'good',
  held: 'warn',
  delivered: 'good',
  waiting: 'accent',
  sending: 'accent',
  retrying: 'warn',
  rejected: 'warn',
  uncertain: 'bad',
  dead: 'bad',
  // A destination, a third party, a circuit.
  on: 'good',
  paused: 'warn',
  failing: 'bad',
  real: 'good',
  closed: 'good',
  open: 'bad',
  // A plan, a request.
  making: 'accent',
  ready: 'accent',
  running: 'accent',
  due: 'accent',
  queued: 'accent',
  done: 'good',
  failed: 'bad',
  honoured: 'good',
};

/** The states that people call something else. */
const words: Readonly<Record<string, string>> = { embedded: 'built in', passed_over: 'left out' };

/** Shows a state as a word with a dot of its tone. */
export function StateBadge({ state }: { readonly state: string }) {
  return (
    <span className="badge" data-tone={tones[state] ?? 'plain'}>
      {words[state] ?? state.replaceAll('_', ' ')}
    </span>
  );
}
