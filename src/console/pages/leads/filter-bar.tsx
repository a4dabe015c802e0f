import { type ReactNode, useState } from 'react';
import { Button as AriaButton, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import type { LeadFilter } from '../../../contract/console/leads.ts';
import { day } from '../../format.ts';
import { Button, IconButton } from '../../parts/controls.tsx';
import { Icon } from '../../parts/icon.tsx';
import { type ChipKey, chipKeys, filterNames, valueText } from './filters.ts';
import { PeriodPicker } from './period-picker.tsx';
import { ValuePicker } from './value-picker.tsx';

type FilterBarProps = {
  readonly filter: LeadFilter;
  readonly onChange: (filter: LeadFilter) => void;
};

/** Shows the filter as chips that can be changed and removed, and adds others. */
export function FilterBar({ filter, onChange }: FilterBarProps) {
  const { from, to, q } = filter;
  const change = (part: LeadFilter) => onChange(without({ ...filter, ...part }));
  const set = chipKeys.filter((key) => filter[key] !== undefined);
  return (
    <div className="leads-filters">
      {q !== undefined && <Chip name="Search" text={q} onRemove={() => change({ q: '' })} />}
      {(from !== undefined || to !== undefined) && (
        <Chip
          name={periodNames[filter.by ?? 'arrival'] ?? ''}
          text={periodText(filter)}
          onRemove={() => change({ from: '', to: '', by: '' })}
          picker={(close) => (
            <PeriodPicker filter={filter} onChoose={(period) => closing(close, change, period)} />
          )}
        />
      )}
      {set.map((key) => (
        <Chip
          key={key}
          name={filterNames[key]}
          text={valueText(key, filter[key] ?? '')}
          onRemove={() => change({ [key]: '' })}
          picker={(close) => (
            <ValuePicker
              of={key}
              value={filter[key]}
              onChoose={(value) => closing(close, change, { [key]: value })}
            />
          )}
        />
      ))}
      <AddFilter filter={filter} onChange={change} />
      {set.length + (q ? 1 : 0) + (from || to ? 1 : 0) > 1 && (
        <button type="button" className="text-link" onClick={() => onChange({})}>
          Clear all
        </button>
      )}
    </div>
  );
}

function closing(close: () => void, change: (part: LeadFilter) => void, part: LeadFilter): void {
  close();
  change(part);
}

/** Returns the filter without its empty values. */
function without(filter: LeadFilter): LeadFilter {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''));
}

/** What the days of a filter are of. */
const periodNames: Readonly<Record<string, string>> = {
  arrival: 'Received',
  visit: 'Visit began',
  end: 'Delivery ended',
};

function periodText({ from, to }: LeadFilter): string {
  if (from === undefined) return `until ${day(to ?? '')}`;
  if (to === undefined) return `since ${day(from)}`;
  return from === to ? day(from) : `${day(from)} – ${day(to)}`;
}

type ChipProps = {
  readonly name: string;
  readonly text: string;
  readonly onRemove: () => void;
  /** Chooses another value. Without one the chip can only be removed. */
  readonly picker?: (close: () => void) => ReactNode;
};

function Chip({ name, text, onRemove, picker }: ChipProps) {
  const words = (
    <>
      <span className="quiet">{name}</span> {text}
    </>
  );
  return (
    <span className="leads-chip">
      {picker === undefined ? (
        <span className="leads-chip-words">{words}</span>
      ) : (
        <DialogTrigger>
          <AriaButton className="leads-chip-words">{words}</AriaButton>
          <Popover className="popover" offset={4} placement="bottom start">
            <Dialog className="leads-picker" aria-label={name}>
              {({ close }) => picker(close)}
            </Dialog>
          </Popover>
        </DialogTrigger>
      )}
      <IconButton label={`Remove the filter ${name}`} onPress={onRemove}>
        <Icon name="close" />
      </IconButton>
    </span>
  );
}

type AddFilterProps = {
  readonly filter: LeadFilter;
  readonly onChange: (part: LeadFilter) => void;
};

/** Chooses a key, then its value, in one popover. */
function AddFilter({ filter, onChange }: AddFilterProps) {
  const [key, setKey] = useState<ChipKey | 'period'>();
  return (
    <DialogTrigger onOpenChange={() => setKey(undefined)}>
      <Button icon="funnels">Filter</Button>
      <Popover className="popover" offset={4} placement="bottom start">
        <Dialog className="leads-picker" aria-label="Add a filter">
          {({ close }) =>
            key === undefined ? (
              <KeyList filter={filter} onChoose={setKey} />
            ) : key === 'period' ? (
              <PeriodPicker
                filter={filter}
                onChoose={(period) => closing(close, onChange, period)}
              />
            ) : (
              <ValuePicker
                of={key}
                value={filter[key]}
                onChoose={(value) => closing(close, onChange, { [key]: value })}
              />
            )
          }
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

type KeyListProps = {
  readonly filter: LeadFilter;
  readonly onChoose: (key: ChipKey | 'period') => void;
};

function KeyList({ filter, onChoose }: KeyListProps) {
  const free = chipKeys.filter((key) => filter[key] === undefined);
  const hasPeriod = filter.from !== undefined || filter.to !== undefined;
  return (
    <ul className="options">
      {!hasPeriod && (
        <li>
          <button type="button" className="option" onClick={() => onChoose('period')}>
            Received
          </button>
        </li>
      )}
      {free.map((key) => (
        <li key={key}>
          <button type="button" className="option" onClick={() => onChoose(key)}>
            {filterNames[key]}
          </button>
        </li>
      ))}
    </ul>
  );
}
