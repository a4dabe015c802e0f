import { useState } from 'react';
import type { ExperimentAnswer, JudgedArm } from '../../../contract/console/numbers.ts';
import { useApi } from '../../api.ts';
import { count } from '../../format.ts';
import { TextInput } from '../../parts/controls.tsx';
import { Card } from '../../parts/page.tsx';
import { type Column, DataTable } from '../../parts/table.tsx';
import { Share } from '../../parts/values.tsx';

/** Shows the experiments that run on a survey; nothing if none does. */
export function Experiments({ survey }: { readonly survey: string }) {
  const [from, setFrom] = useState('');
  const { data = [] } = useApi<readonly ExperimentAnswer[]>('/api/surveys/experiments', {
    survey,
    from: from || undefined,
  });
  return data.map((experiment) => (
    <Card title={`Experiment ${experiment.id}`} key={experiment.id}>
      <div className="survey-experiment">
        <p>{experiment.summary}</p>
        <TextInput
          label="Count from (empty: a year ago)"
          type="date"
          value={from}
          onChange={setFrom}
        />
      </div>
      <ExperimentTable experiment={experiment} />
    </Card>
  ));
}

const verdicts: Readonly<Record<JudgedArm['verdict'], string>> = {
  base: 'base',
  keep: 'keep',
  stop: 'stop',
  wait: 'wait',
};

const columns: readonly Column<JudgedArm>[] = [
  { id: 'variant', header: 'Variant', cell: ({ variant }) => variant },
  { id: 'visits', header: 'Visits', align: 'end', cell: ({ visits }) => count(visits) },
  {
    id: 'accepted',
    header: 'Accepted leads',
    align: 'end',
    cell: ({ accepted, visits }) => <Share part={accepted} of={visits} />,
  },
  {
    id: 'difference',
    header: 'Difference (points)',
    align: 'end',
    isMinor: true,
    cell: ({ difference }) =>
      difference === null ? '' : `${pointsText(difference.low)} to ${pointsText(difference.high)}`,
  },
  { id: 'verdict', header: 'So far', cell: ({ verdict }) => verdicts[verdict] },
];

/** Draws the variants of one experiment. Without a valid sample ratio no variant has a verdict. */
export function ExperimentTable({ experiment }: { readonly experiment: ExperimentAnswer }) {
  const { id, arms, isMismatch } = experiment;
  const shown = isMismatch ? columns.slice(0, 3) : columns;
  return (
    <DataTable
      columns={shown}
      rows={arms}
      rowKey={({ variant }) => variant}
      label={`Variants of ${id}`}
    />
  );
}

/** Writes a difference of shares in percentage points: `+1.2`. */
function pointsText(share: number): string {
  const text = Math.abs(100 * share).toFixed(1);
  return `${text === '0.0' ? '' : share > 0 ? '+' : '−'}${text}`;
}
