import { useState } from 'react';
import type { BuyersAnswer, TermsRequest } from '../../../../model/messages/console/buyers.ts';
import { returnReasons } from '../../../../model/messages/money.ts';
import { localDay } from '../../../../model/rules/buyer-hours.ts';
import type { BuyerTerms } from '../../../../model/rules/buyer-terms.ts';
import { allStates } from '../../../../model/rules/submit-rules.ts';
import { addressOf, apiPost, useMay } from '../../api.ts';
import { Go, useGo } from '../../parts/address.tsx';
import { Button, IconButton } from '../../parts/controls.tsx';
import { ActionDialog } from '../../parts/dialog.tsx';
import { type FieldSet, Fields, named } from '../../parts/fields.tsx';
import { Card, focused } from '../../parts/page.tsx';
import { Ago, Facts, useNow, useTimeZone } from '../../parts/values.tsx';

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
  /** Returns a new line. */
  readonly blank: (today: string) => object;
  readonly fields: FieldSet;
};
/** The parts of the terms that are lists of lines. */
const lists: Readonly<Record<'hours' | 'caps' | 'prices', ListOf>> = {
  hours: {
    title: 'Hours',
    empty: 'Always open.',
    blank: () => ({ days: [1, 2, 3, 4, 5], from: '09:00', until: '17:00' }),
    fields: {
      from: { label: 'From' },
      until: { label: 'Until' },
      days: { label: 'Days', kind: 'some', choices: weekdays },
    },
  },
  caps: {
    title: 'Caps',
    empty: 'No cap.',
    blank: () => ({ per: 'day', leads: 50 }),
    fields: {
      leads: { label: 'Leads', kind: 'maybe number', placeholder: 'no limit' },
      money: { label: 'or dollars', kind: 'maybe money', placeholder: 'no limit' },
      per: { label: 'Per', kind: 'one', choices: periods },
    },
  },
  prices: {
    title: 'Prices',
    empty: 'No price: its leads bring nothing.',
    blank: (from) => ({ from, amount: 100, owedAt: 'delivery' }),
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

/** Writes each value as text, such as `Dollars 90`. */
function valueTexts(fields: FieldSet, values: object): string[] {
  const known = values as Readonly<Record<string, unknown>>;
  return Object.entries(fields).flatMap(([key, { label, choices = {} }]) => {
    const parts = [known[key] ?? []].flat().map((part) => choices[String(part)] ?? String(part));
    const isGiven = parts.length > 0 || Array.isArray(known[key]);
    return isGiven ? `${label} ${parts.join(', ') || 'all'}` : [];
  });
}

/** Writes each part of the terms as text. */
function partTexts(terms: BuyerTerms | undefined): string[] {
  if (!terms) return [];
  const lines = listNames.flatMap((name) => {
    const { title, empty, fields } = lists[name];
    const texts = terms[name].map((line) => `${title}: ${valueTexts(fields, line).join(', ')}`);
    return texts.length > 0 ? texts : `${title}: ${empty}`;
  });
  const back = valueTexts(returns, terms.returns).map((text) => `Returns: ${text}`);
  return [...valueTexts(general, terms), ...lines, ...back];
}

type TermsProps = { readonly destination: string; readonly of: BuyersAnswer };

/** Edits the terms of a buyer. A viewer only reads them. */
export function TermsEditor({ destination, of: { buyers, others } }: TermsProps) {
  const timeZone = useTimeZone();
  const go = useGo();
  const mayChange = useMay('operator');
  const isOfIt = (each: { destination: string }) => each.destination === destination;
  // The list is polled, but the form keeps the terms that the operator saw.
  const [seen] = useState(buyers.find(isOfIt));
  const [terms, setTerms] = useState(
    () => seen?.terms ?? newTerms(others.find(isOfIt)?.title ?? destination, timeZone),
  );
  const today = localDay(new Date(useNow()), terms.timeZone);
  const set = (part: object) => setTerms({ ...terms, ...part } as BuyerTerms);
  const [before, after] = [partTexts(seen?.terms), partTexts(terms)];
  const lost = before.filter((text) => !after.includes(text));
  const added = after.filter((text) => !before.includes(text));
  const listOf = (texts: readonly string[]) => texts.map((text) => <p key={text}>{text}</p>);
  return (
    <div className="terms">
      <div className="row spread">
        <div>
          <h2 ref={focused} tabIndex={-1}>
            {seen?.terms.name ?? `New buyer: ${terms.name}`}
          </h2>
          {seen && (
            <p className="quiet small">
              Changed <Ago at={seen.changedAt} /> by {seen.changedBy}.{' '}
              <Go to={addressOf('/system', { tab: 'audit', subject: destination })}>
                Earlier terms
              </Go>
            </p>
          )}
        </div>
        <div className="row">
          <Go to="/buyers">All buyers</Go>
          {mayChange && (
            <ActionDialog
              title={`Store the terms of ${terms.name}`}
              means="They apply to every choice from now on, and to leads that wait."
              confirmLabel="Store"
              trigger={
                <Button tone="primary" isDisabled={lost.length + added.length === 0}>
                  Store the terms…
                </Button>
              }
              onConfirm={async (reason) => {
                const changedAt = seen?.changedAt ?? null;
                const request: TermsRequest = { destination, terms, reason, changedAt };
                await apiPost('/api/buyers/save', request);
                go('/buyers');
              }}
            >
              <Facts
                isWide
                of={{
                  Now: lost.length > 0 && listOf(lost),
                  'Will be': added.length > 0 && listOf(added),
                }}
              />
            </ActionDialog>
          )}
        </div>
      </div>
      <Card title={`Terms of ${destination}`}>
        <div className="body">
          {mayChange ? <Fields of={general} values={terms} onChange={set} /> : listOf(before)}
        </div>
      </Card>
      {mayChange &&
        listNames.map((name) => (
          <Lines
            key={name}
            of={lists[name]}
            lines={terms[name]}
            today={today}
            onChange={(lines) => set({ [name]: lines })}
          />
        ))}
      {mayChange && (
        <Card title="Returns">
          <div className="body">
            <Fields
              of={returns}
              values={terms.returns}
              onChange={(part) => set({ returns: { ...terms.returns, ...part } })}
            />
          </div>
        </Card>
      )}
    </div>
  );
}

type LinesProps = {
  readonly of: ListOf;
  readonly lines: readonly object[];
  /** Today in the buyer's time zone. */
  readonly today: string;
  readonly onChange: (lines: readonly object[]) => void;
};

function Lines({ of: { title, empty, blank, fields }, lines, today, onChange }: LinesProps) {
  return (
    <Card
      title={title}
      actions={<Button onPress={() => onChange([...lines, blank(today)])}>Add</Button>}
    >
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
