import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mermaid } from '../src/flows/engine/diagram.ts';
import { flowLoaders, surveys } from '../src/flows/surveys.ts';
import { surveysTable } from './surveys-table.ts';

const docs = join(import.meta.dirname, '..', 'docs');
const folder = join(docs, 'flows');
const tableFile = join(docs, 'surveys.md');

/** Returns the drawing of every flow by file name, which `docs/flows/` must contain. */
export async function flowDrawings(): Promise<Map<string, string>> {
  const drawings = new Map<string, string>();
  for (const [id, load] of Object.entries(flowLoaders)) {
    const flow = await load();
    drawings.set(
      `${id}.md`,
      [
        `# Flow ${id}`,
        '',
        'Drawn by `npm run flows`.',
        '',
        '```mermaid',
        mermaid(flow).trimEnd(),
        '```',
        '',
      ].join('\n'),
    );
  }
  return drawings;
}

/** Returns the files of `docs/flows/` (as `flows/…`) that are missing, stale or without a flow. */
export async function staleDrawings(): Promise<string[]> {
  const drawings = await flowDrawings();
  const present = new Set(readdirSync(folder));
  const changed = [...drawings].filter(
    ([name, text]) => !present.has(name) || readFileSync(join(folder, name), 'utf8') !== text,
  );
  const orphans = [...present].filter((name) => !drawings.has(name));
  return [...changed.map(([name]) => name), ...orphans].map((name) => `flows/${name}`);
}

/** Returns whether `docs/surveys.md` differs from the table of surveys. */
export function isTableStale(): boolean {
  return !existsSync(tableFile) || readFileSync(tableFile, 'utf8') !== surveysTable(surveys);
}

if (import.meta.main) {
  if (process.argv.includes('--check')) {
    const stale = [...(await staleDrawings()), ...(isTableStale() ? ['surveys.md'] : [])];
    if (stale.length > 0) {
      console.error(`docs is stale (${stale.join(', ')}): run npm run flows`);
      process.exitCode = 1;
    }
  } else {
    mkdirSync(folder, { recursive: true });
    const drawings = await flowDrawings();
    for (const name of readdirSync(folder)) {
      if (!drawings.has(name)) rmSync(join(folder, name));
    }
    for (const [name, text] of drawings) writeFileSync(join(folder, name), text);
    writeFileSync(tableFile, surveysTable(surveys));
    console.log(`${drawings.size} flow(s) drawn in docs/flows/, ${surveys.length} surveys listed`);
  }
}
