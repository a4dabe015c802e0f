import type { Command } from 'commander';
import { pauseDestination, resumeDestination } from '../server/operators/destinations/pause.ts';
import { connected } from './connect.ts';
import { operatorName } from './operator.ts';

/** Adds `leads pause` and `leads resume`: hold back and send the deliveries to one destination. */
export function addPause(program: Command): void {
  program
    .command('pause')
    .description('Pauses a destination: its leads wait until it is resumed.')
    .argument('<destination>', 'its name, such as ingest')
    .requiredOption('--reason <text>', 'why, for other operators')
    .action((destination: string, { reason }: { reason: string }) =>
      connected(async ({ pool, audit }) => {
        await pauseDestination(pool, destination, { operator: operatorName(), reason });
        await audit({ action: 'destination.paused', subject: destination, reason });
        console.log(`Deliveries to ${destination} are paused. "resume ${destination}" sends them.`);
      }),
    );
  program
    .command('resume')
    .description('Resumes a paused destination: its waiting leads are sent.')
    .argument('<destination>', 'its name, such as ingest')
    .action((destination: string) =>
      connected(async ({ pool, audit }) => {
        const lost = await resumeDestination(pool, destination);
        await audit({ action: 'destination.resumed', subject: destination });
        console.log(`Deliveries to ${destination} have resumed.`);
        if (lost !== '') console.log(lost);
      }),
    );
}
