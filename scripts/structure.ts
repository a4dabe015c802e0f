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

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Returns each folder of `src/` with the folders that it imports from. */
function folderGraph(): Graph {
  const graph = new Map<string, Set<string>>();
  for (const file of files) {
    if (file.kind !== 'source' || !/^src\/.*\.tsx?$/.test(file.name)) continue;
    const folder = path.posix.dirname(file.name);
    const targets = graph.get(folder) ?? new Set();
    for (const each of importsOf(file)) {
      const target = path.posix.dirname(each);
      if (target !== folder && target.startsWith('src/')) targets.add(target);
    }
    graph.set(folder, targets);
  }
  return graph;
}

/** Returns the folders that import each other in circles, with those between two circles. */
function circlesOf(graph: Graph): string[] {
  const left = new Map(graph);
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
  console.log(`${title}${lines.length === 0 ? ' none' : ''}`);
  for (const line of lines) console.log(`  ${line}`);
}

const tooLong = files
  .filter(({ name, lines, kind }) => {
    return kind !== 'docs' && lines > LONGEST_FILE && !DATA.some((each) => each.test(name));
  })
  .sort((a, b) => b.lines - a.lines);
const circles = circlesOf(folderGraph());

if (!process.argv.includes('--check')) {
  const folders = Map.groupBy(files, ({ name }) => {
    const [top = '', second, third] = name.split('/');
    if (top === 'src' && second === 'server' && name.split('/').length > 3)
      return `${top}/${second}/${third}`;
    return top === 'src' || top === 'docs' ? `${top}/${second?.includes('.') ? '' : second}` : top;
  });
  const sum = (each: readonly SourceFile[], kind: Kind) =>
    each.filter((file) => file.kind === kind).reduce((total, { lines }) => total + lines, 0);
  console.log(
    `${'folder'.padEnd(28)}${'source'.padStart(8)}${'tests'.padStart(8)}${'docs'.padStart(8)}`,
  );
  for (const [folder, each] of [...folders]
    .sort(([a], [b]) => a.localeCompare(b))
    .concat([['total', files]])) {
    const columns = (['source', 'tests', 'docs'] as const).map((kind) =>
      `${sum(each, kind) || ''}`.padStart(8),
    );
    console.log(folder.padEnd(28) + columns.join(''));
  }
  const words = files
    .filter(({ kind }) => kind === 'docs')
    .reduce((total, { name }) => total + readFileSync(name, 'utf8').split(/\s+/).length, 0);
  console.log(`words of docs: ${words}`);
}
print(
  `files over ${LONGEST_FILE} lines:`,
  tooLong.map(({ name, lines }) => `${lines}  ${name}`),
);
print('folders in circles:', circles);
if (process.argv.includes('--check') && circles.length + tooLong.length > 0) process.exitCode = 1;
