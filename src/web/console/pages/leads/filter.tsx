import { useState } from 'react';
import {
  filterChoices,
  type LeadFilter,
  type LeadValuesAnswer,
  leadFilterKeys,
  suggestedKeys,
} from '../../../../model/messages/console/leads.ts';
import { useApi } from '../../api.ts';
import { count, day } from '../../format.ts';
import type { UrlQuery } from '../../parts/address.tsx';
import { Button, Chip, Form, OptionList, Popup, TextInput } from '../../parts/controls.tsx';
import { Answer } from '../../parts/page.tsx';
import { DaysForm, daysText } from '../../parts/period.tsx';
import { keyNames, type ValueKey, valueKeys, valueText } from '../../parts/words.ts';

export function filterOfQuery(address: UrlQuery): LeadFilter {
  const pairs = leadFilterKeys.map((key) => [key, address[key]] as const);
  return Object.fromEntries(pairs.filter(([, value]) => value));
}

/** Returns the URL's query for a filter. */
export function queryOfFilter(filter: LeadFilter): UrlQuery {
  return Object.fromEntries(leadFilterKeys.map((key) => [key, filter[key]]));
}

const notes: Readonly<Record<string, string>> = {
  'lead held': 'Waits for a person to release it',
  'lead dismissed': 'Closed by a person, and not sent',
  'delivery retrying': 'Failed, and will be tried again',
  'delivery rejected': 'The buyer refused it',
  'delivery dead': 'It was given up',
  'delivery uncertain': 'It may have arrived',
  'delivery suppressed': 'The person asked not to be contacted',
  'outcome unsold': 'No buyer was set up for it',
  'outcome passed_over': 'No buyer may have it',
};

const periodNames: Readonly<Record<string, string>> = {
  visit: 'Visit began',
  end: 'Delivery ended',
};

function periodText({ from, to }: LeadFilter): string {
  if (from === undefined) return `until ${day(to ?? '')}`;
  return to === undefined ? `since ${day(from)}` : daysText({ from, to });
}

type FilterBarProps = {
  readonly filter: LeadFilter;
  readonly onChange: (filter: LeadFilter) => void;
};

/** Shows the active filters, with a button that adds filters. */
export function FilterBar({ filter, onChange }: FilterBarProps) {
  const { from, to, by = '', q } = filter;
  const hasPeriod = from !== undefined || to !== undefined;
  const chip = (name: string, text: string, none: LeadFilter) => (
    <Chip key={name} name={name} onRemove={() => onChange({ ...filter, ...none })}>
      {text}
    </Chip>
  );
  return (
    <div className="row">
      {q && chip('Search', q, { q: '' })}
      {hasPeriod &&
        chip(periodNames[by] ?? 'Received', periodText(filter), { from: '', to: '', by: '' })}
      {valueKeys.map((key) => {
        const value = filter[key];
        return value && chip(keyNames[key], valueText(key, value), { [key]: '' });
      })}
      <Popup label="Add a filter" trigger={<Button icon="funnels">Filter</Button>}>
        {(close) => (
          <AddFilter
            filter={filter}
            onChange={(part) => {
              close();
              onChange({ ...filter, ...part });
            }}
          />
        )}
      </Popup>
      {Object.keys(filter).length > 1 && (
        <button type="button" className="text-link small" onClick={() => onChange({})}>
          Clear all
        </button>
      )}
    </div>
  );
}

const PERIOD = 'period';
const menu = [
  { id: PERIOD, label: 'Received' },
  ...valueKeys.map((id) => ({ id, label: keyNames[id] })),
];

function AddFilter({ filter, onChange }: FilterBarProps) {
  const [key, setKey] = useState<ValueKey | typeof PERIOD>();
  if (key === undefined) {
    return <OptionList items={menu} onChoose={(id) => setKey(id as ValueKey | typeof PERIOD)} />;
  }
  if (key === PERIOD) {
    const { from = '', to = '' } = filter;
    return (
      <DaysForm
        from={from}
        to={to}
        isOpenEnded
        onChoose={(days) => onChange({ from: days.from, to: days.to, by: '' })}
      />
    );
  }
  const choose = (value: string) => onChange({ [key]: value });
  if ((suggestedKeys as readonly string[]).includes(key)) {
    return <SuggestedValues of={key} chosen={filter[key]} onChoose={choose} />;
  }
  const items = (filterChoices[key] ?? []).map((id) => ({
    id,
    label: valueText(key, id),
    note: notes[`${key} ${id}`],
  }));
  return <OptionList items={items} chosen={filter[key]} onChoose={choose} />;
}

type SuggestedValuesProps = {
  readonly of: ValueKey;
  readonly chosen: string | undefined;
  readonly onChoose: (value: string) => void;
};

function SuggestedValues({ of, chosen, onChoose }: SuggestedValuesProps) {
  const query = useApi<LeadValuesAnswer>('/api/lead-values', { key: of });
  const [text, setText] = useState('');
  const typed = text.trim();
  const items = (query.data?.values ?? [])
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
        <TextInput label={keyNames[of]} autoFocus value={text} onChange={setText} />
      </div>
      <Answer
        query={query}
        rows={4}
        isEmpty={() => items.length === 0}
        empty="No newest lead has this value. Type it, and press Enter."
      >
        {() => <OptionList items={items} chosen={chosen} onChoose={onChoose} />}
      </Answer>
    </Form>
  );
}
