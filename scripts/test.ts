import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ensureBrowser } from './browser.ts';

/**
 * A check of `npm test`, which runs all of them, or only those named on the command line. A check without
 * test cases counts as one test.
 */
type Suite = {
  readonly name: string;
  readonly command: readonly string[];
  /** Reads the runner's report file. */
  readonly counts?: (reportFile: string) => Counts;
  readonly env?: (reportFile: string) => NodeJS.ProcessEnv;
  /** Whether all tests may be skipped, because their programs are not installed. */
  readonly maySkip?: true;
};

type Counts = {
  readonly passed: number;
  /** Each failed test by name, with the beginning of its message. */
  readonly failures: readonly Failure[];
};
/** Enough for what was expected and found, without the stack. CI shows only the end of the output. */
const REASON_LINES = 12;
type Failure = { readonly file: string; readonly test: string; readonly reason: string };

const reports = mkdtempSync(join(tmpdir(), 'test-reports-'));

function vitestCounts(file: string): Counts {
  const report = JSON.parse(readFileSync(file, 'utf8')) as {
    numPassedTests: number;
    testResults: {
      name: string;
      status: string;
      message: string;
      assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
    }[];
  };
  const failures = report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const path = relative(process.cwd(), name);
    const failed = assertionResults
      .filter((test) => test.status === 'failed')
      .map((test) => failure(path, test.fullName, test.failureMessages[0]));
    // The file did not load, or its hook failed.
    return failed.length === 0 && status === 'failed' ? [failure(path, 'all', message)] : failed;
  });
  return { passed: report.numPassedTests, failures };
}

type PlaywrightSuite = {
  readonly file: string;
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs: readonly {
    readonly title: string;
    readonly tests: readonly {
      readonly status: string;
      readonly results: readonly { readonly error?: { readonly message?: string } }[];
    }[];
  }[];
};

function playwrightCounts(file: string): Counts {
  const { stats, suites, errors } = JSON.parse(readFileSync(file, 'utf8')) as {
    stats: { expected: number };
    suites: PlaywrightSuite[];
    errors: { message?: string }[];
  };
  const failuresOf = (suite: PlaywrightSuite): Failure[] => [
    ...(suite.suites ?? []).flatMap(failuresOf),
    ...suite.specs.flatMap(({ title, tests }) =>
      tests
        .filter(({ status }) => status === 'unexpected' || status === 'flaky')
        .map(({ results }) => failure(suite.file, title, results.at(-1)?.error?.message)),
    ),
  ];
  const outside = errors.map(({ message }) => failure('playwright', 'all', message));
  return { passed: stats.expected, failures: [...suites.flatMap(failuresOf), ...outside] };
}

function failure(file: string, test: string, message = 'no reason given'): Failure {
  const lines = stripVTControlCharacters(message).split('\n', REASON_LINES);
  return { file, test, reason: lines.map((line) => line.slice(0, 1000)).join('\n  ') };
}

