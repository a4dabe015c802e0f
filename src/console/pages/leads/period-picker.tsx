import { useState } from 'react';
import type { LeadFilter } from '../../../contract/console/leads.ts';
import { addDays, dayOf } from '../../format.ts';
import { Button, TextInput } from '../../parts/controls.tsx';
import { useNow } from '../../parts/now.ts';
import { useTimeZone } from '../../parts/values.tsx';

/** The periods that end today. */
const presets = [
  { days: 1, label: 'Today' },
  { days: 7, label: 'Last 7 days' },
  { days: 30, label: 'Last 30 days' },
] as const;

type PeriodPickerProps = {
  readonly filter: LeadFilter;
  readonly onChoose: (period: Pick<LeadFilter, 'from' | 'to'>) => void;
};

/** Chooses the days on which leads arrived. An empty end is open. */
export function PeriodPicker({ filter, onChoose }: PeriodPickerProps) {
  const timeZone = useTimeZone();
  const today = dayOf(useNow(), timeZone);
  const [{ from, to }, setOwn] = useState({ from: filter.from ?? '', to: filter.to ?? '' });
  const isWrong = from !== '' && to !== '' && from > to;
  return (
    <>
      <ul className="options">
        {presets.map(({ days, label }) => (
          <li key={days}>
            <button
              type="button"
              className="option"
              onClick={() => onChoose({ from: addDays(today, 1 - days), to: today })}
            >
              {label}
            </button>
          </li>
        ))}
      </ul>
      <form
        className="leads-period"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isWrong) onChoose({ from, to });
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
          error={isWrong ? 'Before the first day' : undefined}
        />
        <Button type="submit" isDisabled={isWrong || (from === '' && to === '')}>
          Show these days
        </Button>
        <p className="quiet">Days of {timeZone.replaceAll('_', ' ')}</p>
      </form>
    </>
  );
}
