import { exampleLead } from './example-lead.ts';
import { postLead, startLeadServer } from './lead-server.ts';
import { type LoadResult, load, reportLine } from './load.ts';
import { createPoster, type Poster } from './poster.ts';

const VISITORS = 50;
const ATTACKS = 5_000;
const ATTACKERS = 16;
/** Each post of the attacker is 50 kB. */
const FILLER = 'x'.repeat(50_000);

/**
 * What visitors feel while somebody posts one lead id over and over: the times of 50 visitors who post as
 * fast as they are answered, without the attack and with it, in turns.
 */
export async function benchFlood(rounds = 3): Promise<void> {
  const server = await startLeadServer();
  const visitors = await createPoster(server.url, VISITORS);
  const attackers = await createPoster(server.url, ATTACKERS);
  const times: Record<'calm' | 'attacked', LoadResult[]> = { calm: [], attacked: [] };
  try {
    console.log(`${VISITORS} visitors, and ${ATTACKS} posts of 50 kB to one id:`);
    for (let round = 0; round < rounds; round += 1) {
      const calm = await load(VISITORS, 4_000, () => postLead(visitors, exampleLead()));
      times.calm.push(calm);
      console.log(reportLine('visitors alone', calm));
      const attack = floodOneId(attackers);
      const attacked = await load(VISITORS, 4_000, () => postLead(visitors, exampleLead()));
      times.attacked.push(attacked);
      console.log(reportLine('visitors while it goes on', attacked));
      console.log(`  the attacker was answered ${JSON.stringify(await attack)}`);
    }
    const p99 = (results: readonly LoadResult[]) =>
      [...results.map((each) => each.p99Ms)].sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
    const ratio = p99(times.attacked) / p99(times.calm);
    console.log(
      `  p99 ${ratio.toFixed(2)} times as long (wanted: at most 2), medians of ${rounds}`,
    );
  } finally {
    visitors.close();
    attackers.close();
    await server.stop();
  }
}

/** @returns how often each status was answered. */
async function floodOneId(attackers: Poster): Promise<Record<number, number>> {
  const lead = exampleLead();
  await postLead(attackers, lead);
  const statuses: Record<number, number> = {};
  let sent = 0;
  const attack = async () => {
    while (sent < ATTACKS) {
      sent += 1;
      const body = { ...lead, sub_id4: String(sent), filler: FILLER };
      const status = await attackers.post(body, { 'x-forwarded-for': '203.0.113.66' });
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: ATTACKERS }, attack));
  return statuses;
}
