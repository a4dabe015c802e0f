import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ExperimentAnswer } from '../../../contract/console/numbers.ts';
import { useApi } from '../../api.ts';
import { count } from '../../format.ts';
import { TextInput } from '../../parts/controls.tsx';
import { Card, Page, Panel } from '../../parts/page.tsx';
import { ExperimentCard } from './experiment-card.tsx';
import { HowToStart } from './how-to-start.tsx';
import './experiments.css';

type Search = Readonly<Record<string, string | undefined>>;

/** Shows the experiments that run, and what can be concluded from each. */
export default function ExperimentsPage() {
  const { since = '' }: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const isDay = /^\d{4}-\d\d-\d\d$/.test(since);
  const experiments = useApi<readonly ExperimentAnswer[]>('/api/experiments', {
    from: isDay ? since : undefined,
  });
  const change = (day: string) => {
    const search = (now: Search) => ({ ...now, since: day === '' ? undefined : day });
    void navigate({ to: '.', search: search as never, replace: true, resetScroll: false });
  };
  return (
    <Page
      title="Experiments"
      summary={experiments.data && summaryOf(experiments.data)}
      actions={<TextInput label="Count from" type="date" value={since} onChange={change} />}
    >
      {experiments.data?.length ? (
        experiments.data.map((each) => <ExperimentCard key={each.id} experiment={each} />)
      ) : (
        <Panel query={experiments} rows={8} empty={<HowToStart isFirst />}>
          {() => null}
        </Panel>
      )}
      {(experiments.data?.length ?? 0) > 0 && (
        <details className="more-experiments">
          <summary>How to start another experiment</summary>
          <Card>
            <HowToStart isFirst={false} />
          </Card>
        </details>
      )}
    </Page>
  );
}

/** Says how many experiments run, and how many of them can be concluded from. */
export function summaryOf(all: readonly ExperimentAnswer[]): string[] {
  if (all.length === 0) return [];
  const stopped = all.filter(({ ratio }) => ratio.isMismatch);
  const decided = all.filter(({ ratio, comparisons }) =>
    comparisons.some(
      (one) => one.metric === 'accepted' && one.conclusion !== 'undecided' && !ratio.isMismatch,
    ),
  );
  const names = (some: readonly ExperimentAnswer[]) => some.map(({ id }) => id).join(', ');
  return [
    `${count(all.length)} ${all.length === 1 ? 'experiment runs' : 'experiments run'}.`,
    decided.length > 0 ? `Decided: ${names(decided)}.` : 'None has a result yet.',
    ...(stopped.length > 0 ? [`Nothing can be read from ${names(stopped)}.`] : []),
  ];
}
