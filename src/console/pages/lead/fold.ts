import type { StoryEntry, StoryTone } from '../../../contract/console/leads.ts';

/** A run of steps, shown as one line. */
export type Fold = {
  readonly id: string;
  readonly at: string;
  readonly title: string;
  readonly spanMs: number;
  readonly tone: StoryTone;
  readonly steps: readonly StoryEntry[];
};

/** A line of the time line. */
export type Line = StoryEntry | Fold;

/** A run of at least so many steps is folded. */
const fewest = 4;

/** Folds runs of steps, which are most of a story and seldom the question. */
export function foldSteps(story: readonly StoryEntry[]): Line[] {
  const lines: Line[] = [];
  let run: StoryEntry[] = [];
  const end = () => {
    lines.push(...(run.length < fewest ? run : [foldOf(run)]));
    run = [];
  };
  for (const entry of story) {
    if (entry.kind === 'step') {
      run.push(entry);
      continue;
    }
    end();
    lines.push(entry);
  }
  end();
  return lines;
}

function foldOf(steps: readonly StoryEntry[]): Fold {
  const [first, last] = [steps[0] as StoryEntry, steps.at(-1) as StoryEntry];
  const answered = steps.filter(({ title }) => title.startsWith('Answered ')).length;
  const back = steps.filter(({ title }) => title.startsWith('Went back ')).length;
  const parts = [
    `Answered ${answered} ${answered === 1 ? 'question' : 'questions'}`,
    ...(back === 0 ? [] : [`went back ${back === 1 ? 'once' : `${back} times`}`]),
  ];
  return {
    id: `fold-${first.id}`,
    at: first.at,
    title: parts.join(', '),
    spanMs: Date.parse(last.at) - Date.parse(first.at),
    tone: steps.some(({ tone }) => tone === 'warning') ? 'warning' : 'plain',
    steps,
  };
}
