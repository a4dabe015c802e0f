/**
 * `npm run bench [-- page-speed | post-lead | export | history]`: measures and prints. `--against <another
 * checkout>` compares `post-lead` with that checkout. `--data-dir <folder>` keeps the filled database of `export`.
 * `--leads 1000,100000` says how many leads `export` and `history` store. They and `page-speed` end with 1 if a
 * wanted value is missed.
 */
import { parseArgs } from 'node:util';
import { buildPages } from '../scripts/build.ts';
import { benchExport } from './export.ts';
import { benchHistory } from './history.ts';
import { benchPageSpeed } from './page-speed.ts';
import { benchPostLead } from './post-lead.ts';

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
  'post-lead': () => benchPostLead(values.against),
  export: () => benchExport(sizes?.[0], values['data-dir']),
  history: () => benchHistory(sizes),
} as const;
const unknown = wanted.filter((name) => !Object.hasOwn(benches, name));
if (unknown.length > 0) {
  console.error(
    `Unknown bench ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}.`,
  );
  process.exit(2);
}
const needsPages = wanted.length === 0 || wanted.includes('page-speed');
if (needsPages) buildPages();
for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length === 0 || wanted.includes(name)) await bench();
}
