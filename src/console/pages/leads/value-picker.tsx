import { useState } from 'react';
import type { LeadValuesAnswer } from '../../../contract/console/leads.ts';
import { useApi } from '../../api.ts';
import { count } from '../../format.ts';
import { type Item, TextInput } from '../../parts/controls.tsx';
import { Skeleton } from '../../parts/page.tsx';
import { type ChipKey, filterNames, fixedValuesOf, valueText } from './filters.ts';

type ValuePickerProps = {
  readonly of: ChipKey;
  readonly value: string | undefined;
  readonly onChoose: (value: string) => void;
};

/** Chooses the value of a filter: one of a few, or one that the newest leads have. */
export function ValuePicker(props: ValuePickerProps) {
  const fixed = fixedValuesOf(props.of);
  return fixed === undefined ? <FoundValues {...props} /> : <Values {...props} items={fixed} />;
}

type ValuesProps = ValuePickerProps & { readonly items: readonly Item[] };

function Values({ value, items, onChoose }: ValuesProps) {
  return (
    <ul className="options">
      {items.map(({ id, label, note }) => (
        <li key={id}>
          <button
            type="button"
            className="option"
            aria-pressed={id === value}
            onClick={() => onChoose(id)}
          >
            <span>{label}</span>
            {note !== undefined && <span className="quiet">{note}</span>}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Lists the values among the newest leads; any other can be typed. */
function FoundValues({ of, value, onChoose }: ValuePickerProps) {
  const found = useApi<LeadValuesAnswer>('/api/lead-values', { key: of });
  const [text, setText] = useState('');
  const typed = text.trim();
  const items = (found.data?.values ?? [])
    .map(({ value: id, leads }) => ({ id, label: valueText(of, id), note: count(leads) }))
    .filter(({ label }) => label.toLowerCase().includes(typed.toLowerCase()));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const only = items.length === 1 ? items[0]?.id : undefined;
        if (typed !== '') onChoose(only ?? typed);
      }}
    >
      <div className="leads-picker-search">
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
      {found.error && <p className="leads-picker-note">{found.error.detail} Type the value.</p>}
      <Values of={of} value={value} items={items} onChoose={onChoose} />
      {found.data !== undefined && items.length === 0 && (
        <p className="leads-picker-note">
          {typed === ''
            ? 'No lead has one yet.'
            : `None of the newest ${count(found.data.of)} leads has it. Press Enter to filter for it.`}
        </p>
      )}
    </form>
  );
}
