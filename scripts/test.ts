/** Runs the checks that the arguments name, then prints the failures. Default: the checks of CI. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ElementNode, parse } from 'ultrahtml';
import { querySelector, querySelectorAll } from 'ultrahtml/selector';
import { ensureBrowser } from './browser.ts';

type Check = {
  readonly name: string;
  readonly command: readonly string[];
  readonly env?: () => NodeJS.ProcessEnv;
};
type Failure = { readonly file: string; readonly test: string; readonly reason: string };

const dir = mkdtempSync(join(tmpdir(), 'test-reports-'));
const junit = join(dir, 'junit.xml');

function vitest(name: string, ...projects: readonly string[]): Check {
  const reporters = [
    '--reporter=minimal',
    '--silent=passed-only',
    '--reporter=junit',
    `--outputFile.junit=${junit}`,
  ];
  const options = projects.flatMap((project) => ['--project', project]);
  return { name, command: ['vitest', 'run', ...options, ...reporters] };
}

function playwright(...options: readonly string[]): Check {
  return {
    name: 'browser',
    command: ['playwright', 'test', '--reporter=line,junit', ...options],
    env: () => ({ PLAYWRIGHT_JUNIT_OUTPUT_FILE: junit, CHROMIUM_PATH: ensureBrowser() }),
  };
}

const common: readonly Check[] = [
  // Plain `tsc` is TypeScript 6, which dependency-cruiser needs.
  { name: 'types', command: ['node', 'node_modules/typescript-7/bin/tsc', '--pretty'] },
  { name: 'lint', command: ['biome', 'check', '.'] },
  { name: 'directions', command: ['depcruise', '--config', '.dependency-cruiser.cjs', 'src'] },
  { name: 'structure', command: ['node', 'scripts/structure.ts', '--check'] },
  { name: 'pages', command: ['node', 'scripts/build.ts'] },
  { name: 'budget', command: ['node', 'scripts/budget.ts'] },
];
const runs: Readonly<Record<string, readonly Check[]>> = {
  quick: [...common, vitest('tests', 'unit', 'integration'), playwright('--grep-invert', '@all')],
  all: [
    ...common,
    vitest('tests', 'unit', 'integration'),
    vitest('faults', 'faults', 'failover'),
    playwright(),
  ],
};

function readReport(): { passed: number; failures: Failure[] } {
  const report = parse(readFileSync(junit, 'utf8'));
  const tests = querySelectorAll(report, 'testcase') as ElementNode[];
  const failures = tests.flatMap((test) => {
    const failed = querySelector(test, 'failure, error') as ElementNode | undefined;
    const { classname = '', name = '' } = test.attributes;
    return failed ? [{ file: classname, test: name, reason: reasonOf(failed) }] : [];
  });
  const skipped = tests.filter((test) => querySelector(test, 'skipped'));
  return { passed: tests.length - failures.length - skipped.length, failures };
}

function reasonOf({ attributes, children }: ElementNode): string {
  const text = children.map((child) => ('value' in child ? child.value : '')).join('');
  const lines = `${attributes.message ?? ''}\n${text}`.split('\n').map((line) => line.trim());
  return lines.find((line) => /error|expect|exceeded/i.test(line)) ?? lines.find(Boolean) ?? '';
}

function run({ name, command, env }: Check): { passed: number; failures: Failure[] } {
  console.log(`\n── ${name} ──`);
  rmSync(junit, { force: true });
  const startedAtMs = performance.now();
  const [program = '', ...args] = command;
  const { status } = spawnSync(program, args, {
    stdio: 'inherit',
    env: { ...process.env, ...env?.() },
  });
  const seconds = Math.round((performance.now() - startedAtMs) / 1000);
  const isOk = status === 0;
  const counted = existsSync(junit) ? readReport() : { passed: isOk ? 1 : 0, failures: [] };
  if (!isOk && counted.failures.length === 0) {
    counted.failures.push({ file: name, test: command.join(' '), reason: `exit code ${status}` });
  }
  console.log(`── ${name}: ${counted.passed} passed in ${seconds} s ──`);
  return counted;
}

const words = process.argv.slice(2);
const checks = (words[0] === 'all' ? runs.all : runs.quick) ?? [];
const wanted = words.filter((word) => word !== 'all');
const results = checks.filter(({ name }) => wanted.length === 0 || wanted.includes(name)).map(run);
rmSync(dir, { recursive: true, force: true });
const failures = results.flatMap((result) => result.failures);
const passed = results.reduce((sum, result) => sum + result.passed, 0);
console.log(`\n${passed} passed, ${failures.length} failed`);
// Prints failures last, because CI shows the end of the output.
for (const { file, test, reason } of failures) console.log(`FAILED ${file}: ${test}\n  ${reason}`);
process.exitCode = failures.length > 0 || results.length === 0 ? 1 : 0;
