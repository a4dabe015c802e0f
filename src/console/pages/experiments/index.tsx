import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { ExperimentAnswer } from '../../../contract/console/numbers.ts';
import { useApi } from '../../api.ts';
import { Button, TextInput } from '../../parts/controls.tsx';
import { Card, Page, Panel } from '../../parts/page.tsx';
import { ExperimentCard } from './experiment-card.tsx';
import { HowToStart } from './how-to-start.tsx';
import { experimentsSummary } from './summary.ts';
import './experiments.css';

type Search = Readonly<Record<string, string | undefined>>;

type SinceProps = { readonly day: string; readonly onChange: (day: string) => void };

/** Says since when visits count: the start, unless the operator chooses a day. */
function Since({ day, onChange }: SinceProps) {
  const [isChoosing, setIsChoosing] = useState(false);
  if (day === '' && !isChoosing) {
    return (
      <>
        <span className="quiet">Counted since the start, a year at most</span>
        <Button icon="calendar" onPress={() => setIsChoosing(true)}>
          Count from a day
        </Button>
      </>
    );
  }
  const backToStart = () => {
    setIsChoosing(false);
    onChange('');
  };
  return (
    <div className="experiment-since">
      <TextInput
        label="Count from"
        type="date"
        value={day}
        onChange={onChange}
        autoFocus={isChoosing}
      />
      <Button onPress={backToStart}>Since the start</Button>
    </div>
  );
}

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
      summary={experiments.data && experimentsSummary(experiments.data)}
      actions={(experiments.data?.length ?? 0) > 0 && <Since day={since} onChange={change} />}
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
