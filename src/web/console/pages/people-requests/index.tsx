import type { OptOutListAnswer } from '../../../../model/messages/console/people-requests.ts';
import { useApi } from '../../api.ts';
import { counted, day } from '../../format.ts';
import { useAddress } from '../../parts/address.tsx';
import { Tabs } from '../../parts/controls.tsx';
import { Page } from '../../parts/page.tsx';
import { Erasures } from './erasures.tsx';
import { OptOuts } from './opt-outs.tsx';
import { Suppressions } from './suppressions.tsx';

/** Shows who must not be contacted, what visitors requested, and erasures. */
export default function PeopleRequestsPage() {
  const [{ tab = 'list' }, change] = useAddress();
  const waiting = useApi<OptOutListAnswer>('/api/opt-outs', { outcome: 'waiting' });
  const count = waiting.data?.waiting || undefined;
  const tabs = [
    { id: 'list', label: 'Suppression list' },
    { id: 'requests', label: 'Do-not-sell requests', note: count?.toString() },
    { id: 'erasure', label: 'Erasure' },
  ];
  return (
    <Page title="Do not contact and erasure" summary={waiting.data && summaryOf(waiting.data)}>
      <Tabs
        label="What to see"
        items={tabs}
        value={tabs.some(({ id }) => id === tab) ? tab : 'list'}
        onChange={(next) => change({ tab: next, after: undefined }, true)}
      >
        {tab === 'requests' ? <OptOuts /> : tab === 'erasure' ? <Erasures /> : <Suppressions />}
      </Tabs>
    </Page>
  );
}

/** Says how many requests wait and when the law wants them answered. The page holds all but a flood. */
function summaryOf({ waiting, requests }: OptOutListAnswer): string[] {
  if (waiting === 0) return ['No do-not-sell request waits for you.'];
  const first = requests.map(({ dueBy }) => dueBy).sort()[0] ?? '';
  const what = counted(waiting, 'do-not-sell request waits', 'do-not-sell requests wait');
  const late = requests.filter(({ daysLeft }) => (daysLeft ?? 0) < 0).length;
  return [
    `${what} for you, because their senders sent many.`,
    late > 0
      ? `${late} of them should have been answered already.`
      : `The first is due on ${day(first)}.`,
  ];
}
