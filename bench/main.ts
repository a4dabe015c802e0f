/**
 * `npm run bench [-- page-speed | post-lead | export | history]`: exits with 1 if a target is
 * missed.
 */
import { parseArgs } from 'node:util';
import { buildPages } from '../scripts/build.ts';
import { benchExport } from './export.ts';
import { benchHistory } from './history.ts';
import { benchPageSpeed } from './page-speed.ts';
import { benchPostLead } from './post-lead.ts';

const { values, positionals: wanted } = parseArgs({
  options: { leads: { type: 'string' } },
  allowPositionals: true,
});
const sizes = values.leads?.split(',').map(Number);
const benches = {
  'page-speed': () => {
    buildPages();
    return benchPageSpeed();
  },
  'post-lead': benchPostLead,
  export: () => benchExport(sizes?.[0]),
  history: () => benchHistory(sizes),
} as const;
const unknown = wanted.filter((name) => !Object.hasOwn(benches, name));
if (unknown.length > 0) {
  console.error(
    `Unknown bench ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}.`,
  );
  process.exit(2);
}
for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length === 0 || wanted.includes(name)) await bench();
}
