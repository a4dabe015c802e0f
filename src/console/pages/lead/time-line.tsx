import { useNavigate, useSearch } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { StoryEntry } from '../../../contract/console/leads.ts';
import { dayOf, duration, exactTime } from '../../format.ts';
import { Card, Empty } from '../../parts/page.tsx';
import { useTimeZone } from '../../parts/values.tsx';
import { stepTitle } from '../funnels/step-titles.ts';
import { Evidence } from './evidence.tsx';
import { type Fold, foldRuns, type Line } from './fold.ts';
import type { Opening } from './opened.ts';
import { kindGroups, kindLabels } from './words.ts';

type TimeLineProps = {
  readonly story: readonly StoryEntry[];
  readonly path: string;
  readonly opening: Opening;
};

/** What selects and opens entries, from the address: a link to an entry can be sent to a colleague. */
type Selection = { readonly entry?: string; readonly kinds?: string };

/** Shows everything from the click to the delivery on one line. `j` and `k` move, Enter opens the evidence. */
export function TimeLine({ story, path, opening }: TimeLineProps) {
  const { entry: linked, kinds } = useSearch({ strict: false }) as Selection;
  const navigate = useNavigate();
  const groups = useMemo(() => new Set(kinds ? kinds.split(',') : []), [kinds]);
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(linked ? [linked] : []));
  const select = (change: Selection) =>
    void navigate({
      to: '.',
      search: ((before: Selection) => ({ ...before, ...change })) as never,
      replace: true,
      resetScroll: false,
    });
  const toggle = (id: string) => {
    setOpen(toggled(open, id));
    select({ entry: open.has(id) ? '' : id });
  };
  const shown = story.filter(({ kind }) =>
    kindGroups.every(
      ({ id, kinds: own }) => groups.size === 0 || groups.has(id) || !own.includes(kind),
    ),
  );
  const lines = foldRuns(shown);
  const row = { path, opening, open, linked, toggle };
  return (
    <Card
      title="What happened"
      className="story"
      actions={
        <Filters
          story={story}
          groups={groups}
          onChange={(next) => select({ kinds: [...next].join(',') })}
        />
      }
    >
      {lines.length === 0 ? (
        <Empty>Nothing of this kind happened.</Empty>
      ) : (
        <Days lines={lines}>{(line) => <LineRow line={line} {...row} />}</Days>
      )}
    </Card>
  );
}

type FiltersProps = {
  readonly story: readonly StoryEntry[];
  readonly groups: ReadonlySet<string>;
  readonly onChange: (groups: ReadonlySet<string>) => void;
};

function Filters({ story, groups, onChange }: FiltersProps) {
  const counted = kindGroups.map((group) => ({
    ...group,
    count: story.filter(({ kind }) => group.kinds.includes(kind)).length,
  }));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend
    <div className="story-filters" role="group" aria-label="Kinds of entries">
      {counted
        .filter(({ count }) => count > 0)
        .map(({ id, label, count }) => (
          <button
            key={id}
            type="button"
            className="story-filter"
            aria-pressed={groups.has(id)}
            onClick={() => onChange(toggled(groups, id))}
          >
            {label} <span className="quiet">{count}</span>
          </button>
        ))}
    </div>
  );
}

function toggled(groups: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(groups);
  if (!next.delete(id)) next.add(id);
  return next;
}

type DaysProps = {
  readonly lines: readonly Line[];
  readonly children: (line: Line) => ReactNode;
};

/** Puts a date above the first line of each day. */
function Days({ lines, children }: DaysProps) {
  const timeZone = useTimeZone();
  const days = Object.entries(Object.groupBy(lines, ({ at }) => dayOf(Date.parse(at), timeZone)));
  return days.map(([date, ofDay = []]) => (
    <section key={date} className="story-day">
      <h3>{dayTitle(ofDay[0]?.at ?? date, timeZone)}</h3>
      <ol>
        {ofDay.map((line) => (
          <li key={line.id}>{children(line)}</li>
        ))}
      </ol>
    </section>
  ));
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

function LineRow({ line, ...state }: RowState & { readonly line: Line }) {
  return 'entries' in line ? (
    <FoldRow fold={line} {...state} />
  ) : (
    <EntryRow entry={line} {...state} />
  );
}

/** Shows a run of entries as one line, until somebody wants to see them. */
function FoldRow({ fold, ...state }: RowState & { readonly fold: Fold }) {
  const { open, linked, toggle } = state;
  const hasLinked = fold.entries.some(({ id }) => id === linked);
  const isOpen = open.has(fold.id) || hasLinked;
  return (
    <>
      <Row
        id={fold.id}
        at={fold.at}
        kind={fold.kind}
        tone={fold.tone}
        isOpen={isOpen}
        onToggle={() => toggle(fold.id)}
        title={fold.title}
        text={fold.spanMs >= 1000 ? `In ${duration(fold.spanMs)}.` : ''}
      />
      {isOpen && (
        <ol className="story-steps">
          {fold.entries.map((entry) => (
            <li key={entry.id}>
              <EntryRow entry={entry} {...state} />
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

/** Returns an answer with its question in English, as operators read it; else the entry's own title. */
function titleOf({ title, step, asked, details }: StoryEntry): string {
  if (step !== 'answered' || !asked) return title;
  const answers = details.filter(({ label }) => label !== 'variants').map(({ value }) => value);
  return `${stepTitle('en', asked.flow, asked.step)} ${answers.join(', ')}`.trim();
}

function EntryRow({ entry, ...state }: RowState & { readonly entry: StoryEntry }) {
  const { path, opening, open, linked, toggle } = state;
  const isOpen = open.has(entry.id);
  return (
    <>
      <Row
        id={entry.id}
        at={entry.at}
        kind={kindLabels[entry.kind]}
        tone={entry.tone}
        isOpen={isOpen}
        isLinked={entry.id === linked}
        onToggle={() => toggle(entry.id)}
        title={titleOf(entry)}
        text={entry.text}
      />
      {isOpen && (
        <div className="evidence" id={`${entry.id}-evidence`}>
          <Evidence entry={entry} path={path} opening={opening} />
        </div>
      )}
    </>
  );
}

type RowProps = {
  readonly id: string;
  readonly at: string;
  readonly kind: string;
  readonly tone: string;
  readonly isOpen: boolean;
  /** The address names it: it is brought into view once. */
  readonly isLinked?: boolean;
  readonly onToggle: () => void;
  readonly title: string;
  readonly text: string;
};

function Row(props: RowProps) {
  const { id, at, kind, tone, isOpen, isLinked = false, onToggle, title, text } = props;
  const timeZone = useTimeZone();
  const exact = exactTime(at, timeZone);
  const button = useRef<HTMLButtonElement>(null);
  const wasLinked = useRef(isLinked);
  useEffect(() => {
    if (wasLinked.current) button.current?.scrollIntoView({ block: 'center' });
  }, []);
  return (
    <button
      ref={button}
      type="button"
      className="story-row"
      data-row=""
      data-tone={tone}
      aria-expanded={isOpen}
      aria-controls={isOpen ? `${id}-evidence` : undefined}
      onClick={onToggle}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key !== 'Enter') return;
        event.preventDefault();
        onToggle();
      }}
    >
      <time dateTime={at} title={exact}>
        {/\d{2}:\d{2}:\d{2}/.exec(exact)?.[0]}
      </time>
      <span className="story-dot" aria-hidden="true" />
      <span className="story-kind">{kind}</span>
      <span className="story-words">
        <bdi className="story-title">{title}</bdi>
        {text !== '' && <bdi className="story-text">{text}</bdi>}
      </span>
    </button>
  );
}
