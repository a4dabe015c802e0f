/** Simulates experiments: how often the console finds a difference that is none, and one that there is. */
import { judgeExperiment } from '../src/server/operators/counts/experiments.ts';
import { generator } from '../tests/support/seeded-random.ts';

const LOOKS = 50;
const BASE = 0.2;
/** Beyond this, a test of a fixed size at 5 % finds a difference. */
const Z = 1.96;

export type Simulated = {
  readonly runs: number;
  /** Runs in which any look concluded something. */
  readonly concluded: number;
  /** Runs in which any look stopped the reading because of the sample ratio. */
  readonly mismatched: number;
  /** Runs in which a fixed-size test, made at each look, found something; and made at the last look only. */
  readonly fixedAtAnyLook: number;
  readonly fixedAtTheEnd: number;
  /** The median number of visits at the first conclusion; undefined if fewer than half of the runs had one. */
  readonly medianVisits: number | undefined;
};

/**
 * Simulates experiments with two arms of the same weight, looked at 50 times.
 *
 * @param effect the difference in accepted leads per visit; 0: an A/A test
 * @param visits of both arms
 */
export function simulate(options: {
  readonly runs: number;
  readonly effect: number;
  readonly visits: number;
  readonly seed: number;
}): Simulated {
  const { runs, effect, visits, seed } = options;
  const random = generator(seed);
  const found = { concluded: 0, mismatched: 0, fixedAtAnyLook: 0, fixedAtTheEnd: 0 };
  const firstVisits: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const arms: [Arm, Arm] = [
      { visits: 0, accepted: 0 },
      { visits: 0, accepted: 0 },
    ];
    const here = { first: 0, isMismatched: false, isFixed: false, isLast: false };
    for (let look = 1; look <= LOOKS; look += 1) {
      for (let visit = 0; visit < visits / LOOKS; visit += 1) {
        const arm = random() < 0.5 ? arms[0] : arms[1];
        arm.visits += 1;
        if (random() < BASE + (arm === arms[1] ? effect : 0)) arm.accepted += 1;
      }
      const judged = judgeExperiment('simulated', arms.map(armOf));
      const seen = arms[0].visits + arms[1].visits;
      if (judged.arms[1]?.verdict !== 'wait') here.first ||= seen;
      here.isMismatched ||= judged.isMismatch;
      here.isLast = Math.abs(zOf(arms)) > Z;
      here.isFixed ||= here.isLast;
    }
    if (here.first > 0) firstVisits.push(here.first);
    found.concluded += Number(here.first > 0);
    found.mismatched += Number(here.isMismatched);
    found.fixedAtAnyLook += Number(here.isFixed);
    found.fixedAtTheEnd += Number(here.isLast);
  }
  const middle = firstVisits.sort((a, b) => a - b)[Math.floor(runs / 2)];
  return { runs, ...found, medianVisits: middle };
}

type Arm = { visits: number; accepted: number };

function armOf({ visits, accepted }: Arm, index: number) {
  const others = { completed: 0, delivered: 0, refusals: 0, held: 0, pageErrors: 0 };
  return { variant: `arm ${index}`, weight: 1, visits, accepted, ...others };
}

function zOf([one, other]: readonly [Arm, Arm]): number {
  const share = ({ visits, accepted }: Arm) => accepted / visits;
  const pooled = (one.accepted + other.accepted) / (one.visits + other.visits);
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / one.visits + 1 / other.visits));
  return (share(other) - share(one)) / error;
}

const percent = (part: number, of: number) => `${((100 * part) / of).toFixed(1)} %`;

/** Prints the false positives of A/A tests and the power at several effects. */
export function benchExperiments(): void {
  const aa = simulate({ runs: 2_000, effect: 0, visits: 20_000, seed: 20 });
  const share = (of: keyof Omit<Simulated, 'runs' | 'medianVisits'>) => percent(aa[of], aa.runs);
  console.log(`Experiments: ${aa.runs} A/A tests, 20000 visits each, ${LOOKS} looks, base 20 %:`);
  console.log(`  ${share('concluded')} find a difference at any look (target: at most 5 %)`);
  console.log(
    `  ${share('fixedAtAnyLook')} would with a fixed-size test at each look, ${share('fixedAtTheEnd')} with it at the end only`,
  );
  console.log(`  ${share('mismatched')} stop for a sample ratio at any look`);
  for (const effect of [0.01, 0.02, 0.03, 0.05]) {
    for (const visits of [5_000, 20_000, 50_000]) {
      const { runs, concluded, medianVisits } = simulate({ runs: 500, effect, visits, seed: 21 });
      const when = medianVisits === undefined ? '' : `, half of them by ${medianVisits} visits`;
      console.log(
        `  +${(100 * effect).toFixed(0)} points, ${visits} visits: found by ${percent(concluded, runs)}${when}`,
      );
    }
  }
}
