/** `npm run bench [-- first-answer | post-lead]`: measures and prints; it asserts nothing. */
import { buildPages } from '../scripts/build.ts';
import { benchFirstAnswer } from './first-answer.ts';
import { benchPostLead } from './post-lead.ts';

const benches = { 'first-answer': benchFirstAnswer, 'post-lead': benchPostLead } as const;
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(benches, name));
if (unknown.length > 0) {
  console.error(
    `Unknown bench ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}.`,
  );
  process.exit(2);
}
await buildPages();
for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length === 0 || wanted.includes(name)) await bench();
}
