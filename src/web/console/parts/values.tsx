import { type ReactNode, useSyncExternalStore } from 'react';
import { useMe } from '../api.ts';
import { change, count, exactTime, relativeTime } from '../format.ts';
import { Go } from './address.tsx';
import { codeText } from './words.ts';

const TICK_MS = 10_000;
const clock = () => Math.floor(Date.now() / TICK_MS) * TICK_MS;

function watchClock(onTick: () => void): () => void {
  const timer = setInterval(onTick, TICK_MS);
  return () => clearInterval(timer);
}

/** Returns the time in milliseconds, updated every 10 seconds. */
export function useNow(): number {
  return useSyncExternalStore(watchClock, clock, clock);
}

type CountProps = {
  readonly value: number;
  readonly before?: number | undefined;
  readonly to?: string | undefined;
  readonly format?: ((value: number) => string) | undefined;
};

/** Shows a number with its change from the previous period. */
export function Count({ value, before, to, format = count }: CountProps) {
  const text = <span className="count">{format(value)}</span>;
  return (
    <>
      {to === undefined ? (
        text
      ) : (
        <Go to={to} className="count-link">
          {text}
        </Go>
      )}
      {before !== undefined && <Change value={value} before={before} format={format} />}
    </>
  );
}

type ChangeProps = Pick<CountProps, 'value' | 'format'> & { readonly before: number };

export function Change({ value, before, format = count }: ChangeProps) {
  return (
    <span className="change" title={`${format(before)} in the period before`}>
      {change(value, before)}
      <span className="visually-hidden">, {format(before)} in the period before</span>
    </span>
  );
}

/** Returns the operators' time zone. */
export function useTimeZone(): string {
  return useMe()?.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Shows how long ago something happened. */
export function Ago({ at }: { readonly at: string | null }) {
  const now = useNow();
  const timeZone = useTimeZone();
  if (at === null) return <span className="quiet">never</span>;
  return (
    <time className="count" dateTime={at} title={exactTime(at, timeZone)}>
      {relativeTime(at, now)}
    </time>
  );
}

type FactsProps = {
  /** Maps labels to values. Empty values are not shown. */
  readonly of: Readonly<Record<string, ReactNode>>;
  /** True to put each value below the label. */
  readonly isWide?: boolean;
};

export function Facts({ of, isWide = false }: FactsProps) {
  return (
    <dl className="facts" data-wide={isWide}>
      {Object.entries(of)
        .filter(([, value]) => value || value === 0)
        .map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

export function Code({ children }: { readonly children: ReactNode }) {
  return <code className="code">{children}</code>;
}

/** The color of a state. `bad` (red) means that an operator must act now. */
export type Tone = 'good' | 'warning' | 'bad' | 'accent' | 'plain';

const states: Readonly<Partial<Record<Tone, readonly string[]>>> = {
  good: ['accepted', 'delivered', 'on', 'real', 'closed', 'done', 'honoured', 'explained'],
  warning: ['held', 'retrying', 'rejected', 'paused', 'disputed'],
  bad: ['uncertain', 'dead', 'failing', 'open', 'failed'],
  accent: ['waiting', 'sending', 'ready', 'running', 'due'],
};
const tones = Object.keys(states) as Tone[];

export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return (
    <span className="badge" data-tone={tone}>
      {children}
    </span>
  );
}

export function StateBadge({ state }: { readonly state: string }) {
  const tone = tones.find((each) => states[each]?.includes(state)) ?? 'plain';
  return <Badge tone={tone}>{codeText(state)}</Badge>;
}
