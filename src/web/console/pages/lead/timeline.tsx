import type { TimelineEntry } from '../../../../model/messages/console/leads.ts';
import {
  capital,
  counted,
  dayInFull,
  dayOf,
  duration,
  exactTime,
  timeOfDay,
} from '../../format.ts';
import { stepTitle } from '../../parts/flow-graph.ts';
import { Card } from '../../parts/page.tsx';
import { useTimeZone } from '../../parts/values.tsx';
import { Evidence } from './evidence.tsx';
import type { Opening } from './opened.ts';

type TimelineProps = {
  readonly entries: readonly TimelineEntry[];
  readonly path: string;
  readonly opening: Opening;
};

/** Shows all events of a lead. */
export function Timeline({ entries, ...rest }: TimelineProps) {
  const timeZone = useTimeZone();
  const days = Object.entries(
    Object.groupBy(runsOf(entries), ([first]) => dayOf(Date.parse(first.at), timeZone)),
  );
  return (
    <Card title="What happened">
      {days.map(([date, runs = []]) => (
        <section key={date}>
          <h3 className="timeline-day quiet fine">
            {dayInFull(runs[0]?.[0].at ?? date, timeZone)}
          </h3>
          {runs.map((run) => (
            <Row key={run[0].id} run={run} {...rest} />
          ))}
        </section>
      ))}
    </Card>
  );
}

/** The entries that one row of the timeline shows. */
type Run = [TimelineEntry, ...TimelineEntry[]];

/** Puts consecutive steps, or consecutive events for the operator's own systems, into one row. */
function runsOf(entries: readonly TimelineEntry[]): Run[] {
  const sortOf = ({ kind, isAside, id }: TimelineEntry) => {
    if (kind === 'step') return kind;
    return isAside ? 'aside' : id;
  };
  const runs: Run[] = [];
  for (const entry of entries) {
    const run = runs.at(-1);
    if (run && sortOf(run[0]) === sortOf(entry)) run.push(entry);
    else runs.push([entry]);
  }
  return runs;
}

type RowProps = Omit<TimelineProps, 'entries'> & { readonly run: Run };

function Row({ run, ...rest }: RowProps) {
  const timeZone = useTimeZone();
  const [first] = run;
  const isFold = run.length > 1;
  const tones = run.map(({ tone }) => tone);
  const urgent = (['bad', 'warning'] as const).find((each) => tones.includes(each));
  return (
    <details>
      <summary className="timeline-row" data-row="" data-tone={urgent ?? first.tone}>
        <time className="quiet small" dateTime={first.at} title={exactTime(first.at, timeZone)}>
          {timeOfDay(first.at, timeZone, 'medium')}
        </time>
        <span className="dot" aria-hidden="true" />
        <span>
          <bdi>{capital(isFold ? foldTitle(run) : titleOf(first))}</bdi>
          {!isFold && <bdi className="quiet small">{first.text}</bdi>}
        </span>
      </summary>
      {isFold ? (
        <div className="timeline-fold">
          {run.map((entry) => (
            <Row key={entry.id} run={[entry]} {...rest} />
          ))}
        </div>
      ) : (
        <div className="evidence stack small">
          <Evidence entry={first} {...rest} />
        </div>
      )}
    </details>
  );
}

function foldTitle(run: Run): string {
  const [{ kind, at }] = run;
  if (kind !== 'step') return `Sent your systems ${run.length} events`;
  const number = (step: string) => run.filter((entry) => entry.step === step).length;
  const times = (of: number) => (of === 1 ? 'once' : `${of} times`);
  const [back, refused] = [number('back'), number('refused')];
  return [
    `Answered ${counted(number('answered'), 'question')}`,
    back > 0 && `went back ${times(back)}`,
    refused > 0 && `was refused ${times(refused)}`,
    number('failed') > 0 && 'met an error of the page',
    `in ${duration(Date.parse(run.at(-1)?.at ?? at) - Date.parse(at))}`,
  ]
    .filter(Boolean)
    .join(', ');
}

function titleOf({ title, step, asked }: TimelineEntry): string {
  if (!asked) return title;
  const question = stepTitle('en', asked.flow, asked.step);
  if (step !== 'answered') return title.replace(asked.step, `“${question}”`);
  return `${question} ${asked.answers.join(', ')}`.trim();
}
