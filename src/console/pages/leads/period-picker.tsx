import { useState } from 'react';
import type { LeadFilter } from '../../../contract/console/leads.ts';
import { Button, TextInput } from '../../parts/controls.tsx';
import { useTimeZone } from '../../parts/values.tsx';
import { PresetList } from '../../shell/period.tsx';

type PeriodPickerProps = {
  readonly filter: LeadFilter;
  readonly onChoose: (period: Pick<LeadFilter, 'from' | 'to'>) => void;
};

/** Chooses the days on which leads arrived. An empty end is open. */
export function PeriodPicker({ filter, onChoose }: PeriodPickerProps) {
  const timeZone = useTimeZone();
  const [{ from, to }, setOwn] = useState({ from: filter.from ?? '', to: filter.to ?? '' });
  const isWrong = from !== '' && to !== '' && from > to;
  return (
    <>
      <PresetList onChoose={({ from, to }) => onChoose({ from, to })} />
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
