import { Page } from '../../parts/page.tsx';
import { PageParts } from '../../parts/page-parts.tsx';
import { Costs } from './costs.tsx';
import { BuyerList } from './list.tsx';
import { Returns } from './returns.tsx';
import { Statements } from './statements.tsx';

const parts = {
  list: { label: 'Buyers', Part: BuyerList },
  returns: { label: 'Returns', Part: Returns },
  statements: { label: 'Statements', Part: Statements },
  costs: { label: 'Costs', Part: Costs },
};

/** Shows the buyers, the leads that they return, their statements, and the costs of leads. */
export default function BuyersPage() {
  return (
    <Page
      title="Buyers"
      summary={['Who buys leads, what they return and owe, and what leads cost.']}
    >
      <PageParts of={parts} />
    </Page>
  );
}
