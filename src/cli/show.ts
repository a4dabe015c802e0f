import type { Command } from 'commander';
import { escapeControls } from '../server/operators/escape-controls.ts';
import { evidenceText, readProven } from '../server/operators/evidence/proven.ts';
import { findLead } from '../server/operators/find-lead.ts';
import { offlineDestinations, proveSent } from '../server/operators/proof.ts';
import { readStory } from '../server/operators/story.ts';
import { connected, destinationSettings, evidenceKeySettings } from './connect.ts';
import { storyText } from './story-text.ts';
import { outputWidth, wrap } from './terminal.ts';

/** Adds `leads show`: tells everything about one lead. */
export function addShow(program: Command): void {
  program
    .command('show')
    .description(
      'Shows everything about one lead: click, steps, consent, rules, deliveries, proof.',
    )
    .argument('<id>', 'lead id, or its beginning')
    .option('--json', 'print one JSON object')
    .action((id: string, { json }: { json?: true }) =>
      connected(
        async ({ db, pool, timeZone, audit }) => {
          const story = await readStory(db, await findLead(pool, id));
          const proofs = await proveSent(story, offlineDestinations(destinationSettings()), pool);
          const keys = evidenceKeySettings();
          const proven = await readProven(pool, story, keys);
          const logged = proven.entries.map(({ path, index }) => ({ path, index }));
          const evidence = { logged, problem: proven.problem ?? null };
          const { evidence_salt: _, ...lead } = story.lead;
          await audit({ action: 'lead.opened', subject: story.lead.id });
          console.log(
            json
              ? escapeControls(JSON.stringify({ ...story, lead, proofs, evidence }, null, 2))
              : `${storyText(story, proofs, timeZone)}\n\n${wrap(evidenceText(proven, keys), outputWidth()).join('\n')}`,
          );
        },
        { isReading: true },
      ),
    );
}
