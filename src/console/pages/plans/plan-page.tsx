/** One plan: what will happen, the start, the progress, the result. */
import type { Plan } from '../../../contract/console/work.ts';
import { useAction, useApi, useMay } from '../../api.ts';
import { count } from '../../format.ts';
import { Bars } from '../../parts/charts.tsx';
import { Button } from '../../parts/controls.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Card, Empty, Page, Panel } from '../../parts/page.tsx';
import { Ago, StateBadge } from '../../parts/values.tsx';
import { PlanItems } from './plan-items.tsx';
import { actionNames, startLabel, stateOf, summaryOf } from './words.ts';

/** While it runs, the progress moves even if the event stream is away. */
const AGAIN_MS = 2_000;

/** Draws one plan. */
export function PlanPage({ id }: { readonly id: string }) {
  const query = useApi<Plan>(
    `/api/plans/${id}`,
    {},
    {
      refetchInterval: ({ state: { data } }) =>
        data && ['running', 'queued'].includes(stateOf(data)) ? AGAIN_MS : false,
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
        <div className="plan-columns">
          <Buyers plan={plan} />
          <Refusals plan={plan} />
        </div>
      )}
      {plan && <PlanItems plan={plan} />}
    </Page>
  );
}

function Actions({ plan }: { readonly plan: Plan }) {
  const { id, state, counts } = plan;
  const start = useAction<object, Plan>(`/api/plans/${id}/start`);
  const cancel = useAction<object, Plan>(`/api/plans/${id}/cancel`);
  const error = start.error ?? cancel.error;
  return (
    <>
      {error && (
        <p className="dialog-error" role="alert">
          {error.detail}
        </p>
      )}
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
        <Dialog title="Cancel the plan" trigger={<Button>Cancel</Button>}>
          {(close) => (
            <div className="dialog-form">
              <p>
                What is done stays done. The rest of the list is left as it is; the portion in
                progress still ends.
              </p>
              <footer className="dialog-foot">
                <Button onPress={close}>Let it run</Button>
                <Button
                  tone="danger"
                  isPending={cancel.isPending}
                  onPress={() => cancel.mutate({}, { onSettled: close })}
                >
                  Cancel the plan
                </Button>
              </footer>
            </div>
          )}
        </Dialog>
      )}
    </>
  );
}

function Standing({ plan }: { readonly plan: Plan }) {
  const { state, counts, actor, createdAt, startedBy, startedAt, finishedAt, reason } = plan;
  return (
    <div className="plan-standing">
      {state !== 'ready' && <Progress plan={plan} />}
      <dl className="plan-facts">
        <div>
          <dt>State</dt>
          <dd>
            <StateBadge state={stateOf(plan)} />
          </dd>
        </div>
        <div>
          <dt>Items</dt>
          <dd>{count(counts.all)}</dd>
        </div>
        <div>
          <dt>Made by</dt>
          <dd>
            {actor}, <Ago at={createdAt} />
          </dd>
        </div>
        {startedAt !== null && (
          <div>
            <dt>Started by</dt>
            <dd>
              {startedBy}, <Ago at={startedAt} />
            </dd>
          </div>
        )}
        {finishedAt !== null && (
          <div>
            <dt>Ended</dt>
            <dd>
              <Ago at={finishedAt} />
            </dd>
          </div>
        )}
        <div>
          <dt>Reason</dt>
          <dd>{reason}</dd>
        </div>
      </dl>
    </div>
  );
}

function Progress({ plan: { counts, state } }: { readonly plan: Plan }) {
  const { done, failed, due } = counts;
  const all = done + failed + due;
  const share = all === 0 ? 1 : (done + failed) / all;
  return (
    <div
      className="plan-progress"
      data-state={state}
      role="progressbar"
      aria-label="Progress of the plan"
      aria-valuemin={0}
      aria-valuemax={all}
      aria-valuenow={done + failed}
      aria-valuetext={`${count(done + failed)} of ${count(all)}`}
    >
      <span style={{ width: `${100 * share}%` }} />
    </div>
  );
}

function Buyers({ plan: { action, state, buyers } }: { readonly plan: Plan }) {
  if (action === 'suppress') return null;
  const isOver = state !== 'ready' && state !== 'running';
  return (
    <Card title={isOver ? 'Sent to' : 'Will be sent to'} className="plan-bars">
      {buyers.length === 0 ? (
        <Empty>Nothing is sent to any destination.</Empty>
      ) : (
        <Bars
          rows={buyers.map(({ destination, deliveries }) => ({
            label: destination,
            value: deliveries,
            to: `/deliveries?destination=${destination}`,
          }))}
        />
      )}
    </Card>
  );
}

function Refusals({ plan: { refusals } }: { readonly plan: Plan }) {
  return (
    <Card title="Left out" className="plan-bars">
      {refusals.length === 0 ? (
        <Empty>Nothing is left out.</Empty>
      ) : (
        <Bars rows={refusals.map(({ text, items }) => ({ label: text, value: items }))} />
      )}
    </Card>
  );
}
