import { useParams } from '@tanstack/react-router';
import {
  type Plan,
  type PlanItem,
  type PlanItemsAnswer,
  type PlansAnswer,
  planItemStates,
} from '../../../../model/messages/console/work.ts';
import { apiPost, polled, steady, useApi, useMay } from '../../api.ts';
import { count, counted } from '../../format.ts';
import { Go, LeadLink, useGo, useUrlQuery } from '../../parts/address.tsx';
import { Bars } from '../../parts/charts.tsx';
import { Select } from '../../parts/controls.tsx';
import { ActionButton } from '../../parts/dialog.tsx';
import { Card, Page, Panel } from '../../parts/page.tsx';
import {
  type Column,
  ListPanel,
  numberColumn,
  stateColumn,
  timeColumn,
} from '../../parts/table.tsx';
import { Ago, Facts, StateBadge } from '../../parts/values.tsx';
import { codeText } from '../../parts/words.ts';
import { actionWords, itemsText, summaryOf } from './words.ts';

export default function PlansPage() {
  const { id } = useParams({ strict: false }) as { id?: string };
  return id === undefined ? <AllPlans /> : <OnePlan key={id} id={id} />;
}

const columns: readonly Column<Plan>[] = [
  {
    header: 'Plan',
    sort: ({ action, selection }) => `${action} ${selection}`,
    cell: ({ id, action, selection }) => (
      <Go to={`/plans/${id}`} className="clip">
        <strong>{actionWords[action].name}:</strong> {selection}
      </Go>
    ),
  },
  stateColumn(),
  numberColumn('Done', ({ counts }) => counts.done, {
    cell: ({ counts: { done, due } }) => `${count(done)} of ${count(done + due)}`,
  }),
  numberColumn('Left out', ({ counts }) => counts.passedOver, { isMinor: true }),
  { header: 'Reason', isMinor: true, fold: 'clip', cell: ({ reason }) => reason },
  { header: 'By', isMinor: true, sort: ({ actor }) => actor },
  timeColumn('Made', ({ createdAt }) => createdAt, { align: 'end', isMinor: true }),
];

function AllPlans() {
  const query = useApi<PlansAnswer>('/api/plans', {}, polled);
  const go = useGo();
  return (
    <Page title="Plans" summary={query.data && standingOf(query.data)}>
      <ListPanel
        label="Plans"
        query={query}
        of={({ plans }) => plans}
        columns={columns}
        onRow={({ id }) => go(`/plans/${id}`)}
        rows={8}
        empty={
          <p>
            There are no plans. Choose leads in the <Go to="/leads">list</Go>, or recover failures
            under <Go to="/deliveries">Deliveries</Go>: the plan shows what will happen before it
            starts.
          </p>
        }
      />
    </Page>
  );
}

function standingOf({ plans }: PlansAnswer): string[] {
  const of = (state: Plan['state']) => plans.filter((plan) => plan.state === state).length;
  const [running, ready] = [of('running'), of('ready')];
  if (running + ready === 0) return ['No plan runs or waits for its start.'];
  return [
    ...(running > 0 ? [`${counted(running, 'plan runs', 'plans run')} now.`] : []),
    ...(ready > 0 ? [`${counted(ready, 'plan waits', 'plans wait')} for a start.`] : []),
  ];
}

/** The polling interval while a bulk action runs. */
const RUNNING_MS = 2_000;

function OnePlan({ id }: { readonly id: string }) {
  const query = useApi<Plan>(
    `/api/plans/${id}`,
    {},
    {
      refetchInterval: ({ state: { data } }) =>
        data?.state === 'running' ? RUNNING_MS : polled.refetchInterval,
    },
  );
  const plan = query.data;
  const may = useMay('operator');
  return (
    <Page
      title={plan ? `${actionWords[plan.action].name}: ${plan.selection}` : 'Plan'}
      summary={plan && summaryOf(plan)}
      actions={may && plan && <Actions plan={plan} />}
    >
      <Panel query={query} rows={3}>
        {(data) => <Standing plan={data} />}
      </Panel>
      {plan && (
        <>
          {plan.refusals.length > 0 && (
            <Card title="Left out">
              <div className="body">
                <Bars
                  rows={plan.refusals.map(({ text, items }) => ({ label: text, value: items }))}
                />
              </div>
            </Card>
          )}
          <PlanItems plan={plan} />
        </>
      )}
    </Page>
  );
}

type PlanProps = { readonly plan: Plan };

const cancelMeans =
  'Cancel the plan? Finished items stay done. The rest of the list is not touched.';

function Actions({ plan: { id, action, state, counts } }: PlanProps) {
  const act = (verb: string) => () => apiPost(`/api/plans/${id}/${verb}`);
  const cancel = act('cancel');
  return (
    <>
      {state === 'ready' && counts.due > 0 && (
        <ActionButton tone={action === 'suppress' ? 'danger' : 'primary'} onAction={act('start')}>
          {actionWords[action].start(itemsText(action, counts.due))}
        </ActionButton>
      )}
      {state === 'ready' && <ActionButton onAction={cancel}>Discard</ActionButton>}
      {state === 'running' && (
        <ActionButton onAction={async () => confirm(cancelMeans) && cancel()}>
          Cancel the rest
        </ActionButton>
      )}
    </>
  );
}

function Standing({ plan }: PlanProps) {
  const { state, counts, actor, createdAt, startedBy, startedAt, finishedAt, reason } = plan;
  const ended = counts.done + counts.failed;
  const by = (person: string | null, at: string) => (
    <>
      {person}, <Ago at={at} />
    </>
  );
  return (
    <div className="body stack">
      {state !== 'ready' && (
        <progress
          aria-label="Progress of the plan"
          value={ended}
          max={Math.max(1, ended + counts.due)}
        />
      )}
      <Facts
        isWide
        of={{
          State: <StateBadge state={plan.state} />,
          'Made by': by(actor, createdAt),
          'Started by': startedAt !== null && by(startedBy, startedAt),
          Ended: finishedAt !== null && <Ago at={finishedAt} />,
          Reason: reason,
        }}
      />
    </div>
  );
}

const itemColumns: readonly Column<PlanItem>[] = [
  { header: '#', align: 'end', isMinor: true, cell: ({ number }) => count(number) },
  { header: 'Lead', cell: ({ leadId }) => <LeadLink id={leadId} /> },
  { header: 'To', isMinor: true, cell: ({ destination }) => destination },
  stateColumn({ isMinor: true }),
  { header: 'What happens', fold: 'wrap', cell: ({ text }) => text },
];

function PlanItems({ plan }: PlanProps) {
  const [{ items: state = '', after }, change] = useUrlQuery();
  const { all, due, passedOver, done, failed } = plan.counts;
  const numbers = { due, passed_over: passedOver, done, failed };
  return (
    <ListPanel
      title="The list"
      label="Items of the plan"
      query={useApi<PlanItemsAnswer>(`/api/plans/${plan.id}/items`, { state, after }, steady)}
      of={({ items }) => items}
      columns={itemColumns}
      rowKey={({ number }) => String(number)}
      rows={10}
      dense
      empty="No item is in this state."
      actions={
        <Select
          label="Items by state"
          items={[
            { id: '', label: 'all', note: count(all) },
            ...planItemStates.map((id) => ({ id, label: codeText(id), note: count(numbers[id]) })),
          ]}
          value={state}
          onChange={(items) => change({ items, after: undefined })}
        />
      }
    />
  );
}
