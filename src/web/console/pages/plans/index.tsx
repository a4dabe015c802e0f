/** Plans: bulk actions on frozen lists. One plan with an id in the address, otherwise all. */
import { useParams } from '@tanstack/react-router';
import type { Plan, PlansAnswer } from '../../../../model/messages/console/work.ts';
import { polled, useApi } from '../../api.ts';
import { count, counted } from '../../format.ts';
import { Go, useGo } from '../../parts/address.tsx';
import { Page } from '../../parts/page.tsx';
import {
  type Column,
  ListPanel,
  numberColumn,
  stateColumn,
  timeColumn,
} from '../../parts/table.tsx';
import { PlanPage } from './plan-page.tsx';
import { actionNames } from './words.ts';

export default function PlansPage() {
  const { id } = useParams({ strict: false }) as { id?: string };
  return id === undefined ? <AllPlans /> : <PlanPage key={id} id={id} />;
}

function AllPlans() {
  const query = useApi<PlansAnswer>('/api/plans', {}, polled);
  const go = useGo();
  return (
    <Page title="Plans" summary={query.data && summaryOf(query.data)}>
      <ListPanel
        label="Plans"
        query={query}
        of={({ plans }) => plans}
        columns={columns}
        onRow={({ id }) => go(`/plans/${id}`)}
        rows={8}
        empty={
          <p>
            No plan has been made. Choose leads in the <Go to="/leads">list</Go>, or recover what
            failed under <Go to="/deliveries">Deliveries</Go>: the plan shows what will happen
            before anything does.
          </p>
        }
      />
    </Page>
  );
}

function summaryOf({ plans }: PlansAnswer): string[] {
  const of = (state: Plan['state']) => plans.filter((plan) => plan.state === state).length;
  const [running, ready] = [of('running'), of('ready')];
  if (running + ready === 0) return ['No plan runs or waits for its start.'];
  return [
    ...(running > 0 ? [`${counted(running, 'plan runs', 'plans run')} now.`] : []),
    ...(ready > 0 ? [`${counted(ready, 'plan waits', 'plans wait')} for a start.`] : []),
  ];
}

const columns: readonly Column<Plan>[] = [
  {
    header: 'Plan',
    sort: ({ action, selection }) => `${action} ${selection}`,
    cell: ({ id, action, selection }) => (
      <Go to={`/plans/${id}`} className="clip">
        <strong>{actionNames[action]}:</strong> {selection}
      </Go>
    ),
  },
  stateColumn(),
  {
    header: 'Done',
    align: 'end',
    sort: ({ counts }) => counts.done,
    cell: ({ counts: { done, due } }) => (
      <>
        {count(done)} <span className="quiet">of {count(done + due)}</span>
      </>
    ),
  },
  numberColumn('Passed over', ({ counts }) => counts.passedOver, { isMinor: true }),
  { header: 'Reason', isMinor: true, fold: 'clip', cell: ({ reason }) => reason },
  { header: 'By', isMinor: true, sort: ({ actor }) => actor },
  timeColumn('Made', ({ createdAt }) => createdAt, { align: 'end' }),
];
