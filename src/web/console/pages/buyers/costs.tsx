import { useState } from 'react';
import type {
  CostImport,
  CostKind,
  CostRate,
  CostsAnswer,
  CostsRequest,
  ImportedCost,
  RateRequest,
} from '../../../../model/messages/console/costs.ts';
import { rateDimensions, ratePers } from '../../../../model/messages/console/costs.ts';
import type { BreakdownRow } from '../../../../model/messages/console/numbers.ts';
import { MOST_IMPORT_LENGTH } from '../../../../model/messages/console/people-requests.ts';
import { apiPost, saveFile, useAction, useApi, useMay } from '../../api.ts';
import { capital, count, counted, day, dayOf, dollars, dollarsPer } from '../../format.ts';
import { Go } from '../../parts/address.tsx';
import { Button, Form, Select, TextInput } from '../../parts/controls.tsx';
import { ActionButton } from '../../parts/dialog.tsx';
import { Card, Empty, Panel, Problem } from '../../parts/page.tsx';
import { PeriodPicker, usePeriod } from '../../parts/period.tsx';
import { type Column, DataTable, numberColumn } from '../../parts/table.tsx';
import { Code, Facts, useNow, useTimeZone } from '../../parts/values.tsx';
import { valueText } from '../../parts/words.ts';

/** Shows what visits and leads cost. Stores rates, and imports the costs of days. */
export function Costs() {
  const { from, to } = usePeriod();
  const query = useApi<CostsAnswer>('/api/costs', { from, to });
  const isOperator = useMay('operator');
  return (
    <>
      <Panel
        title="Costs of the visits"
        query={query}
        actions={
          <>
            <PeriodPicker />
            {isOperator && (
              <ActionButton
                icon="download"
                onAction={() => saveFile('/api/costs/export', { from, to })}
              >
                Export the ledger
              </ActionButton>
            )}
          </>
        }
      >
        {(costs) => <Spent of={costs} />}
      </Panel>
      <div className={isOperator ? 'beside' : undefined}>
        <Panel title="Rates" query={query}>
          {({ rates }) => <Rates rates={rates} />}
        </Panel>
        {isOperator && <RateCard />}
      </div>
      {isOperator && <ImportCard />}
    </>
  );
}

const kindNames: Readonly<Record<string, string>> = {
  click: 'Named by clicks',
  rate: 'By rates',
  import: 'Imported days',
  operator: 'Entered by hand',
};

const sourceColumns: readonly Column<BreakdownRow>[] = [
  {
    header: 'Source',
    sort: ({ value }) => value,
    cell: ({ value }) => (
      <Go to={`/?dimension=source&value=${encodeURIComponent(value)}&metric=cost`}>
        {valueText('source', value)}
      </Go>
    ),
  },
  numberColumn('Cost', ({ totals }) => totals.cost, {
    cell: ({ totals }) => dollars(totals.cost),
  }),
  numberColumn('Visits', ({ totals }) => totals.visits, { isMinor: true }),
  numberColumn('Cost a visit', ({ totals }) => totals.cost / totals.visits || 0, {
    isMinor: true,
    cell: ({ totals }) => dollarsPer(totals.cost, totals.visits),
  }),
  numberColumn('Cost a lead', ({ totals }) => totals.cost / totals.accepted || 0, {
    cell: ({ totals }) => dollarsPer(totals.cost, totals.accepted),
  }),
  numberColumn('Margin', ({ totals }) => totals.margin, {
    cell: ({ totals }) => dollars(totals.margin),
  }),
];

