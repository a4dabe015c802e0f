/** `node verify.mjs pack.zip`: verifies an evidence pack. Needs only Node 20 or later. */
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import process from 'node:process';
import { arrayBuffer } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { reportLines } from '../../content/evidence/report-text.ts';
import { utf8 } from '../model/evidence/encoding.ts';
import type { Report } from '../model/evidence/formats.ts';
import { readTrustedKeys } from '../model/evidence/keys.ts';
import { readConsistency } from '../model/evidence/verify-log.ts';
import { verifyPack } from '../model/evidence/verify-pack.ts';
import { LARGEST_FILE } from '../model/evidence/zip.ts';

const usage = `Usage: node verify.mjs pack.zip [options]

  --keys FILE         the issuer's keys.json, from a place that you trust
  --head FILE         a state of the log (head.jws) that you kept; may be repeated
  --consistency FILE  the proof between that state and the pack's; may be repeated
  --language es       says the result in Spanish

Exit code: 0 proven; 1 a check failed; 2 not proven, because something was not checked or could not be read.`;

/** The exit code for each verdict. */
const codes: Readonly<Record<Report['verdict'], number>> = { proven: 0, failed: 1, unconfirmed: 2 };

async function verify(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      keys: { type: 'string' },
      head: { type: 'string', multiple: true, default: [] },
      consistency: { type: 'string', multiple: true, default: [] },
      language: { type: 'string', default: 'en' },
    },
  });
  const [path, ...more] = positionals;
  if (path === undefined || more.length > 0) throw new Error(usage);
  const texts = (paths: readonly string[]) =>
    Promise.all(paths.map((each) => readFile(each, 'utf8')));
  // Reads at most one byte more than the limit, which shows that a file is too large.
  const pack = await arrayBuffer(createReadStream(path, { end: LARGEST_FILE }));
  const [keys] = await texts(values.keys === undefined ? [] : [values.keys]);
  const report = await verifyPack(new Uint8Array(pack), {
    now: new Date(),
    trusted:
      keys === undefined
        ? undefined
        : { keys: readTrustedKeys(keys), from: basename(values.keys ?? '') },
    heads: (await texts(values.head)).map((text) => utf8(text.trim())),
    consistency: (await texts(values.consistency)).map(readConsistency),
  });
  console.log(reportLines(report, values.language === 'es' ? 'es' : 'en').join('\n'));
  return codes[report.verdict];
}

/** Runs the command and returns the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  try {
    return await verify([...args]);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return 2;
  }
}

if (import.meta.main) process.exitCode = await run(process.argv.slice(2));
