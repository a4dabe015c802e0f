import { useEffect, useState } from 'react';
import type {
  LeadAnswer,
  StoryEntry,
  StoryTone,
} from '../../../../model/messages/console/leads.ts';
import { apiPost } from '../../api.ts';
import { counted } from '../../format.ts';

/** Opened values disappear when the tab has been left for this long. */
const awayMs = 10 * 60_000;

/** A lead's personal values while they are shown, and what opens and closes them. */
export type Opening = {
  /** Undefined: masked. */
  readonly answer: LeadAnswer | undefined;
  /** The reason for which it was opened; the bytes of attempts are read for the same reason. */
  readonly reason: string;
  readonly open: (reason: string) => Promise<void>;
  readonly close: () => void;
};

/** Keeps opened values in this page only: never in a store, and not while the operator is away. */
export function useOpened(path: string): Opening {
  const [opened, setOpened] = useState<{ answer: LeadAnswer; reason: string }>();
  const isOpened = opened !== undefined;
  useEffect(() => {
    if (!isOpened) return;
    return whenAway(awayMs, () => setOpened(undefined));
  }, [isOpened]);
  return {
    answer: opened?.answer,
    reason: opened?.reason ?? '',
    open: async (reason) => {
      setOpened({ answer: await apiPost<LeadAnswer>(`${path}/open`, { reason }), reason });
    },
    close: () => setOpened(undefined),
  };
}

/** Calls `leave` once the page was hidden for that long. Returns what stops watching. */
function whenAway(ms: number, leave: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let since: number | undefined;
  const onChange = () => {
    clearTimeout(timer);
    // A browser may stop the timers of a hidden page, so the clock is read as well.
    if (!document.hidden && since !== undefined && Date.now() - since >= ms) leave();
    since = document.hidden ? Date.now() : undefined;
    if (document.hidden) timer = setTimeout(leave, ms);
  };
  onChange();
  document.addEventListener('visibilitychange', onChange);
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', onChange);
  };
}

/**
 * Returns the newest answer with the opened values. What happened since the opening stays masked until the lead
 * is opened again, and an erased lead shows nothing any more.
 */
export function merged(fresh: LeadAnswer, opened: LeadAnswer | undefined): LeadAnswer {
  if (opened === undefined || fresh.lead.state === 'erased') return fresh;
  const entries = new Map(opened.story.map((entry) => [entry.id, entry]));
  const { name, phone, email, survey, usState, affiliate } = opened.lead;
  const isSame = fresh.lead.revision === opened.lead.revision;
  const states = ({ deliveries }: LeadAnswer) => deliveries.map(({ state }) => state).join();
  const isAsBefore = fresh.lead.state === opened.lead.state && states(fresh) === states(opened);
  return {
    ...fresh,
    isOpened: true,
    // The destination's own words are in the opened sentences.
    ...(isAsBefore && { outcome: opened.outcome, deliveries: opened.deliveries }),
    lead: isSame ? { ...fresh.lead, name, phone, email, survey, usState, affiliate } : fresh.lead,
    fields: isSame ? opened.fields : fresh.fields,
    story: fresh.story.map((entry) => {
      const known = entries.get(entry.id);
      // The entry of a delivery changes with its state.
      return known?.kind === entry.kind && known.at === entry.at ? known : entry;
    }),
  };
}

/** A run of entries, shown as one line. */
export type Fold = {
  readonly id: string;
  readonly at: string;
  readonly kind: string;
  readonly title: string;
  readonly spanMs: number;
  readonly tone: StoryTone;
  readonly entries: readonly StoryEntry[];
};

export type Line = StoryEntry | Fold;

/** A run of at least so many entries of a sort is folded. */
const fewest = { step: 4, aside: 2 } as const;
type Sort = keyof typeof fewest;

function sortOf({ kind, isAside }: StoryEntry): Sort | undefined {
  return kind === 'step' ? 'step' : isAside ? 'aside' : undefined;
}

/** Folds runs of steps and of events told to listeners: they are most of a story and seldom the question. */
export function foldRuns(story: readonly StoryEntry[]): Line[] {
  const lines: Line[] = [];
  let run: StoryEntry[] = [];
  let sort: Sort | undefined;
  const end = () => {
    if (sort === undefined || run.length < fewest[sort]) lines.push(...run);
    else lines.push(foldOf(run, sort));
    run = [];
  };
  for (const entry of story) {
    if (sortOf(entry) !== sort) end();
    sort = sortOf(entry);
    run.push(entry);
  }
  end();
  return lines;
}

function foldOf(entries: readonly StoryEntry[], sort: Sort): Fold {
  const [first, last] = [entries[0] as StoryEntry, entries.at(-1) as StoryEntry];
  const tones = entries.map(({ tone }) => tone);
  return {
    id: `fold-${first.id}`,
    at: first.at,
    kind: sort === 'step' ? 'Step' : 'Delivery',
    title: sort === 'step' ? stepsTitle(entries) : `Told your systems ${entries.length} events`,
    spanMs: Date.parse(last.at) - Date.parse(first.at),
    tone: (['bad', 'warning'] as const).find((each) => tones.includes(each)) ?? first.tone,
    entries,
  };
}

function stepsTitle(steps: readonly StoryEntry[]): string {
  const count = (kind: string) => steps.filter(({ step }) => step === kind).length;
  const [answered, back] = [count('answered'), count('back')];
  const [refused, failed] = [count('refused'), count('failed')];
  const times = (number: number) => (number === 1 ? 'once' : `${number} times`);
  return [
    `Answered ${counted(answered, 'question')}`,
    ...(back === 0 ? [] : [`went back ${times(back)}`]),
    ...(refused === 0 ? [] : [`was refused ${times(refused)}`]),
    ...(failed === 0 ? [] : ['met an error of the page']),
  ].join(', ');
}