function Spent({ of: { kinds, sources, clickCostParam } }: { readonly of: CostsAnswer }) {
  const known = kinds.map(({ source, entries, amount }: CostKind) => [
    kindNames[source] ?? capital(source),
    `${dollars(amount)} in ${counted(entries, 'entry', 'entries')}`,
  ]);
  const clicks =
    clickCostParam === '' ? (
      <>Clicks name no cost: the setting CLICK_COST_PARAM is empty.</>
    ) : (
      <>
        A click may name its cost in US dollars: <Code>{`?${clickCostParam}=4.25`}</Code>
      </>
    );
  return (
    <>
      <div className="body stack">
        {known.length > 0 && <Facts of={Object.fromEntries(known)} />}
        <p className="quiet">{clicks}</p>
      </div>
      {sources.length === 0 ? (
        <Empty>
          No visit of these days has a cost. Let clicks name it, enter a rate, or import what your
          ad accounts say.
        </Empty>
      ) : (
        <DataTable
          label="Costs by source"
          columns={sourceColumns}
          rows={sources}
          rowKey={({ value }) => value}
        />
      )}
    </>
  );
}

const payee = ({ dimension, value }: CostRate) =>
  `${capital(dimension)} ${valueText(dimension, value)}`;
const rateColumns: readonly Column<CostRate>[] = [
  { header: 'For', sort: payee, cell: payee },
  numberColumn('Rate', ({ amount }) => amount, {
    cell: ({ amount, per }) => (amount === 0 ? 'ended' : `${dollars(amount)} a ${per}`),
  }),
  { header: 'From', sort: ({ validFrom }) => validFrom, cell: ({ validFrom }) => day(validFrom) },
  { header: 'By', isMinor: true, cell: ({ actor }) => actor },
];

function Rates({ rates }: Pick<CostsAnswer, 'rates'>) {
  if (rates.length === 0) return <Empty>No source and no affiliate has a rate.</Empty>;
  return (
    <DataTable
      label="Rates"
      columns={rateColumns}
      rows={rates}
      rowKey={({ dimension, value, per, validFrom }) => `${dimension} ${value} ${per} ${validFrom}`}
    />
  );
}

const perNames = { click: 'a click', lead: 'an accepted lead', sale: 'a sold lead' } as const;

function RateCard() {
  const today = dayOf(useNow(), useTimeZone());
  const [form, setForm] = useState({
    dimension: 'affiliate',
    value: '',
    per: 'lead',
    amount: '',
    validFrom: today,
  });
  const save = useAction<RateRequest, { visits: number }>('/api/costs/rates');
  const field = (name: keyof typeof form) => ({
    value: form[name],
    onChange: (value: string) => {
      save.reset();
      setForm({ ...form, [name]: value });
    },
  });
  const submit = () => {
    const { dimension, per, amount, value, validFrom } = form;
    save.mutate({
      dimension: dimension as RateRequest['dimension'],
      per: per as RateRequest['per'],
      value: value
        .trim()
        .toLowerCase()
        .replace(/^direct$/, ''),
      amount: Number(amount.replaceAll(/[$,\s]/g, '')),
      validFrom,
    });
  };
  return (
    <Card title="New rate">
      <Form className="body stack" onSubmit={submit} isPending={save.isPending}>
        <div className="row fields">
          <Select
            label="For"
            isLabelShown
            items={rateDimensions.map((id) => ({ id, label: capital(id) }))}
            {...field('dimension')}
          />
          <TextInput
            label={form.dimension === 'source' ? 'Source' : 'Affiliate id'}
            isRequired
            {...field('value')}
          />
        </div>
        <div className="row fields">
          <TextInput label="US dollars" placeholder="0.00" isRequired {...field('amount')} />
          <Select
            label="For each"
            isLabelShown
            items={ratePers.map((id) => ({ id, label: perNames[id] }))}
            {...field('per')}
          />
          <TextInput label="From" type="date" isRequired {...field('validFrom')} />
        </div>
        <p className="quiet fine">
          The newest rate on a visit’s day counts; 0 ends a rate. Visits since the first day are
          charged at once, unless an earlier rate charged them.
        </p>
        <div>
          <Button type="submit" tone="primary" isPending={save.isPending}>
            Save the rate
          </Button>
        </div>
        <Problem of={save.error} />
        {save.data && (
          <p role="status">
            Saved. {counted(save.data.visits, 'visit')} since then{' '}
            {save.data.visits === 1 ? 'is' : 'are'} of this {form.dimension}.
          </p>
        )}
      </Form>
    </Card>
  );
}

