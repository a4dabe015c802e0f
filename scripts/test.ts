import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBrowser } from './browser.ts';

/**
 * Everything that `npm test` runs, in order; a name given on the command line runs only that.
 * A check without cases of its own counts as one test.
 */
type Suite = {
  readonly name: string;
  readonly command: readonly string[];
  /** Where the runner leaves its counts, and how they are read. */
  readonly counts?: (reportFile: string) => { passed: number; failed: number };
  readonly env?: (reportFile: string) => NodeJS.ProcessEnv;
};

const reports = mkdtempSync(join(tmpdir(), 'test-reports-'));

function vitestCounts(file: string): { passed: number; failed: number } {
  const report = JSON.parse(readFileSync(file, 'utf8')) as {
    numPassedTests: number;
    numFailedTests: number;
    numFailedTestSuites: number;
  };
  const failed = report.numFailedTests || report.numFailedTestSuites;
  return { passed: report.numPassedTests, failed };
}

function playwrightCounts(file: string): { passed: number; failed: number } {
  const { stats } = JSON.parse(readFileSync(file, 'utf8')) as {
    stats: { expected: number; unexpected: number; flaky: number };
  };
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky };
}

function vitest(project: string): Suite {
  const report = join(reports, `${project}.json`);
  return {
    name: project,
    command: [
      'vitest',
      'run',
      '--project',
      project,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    counts: vitestCounts,
  };
}

const suites: readonly Suite[] = [
  { name: 'types', command: ['tsc'] },
  { name: 'lint', command: ['biome', 'check', '.'] },
  { name: 'directions', command: ['depcruise', '--config', '.dependency-cruiser.cjs', 'src'] },
  { name: 'drawings', command: ['node', 'scripts/flows.ts', '--check'] },
  vitest('unit'),
  { name: 'pages', command: ['node', 'scripts/build.ts'] },
  { name: 'budget', command: ['node', 'scripts/budget.ts'] },
  vitest('integration'),
  vitest('faults'),
  {
    name: 'browser',
    command: ['playwright', 'test'],
    counts: playwrightCounts,
    env: (report) => ({ PLAYWRIGHT_JSON_OUTPUT_NAME: report, CHROMIUM_PATH: ensureBrowser() }),
  },
];

function run(suite: Suite): { passed: number; failed: number } {
  console.log(`\n── ${suite.name} ──`);
  const report = join(reports, `${suite.name}.json`);
  const [command, ...args] = suite.command;
  const result = spawnSync(command as string, args, {
    stdio: 'inherit',
    env: { ...process.env, ...suite.env?.(report) },
  });
  const isOk = result.status === 0;
  if (!suite.counts) return { passed: isOk ? 1 : 0, failed: isOk ? 0 : 1 };
  if (!existsSync(report)) return { passed: 0, failed: 1 };
  const counts = suite.counts(report);
  // A runner that failed without a failed test (a crash, an unhandled error) has failed all the same.
  return { passed: counts.passed, failed: counts.failed || (isOk && counts.passed > 0 ? 0 : 1) };
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !suites.some((suite) => suite.name === name));
if (unknown.length > 0) {
  console.error(
    `Unknown suite ${unknown.join(', ')}; there are ${suites.map((s) => s.name).join(', ')}.`,
  );
  process.exit(2);
}

mkdirSync(reports, { recursive: true });
let passed = 0;
let failed = 0;
for (const suite of suites) {
  if (wanted.length > 0 && !wanted.includes(suite.name)) continue;
  const startedAtMs = performance.now();
  const counts = run(suite);
  passed += counts.passed;
  failed += counts.failed;
  const seconds = Math.round((performance.now() - startedAtMs) / 1000);
  const failures = counts.failed > 0 ? `, ${counts.failed} FAILED` : '';
  console.log(`── ${suite.name}: ${counts.passed} passed${failures} in ${seconds} s ──`);
}
rmSync(reports, { recursive: true, force: true });
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
