import type { Command } from 'commander';
import { endKey, makePack, openSigningKey, readKeys, rotateKey } from '../server/evidence/index.ts';
import { findLead } from '../server/leads/index.ts';
import { usage } from '../server/platform/operator-error.ts';
import { connected } from './connect.ts';
import { writeText } from './terminal.ts';

/** Adds `leads evidence`: writes a lead's evidence pack. */
export function addEvidence(program: Command): void {
  program
    .command('evidence')
    .description('Writes the evidence pack of a lead (docs/evidence.md). It holds personal data.')
    .argument('<id>', 'lead id, or its beginning')
    .option('--for <destination>', 'the pack for this recipient, at which the lead arrived')
    .option('--out <file>', 'the file to write; default: evidence-<id>.zip here')
    .action((id: string, options: { for?: string; out?: string }) =>
      connected(async ({ pool, settings, audit }) => {
        const context = { pool, settings };
        const { name, bytes, problems } = await makePack(context, id, options.for);
        const { id: subject } = await findLead(pool, id);
        const detail = { recipient: options.for ?? null };
        await audit({ action: 'lead.evidence_made', subject, detail });
        const file = options.out ?? name;
        await writeText([bytes], file);
        for (const problem of problems) console.error(problem);
        console.log(`Wrote ${file} (${Math.ceil(bytes.length / 1024)} KiB).`);
      }),
    );
}

/** Adds `leads evidence-keys`: lists, rotates and ends the keys that sign evidence. */
export function addEvidenceKeys(program: Command): void {
  program
    .command('evidence-keys')
    .description('Lists the keys that sign evidence (docs/evidence.md).')
    .option('--rotate', 'replace the key in DATA_DIR; the old one stays valid for a day')
    .option('--end <key>', 'end the validity of a key in a day')
    .option('--now', 'with --rotate or --end: the key is stolen, so it ends at once')
    .action((options: { rotate?: true; end?: string; now?: true }) =>
      connected(async ({ pool, settings }) => {
        const isNow = options.now === true;
        if (isNow && !options.rotate && options.end === undefined) {
          throw usage('--now goes with --rotate or --end.');
        }
        if (options.rotate) await rotateKey(pool, settings, { isNow });
        if (options.end !== undefined) await endKey(pool, options.end, { isNow });
        const ownKid = (await openSigningKey(pool, settings)).kid;
        for (const { kid, validFrom, validUntil } of (await readKeys(pool)).keys) {
          const hasEnded = validUntil !== null && Date.parse(validUntil) <= Date.now();
          const own = hasEnded ? '  signs nothing here any more: replace it' : '  signs here';
          const mark = kid === ownKid ? own : '';
          console.log(`${kid}  from ${validFrom}  until ${validUntil ?? 'replaced'}${mark}`);
        }
      }),
    );
}
