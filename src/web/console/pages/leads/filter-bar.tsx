import { useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import type { LeadFilter, LeadValuesAnswer } from '../../../../model/messages/console/leads.ts';
import { useApi } from '../../api.ts';
import { count, day } from '../../format.ts';
import { Button, Chip, Form, OptionList, Popup, TextInput } from '../../parts/controls.tsx';
import { Skeleton } from '../../parts/page.tsx';
import { DaysForm, daysText } from '../../parts/period.tsx';
import { type ChipKey, chipKeys, filterNames, fixedValuesOf, valueText } from './filters.ts';

type FilterBarProps = {
  readonly filter: LeadFilter;
  readonly onChange: (filter: LeadFilter) => void;
};

/** Shows the filter as chips that can be changed and removed, and adds others. */
export function FilterBar({ filter, onChange }: FilterBarProps) {
  const { from, to, q } = filter;
  const change = (part: LeadFilter) => onChange({ ...filter, ...part });
  const hasPeriod = from !== undefined || to !== undefined;
  const set: (ChipKey | 'period')[] = [
    ...(hasPeriod ? (['period'] as const) : []),
    ...chipKeys.filter((key) => filter[key] !== undefined),
  ];
  const free = [
    ...(hasPeriod ? [] : [{ id: 'period', label: periodNames.arrival }]),
    ...chipKeys
      .filter((key) => filter[key] === undefined)
      .map((key) => ({ id: key, label: filterNames[key] })),
  ];
  return (
    <div className="row">
      {q !== undefined && (
        <Chip name="Search" onRemove={() => change({ q: '' })}>
          <span className="quiet">Search</span> {q}
        </Chip>
      )}
      {set.map((of) => {
        const name = of === 'period' ? periodNames[filter.by ?? 'arrival'] : filterNames[of];
        const text = of === 'period' ? periodText(filter) : valueText(of, filter[of] ?? '');
        const none = of === 'period' ? { from: '', to: '', by: '' } : { [of]: '' };
        return (
          <Chip key={of} name={name ?? ''} onRemove={() => change(none)}>
            <Popup
              label={name ?? ''}
              trigger={
                <AriaButton>
                  <span className="quiet">{name}</span> {text}
                </AriaButton>
              }
            >
              {(close) => <Picker of={of} filter={filter} onChange={closing(close, change)} />}
            </Popup>
          </Chip>
        );
      })}
      <Popup label="Add a filter" trigger={<Button icon="funnels">Filter</Button>}>
        {(close) => <AddFilter free={free} filter={filter} onChange={closing(close, change)} />}
      </Popup>
      {set.length + (q ? 1 : 0) > 1 && (
        <button type="button" className="text-link small" onClick={() => onChange({})}>
          Clear all
        </button>
      )}
    </div>
  );
}

type Change = (part: LeadFilter) => void;

function closing(close: () => void, change: Change): Change {
  return (part) => {
    close();
    change(part);
  };
}

const periodNames = {
  arrival: 'Received',
  visit: 'Visit began',
  end: 'Delivery ended',
} as Readonly<Record<string, string>> & { readonly arrival: string };

function periodText({ from, to }: LeadFilter): string {
  if (from === undefined) return `until ${day(to ?? '')}`;
  return to === undefined ? `since ${day(from)}` : daysText({ from, to });
}

type AddFilterProps = {
  readonly free: readonly { readonly id: string; readonly label: string }[];
  readonly filter: LeadFilter;
  readonly onChange: Change;
};

/** Chooses a key, then its value, in one popup. */
function AddFilter({ free, filter, onChange }: AddFilterProps) {
  const [of, setOf] = useState<ChipKey | 'period'>();
  if (of) return <Picker of={of} filter={filter} onChange={onChange} />;
  return <OptionList items={free} onChoose={(id) => setOf(id as ChipKey | 'period')} />;
}

type PickerProps = {
  readonly of: ChipKey | 'period';
  readonly filter: LeadFilter;
  readonly onChange: Change;
};

/** Chooses days, one of a few values, or one that the newest leads have. */
function Picker({ of, filter, onChange }: PickerProps) {
  if (of === 'period') {
    const { from = '', to = '' } = filter;
    return (
      <DaysForm
        from={from}
        to={to}
        isOpenEnded
        onChoose={(days) => onChange({ from: days.from, to: days.to })}
      />
    );
  }
  const choose = (value: string) => onChange({ [of]: value });
  const fixed = fixedValuesOf(of);
  return fixed === undefined ? (
    <FoundValues of={of} chosen={filter[of]} onChoose={choose} />
  ) : (
    <OptionList items={fixed} chosen={filter[of]} onChoose={choose} />
  );
}

type FoundValuesProps = {
  readonly of: ChipKey;
  readonly chosen: string | undefined;
  readonly onChoose: (value: string) => void;
};

/** Lists the values among the newest leads; any other can be typed. */
function FoundValues({ of, chosen, onChoose }: FoundValuesProps) {
  const found = useApi<LeadValuesAnswer>('/api/lead-values', { key: of });
  const [text, setText] = useState('');
  const typed = text.trim();
  const items = (found.data?.values ?? [])
    .map(({ value: id, leads }) => ({ id, label: valueText(of, id), note: count(leads) }))
    .filter(({ label }) => label.toLowerCase().includes(typed.toLowerCase()));
  return (
    <Form
      onSubmit={() => {
        const only = items.length === 1 ? items[0]?.id : undefined;
        if (typed !== '') onChoose(only ?? typed);
      }}
    >
      <div className="popup-part">
        <TextInput
          label={filterNames[of]}
          isLabelHidden
          autoFocus
          placeholder={`${filterNames[of]}…`}
          value={text}
          onChange={setText}
        />
      </div>
      {found.isPending && <Skeleton rows={4} />}
      <OptionList items={items} chosen={chosen} onChoose={onChoose} />
      {!found.isPending && items.length === 0 && (
        <p className="popup-part quiet small">
          {found.data && typed === ''
            ? 'No lead has one yet.'
            : 'None of the newest leads has it. Type the value, and press Enter.'}
        </p>
      )}
    </Form>
  );
}
