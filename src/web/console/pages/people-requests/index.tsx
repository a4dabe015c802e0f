import type { OptOutListAnswer } from '../../../../model/messages/console/people-requests.ts';
import { useApi } from '../../api.ts';
import { counted, day } from '../../format.ts';
import { Page } from '../../parts/page.tsx';
import { PageParts } from '../../parts/page-parts.tsx';
import { Erasures } from './erasures.tsx';
import { OptOuts } from './opt-outs.tsx';
import { Revocations, Suppressions } from './suppressions.tsx';

const parts = {
  list: { label: 'Suppression list', Part: Suppressions },
  revocations: { label: 'Revocations', Part: Revocations },
  requests: { label: 'Do-not-sell requests', Part: OptOuts },
  erasure: { label: 'Erasure', Part: Erasures },
};

/** Shows the suppression list, the do-not-sell requests and the erasures. */
export default function PeopleRequestsPage() {
  const { data } = useApi<OptOutListAnswer>('/api/opt-outs', { outcome: 'waiting' });
  return (
    <Page title="Do not contact and erasure" summary={data && summaryOf(data)}>
      <PageParts of={parts} />
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
