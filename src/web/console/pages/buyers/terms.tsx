import { useEffect, useRef, useState } from 'react';
import type { BuyersAnswer, TermsRequest } from '../../../../model/messages/console/buyers.ts';
import { returnReasons } from '../../../../model/messages/money.ts';
import type { BuyerTerms } from '../../../../model/rules/buyer-terms.ts';
import { allStates } from '../../../../model/rules/submit-rules.ts';
import { addressOf, apiPost, useMay } from '../../api.ts';
import { Go, useGo } from '../../parts/address.tsx';
import { Button, Form, IconButton, Select, TextInput } from '../../parts/controls.tsx';
import { ActionDialog } from '../../parts/dialog.tsx';
import { Card } from '../../parts/page.tsx';
import { Ago, useTimeZone } from '../../parts/values.tsx';
import { codeText } from '../../parts/words.ts';
import { Caps } from './caps.tsx';

type Value = string | number | boolean | readonly unknown[] | object | undefined;
type Values = Readonly<Record<string, Value>>;

/** A field of the terms, or of a line in them. */
type Field = {
  readonly key: string;
  readonly label: string;
  /** `some`: any of the choices. Default: a required text. */
  readonly kind?: 'number' | 'money' | 'date' | 'one' | 'some' | 'maybe' | 'maybe number';
  /** The label of each choice. */
  readonly choices?: Readonly<Record<string, string>>;
};

/** Returns codes with their labels. */
const named = (codes: readonly string[]) =>
  Object.fromEntries(codes.map((code) => [code, codeText(code)]));
const timeZones = named([
  ...['America/New_York', 'America/Chicago', 'America/Denver', 'America/Phoenix'],
  ...['America/Los_Angeles', 'America/Anchorage', 'Pacific/Honolulu', 'America/Puerto_Rico'],
]);
const periods = named(['hour', 'day', 'week', 'month', 'total']);
const owed = { delivery: 'when it takes the lead', signed: 'when the person signs' };
const weekdays = { 1: 'Mon', 2: 'Tue', 3: 'Wed', 4: 'Thu', 5: 'Fri', 6: 'Sat', 7: 'Sun' };

const general: readonly Field[] = [
  { key: 'name', label: 'Name' },
  { key: 'isOn', label: 'Takes leads', kind: 'one', choices: { true: 'yes', false: 'no' } },
  { key: 'timeZone', label: 'Time zone', kind: 'one', choices: timeZones },
  { key: 'priority', label: 'Priority (lower first)', kind: 'number' },
  { key: 'weight', label: 'Weight among equals', kind: 'number' },
  { key: 'sharedBy', label: 'Buyers of one lead', kind: 'number' },
  { key: 'states', label: 'States (none: all)', kind: 'some', choices: named(allStates) },
];
const returns: readonly Field[] = [
  { key: 'days', label: 'Days after the delivery', kind: 'number' },
  { key: 'mostPercent', label: 'Percent of a month’s leads', kind: 'money' },
  { key: 'reasons', label: 'Accepted reasons', kind: 'some', choices: named(returnReasons) },
];
/** The parts of the terms that are lists of lines. */
const lists = [
  {
    key: 'hours',
    title: 'Hours',
    empty: 'Always open.',
    blank: { days: [1, 2, 3, 4, 5], from: '09:00', until: '17:00' },
    fields: [
      { key: 'from', label: 'From' },
      { key: 'until', label: 'Until' },
      { key: 'days', label: 'Days', kind: 'some', choices: weekdays },
    ],
  },
  {
    key: 'caps',
    title: 'Caps',
    empty: 'No cap.',
    blank: { per: 'day', leads: 50 },
    fields: [
      { key: 'leads', label: 'Leads', kind: 'maybe number' },
      { key: 'money', label: 'or dollars', kind: 'maybe number' },
      { key: 'per', label: 'Per', kind: 'one', choices: periods },
    ],
  },
  {
    key: 'prices',
    title: 'Prices',
    empty: 'No price: its leads bring nothing.',
    blank: { from: '', amount: 100, owedAt: 'delivery' },
    fields: [
      { key: 'amount', label: 'Dollars', kind: 'money' },
      { key: 'owedAt', label: 'Owed', kind: 'one', choices: owed },
      { key: 'from', label: 'From day', kind: 'date' },
      { key: 'state', label: 'State', kind: 'maybe' },
      { key: 'survey', label: 'Survey', kind: 'maybe' },
    ],
  },
] satisfies readonly ListOf[];
type ListOf = {
  readonly key: 'hours' | 'caps' | 'prices';
  readonly title: string;
  readonly empty: string;
  readonly blank: Values;
  readonly fields: readonly Field[];
};

const newTerms = (name: string, timeZone: string): BuyerTerms => ({
  name,
  isOn: true,
  priority: 10,
  weight: 1,
  sharedBy: 1,
  states: [],
  timeZone,
  hours: [],
  caps: [],
  prices: [],
  returns: { days: 14, mostPercent: 10, reasons: returnReasons },
});

type TermsProps = { readonly destination: string; readonly of: BuyersAnswer };

