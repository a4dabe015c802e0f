import { useState } from 'react';
import type {
  CostImport,
  CostRate,
  CostsAnswer,
  ImportedCost,
  RateRequest,
} from '../../../../model/messages/console/costs.ts';
import { useAction, useApi, useMay } from '../../api.ts';
import { capital, count, counted, day, dayOf, dollars } from '../../format.ts';
import { Go } from '../../parts/address.tsx';
import { Button, Form } from '../../parts/controls.tsx';
import { type FieldSet, Fields, named } from '../../parts/fields.tsx';
import { FileImport } from '../../parts/file-import.tsx';
import { Card, Problem } from '../../parts/page.tsx';
import {
  type Column,
  DataTable,
  dollarsColumn,
  ListPanel,
  numberColumn,
} from '../../parts/table.tsx';
import { Badge, useNow, useTimeZone } from '../../parts/values.tsx';
import { valueText } from '../../parts/words.ts';

/** Shows and sets the rates of sources and affiliates, and imports the costs of days. */
export function Costs() {
  const query = useApi<CostsAnswer>('/api/costs');
  const isOperator = useMay('operator');
  return (
    <>
      <div className={isOperator ? 'beside' : undefined}>
        <ListPanel
          title="Rates"
          query={query}
          of={({ rates }) => rates}
          columns={rateColumns}
          rowKey={(rate) => JSON.stringify(rate)}
          actions={<Go to="/?by=source&metric=cost">See costs by source</Go>}
          empty="No source and no affiliate has a rate."
        />
        {isOperator && <RateCard clickCostParam={query.data?.clickCostParam ?? ''} />}
      </div>
      {isOperator && <ImportCard />}
    </>
  );
}

const payee = ({ dimension, value }: CostRate) =>
  `${capital(dimension)} ${valueText(dimension, value)}`;
const rateColumns: readonly Column<CostRate>[] = [
  { header: 'For', sort: payee },
  numberColumn('Rate', ({ amount }) => amount, {
    cell: ({ amount, per }) => `${amount === 0 ? 'nothing' : dollars(amount)} a ${per}`,
  }),
  { header: 'From', sort: ({ validFrom }) => validFrom, cell: ({ validFrom }) => day(validFrom) },
  { header: 'By', isMinor: true, cell: ({ actor }) => actor },
];

const rateFields: FieldSet = {
  dimension: { label: 'For', kind: 'one', choices: named(['source', 'affiliate']) },
  value: { label: 'Its name or id' },
  amount: { label: 'US dollars', kind: 'money' },
  per: {
    label: 'For each',
    kind: 'one',
    choices: { click: 'click', lead: 'accepted lead', sale: 'sold lead' },
  },
  validFrom: { label: 'From', kind: 'date' },
};

function RateCard({ clickCostParam }: Pick<CostsAnswer, 'clickCostParam'>) {
  const validFrom = dayOf(useNow(), useTimeZone());
  const [form, setForm] = useState({ dimension: 'affiliate', value: '', per: 'lead', validFrom });
  const save = useAction<RateRequest, { visits: number }>('/api/costs/rates');
  const submit = () => {
    const value = form.value.trim().toLowerCase();
    save.mutate({ ...(form as RateRequest), value: value === 'direct' ? '' : value });
  };
  return (
    <Card title="New rate">
      <Form className="body stack" onSubmit={submit} isPending={save.isPending}>
        <Fields
          of={rateFields}
          values={form}
          onChange={(part) => {
            save.reset();
            setForm({ ...form, ...part });
          }}
        />
        <p className="quiet fine">
          The newest rate on a visit’s day counts; 0 ends a rate. Visits since the first day are
          charged at once, unless an earlier rate charged them.{' '}
          {clickCostParam === ''
            ? 'Clicks name no cost: the setting CLICK_COST_PARAM is empty.'
            : `A click names its own cost by ${clickCostParam}=4.25 in the ad’s address.`}
        </p>
        <div>
          <Button type="submit" tone="primary" isPending={save.isPending}>
            Save the rate
          </Button>
        </div>
        <Problem of={save.error} />
        {save.data && (
          <p role="status">Saved. {counted(save.data.visits, 'visit')} since that day.</p>
        )}
      </Form>
    </Card>
  );
}

const importColumns: readonly Column<ImportedCost>[] = [
  { header: 'Day', sort: (row) => row.day, cell: (row) => day(row.day) },
  { header: 'Of', fold: 'wrap', cell: ({ of }) => of.join(', ') },
  dollarsColumn('Cost', ({ cost }) => cost),
  dollarsColumn('Before', ({ before }) => before, { isMinor: true }),
  numberColumn('Visits', ({ visits }) => visits, {
    cell: ({ visits, charged }) => {
      if (visits === 0) return <Badge tone="warning">none of that day: check the names</Badge>;
      const also = `${count(visits)}, of them ${count(charged)} also charged by click`;
      return charged === 0 ? count(visits) : <Badge tone="warning">{also}</Badge>;
    },
  }),
];

function ImportCard() {
  return (
    <FileImport<CostImport>
      title="Import the costs of days"
      about={
        <>
          A CSV whose first line names the columns: <code>day</code>, <code>source</code>,{' '}
          <code>cost</code>, and optionally <code>campaign</code>, <code>affiliate</code>,{' '}
          <code>sub</code>, <code>survey</code>. The visits of a row share its cost. A repeated row
          adds only the difference.
        </>
      }
      path="/api/costs/import"
      storeLabel={(tried) => (isReady(tried) ? `Import ${dollars(tried.added)}` : undefined)}
      table={({ rows }) =>
        rows.length > 0 && (
          <DataTable
            label="Rows of the file"
            columns={importColumns}
            rows={rows}
            rowKey={({ line }) => String(line)}
          />
        )
      }
    >
      {(done, isDryRun) => (
        <p>
          {done.refused.length > 0 && 'Nothing is imported until each line can be read. '}
          <strong>
            {dollars(done.added)} {isDryRun || !isReady(done) ? 'would be added' : 'added'}
          </strong>{' '}
          by {counted(done.rows.length, 'row')}.
        </p>
      )}
    </FileImport>
  );
}

function isReady({ rows, refused }: CostImport): boolean {
  return rows.length > 0 && refused.length === 0;
}
