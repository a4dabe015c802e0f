/**
 * `npm run bench [-- page-speed | first-answer | post-lead | third-parties | memory | metrics | pages | lighthouse | experiments | console | export | history | partitions]`:
 * measures and prints. `--against <another checkout>` compares with that checkout, in the
 * benches that can. `--data-dir <folder>` keeps the filled database of `console` and `export` for the next
 * time. `--leads 1000,100000` says how many leads `export` and `history` store; they and `page-speed` end with 1 if a wanted value is missed.
 */
import { parseArgs } from 'node:util';
import { buildPages } from '../scripts/build.ts';
import { benchConsole } from './console.ts';
import { benchExperiments } from './experiments.ts';
import { benchExport } from './export.ts';
import { benchFirstAnswer } from './first-answer.ts';
import { benchHistory } from './history.ts';
import { benchLighthouse } from './lighthouse.ts';
import { benchMemory } from './memory.ts';
import { benchMetrics } from './metrics.ts';
import { benchPageSpeed } from './page-speed.ts';
import { benchPages } from './pages.ts';
import { benchPartitions } from './partitions.ts';
import { benchPostLead } from './post-lead.ts';
import { benchThirdParties } from './third-parties.ts';

const { values, positionals: wanted } = parseArgs({
  options: {
    against: { type: 'string' },
    'data-dir': { type: 'string' },
    leads: { type: 'string' },
  },
  allowPositionals: true,
});
const sizes = values.leads?.split(',').map(Number);
const benches = {
  'page-speed': () => benchPageSpeed(),
  'first-answer': () => benchFirstAnswer(),
  'post-lead': () => benchPostLead(undefined, undefined, values.against),
  'third-parties': () => benchThirdParties(),
  memory: () => benchMemory(),
  metrics: () => benchMetrics(),
  pages: () => benchPages(),
  lighthouse: () => benchLighthouse(),
  experiments: () => benchExperiments(),
  console: () => benchConsole(values['data-dir']),
  export: () => benchExport(sizes?.[0], values['data-dir']),
  history: () => benchHistory(sizes),
  partitions: () => benchPartitions(),
} as const;
const unknown = wanted.filter((name) => !Object.hasOwn(benches, name));
if (unknown.length > 0) {
  console.error(
    `Unknown bench ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}.`,
  );
  process.exit(2);
}
const needNoPages = ['experiments', 'export', 'history', 'partitions'];
if (wanted.length === 0 || !wanted.every((name) => needNoPages.includes(name))) buildPages();
for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length === 0 || wanted.includes(name)) await bench();
}