/** @param files of the project; default: all */
function vitest(project: string, name = project, files: readonly string[] = []): Suite {
  const report = join(reports, `${name}.json`);
  return {
    name,
    command: [
      'vitest',
      'run',
      '--project',
      project,
      ...files,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    counts: vitestCounts,
  };
}

/** A suite that collects what its tests send to the database, for `statements`. */
function collecting(suite: Suite): Suite {
  return { ...suite, env: () => ({ STATEMENTS_DIR: join(reports, 'statements') }) };
}

function browser(name: string, ...options: readonly string[]): Suite {
  return {
    name,
    command: ['playwright', 'test', ...options],
    counts: playwrightCounts,
    env: (report) => ({ PLAYWRIGHT_JSON_OUTPUT_NAME: report, CHROMIUM_PATH: ensureBrowser() }),
  };
}

/** Suites that run in sequence. */
type Lane = readonly Suite[];

/**
 * Stages run in sequence, the lanes of a stage at once. Faults mostly wait, so they leave a core to
 * the other tests. Two suites that both use two cores would slow each other down more than they gain.
 */
const regular: readonly (readonly Lane[])[] = [
  [
    [
      // By path, because dependency-cruiser needs version 6, whose `tsc` has the same name.
      { name: 'types', command: ['node', 'node_modules/typescript-7/bin/tsc', '--pretty'] },
      { name: 'lint', command: ['biome', 'check', '.'] },
      { name: 'directions', command: ['depcruise', '--config', '.dependency-cruiser.cjs', 'src'] },
      { name: 'structure', command: ['node', 'scripts/structure.ts', '--check'] },
    ],
    [
      { name: 'pages', command: ['node', 'scripts/build.ts'] },
      { name: 'budget', command: ['node', 'scripts/budget.ts'] },
    ],
  ],
  [
    [vitest('unit'), vitest('integration'), vitest('statements')].map(collecting),
    [vitest('faults')],
  ],
  [[vitest('load')]],
  [[browser('browser', '--grep-invert', '@every-path|@themes|@evidence')]],
];

/** Longer forms of the suites above, run only by name. */
const onRequest: Lane = [
  browser('every-path', '--grep', '@every-path'),
  browser('themes', '--grep', '@themes'),
  {
    ...vitest('load', 'fuzz', ['tests/faults/fuzz.test.ts']),
    env: () => ({ FUZZ_REQUESTS: '20000' }),
  },
  {
    ...vitest('faults', 'faults-long', [
      'tests/faults/crash',
      'tests/faults/database-away.test.ts',
    ]),
    env: () => ({ FAULT_AWAY_MS: '60000', FAULT_KILLS: '20' }),
  },
  {
    ...vitest('failover'),
    maySkip: true,
    env: () => ({ FAILOVER_KILLS: process.env.FAILOVER_KILLS ?? '3' }),
  },
  {
    ...vitest('two-processes'),
    maySkip: true,
    env: () => ({ FAULT_KILLS: '20' }),
  },
  browser('evidence-life', '--grep', '@evidence'),
  {
    ...vitest('load', 'load-long', ['delivery-load', 'flood']),
    env: () => ({ LOAD_LEADS: '10000', FLOOD_BOTS: '1000' }),
  },
];

function countsOf(suite: Suite, report: string, isOk: boolean): Counts {
  const all = [failure(suite.name, 'all', 'it ended with an error, see above')];
  if (!suite.counts) return { passed: isOk ? 1 : 0, failures: isOk ? [] : all };
  if (!existsSync(report)) return { passed: 0, failures: all };
  const { passed, failures } = suite.counts(report);
  // A runner that fails without a failed test (a crash, an unhandled error) counts as failed.
  const isWhole = failures.length > 0 || (isOk && (passed > 0 || suite.maySkip === true));
  return { passed, failures: isWhole ? failures : all };
}

/**
 * Runs a suite and prints its result.
 * @param isAlone whether no other suite runs; else its output is printed at its end, in one piece
 */
async function run(suite: Suite, isAlone: boolean): Promise<Counts> {
  const startedAtMs = performance.now();
  const report = join(reports, `${suite.name}.json`);
  const [command, ...args] = suite.command;
  if (isAlone) console.log(`\n── ${suite.name} ──`);
  const child = spawn(command as string, args, {
    stdio: isAlone ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...suite.env?.(report) },
  });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => output.push(chunk));
  }
  const [status] = (await once(child, 'close')) as [number | null];
  const seconds = Math.round((performance.now() - startedAtMs) / 1000);
  const outcome = countsOf(suite, report, status === 0);
  if (!isAlone) process.stdout.write(`\n── ${suite.name} ──\n${Buffer.concat(output)}`);
  const failed = outcome.failures.length > 0 ? `, ${outcome.failures.length} FAILED` : '';
  console.log(`── ${suite.name}: ${outcome.passed} passed${failed} in ${seconds} s ──`);
  return outcome;
}

const wanted = process.argv.slice(2);
const named = [...regular.flat(2), ...onRequest].map(({ name }) => name);
const unknown = wanted.filter((name) => !named.includes(name));
if (unknown.length > 0) {
  console.error(`Unknown suite ${unknown.join(', ')}; there are ${named.join(', ')}.`);
  process.exit(2);
}

const isWanted = ({ name }: Suite) => wanted.includes(name);
const stages =
  wanted.length === 0
    ? regular
    : [...regular, ...onRequest.map((suite) => [[suite]])].map((lanes) =>
        lanes.map((lane) => lane.filter(isWanted)).filter((lane) => lane.length > 0),
      );

let passed = 0;
const failures: Failure[] = [];
for (const lanes of stages) {
  const runLane = async (lane: Lane) => {
    for (const suite of lane) {
      const outcome = await run(suite, lanes.length === 1);
      passed += outcome.passed;
      failures.push(...outcome.failures);
    }
  };
  await Promise.all(lanes.map(runLane));
}
rmSync(reports, { recursive: true, force: true });
// Repeats the failures at the end: the earlier ones have scrolled away.
for (const { file, test, reason } of failures) console.log(`FAILED ${file}: ${test}\n  ${reason}`);
console.log(`\n${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length > 0 ? 1 : 0;