const added = ({ cost, before }: ImportedCost) => cost - before;
const importColumns: readonly Column<ImportedCost>[] = [
  { header: 'Day', sort: (row) => row.day, cell: (row) => day(row.day) },
  { header: 'Of', fold: 'wrap', cell: ({ of }) => of.join(', ') },
  numberColumn('Cost', ({ cost }) => cost, { cell: ({ cost }) => dollars(cost) }),
  numberColumn('Before', ({ before }) => before, {
    isMinor: true,
    cell: ({ before }) => before !== 0 && dollars(before),
  }),
  numberColumn('Adds', added, {
    cell: (row) => (added(row) === 0 ? 'nothing' : dollars(added(row))),
  }),
  numberColumn('Visits', ({ visits }) => visits, {
    cell: ({ visits }) => (visits === 0 ? 'none: the day' : count(visits)),
  }),
];

function ImportCard() {
  const [file, setFile] = useState<File>();
  const send = useAction(async (isDryRun: boolean) => {
    if (!file) throw new Error('Choose a file.');
    if (file.size > MOST_IMPORT_LENGTH) throw new Error('The file is larger than 6 MB: split it.');
    const body: CostsRequest = { csv: await file.text(), isDryRun };
    return apiPost<CostImport>('/api/costs/import', body);
  });
  const isDryRun = send.variables ?? true;
  const { rows = [], refused = [], added: sum = 0 } = send.data ?? {};
  const isReady = isDryRun && refused.length === 0 && rows.length > 0;
  return (
    <Card title="Import the costs of days">
      <div className="body stack">
        <p>
          A CSV whose first line names the columns: <code>day</code>, <code>source</code>,{' '}
          <code>cost</code>, and where they apply <code>campaign</code>, <code>affiliate</code>,{' '}
          <code>sub</code>, <code>survey</code>. The visits of a row share its cost. A row again
          adds only the difference.
        </p>
        <div className="row fields">
          <input
            type="file"
            accept=".csv,.txt,text/csv,text/plain"
            aria-label="CSV file"
            onChange={({ target }) => {
              setFile(target.files?.[0]);
              send.reset();
            }}
          />
          <Button isPending={send.isPending} onPress={() => send.mutate(true)}>
            Try without storing
          </Button>
          {isReady && (
            <Button tone="primary" isPending={send.isPending} onPress={() => send.mutate(false)}>
              Import {dollars(sum)}
            </Button>
          )}
        </div>
        <Problem of={send.error} />
        {send.data && <Imported isDryRun={isDryRun} of={send.data} />}
      </div>
      {rows.length > 0 && (
        <DataTable
          label="Rows of the file"
          columns={importColumns}
          rows={rows}
          rowKey={({ line }) => String(line)}
        />
      )}
    </Card>
  );
}

function Imported({ isDryRun, of }: { readonly isDryRun: boolean; readonly of: CostImport }) {
  const { rows, refused } = of;
  if (refused.length > 0) {
    return (
      <>
        <p role="status">
          <strong>Nothing is imported:</strong> correct {counted(refused.length, 'line')}, then try
          again.
        </p>
        <TextInput
          label="Lines to correct"
          lines={Math.min(8, refused.length + 1)}
          value={refused.map(({ line, reason }) => `Line ${line}: ${reason}`).join('\n')}
        />
      </>
    );
  }
  return (
    <p role="status">
      <strong>
        {dollars(of.added)} {isDryRun ? 'would be added' : 'added'}
      </strong>{' '}
      by {counted(rows.length, 'row')}.
    </p>
  );
}
