import { keepPreviousData } from '@tanstack/react-query';
/** One plan: what will happen, the start, the progress, the result, and its frozen list. */
import type { Plan, PlanItem, PlanItemsAnswer } from '../../../../model/messages/console/work.ts';
import { polled, useAction, useApi, useMay } from '../../api.ts';
import { count } from '../../format.ts';
import { LeadLink, Pages, useAddress } from '../../parts/address.tsx';
import { Bars } from '../../parts/charts.tsx';
import { Button, Tabs } from '../../parts/controls.tsx';
import { Answer, Card, Page, Panel, Problem } from '../../parts/page.tsx';
import { type Column, DataTable, stateColumn } from '../../parts/table.tsx';
import { Ago, Facts, StateBadge } from '../../parts/values.tsx';
import { actionNames, startLabel, stateOf, summaryOf } from './words.ts';

/** How often a running plan's progress is asked for. */
const AGAIN_MS = 2_000;

export function PlanPage({ id }: { readonly id: string }) {
  const query = useApi<Plan>(
    `/api/plans/${id}`,
    {},
    {
      refetchInterval: ({ state: { data } }) =>
        data && ['running', 'queued'].includes(stateOf(data)) ? AGAIN_MS : polled.refetchInterval,
    },
  );
  const plan = query.data;
  const may = useMay('operator');
  return (
    <Page
      title={plan ? `${actionNames[plan.action]}: ${plan.selection}` : 'Plan'}
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
  'Cancel the plan? What is done stays done. The rest of the list is left as it is; the portion in progress still ends.';

function Actions({ plan }: PlanProps) {
  const { id, state, counts } = plan;
  const start = useAction<object, Plan>(`/api/plans/${id}/start`);
  const cancel = useAction<object, Plan>(`/api/plans/${id}/cancel`);
  return (
    <>
      <Problem of={start.error ?? cancel.error} />
      {state === 'ready' && counts.due > 0 && (
        <Button
          tone={plan.action === 'suppress' ? 'danger' : 'primary'}
          onPress={() => start.mutate({})}
          isPending={start.isPending}
        >
          {startLabel(plan)}
        </Button>
      )}
      {state === 'ready' && (
        <Button onPress={() => cancel.mutate({})} isPending={cancel.isPending}>
          Discard
        </Button>
      )}
      {state === 'running' && (
        <Button
          isPending={cancel.isPending}
          onPress={() => confirm(cancelMeans) && cancel.mutate({})}
        >
          Cancel
        </Button>
      )}
    </>
  );
}

function Standing({ plan }: PlanProps) {
  const { state, counts, actor, createdAt, startedBy, startedAt, finishedAt, reason } = plan;
  const ended = counts.done + counts.failed;
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
          State: <StateBadge state={stateOf(plan)} />,
          'Made by': (
            <>
              {actor}, <Ago at={createdAt} />
            </>
          ),
          'Started by': startedAt !== null && (
            <>
              {startedBy}, <Ago at={startedAt} />
            </>
          ),
          Ended: finishedAt !== null && <Ago at={finishedAt} />,
          Reason: reason,
        }}
      />
    </div>
  );
}

/** Draws the frozen list page by page. The chosen state and the place are in the address. */
function PlanItems({ plan }: PlanProps) {
  const [{ items: state = 'all', after }, change] = useAddress();
  const query = useApi<PlanItemsAnswer>(
    `/api/plans/${plan.id}/items`,
    { state: state === 'all' ? undefined : state, after },
    { ...polled, placeholderData: keepPreviousData },
  );
  const { all, due, passedOver, done, failed } = plan.counts;
  const tabs = [
    { id: 'all', label: 'All', note: count(all) },
    { id: 'due', label: plan.state === 'cancelled' ? 'Not done' : 'To do', note: count(due) },
    { id: 'done', label: 'Done', note: count(done) },
    { id: 'passed_over', label: 'Passed over', note: count(passedOver) },
    { id: 'failed', label: 'Failed', note: count(failed) },
  ];
  return (
    <Card title="The list">
      <Tabs
        label="Items by state"
        items={tabs}
        value={state}
        onChange={(items) => change({ items, after: undefined })}
      >
        <Answer query={query} rows={10} empty="No item is in this state.">
          {({ items, next }) => (
            <>
              <DataTable
                dense
                label="Items of the plan"
                columns={itemColumns}
                rows={items}
                rowKey={({ number }) => String(number)}
              />
              <Pages next={next} />
            </>
          )}
        </Answer>
      </Tabs>
    </Card>
  );
}

const itemColumns: readonly Column<PlanItem>[] = [
  { header: '#', align: 'end', isMinor: true, cell: ({ number }) => count(number) },
  { header: 'Lead', cell: ({ leadId }) => <LeadLink id={leadId} /> },
  { header: 'To', isMinor: true, cell: ({ destination }) => destination },
  stateColumn({ isMinor: true }),
  { header: 'What happens', fold: 'wrap', cell: ({ text }) => text },
];
