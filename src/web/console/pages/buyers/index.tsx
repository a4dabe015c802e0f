import type { ReactNode } from 'react';
import { useUrlQuery } from '../../parts/address.tsx';
import { Tabs } from '../../parts/controls.tsx';
import { Page } from '../../parts/page.tsx';
import { Costs } from './costs.tsx';
import { BuyerList } from './list.tsx';
import { Returns } from './returns.tsx';
import { Statements } from './statements.tsx';

const views: Readonly<Record<string, { label: string; summary: string; Part: () => ReactNode }>> = {
  list: { label: 'Buyers', summary: 'Who buys leads, on which terms.', Part: BuyerList },
  returns: { label: 'Returns', summary: 'Leads that buyers want to send back.', Part: Returns },
  statements: { label: 'Statements', summary: 'What buyers say that they owe.', Part: Statements },
  costs: { label: 'Costs', summary: 'What clicks and leads cost.', Part: Costs },
};

/** Shows the buyers, the leads that they return, their statements, and the costs of leads. */
export default function BuyersPage() {
  const [{ tab = 'list' }, change] = useUrlQuery();
  const shown = Object.hasOwn(views, tab) ? tab : 'list';
  const view = views[shown];
  return (
    <Page title="Buyers" summary={view && [view.summary]}>
      <Tabs
        label="Parts of the page"
        items={Object.entries(views).map(([id, { label }]) => ({ id, label }))}
        value={shown}
        onChange={(next) => {
          change({ tab: next, after: undefined, show: undefined }, true);
        }}
      >
        {view && <view.Part />}
      </Tabs>
    </Page>
  );
}
