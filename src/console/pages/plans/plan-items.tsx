/** The frozen list of a plan, page by page. The chosen state and the place are in the address. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Plan, PlanItem, PlanItemsAnswer } from '../../../contract/console/work.ts';
import { useApi } from '../../api.ts';
import { count, leadName } from '../../format.ts';
import { Button, Tabs } from '../../parts/controls.tsx';
import { Go } from '../../parts/link.tsx';
import { Card, Panel } from '../../parts/page.tsx';
import { type Column, DataTable } from '../../parts/table.tsx';
import { StateBadge } from '../../parts/values.tsx';

type Address = { readonly items?: string; readonly after?: string };

/** Draws the items of a plan. */
export function PlanItems({ plan }: { readonly plan: Plan }) {
  const { items: state = 'all', after } = useSearch({ strict: false }) as Address;
  const navigate = useNavigate();
  const show = (next: Address) =>
    void navigate({ to: '.', search: next as never, replace: true, resetScroll: false });
  const query = useApi<PlanItemsAnswer>(
    `/api/plans/${plan.id}/items`,
    { state: state === 'all' ? undefined : state, after },
    { placeholderData: (before) => before },
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
    <Card title="The list" className="plan-items">
      <Tabs label="Items by state" items={tabs} value={state} onChange={(items) => show({ items })}>
        <Panel
          query={query}
          rows={10}
          isEmpty={({ items }) => items.length === 0}
          empty={<p>No item is in this state.</p>}
        >
          {({ items, next }) => (
            <>
              <DataTable
                dense
                label="Items of the plan"
                columns={columns}
                rows={items}
                rowKey={({ number }) => String(number)}
              />
              {(after !== undefined || next !== null) && (
                <div className="plan-pages">
                  <Button isDisabled={after === undefined} onPress={() => show({ items: state })}>
                    From the start
                  </Button>
                  <Button
                    isDisabled={next === null}
                    onPress={() => next !== null && show({ items: state, after: next })}
                  >
                    Next page
                  </Button>
                </div>
              )}
            </>
          )}
        </Panel>
      </Tabs>
    </Card>
  );
}

const columns: readonly Column<PlanItem>[] = [
  {
    id: 'number',
    header: '#',
    align: 'end',
    isMinor: true,
    cell: ({ number }) => <span className="quiet">{count(number)}</span>,
  },
  {
    id: 'lead',
    header: 'Lead',
    cell: ({ leadId }) => (
      <Go to={`/leads/${leadId}`} className="text-link" label={`Lead ${leadName(leadId)}`}>
        <code>{leadName(leadId)}</code>
      </Go>
    ),
  },
  { id: 'destination', header: 'To', isMinor: true, cell: ({ destination }) => destination },
  {
    id: 'state',
    header: 'State',
    isMinor: true,
    cell: ({ state }) => <StateBadge state={state} />,
  },
  {
    id: 'text',
    header: 'What happens',
    cell: ({ text }) => <span className="plan-text">{text}</span>,
  },
];
