import type { StoryEntry, StoryTone } from '../../../contract/console/leads.ts';

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

/** A line of the time line. */
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
    `Answered ${answered} ${answered === 1 ? 'question' : 'questions'}`,
    ...(back === 0 ? [] : [`went back ${times(back)}`]),
    ...(refused === 0 ? [] : [`was refused ${times(refused)}`]),
    ...(failed === 0 ? [] : ['met an error of the page']),
  ].join(', ');
}
