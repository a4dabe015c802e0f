import { useState } from 'react';
import {
  type ExperimentAnswer,
  hasMoney,
  type JudgedArm,
} from '../../../../model/messages/console/numbers.ts';
import { polled, useApi } from '../../api.ts';
import { count, dollarsPer, percent, pointsText } from '../../format.ts';
import { TextInput } from '../../parts/controls.tsx';
import { Card } from '../../parts/page.tsx';
import { type Column, DataTable, numberColumn } from '../../parts/table.tsx';

/** Shows the experiments of a survey. */
export function Experiments({ survey }: { readonly survey: string }) {
  const [from, setFrom] = useState('');
  const { data = [] } = useApi<readonly ExperimentAnswer[]>(
    '/api/surveys/experiments',
    { survey, from },
    polled,
  );
  return data.map(({ id, arms, isMismatch, summary }) => (
    <Card title={`Experiment ${id}`} key={id}>
      <div className="body stack">
        <p>{summary}</p>
        <TextInput
          label="Count from (empty: a year ago)"
          type="date"
          value={from}
          onChange={setFrom}
        />
      </div>
      <DataTable
        columns={isMismatch ? columns.slice(0, 3) : columns}
        rows={arms}
        rowKey={({ variant }) => variant}
        label={`Variants of ${id}`}
      />
    </Card>
  ));
}

const columns: readonly Column<JudgedArm>[] = [
  { header: 'Variant', sort: ({ variant }) => variant },
  numberColumn('Visits', ({ visits }) => visits),
  {
    header: 'Accepted leads',
    align: 'end',
    cell: ({ accepted, visits }) => `${percent(accepted, visits)} of ${count(visits)}`,
  },
  {
    header: 'Difference (points)',
    align: 'end',
    isMinor: true,
    cell: ({ difference }) =>
      difference && `${pointsText(100 * difference.low)} to ${pointsText(100 * difference.high)}`,
  },
  {
    header: 'Margin a visit',
    align: 'end',
    isMinor: true,
    cell: ({ money, visits }) => hasMoney(money) && dollarsPer(money.margin, visits),
  },
  { header: 'So far', cell: ({ verdict }) => verdict },
];
