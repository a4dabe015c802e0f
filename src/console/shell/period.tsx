import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { Button as AriaButton, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import type { Period } from '../../contract/console/numbers.ts';
import { addDays, day, dayOf } from '../format.ts';
import { Button, Switch, TextInput } from '../parts/controls.tsx';
import { Icon } from '../parts/icon.tsx';
import { useNow } from '../parts/now.ts';
import { useTimeZone } from '../parts/values.tsx';

/** The keys of the address that choose the period. `days` ends today and moves with it; `from` and `to` stay. */
export const periodKeys = ['days', 'from', 'to', 'compare'] as const;

/** The periods that move with today, by the value of `days` in the address. */
const presets = [
  { days: '1', label: 'Today' },
  { days: 'yesterday', label: 'Yesterday' },
  { days: '7', label: 'Last 7 days' },
  { days: '30', label: 'Last 30 days' },
  { days: 'month', label: 'This month' },
  { days: 'last-month', label: 'Last month' },
] as const;
type Preset = (typeof presets)[number];
const defaultPreset: Preset = presets[2];

/** Returns the days of a preset. */
function daysOf({ days }: Preset, today: string): Period {
  const first = (day: string) => `${day.slice(0, 8)}01`;
  const before = (day: string) => addDays(day, -1);
  if (days === 'yesterday') return { from: before(today), to: before(today) };
  if (days === 'month') return { from: first(today), to: today };
  if (days === 'last-month') {
    const to = before(first(today));
    return { from: first(to), to };
  }
  return { from: addDays(today, 1 - Number(days)), to: today };
}

type PresetsProps = {
  /** The label of the chosen period. */
  readonly chosen?: string;
  readonly onChoose: (period: Period & { readonly days: string }) => void;
};

/** Lists the periods that move with today. */
export function PresetList({ chosen, onChoose }: PresetsProps) {
  const today = dayOf(useNow(), useTimeZone());
  return (
    <ul className="options">
      {presets.map((preset) => (
        <li key={preset.days}>
          <button
            type="button"
            className="option"
            aria-pressed={preset.label === chosen}
            onClick={() => onChoose({ days: preset.days, ...daysOf(preset, today) })}
          >
            {preset.label}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** What a page needs of the period. Days are days of the operators' time zone. */
export type ChosenPeriod = Period & {
  /** Whether numbers are compared with the period before. */
  readonly isCompared: boolean;
  readonly label: string;
  /** Changes the address; all other keys stay. */
  setPeriod(next: PeriodChoice): void;
};
type PeriodChoice = Period | { readonly days: string } | { readonly isCompared: boolean };

type Address = Readonly<Record<string, string | undefined>>;
const isDay = (text: string | undefined): text is string => /^\d{4}-\d\d-\d\d$/.test(text ?? '');

/** Returns the period of an address. Without one it is the last 7 days. */
export function periodOf(address: Address, today: string): Period & { readonly label: string } {
  const { from, to } = address;
  if (isDay(from) && isDay(to) && from <= to) {
    return { from, to, label: from === to ? day(from) : `${day(from)} – ${day(to)}` };
  }
  const preset = presets.find(({ days }) => days === address.days) ?? defaultPreset;
  return { ...daysOf(preset, today), label: preset.label };
}

/** Reads the period from the address. */
export function usePeriod(): ChosenPeriod {
  const address: Address = useSearch({ strict: false });
  const navigate = useNavigate();
  const today = dayOf(useNow(), useTimeZone());
  return {
    ...periodOf(address, today),
    isCompared: address.compare !== 'none',
    setPeriod: (next) => {
      const search = (now: Address) => ({ ...now, ...keysOf(next) });
      void navigate({ to: '.', search: search as never, replace: true });
    },
  };
}

function keysOf(next: PeriodChoice): Address {
  if ('isCompared' in next) return { compare: next.isCompared ? undefined : 'none' };
  if ('days' in next) {
    const days = next.days === defaultPreset.days ? undefined : next.days;
    return { days, from: undefined, to: undefined };
  }
  return { days: undefined, from: next.from, to: next.to };
}

type PickerProps = {
  /** Whether the page compares with the period before. */
  readonly hasComparison: boolean;
};

/** Chooses the period and the comparison, in the top bar. */
export function PeriodPicker({ hasComparison }: PickerProps) {
  const { label, isCompared } = usePeriod();
  return (
    <DialogTrigger>
      <AriaButton className="button period">
        <Icon name="calendar" />
        <span className="visually-hidden">Period: </span>
        {label}
        {isCompared && hasComparison && <span className="period-note"> vs. before</span>}
        <Icon name="down" />
      </AriaButton>
      <Popover className="popover" offset={4}>
        <Dialog className="period-dialog" aria-label="Period">
          {({ close }) => <PeriodForm close={close} hasComparison={hasComparison} />}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

type FormProps = PickerProps & { readonly close: () => void };

function PeriodForm({ close, hasComparison }: FormProps) {
  const { from, to, isCompared, label, setPeriod } = usePeriod();
  const timeZone = useTimeZone();
  const [own, setOwn] = useState({ from, to });
  const isValid = isDay(own.from) && isDay(own.to) && own.from <= own.to;
  return (
    <>
      <PresetList
        chosen={label}
        onChoose={({ days }) => {
          setPeriod({ days });
          close();
        }}
      />
      <form
        className="period-own"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isValid) return;
          setPeriod(own);
          close();
        }}
      >
        <TextInput
          label="From"
          type="date"
          value={own.from}
          onChange={(value) => setOwn({ ...own, from: value })}
        />
        <TextInput
          label="To"
          type="date"
          value={own.to}
          onChange={(value) => setOwn({ ...own, to: value })}
        />
        <Button type="submit" isDisabled={!isValid}>
          Show these days
        </Button>
      </form>
      <div className="period-compare">
        {hasComparison && (
          <Switch
            label="Compare with the period before"
            isSelected={isCompared}
            onChange={(isNowCompared) => setPeriod({ isCompared: isNowCompared })}
          />
        )}
        <p className="quiet">Days of {timeZone.replaceAll('_', ' ')}</p>
      </div>
    </>
  );
}
