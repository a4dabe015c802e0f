/** Plans: bulk actions on frozen lists. One plan with an id in the address, otherwise all. */
import { useParams } from '@tanstack/react-router';
import type { Plan, PlansAnswer } from '../../../contract/console/work.ts';
import { useApi } from '../../api.ts';
import { count } from '../../format.ts';
import { Go, useGo } from '../../parts/address.tsx';
import { Page, Panel } from '../../parts/page.tsx';
import { type Column, DataTable, stateColumn } from '../../parts/table.tsx';
import { Ago } from '../../parts/values.tsx';
import { PlanPage } from './plan-page.tsx';
import { actionNames } from './words.ts';

/** The events name single plans, so the list asks again by itself. */
const AGAIN_MS = 10_000;

export default function PlansPage() {
  const { id } = useParams({ strict: false }) as { id?: string };
  return id === undefined ? <AllPlans /> : <PlanPage key={id} id={id} />;
}

function AllPlans() {
  const query = useApi<PlansAnswer>('/api/plans', {}, { refetchInterval: AGAIN_MS });
  const go = useGo();
  const plans = query.data?.plans;
  return (
    <Page title="Plans" summary={plans && summaryOf(plans)}>
      <Panel
        query={query}
        rows={8}
        empty={
          <p>
            No plan has been made. Choose leads in the <Go to="/leads">list</Go>, or recover what
            failed under <Go to="/deliveries">Deliveries</Go>: the plan shows what will happen
            before anything does.
          </p>
        }
      >
        {(data) => (
          <DataTable
            label="Plans"
            columns={columns}
            rows={data.plans}
            onRow={({ id }) => go(`/plans/${id}`)}
          />
        )}
      </Panel>
    </Page>
  );
}

function summaryOf(plans: readonly Plan[]): string[] {
  const of = (state: Plan['state']) => plans.filter((plan) => plan.state === state).length;
  const [running, ready] = [of('running'), of('ready')];
  if (running + ready === 0) return ['No plan runs or waits for its start.'];
  const parts = [
    running > 0 && `${running} ${running === 1 ? 'plan runs' : 'plans run'} now`,
    ready > 0 && `${ready} ${ready === 1 ? 'plan waits' : 'plans wait'} for a start`,
  ].filter((part) => part !== false);
  return [`${parts.join(', ')}.`];
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
  {
    header: 'Passed over',
    align: 'end',
    isMinor: true,
    sort: ({ counts }) => counts.passedOver,
    cell: ({ counts }) => count(counts.passedOver),
  },
  {
    header: 'Reason',
    isMinor: true,
    cell: ({ reason }) => <span className="clip">{reason}</span>,
  },
  { header: 'By', isMinor: true, sort: ({ actor }) => actor },
  {
    header: 'Made',
    align: 'end',
    sort: ({ createdAt }) => Date.parse(createdAt),
    cell: ({ createdAt }) => <Ago at={createdAt} />,
  },
];
