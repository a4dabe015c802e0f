import type { ReactNode } from 'react';
import type { OutcomeListAnswer } from '../../../../model/messages/console/returns.ts';
import { useApi } from '../../api.ts';
import { count } from '../../format.ts';
import { useUrlQuery } from '../../parts/address.tsx';
import { Tabs } from '../../parts/controls.tsx';
import { Page } from '../../parts/page.tsx';
import { Costs } from './costs.tsx';
import { BuyerList } from './list.tsx';
import { Returns } from './returns.tsx';
import { Statements } from './statements.tsx';

type View = { readonly label: string; readonly summary: string; readonly draw: () => ReactNode };
const views: Readonly<Record<string, View>> = {
  list: {
    label: 'Buyers',
    summary: 'Who buys leads, on which terms.',
    draw: () => <BuyerList />,
  },
  returns: {
    label: 'Returns',
    summary: 'What buyers report about leads, and the leads that they send back.',
    draw: () => <Returns />,
  },
  statements: {
    label: 'Statements',
    summary: 'What a buyer says that it owes, beside what our ledger says.',
    draw: () => <Statements />,
  },
  costs: {
    label: 'Costs',
    summary: 'What clicks and leads cost, by source and day.',
    draw: () => <Costs />,
  },
};

/** Shows the buyers, the leads that they return, their statements, and the costs of leads. */
export default function BuyersPage() {
  const [{ tab = 'list' }, change] = useUrlQuery();
  const shown = Object.hasOwn(views, tab) ? tab : 'list';
  const view = views[shown];
  const { open = 0 } = useApi<OutcomeListAnswer>('/api/outcomes', { list: 'open' }).data ?? {};
  return (
    <Page title="Buyers" summary={view && [view.summary]}>
      <Tabs
        label="Parts of the page"
        items={Object.entries(views).map(([id, { label }]) => ({
          id,
          label,
          note: id === 'returns' && open > 0 ? count(open) : undefined,
        }))}
        value={shown}
        onChange={(next) => {
          change({ tab: next, after: undefined, show: undefined }, true);
        }}
      >
        {view?.draw()}
      </Tabs>
    </Page>
  );
}
