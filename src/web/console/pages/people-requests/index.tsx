import type { ReactNode } from 'react';
import type { OptOutListAnswer } from '../../../../model/messages/console/people-requests.ts';
import { useApi } from '../../api.ts';
import { counted, day } from '../../format.ts';
import { useUrlQuery } from '../../parts/address.tsx';
import { Tabs } from '../../parts/controls.tsx';
import { Page } from '../../parts/page.tsx';
import { Erasures } from './erasures.tsx';
import { OptOuts } from './opt-outs.tsx';
import { Revocations, Suppressions } from './suppressions.tsx';

type View = { readonly label: string; readonly draw: () => ReactNode };
const views: Readonly<Record<string, View>> = {
  list: { label: 'Suppression list', draw: () => <Suppressions /> },
  revocations: { label: 'Revocations', draw: () => <Revocations /> },
  requests: { label: 'Do-not-sell requests', draw: () => <OptOuts /> },
  erasure: { label: 'Erasure', draw: () => <Erasures /> },
};

/** Shows the suppression list, the do-not-sell requests and the erasures. */
export default function PeopleRequestsPage() {
  const [{ tab = 'list' }, change] = useUrlQuery();
  const { data } = useApi<OptOutListAnswer>('/api/opt-outs', { outcome: 'waiting' });
  const shown = Object.hasOwn(views, tab) ? tab : 'list';
  return (
    <Page title="Do not contact and erasure" summary={data && summaryOf(data)}>
      <Tabs
        label="Parts of the page"
        items={Object.entries(views).map(([id, { label }]) => ({ id, label }))}
        value={shown}
        onChange={(next) => change({ tab: next, after: undefined }, true)}
      >
        {views[shown]?.draw()}
      </Tabs>
    </Page>
  );
}

function summaryOf({ waiting, requests }: OptOutListAnswer): string[] {
  if (waiting === 0) return ['No do-not-sell request waits for you.'];
  const first = requests.map(({ dueBy }) => dueBy).sort()[0] ?? '';
  const what = counted(waiting, 'do-not-sell request waits', 'do-not-sell requests wait');
  const late = requests.filter(({ isLate }) => isLate).length;
  return [
    `${what} for you, because their senders sent many.`,
    late > 0 ? `${counted(late, 'answer')} late.` : `The first is due on ${day(first)}.`,
  ];
}
