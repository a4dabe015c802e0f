/**
 * `npm run structure`: prints the size and shape of the code: lines per folder, the files that are too
 * long, and folders that import each other in circles. `-- --check` prints only violations, and fails for one.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import ts from 'typescript';

/** The longest allowed file of source or tests, in lines. */
const LONGEST_FILE = 400;
/** Data files: their length says nothing about complexity. */
const DATA = [
  /^src\/survey\/texts\//,
  /^src\/domain\/(gibberish-words|limitation-years)\.ts$/,
  /^content\//,
];

type Kind = 'source' | 'tests' | 'docs';
type SourceFile = { readonly name: string; readonly lines: number; readonly kind: Kind };

function kindOf(name: string): Kind | undefined {
  if (/^docs\/.*\.md$|^README\.md$/.test(name)) return 'docs';
  if (!/^(src|sandbox|bench|scripts|tests)\/.*\.(ts|tsx|css|astro)$/.test(name)) return undefined;
  return /^tests\/|\.test\.tsx?$|\/test-support\//.test(name) ? 'tests' : 'source';
}

const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n');
const files: SourceFile[] = tracked.flatMap((name) => {
  const kind = kindOf(name);
  if (!kind || !existsSync(name)) return [];
  return [{ name, lines: readFileSync(name, 'utf8').split('\n').length - 1, kind }];
});

/** Returns the files that a source file of `src/` imports, including types. */
function importsOf({ name }: SourceFile): string[] {
  const text = readFileSync(name, 'utf8');
  return ts
    .preProcessFile(text, true, true)
    .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => path.posix.join(path.posix.dirname(name), fileName));
}

/** Returns the folders of `src/` that import each other in circles, with those between two circles. */
function foldersInCircles(): string[] {
  const left = new Map<string, Set<string>>();
  for (const file of files) {
    if (file.kind !== 'source' || !/^src\/.*\.tsx?$/.test(file.name)) continue;
    const folder = path.posix.dirname(file.name);
    const targets = left.get(folder) ?? new Set();
    left.set(folder, targets);
    for (const each of importsOf(file)) targets.add(path.posix.dirname(each));
    targets.delete(folder);
  }
  const isImported = (folder: string) => [...left.values()].some((targets) => targets.has(folder));
  const imports = (targets: ReadonlySet<string>) => [...targets].some((each) => left.has(each));
  for (let before = -1; before !== left.size; ) {
    before = left.size;
    for (const [folder, targets] of left) {
      if (!imports(targets) || !isImported(folder)) left.delete(folder);
    }
  }
  return [...left.keys()];
}

function print(title: string, lines: readonly string[]): void {
  console.log([`${title}${lines.length === 0 ? ' none' : ''}`, ...lines].join('\n  '));
}

/** Prints the lines of each folder by kind. */
function printFolders(): void {
  const folders = Map.groupBy(files, ({ name }) => {
    const [folder = ''] = /^(src\/server\/|src\/|docs\/)?[^/]*(?=\/)/.exec(name) ?? [name];
    return folder;
  });
  const kinds = ['source', 'tests', 'docs'] as const;
  const row = (folder: string, columns: readonly (string | number)[]) =>
    console.log(folder.padEnd(28) + columns.map((each) => `${each || ''}`.padStart(8)).join(''));
  row('folder', kinds);
  for (const [folder, each] of [...[...folders].sort(), ['total', files] as const]) {
    const ofKind = Map.groupBy(each, ({ kind }) => kind);
    row(
      folder,
      kinds.map((kind) => (ofKind.get(kind) ?? []).reduce((sum, { lines }) => sum + lines, 0)),
    );
  }
}

const isCheck = process.argv.includes('--check');
if (!isCheck) {
  printFolders();
  const docs = files.filter(({ kind }) => kind === 'docs');
  const words = docs.flatMap(({ name }) => readFileSync(name, 'utf8').split(/\s+/));
  console.log(`words of docs: ${words.length}`);
}
const tooLong = files
  .filter(({ kind, lines }) => kind !== 'docs' && lines > LONGEST_FILE)
  .filter(({ name }) => !DATA.some((each) => each.test(name)))
  .map(({ name, lines }) => `${lines}  ${name}`);
const circles = foldersInCircles();
print(`files over ${LONGEST_FILE} lines:`, tooLong);
print('folders in circles:', circles);
if (isCheck && circles.length + tooLong.length > 0) process.exitCode = 1;