/** Edits the terms of a buyer. */
export function TermsEditor({ destination, of: { buyers, others } }: TermsProps) {
  const timeZone = useTimeZone();
  const go = useGo();
  const mayChange = useMay('operator');
  const isOfIt = (each: { destination: string }) => each.destination === destination;
  const stored = buyers.find(isOfIt);
  // The list is polled, but the form keeps the terms that the operator saw.
  const [seen] = useState(stored);
  const [terms, setTerms] = useState(
    () => seen?.terms ?? newTerms(others.find(isOfIt)?.title ?? destination, timeZone),
  );
  const [isAsking, setIsAsking] = useState(false);
  // Opening the form removes the link that had the focus.
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const set = (part: Values) => setTerms({ ...terms, ...part } as BuyerTerms);
  const changed = Object.entries(terms).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify({ ...seen?.terms }[key]),
  );
  return (
    <Form className="stack terms" onSubmit={() => setIsAsking(true)}>
      <div className="row spread">
        <h2 ref={heading} tabIndex={-1}>
          {seen?.terms.name ?? `New buyer: ${terms.name}`}
        </h2>
        <div className="row">
          <Go to="/buyers">All buyers</Go>
          {mayChange && (
            <Button tone="primary" type="submit" isDisabled={changed.length === 0}>
              Store the terms…
            </Button>
          )}
        </div>
      </div>
      <div className={stored && 'beside'}>
        <div>
          <Card title={`Terms of ${destination}`}>
            <Fields fields={general} values={terms} onChange={set} />
          </Card>
          {lists.map((list) => (
            <Lines
              key={list.key}
              of={list}
              lines={terms[list.key]}
              onChange={(lines) => set({ [list.key]: lines })}
            />
          ))}
          <Card title="Returns">
            <Fields
              fields={returns}
              values={terms.returns}
              onChange={(part) => set({ returns: { ...terms.returns, ...part } })}
            />
          </Card>
        </div>
        {stored && (
          <Card title="In force">
            <div className="body stack">
              <Caps {...stored} />
              <p className="quiet small">
                Changed <Ago at={stored.changedAt} /> by {stored.changedBy}.{' '}
                <Go to={addressOf('/system', { view: 'audit', subject: destination })}>
                  Earlier terms
                </Go>
              </p>
            </div>
          </Card>
        )}
      </div>
      {isAsking && (
        <ActionDialog
          title={`Store the terms of ${terms.name}`}
          means={
            seen
              ? `Changed: ${changed.map(([key]) => key).join(', ')}. They apply to every choice from now on, and to leads that wait.`
              : 'From now on this destination gets a lead only if it is chosen as the buyer.'
          }
          confirmLabel="Store"
          onClose={() => setIsAsking(false)}
          onConfirm={async (reason) => {
            const changedAt = seen?.changedAt ?? null;
            const request: TermsRequest = { destination, terms, reason, changedAt };
            await apiPost('/api/buyers/save', request);
            go('/buyers');
          }}
        />
      )}
    </Form>
  );
}

type FieldsProps = {
  readonly fields: readonly Field[];
  readonly values: object;
  readonly onChange: (part: Values) => void;
};

function Fields({ fields, values, onChange }: FieldsProps) {
  return (
    <div className="body row fields">
      {fields.map((field) => (
        <FieldInput
          key={field.key}
          field={field}
          value={(values as Values)[field.key]}
          onChange={(value) => onChange({ [field.key]: value })}
        />
      ))}
    </div>
  );
}

type LinesProps = {
  readonly of: ListOf;
  readonly lines: readonly object[];
  readonly onChange: (lines: readonly object[]) => void;
};

function Lines({ of: { title, empty, blank, fields }, lines, onChange }: LinesProps) {
  return (
    <Card title={title} actions={<Button onPress={() => onChange([...lines, blank])}>Add</Button>}>
      {lines.length === 0 && <p className="body quiet">{empty}</p>}
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no names
        <div className="line" key={index}>
          <Fields
            fields={fields}
            values={line}
            onChange={(part) => onChange(lines.with(index, { ...line, ...part }))}
          />
          <IconButton
            label={`Remove line ${index + 1} of ${title}`}
            icon="close"
            onPress={() => onChange(lines.toSpliced(index, 1))}
          />
        </div>
      ))}
    </Card>
  );
}

type FieldInputProps = {
  readonly field: Field;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
};

function FieldInput({ field, value, onChange }: FieldInputProps) {
  const { label, kind = '', choices = {} } = field;
  const items = Object.entries(choices).map(([id, text]) => ({ id, label: text }));
  if (kind === 'one') {
    const isKnown = items.some(({ id }) => id === String(value));
    const shown = isKnown ? items : [...items, { id: String(value), label: String(value) }];
    return (
      <Select
        label={label}
        isLabelShown
        items={shown}
        value={String(value)}
        onChange={(id) => onChange(typeof value === 'boolean' ? id === 'true' : id)}
      />
    );
  }
  if (kind === 'some') {
    const chosen = new Set((value as readonly unknown[]).map(String));
    const toggle = (id: string) => {
      const ids = items.map((item) => item.id).filter((each) => chosen.has(each) !== (each === id));
      onChange(field.key === 'days' ? ids.map(Number) : ids);
    };
    return (
      <fieldset className="choices">
        <legend className="field-label">{label}</legend>
        {items.map(({ id, label: text }) => (
          <label key={id} className="small">
            <input type="checkbox" checked={chosen.has(id)} onChange={() => toggle(id)} /> {text}
          </label>
        ))}
      </fieldset>
    );
  }
  const isNumber = kind === 'number' || kind === 'money' || kind === 'maybe number';
  const isRequired = !kind.startsWith('maybe');
  return (
    <TextInput
      label={label}
      {...(!isRequired && { placeholder: isNumber ? 'no limit' : 'all' })}
      {...(isNumber && { min: 0, step: kind === 'number' ? 1 : 0.01 })}
      type={isNumber ? 'number' : kind === 'date' ? 'date' : 'text'}
      isRequired={isRequired}
      value={value === undefined ? '' : String(value)}
      onChange={(text) => {
        const typed = isNumber ? Number(text) : text;
        onChange(text === '' && (isNumber || !isRequired) ? undefined : typed);
      }}
    />
  );
}
