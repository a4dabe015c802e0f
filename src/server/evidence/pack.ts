/** Makes the evidence pack of a lead (docs/evidence.md). */
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { certification } from '../../../content/evidence/certification.ts';
import { readme } from '../../../content/evidence/readme.ts';
import { type Bytes, utf8 } from '../../model/evidence/encoding.ts';
import { verifyPack } from '../../model/evidence/verify-pack.ts';
import { writeZip } from '../../model/evidence/zip.ts';
import type { WorkerOptions } from '../delivery/index.ts';
import { findLead, readHistory } from '../leads/index.ts';
import { OperatorError, refused } from '../platform/operator-error.ts';
import { wellFormedJson } from './entries.ts';
import { factsOf, type IndexedEntry, type PackSettings, readProven } from './facts.ts';
import { type KeySettings, NotReadyError, openSigningKey, readKeys } from './keys.ts';
import { appendPending, localIssuer, readHeads, rootProblem, signHead, sizeOfLog } from './log.ts';
import { recordFiles } from './pack-files.ts';
import { DamagedLogError, Tree } from './tree.ts';

/** The folder where `scripts/build.ts` puts the verifier. */
const VERIFIER_DIR = path.join(import.meta.dirname, '../../../dist/evidence');
/** A new tree head is stored with a pack only if the newest stored tree head is older than this. */
const YOUNG_MINUTES = 5;

type PackContext = {
  readonly pool: pg.Pool;
  readonly settings: KeySettings & PackSettings;
};

export type Pack = {
  readonly name: string;
  readonly bytes: Bytes;
  /** Sentences that warn of problems, such as contradictory records. */
  readonly problems: readonly string[];
};

/** Makes and verifies an evidence pack. @throws OperatorError */
export async function makePack(
  context: PackContext,
  leadId: string,
  recipient?: string,
): Promise<Pack> {
  const notReady = (why: string) =>
    new NotReadyError(`There is no pack of lead ${leadId} now: ${why}.`);
  try {
    const { keys, now, ...pack } = await packOf(context, leadId, recipient);
    const trusted = { keys, from: 'the database' };
    const { checks } = await verifyPack(pack.bytes, { trusted, now });
    const failed = checks.filter(({ outcome }) => outcome === 'failed');
    const why = failed.flatMap(({ details }) => details).join('; ');
    // If only the lead's own records contradict each other, the pack is made with a warning.
    const isLasting = failed.every(({ id }) => id === 'record' || id === 'times');
    if (!isLasting) throw notReady(why);
    const warning = why === '' ? [] : [`A check of this pack fails: ${why}.`];
    return { ...pack, problems: [...pack.problems, ...warning] };
  } catch (error) {
    if (!(error instanceof DamagedLogError)) throw error;
    throw notReady(`the log is damaged: ${error.message}`);
  }
}

async function packOf({ pool, settings }: PackContext, leadId: string, recipient?: string) {
  const lead = await findLead(pool, leadId);
  await appendPending(pool, lead.id);
  const history = await readHistory(pool, lead.id);
  const { entries, problem } = await readProven(pool, history);
  if (problem !== undefined) throw refused(`There is no pack of lead ${lead.id}: ${problem}.`);
  const [newest] = await readHeads(pool, 1);
  // Reads the size of the log after the tree head. A size that was read before could be too small.
  const differs = newest && (await rootProblem(newest, await sizeOfLog(pool), new Tree(pool)));
  if (differs) throw new DamagedLogError(`its newest head ${differs}`);
  const facts = await factsOf(pool, history, entries, { settings, recipient });
  const key = await openSigningKey(pool, settings);
  const keys = await readKeys(pool);
  const own = entries.filter(({ path: file }) => facts.logged.includes(file));
  const head = await signHead(pool, key, facts.issuer, { youngMinutes: YOUNG_MINUTES });
  if (!head) throw refused('The log is empty.');
  const { origin, treeSize, rootHash, at: madeAt } = head;
  const made = { ...facts, madeAt, kid: key.kid, treeSize };
  const { revision, textSha256 } = facts.consent;
  const certified = { leadId: lead.id, revision, textSha256 };
  const files = new Map<string, Bytes>([
    ...own.map(({ path: file, bytes }) => [file, Uint8Array.from(bytes)] as const),
    ['log/head.jws', utf8(head.jws)],
    ['log/proofs.json', json(await proofsOf(pool, own, treeSize))],
    ['keys.json', json(keys)],
    ...Object.entries(await recordFiles(history, made, pool, settings)).map(
      ([file, content]) => [file, json(content)] as const,
    ),
    ['certification.txt', utf8(certification({ ...made, ...certified }))],
    ['readme.txt', utf8(readme(made))],
    ...(await verifierFiles()),
  ]);
  const manifest = json({
    format: 'evidence-pack/1',
    leadId: lead.id,
    revision: facts.revision,
    madeAt,
    issuer: facts.issuer,
    recipient: recipient ?? null,
    log: { origin, treeSize, rootHash },
    leadReceivedAt: history.revisions[0]?.received_at,
    revisionReceivedAt: facts.row.received_at,
    files: [...files]
      .map(([file, bytes]) => ({
        path: file,
        bytes: bytes.length,
        sha256: hash('sha256', bytes, 'hex'),
      }))
      .sort((a, b) => (a.path < b.path ? -1 : 1)),
  });
  files.set('manifest.json', manifest);
  files.set('signature.jws', utf8(await key.sign('evidence-manifest', manifest)));
  return {
    keys,
    now: new Date(madeAt),
    problems: localIssuer(settings),
    name: `evidence-${lead.id}${recipient ? `-${recipient}` : ''}.zip`,
    bytes: writeZip(files),
  };
}

/** Returns a function that makes packs for event listeners. */
export function packsForListeners(context: PackContext): NonNullable<WorkerOptions['evidence']> {
  return (leadId, recipient) =>
    makePack(context, leadId, recipient).catch((error: unknown) => {
      if (error instanceof OperatorError && !(error instanceof NotReadyError)) return undefined;
      throw error;
    });
}

const json = (value: unknown): Bytes => utf8(wellFormedJson(value));

async function proofsOf(pool: pg.Pool, own: readonly IndexedEntry[], size: number) {
  const tree = new Tree(pool);
  const entries = [];
  for (const { index, path: file, salt } of own.toSorted((a, b) => a.index - b.index)) {
    const audit = await tree.auditPath(index, size);
    entries.push({ index, file, salt: salt.toString('base64url'), path: audit });
  }
  return { entries };
}

async function verifierFiles(): Promise<(readonly [string, Bytes])[]> {
  const read = async (file: string) =>
    [file, Uint8Array.from(await readFile(path.join(VERIFIER_DIR, file)))] as const;
  return Promise.all(['verify.html', 'verify.mjs'].map(read)).catch(() => []);
}
