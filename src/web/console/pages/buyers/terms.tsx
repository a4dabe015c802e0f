import { useEffect, useRef, useState } from 'react';
import type { BuyersAnswer, TermsRequest } from '../../../../model/messages/console/buyers.ts';
import { returnReasons } from '../../../../model/messages/money.ts';
import type { BuyerTerms } from '../../../../model/rules/buyer-terms.ts';
import { allStates } from '../../../../model/rules/submit-rules.ts';
import { addressOf, apiPost, useMay } from '../../api.ts';
import { Go, useGo } from '../../parts/address.tsx';
import { Button, Form, IconButton } from '../../parts/controls.tsx';
import { ActionDialog } from '../../parts/dialog.tsx';
import { type FieldSet, Fields, named } from '../../parts/fields.tsx';
import { Card } from '../../parts/page.tsx';
import { Ago, useTimeZone } from '../../parts/values.tsx';
import { Caps } from './caps.tsx';

const timeZones = named([
  ...['America/New_York', 'America/Chicago', 'America/Denver', 'America/Phoenix'],
  ...['America/Los_Angeles', 'America/Anchorage', 'Pacific/Honolulu', 'America/Puerto_Rico'],
]);
const periods = named(['hour', 'day', 'week', 'month', 'total']);
const owed = { delivery: 'when it takes the lead', signed: 'when the person signs' };
const weekdays = { 1: 'Mon', 2: 'Tue', 3: 'Wed', 4: 'Thu', 5: 'Fri', 6: 'Sat', 7: 'Sun' };

const general: FieldSet = {
  name: { label: 'Name' },
  isOn: { label: 'Takes leads', kind: 'one', choices: { true: 'yes', false: 'no' } },
  timeZone: { label: 'Time zone', kind: 'one', choices: timeZones },
  priority: { label: 'Priority (lower first)', kind: 'number' },
  weight: { label: 'Weight among equals', kind: 'number' },
  sharedBy: { label: 'Buyers of one lead', kind: 'number' },
  states: { label: 'States', kind: 'all or some', choices: named(allStates) },
};
const returns: FieldSet = {
  days: { label: 'Days after the delivery', kind: 'number' },
  mostPercent: { label: 'Percent of a month’s leads', kind: 'money' },
  reasons: { label: 'Accepted reasons', kind: 'some', choices: named(returnReasons) },
};

type ListOf = {
  readonly title: string;
  readonly empty: string;
  /** A new line. */
  readonly blank: object;
  readonly fields: FieldSet;
};
/** The parts of the terms that are lists of lines. */
const lists: Readonly<Record<'hours' | 'caps' | 'prices', ListOf>> = {
  hours: {
    title: 'Hours',
    empty: 'Always open.',
    blank: { days: [1, 2, 3, 4, 5], from: '09:00', until: '17:00' },
    fields: {
      from: { label: 'From' },
      until: { label: 'Until' },
      days: { label: 'Days', kind: 'some', choices: weekdays },
    },
  },
  caps: {
    title: 'Caps',
    empty: 'No cap.',
    blank: { per: 'day', leads: 50 },
    fields: {
      leads: { label: 'Leads', kind: 'maybe number', placeholder: 'no limit' },
      money: { label: 'or dollars', kind: 'maybe money', placeholder: 'no limit' },
      per: { label: 'Per', kind: 'one', choices: periods },
    },
  },
  prices: {
    title: 'Prices',
    empty: 'No price: its leads bring nothing.',
    blank: { from: '', amount: 100, owedAt: 'delivery' },
    fields: {
      amount: { label: 'Dollars', kind: 'money' },
      owedAt: { label: 'Owed', kind: 'one', choices: owed },
      from: { label: 'From day', kind: 'date' },
      state: { label: 'State', kind: 'maybe text', placeholder: 'all' },
      survey: { label: 'Survey', kind: 'maybe text', placeholder: 'all' },
    },
  },
};
const listNames = Object.keys(lists) as (keyof typeof lists)[];

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
  const set = (part: object) => setTerms({ ...terms, ...part } as BuyerTerms);
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
            <div className="body">
              <Fields of={general} values={terms} onChange={set} />
            </div>
          </Card>
          {listNames.map((name) => (
            <Lines
              key={name}
              of={lists[name]}
              lines={terms[name]}
              onChange={(lines) => set({ [name]: lines })}
            />
          ))}
          <Card title="Returns">
            <div className="body">
              <Fields
                of={returns}
                values={terms.returns}
                onChange={(part) => set({ returns: { ...terms.returns, ...part } })}
              />
            </div>
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
        <div className="body line" key={index}>
          <Fields
            of={fields}
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
