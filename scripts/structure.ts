/**
 * `npm run structure`: prints the size of each part of the code. With `--check`, it fails for
 * overlong files.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const LONGEST_FILE = 400;
/** Data files, which may be longer than other files. */
const DATA = [/^src\/web\/survey\/texts\//, /^content\//];

/** The maximum number of source lines in each part of the code (docs/architecture.md#rooms). */
const ROOMS: readonly (readonly [room: string, most: number, folders: RegExp])[] = [
  ['model', 9_500, /^src\/model\/(?!evidence)/],
  ['web/survey', 6_500, /^src\/web\/survey\//],
  ['web/site', 5_500, /^src\/web\/(site|styles)\//],
  ['web/console', 9_000, /^src\/web\/console\//],
  ['server/http', 3_600, /^src\/server\/http\//],
  ['server/leads', 3_500, /^src\/server\/leads\//],
  ['server/delivery', 3_000, /^src\/server\/delivery\//],
  ['server/money', 1_500, /^src\/server\/money\//],
  ['server/checks', 2_200, /^src\/server\/checks\//],
  ['server/privacy', 1_700, /^src\/server\/privacy\//],
  ['server/insight', 4_000, /^src\/server\/insight\//],
  ['evidence', 2_600, /^src\/(server|model)\/evidence\//],
  ['server/people', 900, /^src\/server\/people\//],
  ['server/platform', 4_500, /^src\/server\/(platform|settings|wiring|main)/],
  ['cli', 1_300, /^src\/cli\//],
  ['sandbox', 2_300, /^sandbox\//],
  ['scripts, bench', 2_700, /^(scripts|bench)\//],
];

type Kind = 'source' | 'tests' | 'docs';
type CountedFile = { readonly name: string; readonly lines: number; readonly kind: Kind };

function kindOf(name: string): Kind | undefined {
  if (/^docs\/.*\.md$|^README\.md$/.test(name)) return 'docs';
  if (!/^(src|sandbox|bench|scripts|tests)\/.*\.(ts|tsx|css|astro)$/.test(name)) return undefined;
  return /^tests\/|\.test\.tsx?$|\/test-support\//.test(name) ? 'tests' : 'source';
}

const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n');
const files: CountedFile[] = tracked.flatMap((name) => {
  const kind = kindOf(name);
  if (!kind || !existsSync(name)) return [];
  return [{ name, lines: readFileSync(name, 'utf8').split('\n').length - 1, kind }];
});

function printRooms(): void {
  const count = (of: readonly CountedFile[], kind: Kind) =>
    of.reduce((sum, each) => sum + (each.kind === kind ? each.lines : 0), 0);
  const row = (room: string, ...columns: readonly (string | number)[]) =>
    console.log(room.padEnd(20) + columns.map((each) => `${each || ''}`.padStart(10)).join(''));
  row('room', 'source', 'at most', 'tests');
  for (const [room, most, folders] of ROOMS) {
    const inside = files.filter(({ name }) => folders.test(name));
    const source = count(inside, 'source');
    row(room, source, most, count(inside, 'tests'), source > most ? 'over' : '');
  }
  const inTests = files.filter(({ name }) => name.startsWith('tests/'));
  row('tests/', '', '', count(inTests, 'tests'));
  row('all', count(files, 'source'), 60_000, count(files, 'tests'));
}

const isCheck = process.argv.includes('--check');
if (!isCheck) {
  printRooms();
  const docs = files.filter(({ kind }) => kind === 'docs');
  const words = docs.flatMap(({ name }) => readFileSync(name, 'utf8').split(/\s+/));
  console.log(`words of docs: ${words.length}`);
}
const tooLong = files
  .filter(({ kind, lines }) => kind !== 'docs' && lines > LONGEST_FILE)
  .filter(({ name }) => !DATA.some((each) => each.test(name)))
  .map(({ name, lines }) => `${lines}  ${name}`);
console.log([`files over ${LONGEST_FILE} lines: ${tooLong.length}`, ...tooLong].join('\n  '));
if (isCheck && tooLong.length > 0) process.exitCode = 1;
