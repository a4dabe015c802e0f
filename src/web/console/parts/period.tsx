import { useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import type { Period } from '../../../model/messages/console/numbers.ts';
import { addDays, day, dayOf } from '../format.ts';
import { type UrlQuery, useUrlQuery } from './address.tsx';
import { Button, Form, OptionList, Popup, TextInput } from './controls.tsx';
import { Icon } from './icon.tsx';
import { useNow, useTimeZone } from './values.tsx';

/** Returns the keys of the period in the URL's query, for links to other pages. */
export function periodKeysOf({ days, from, to }: UrlQuery): UrlQuery {
  return Object.fromEntries(
    Object.entries({ days, from, to }).filter(([, value]) => value !== undefined),
  );
}

const presets = [
  { id: '7', label: 'Last 7 days' },
  { id: '1', label: 'Today' },
  { id: 'yesterday', label: 'Yesterday' },
  { id: 'last-week', label: 'Last week' },
  { id: '30', label: 'Last 30 days' },
  { id: 'month', label: 'This month' },
  { id: 'last-month', label: 'Last month' },
] as const;

function daysOf(preset: string, today: string): Period {
  const first = (day: string) => `${day.slice(0, 8)}01`;
  const before = (day: string) => addDays(day, -1);
  if (preset === 'yesterday') return { from: before(today), to: before(today) };
  if (preset === 'month') return { from: first(today), to: today };
  if (preset === 'last-week') {
    const daysSinceMonday = (new Date(`${today}T12:00Z`).getUTCDay() + 6) % 7;
    const to = addDays(today, -1 - daysSinceMonday);
    return { from: addDays(to, -6), to };
  }
  if (preset === 'last-month') {
    const to = before(first(today));
    return { from: first(to), to };
  }
  return { from: addDays(today, 1 - Number(preset)), to: today };
}

const isDay = (text: string | undefined): text is string => /^\d{4}-\d\d-\d\d$/.test(text ?? '');

/** Writes a period, such as `Nov 1 – Nov 5`. */
export function daysText({ from, to }: Period): string {
  return from === to ? day(from) : `${day(from)} – ${day(to)}`;
}

/** Returns the period in the URL's query, or else the last 7 days. */
export function periodOf(address: UrlQuery, today: string): Period & { readonly label: string } {
  const { from, to } = address;
  if (isDay(from) && isDay(to) && from <= to) return { from, to, label: daysText({ from, to }) };
  const { id, label } = presets.find((each) => each.id === address.days) ?? presets[0];
  return { ...daysOf(id, today), label };
}

/** Returns the period in the URL. */
export function usePeriod() {
  const [address] = useUrlQuery();
  const today = dayOf(useNow(), useTimeZone());
  return periodOf(address, today);
}

export function PeriodPicker() {
  const [, change] = useUrlQuery();
  const { label, ...period } = usePeriod();
  return (
    <Popup
      label="Period"
      trigger={
        <AriaButton className="button">
          <Icon name="calendar" />
          <span className="visually-hidden">Period: </span>
          {label}
          <Icon name="down" />
        </AriaButton>
      }
    >
      {(close) => (
        <DaysForm
          {...period}
          chosen={label}
          onChoose={({ preset, from, to }) => {
            if (preset === undefined) change({ days: undefined, from, to });
            else change({ days: preset, from: undefined, to: undefined });
            close();
          }}
        />
      )}
    </Popup>
  );
}

type DaysFormProps = Period & {
  readonly chosen?: string;
  /** Allows a period without a first or without a last day. */
  readonly isOpenEnded?: boolean;
  readonly onChoose: (period: Period & { readonly preset?: string }) => void;
};

/** Draws a form for a period. */
export function DaysForm({ chosen, isOpenEnded = false, onChoose, ...days }: DaysFormProps) {
  const timeZone = useTimeZone();
  const today = dayOf(useNow(), timeZone);
  const [{ from, to }, setOwn] = useState({ from: days.from, to: days.to });
  const isWhole = isDay(from) && isDay(to);
  const isValid = isWhole ? from <= to : isOpenEnded && (isDay(from) || isDay(to));
  return (
    <>
      <OptionList
        items={presets}
        chosen={presets.find(({ label }) => label === chosen)?.id}
        onChoose={(preset) => onChoose({ preset, ...daysOf(preset, today) })}
      />
      <Form
        className="popup-part days-form"
        onSubmit={() => {
          if (isValid) onChoose({ from, to });
        }}
      >
        <TextInput
          label="From"
          type="date"
          value={from}
          onChange={(value) => setOwn({ from: value, to })}
        />
        <TextInput
          label="To"
          type="date"
          value={to}
          onChange={(value) => setOwn({ from, to: value })}
        />
        <Button type="submit" isDisabled={!isValid}>
          Show these days
        </Button>
        <p className="quiet fine">Days of {timeZone.replaceAll('_', ' ')}</p>
      </Form>
    </>
  );
}
