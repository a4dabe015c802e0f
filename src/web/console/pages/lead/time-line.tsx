import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { StoryEntry, StoryKind } from '../../../../model/messages/console/leads.ts';
import { dayOf, duration, exactTime, toggled } from '../../format.ts';
import { useAddress } from '../../parts/address.tsx';
import { Card } from '../../parts/page.tsx';
import { useTimeZone } from '../../parts/values.tsx';
import { stepTitle } from '../funnels/flow-graph.ts';
import { Evidence } from './evidence.tsx';
import { type Fold, foldRuns, type Line, type Opening } from './opened.ts';

/** The name of an entry of each kind. */
const kindWords: Readonly<Record<StoryKind, string>> = {
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

type TimeLineProps = {
  readonly story: readonly StoryEntry[];
  readonly path: string;
  readonly opening: Opening;
};

/**
 * Shows everything from the click to the delivery on one line. The address names the open entry, so that a link to it
 * can be sent to a colleague.
 */
export function TimeLine({ story, path, opening }: TimeLineProps) {
  const [{ entry: linked }, change] = useAddress();
  const timeZone = useTimeZone();
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(linked ? [linked] : []));
  const toggle = (id: string) => {
    setOpen(toggled(open, id));
    change({ entry: open.has(id) ? undefined : id });
  };
  const days = Object.entries(
    Object.groupBy(foldRuns(story), ({ at }) => dayOf(Date.parse(at), timeZone)),
  );
  const row = { path, opening, open, linked, toggle };
  return (
    <Card title="What happened">
      {days.map(([date, lines = []]) => (
        <section key={date} className="story-day">
          <h3 className="quiet fine">{dayTitle(lines[0]?.at ?? date, timeZone)}</h3>
          <ol>
            {lines.map((line) => (
              <li key={line.id}>
                <LineRow line={line} {...row} />
              </li>
            ))}
          </ol>
        </section>
      ))}
    </Card>
  );
}

/** Returns the day with its time zone: `Mon, Nov 23, 2026 · EST`. */
function dayTitle(at: string, timeZone: string): string {
  const [weekday, day, year, clock = ''] = exactTime(at, timeZone).split(', ');
  return `${weekday}, ${day}, ${year} · ${clock.split(' ').at(-1)}`;
}

type RowState = {
  readonly path: string;
  readonly opening: Opening;
  readonly open: ReadonlySet<string>;
  readonly linked: string | undefined;
  readonly toggle: (id: string) => void;
};

/** Draws an entry with its evidence, or a run of entries as one line, until somebody wants to see them. */
function LineRow({ line, ...state }: RowState & { readonly line: Line }) {
  const { path, opening, open, linked, toggle } = state;
  const { id, at, tone } = line;
  const common = { id, at, tone, onToggle: () => toggle(id), isLinked: id === linked };
  if (!('entries' in line)) {
    return (
      <Row
        {...common}
        kind={kindWords[line.kind]}
        isOpen={open.has(id)}
        title={titleOf(line)}
        text={line.text}
      >
        <div className="evidence stack small">
          <Evidence entry={line} path={path} opening={opening} />
        </div>
      </Row>
    );
  }
  return (
    <Row
      {...common}
      kind={line.kind}
      isOpen={open.has(id) || line.entries.some((entry) => entry.id === linked)}
      title={line.title}
      text={line.spanMs >= 1000 ? `In ${duration(line.spanMs)}.` : ''}
    >
      <ol className="story-steps">
        {line.entries.map((entry) => (
          <li key={entry.id}>
            <LineRow line={entry} {...state} />
          </li>
        ))}
      </ol>
    </Row>
  );
}

/** Returns an answer with its question in English, as operators read it; else the entry's own title. */
function titleOf({ title, step, asked, details }: StoryEntry): string {
  if (step !== 'answered' || !asked) return title;
  const answers = details.filter(({ label }) => label !== 'variants').map(({ value }) => value);
  return `${stepTitle('en', asked.flow, asked.step)} ${answers.join(', ')}`.trim();
}

type RowProps = Pick<Fold, 'id' | 'at' | 'kind' | 'tone' | 'title'> & {
  readonly text: string;
  readonly isOpen: boolean;
  /** The address names it: it is brought into view once. */
  readonly isLinked: boolean;
  readonly onToggle: () => void;
  /** What an open row shows below it. */
  readonly children: ReactNode;
};

function Row(props: RowProps) {
  const { id, at, kind, tone, title, text, isOpen, isLinked, onToggle, children } = props;
  const exact = exactTime(at, useTimeZone());
  const button = useRef<HTMLButtonElement>(null);
  const wasLinked = useRef(isLinked);
  useEffect(() => {
    if (wasLinked.current) button.current?.scrollIntoView({ block: 'center' });
  }, []);
  return (
    <>
      <button
        ref={button}
        type="button"
        className="story-row"
        data-row=""
        data-tone={tone}
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${id}-below` : undefined}
        onClick={onToggle}
      >
        <time className="quiet small" dateTime={at} title={exact}>
          {/\d{2}:\d{2}:\d{2}/.exec(exact)?.[0]}
        </time>
        <span className="story-dot" aria-hidden="true" />
        <span className="at-desk quiet small">{kind}</span>
        <span>
          <bdi className="capital">{title}</bdi>
          <bdi className="quiet small">{text}</bdi>
        </span>
      </button>
      {isOpen && <div id={`${id}-below`}>{children}</div>}
    </>
  );
}
