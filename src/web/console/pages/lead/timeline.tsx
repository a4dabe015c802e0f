import { type ReactNode, useEffect, useRef, useState } from 'react';
import type {
  TimelineEntry,
  TimelineKind,
  TimelineTone,
} from '../../../../model/messages/console/leads.ts';
import {
  capital,
  counted,
  dayInFull,
  dayOf,
  duration,
  exactTime,
  timeOfDay,
} from '../../format.ts';
import { useUrlQuery } from '../../parts/address.tsx';
import { stepTitle } from '../../parts/flow-graph.ts';
import { Card } from '../../parts/page.tsx';
import { useTimeZone } from '../../parts/values.tsx';
import { Evidence } from './evidence.tsx';
import type { Opening } from './opened.ts';

const kindWords: Readonly<Record<TimelineKind, string>> = {
  click: 'Click',
  step: 'Step',
  code: 'SMS',
  consent: 'Consent',
  revision: 'Post',
  decision: 'Rules',
  check: 'Check',
  attempt: 'Delivery',
  delivery: 'Delivery',
  event: 'Action',
};

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
          {runs.map((run) =>
            run.length === 1 ? (
              <Entry key={run[0].id} entry={run[0]} {...rest} />
            ) : (
              <Fold key={run[0].id} entries={run} {...rest} />
            ),
          )}
        </section>
      ))}
    </Card>
  );
}

/** The entries that one row of the timeline shows. */
type Run = readonly [TimelineEntry, ...TimelineEntry[]];

/** Minimum number of consecutive entries that the timeline folds into one row. */
const fewest = { step: 4, aside: 2 } as const;

function sortOf({ kind, isAside }: TimelineEntry): keyof typeof fewest | undefined {
  if (kind === 'step') return 'step';
  return isAside ? 'aside' : undefined;
}

/** Groups consecutive entries that the timeline shows as one row. */
function runsOf(entries: readonly TimelineEntry[]): Run[] {
  const runs: [TimelineEntry, ...TimelineEntry[]][] = [];
  for (const entry of entries) {
    const run = runs.at(-1);
    if (run && sortOf(entry) && sortOf(run[0]) === sortOf(entry)) run.push(entry);
    else runs.push([entry]);
  }
  return runs.flatMap((run) => {
    const sort = sortOf(run[0]);
    return sort && run.length >= fewest[sort] ? [run] : run.map((entry): Run => [entry]);
  });
}

type FoldProps = Omit<TimelineProps, 'entries'> & { readonly entries: Run };

function Fold({ entries, ...rest }: FoldProps) {
  const [{ entry: linked }] = useUrlQuery();
  const [first, last] = [entries[0], entries.at(-1) ?? entries[0]];
  const spanMs = Date.parse(last.at) - Date.parse(first.at);
  const tones = entries.map(({ tone }) => tone);
  const isSteps = first.kind === 'step';
  return (
    <Row
      at={first.at}
      kind={kindWords[isSteps ? 'step' : 'delivery']}
      tone={(['bad', 'warning'] as const).find((each) => tones.includes(each)) ?? first.tone}
      title={isSteps ? stepsTitle(entries) : `Sent your systems ${entries.length} events`}
      text={spanMs >= 1000 ? `In ${duration(spanMs)}.` : ''}
      isLinked={entries.some(({ id }) => id === linked)}
    >
      <div className="timeline-fold">
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} {...rest} />
        ))}
      </div>
    </Row>
  );
}

function stepsTitle(steps: readonly TimelineEntry[]): string {
  const number = (kind: string) => steps.filter(({ step }) => step === kind).length;
  const [back, refused] = [number('back'), number('refused')];
  const times = (of: number) => (of === 1 ? 'once' : `${of} times`);
  return [
    `Answered ${counted(number('answered'), 'question')}`,
    back > 0 && `went back ${times(back)}`,
    refused > 0 && `was refused ${times(refused)}`,
    number('failed') > 0 && 'met an error of the page',
  ]
    .filter(Boolean)
    .join(', ');
}

type EntryProps = Omit<TimelineProps, 'entries'> & { readonly entry: TimelineEntry };

function Entry({ entry, path, opening }: EntryProps) {
  const [{ entry: linked }, change] = useUrlQuery();
  const { id, at, kind, tone, text } = entry;
  return (
    <Row
      at={at}
      kind={kindWords[kind]}
      tone={tone}
      title={titleOf(entry)}
      text={text}
      isLinked={id === linked}
      onToggle={(isOpen) => change({ entry: isOpen ? id : undefined })}
    >
      <div className="evidence stack small">
        <Evidence entry={entry} path={path} opening={opening} />
      </div>
    </Row>
  );
}

function titleOf({ title, step, asked }: TimelineEntry): string {
  if (!asked) return title;
  const question = stepTitle('en', asked.flow, asked.step);
  if (step !== 'answered') return title.replace(asked.step, `“${question}”`);
  return `${question} ${asked.answers.join(', ')}`.trim();
}

type RowProps = {
  readonly at: string;
  readonly kind: string;
  readonly tone: TimelineTone;
  readonly title: string;
  readonly text: string;
  /** True if the URL names this entry. */
  readonly isLinked: boolean;
  readonly onToggle?: (isOpen: boolean) => void;
  readonly children: ReactNode;
};

function Row({ at, kind, tone, title, text, isLinked, onToggle, children }: RowProps) {
  const timeZone = useTimeZone();
  const row = useRef<HTMLDetailsElement>(null);
  const [wasLinked] = useState(isLinked);
  const [isOpen, setIsOpen] = useState(isLinked);
  useEffect(() => {
    if (wasLinked) row.current?.scrollIntoView({ block: 'center' });
  }, [wasLinked]);
  return (
    <details
      ref={row}
      open={isOpen}
      onToggle={({ currentTarget: { open } }) => {
        if (open === isOpen) return;
        setIsOpen(open);
        onToggle?.(open);
      }}
    >
      <summary className="timeline-row" data-row="" data-tone={tone}>
        <time className="quiet small" dateTime={at} title={exactTime(at, timeZone)}>
          {timeOfDay(at, timeZone, 'medium')}
        </time>
        <span className="dot" aria-hidden="true" />
        <span className="at-desk quiet small">{kind}</span>
        <span>
          <bdi>{capital(title)}</bdi>
          <bdi className="quiet small">{text}</bdi>
        </span>
      </summary>
      {isOpen && children}
    </details>
  );
}
