/** Verifies an evidence pack without its issuer (docs/evidence.md). */
import { type Bytes, equal, Refusal, sha256, toHex } from './bytes.ts';
import { canonicalJson, parseCanonical } from './canonical-json.ts';
import { isVouchedFor } from './certificates.ts';
import * as forms from './formats.ts';
import type { Jws } from './jws.ts';
import { isValidAt, keysById, readKeys, verifyJws } from './keys.ts';
import {
  type Check,
  type CheckId,
  checkIds,
  type Facts,
  type Found,
  type Kept,
  type Report,
} from './report.ts';
import { readTimestamp, type Timestamp } from './timestamp.ts';
import { checkHistory, checkInclusion } from './verify-log.ts';
import { checkRecord, checkTimes, readLogged } from './verify-record.ts';
import { type Files, readOtherZip, readZip } from './zip.ts';

/** How far the clocks of two servers may differ, in ms. */
const TOLERANCE_MS = 5 * 60 * 1000;

/** Checks that a pack without a time stamp does not have. */
const OF_A_STAMP: readonly CheckId[] = ['timestamp', 'stamper'];

/** Verifies a pack. It never throws for what is in the pack. */
export async function verifyPack(bytes: Bytes, kept: Kept): Promise<Report> {
  const done = new Map<CheckId, Check>();
  const check = async (id: CheckId, work: () => Found | Promise<Found>) => {
    const found = await withoutRefusal(work);
    const isChecked = Array.isArray(found);
    const details = isChecked ? found : [(found as { notChecked: string }).notChecked];
    const ifChecked = details.length === 0 ? 'passed' : 'failed';
    done.set(id, { id, outcome: isChecked ? ifChecked : 'not-checked', details });
  };
  const facts = await verifyParts(bytes, kept, check);
  const checks = checkIds
    .map((id) => done.get(id) ?? { id, outcome: 'not-checked' as const, details: [] })
    .filter(({ id }) => done.has(id) || !OF_A_STAMP.includes(id));
  const passed = (id: CheckId) => done.get(id)?.outcome === 'passed';
  // Packed again, or the reader did not bring anything for it.
  const spared = [
    ...(done.get('container')?.outcome === 'not-checked' ? ['container'] : []),
    ...(kept.heads?.length ? [] : ['history']),
    ...(kept.authorities?.length ? [] : ['stamper']),
  ];
  const isConfirmed = checks.every(({ id }) => passed(id) || spared.includes(id));
  const hasFailed = checks.some(({ outcome }) => outcome === 'failed');
  return { verdict: hasFailed ? 'failed' : isConfirmed ? 'proven' : 'unconfirmed', checks, facts };
}

async function withoutRefusal(work: () => Found | Promise<Found>): Promise<Found> {
  try {
    return await work();
  } catch (error) {
    return [error instanceof Refusal ? error.message : `unreadable: ${error}`];
  }
}

type Checking = (id: CheckId, work: () => Found | Promise<Found>) => Promise<void>;

/** Does the checks, and stops where the next would have nothing to read. */
async function verifyParts(bytes: Bytes, kept: Kept, check: Checking): Promise<Facts> {
  let files: Files = new Map();
  let manifest: forms.Manifest | undefined;
  await check('container', async () => {
    let why = '';
    try {
      files = readZip(bytes);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      why = error.message;
      // What is in the files is proven by the signature, however they were packed.
      files = await readOtherZip(bytes).catch(() => files);
    }
    if (files.size === 0) return [why];
    const isWhole = files.has('manifest.json') && files.has('signature.jws');
    if (!isWhole) return ['manifest or signature is missing'];
    return why === '' ? [] : { notChecked: why };
  });
  if (files.size === 0) return { logged: [] };
  await check('manifest', () => {
    const read = forms.readFile(forms.manifestForm, files.get('manifest.json'));
    manifest = read;
    const paths = read.files.map(({ path }) => path);
    const isSorted = paths.every((path, at) => at === 0 || (paths[at - 1] as string) < path);
    return isSorted ? [] : ['the files are not sorted, or named twice'];
  });
  if (!manifest) return { logged: [] };
  const told = manifest;
  await check('files', () => checkFiles(told, files));

  let keys: forms.KeysById = new Map();
  let signature: Jws | undefined;
  let headJws: Jws | undefined;
  let head: forms.TreeHead | undefined;
  let timestamp: Timestamp | undefined;
  await check('signature', async () => {
    keys = await readKeys(files.get('keys.json'));
    signature = await verifyJws(files.get('signature.jws'), 'evidence-manifest', keys);
    const isSame = equal(signature.payload, files.get('manifest.json') as Bytes);
    return isSame ? [] : ['the signature is for another manifest'];
  });
  await check('head', async () => {
    headJws = await verifyJws(files.get('log/head.jws'), 'evidence-head', keys);
    head = forms.read(forms.headForm, parseCanonical(headJws.payload));
    const { at: _, ...tree } = head;
    const isSame = canonicalJson(tree) === canonicalJson(told.log);
    return isSame ? [] : ['the manifest names another tree'];
  });
  const uses = [
    { jws: signature, at: told.madeAt },
    { jws: headJws, at: head?.at },
  ];
  const trusted = kept.trusted && keysById(kept.trusted.keys);
  await check('validity', () =>
    uses.flatMap(({ jws, at }) => {
      const key = jws && (trusted?.get(jws.kid) ?? keys.get(jws.kid));
      if (!key || !at) return ['a signature or its time is missing'];
      return isValidAt(key, at) ? [] : [`${at} is outside of the validity of key ${key.kid}`];
    }),
  );
  await check('signer', () => {
    if (!trusted) return { notChecked: 'no keys to compare with' };
    return uses.flatMap(({ jws }) => {
      const isTrusted =
        jws && trusted.get(jws.kid)?.x === keys.get(jws.kid)?.x && keys.has(jws.kid);
      return isTrusted ? [] : [`key ${jws?.kid ?? '(none)'} is not among the trusted keys`];
    });
  });

  const logged = new Map<string, forms.Logged>();
  await check('inclusion', () => checkInclusion(files, told.log));
  await check('record', async () => {
    for (const [path, event] of readLogged(files)) logged.set(path, event);
    return checkRecord(files, told, logged);
  });
  await check('times', () => checkTimes(told, head, [...logged.values()], kept.now));
  await check('history', () => checkHistory(told.log, kept, trusted ?? keys));
  const stamp = files.get('timestamp.tsr');
  if (stamp || signature?.timestamp !== undefined) {
    await check('timestamp', async () => {
      if (!stamp) return ['timestamp.tsr is missing: the signature names one'];
      if (toHex(await sha256(stamp)) !== signature?.timestamp) {
        return ['timestamp.tsr is not the one that the signature names'];
      }
      const read = await readTimestamp(stamp, files.get('manifest.json') as Bytes);
      timestamp = read;
      const isEarly = Date.parse(read.at) < Date.parse(told.madeAt) - TOLERANCE_MS;
      const isLate = Date.parse(read.at) > kept.now.getTime() + TOLERANCE_MS;
      return isEarly || isLate
        ? [`${read.at} is before the pack was made, or has yet to come`]
        : [];
    });
  }
  await checkStamper(timestamp, kept.authorities ?? [], check);
  return {
    manifest: told,
    logged: [...logged.values()],
    ...(head && { head }),
    ...(timestamp && { timestamp }),
    ...(signature && { kid: signature.kid }),
    ...(kept.trusted && { keysFrom: kept.trusted.from }),
  };
}

/** Checks who set the time stamp, if there is one or the reader expects one. */
async function checkStamper(
  timestamp: Timestamp | undefined,
  trusted: readonly Bytes[],
  check: Checking,
): Promise<void> {
  if (!timestamp && trusted.length === 0) return;
  await check('stamper', async () => {
    if (!timestamp) return { notChecked: 'there is no time stamp to compare with' };
    const { at, certificate, signer, others } = timestamp;
    const named = `SHA-256 of the certificate in the time stamp: ${certificate}`;
    if (trusted.length === 0) return { notChecked: named };
    return (await isVouchedFor(signer, { trusted, others, at })) ? [] : [named];
  });
}

/** Files that the manifest cannot list. */
const UNLISTED = ['manifest.json', 'signature.jws', 'timestamp.tsr'];

async function checkFiles({ files: listed }: forms.Manifest, files: Files): Promise<Found> {
  const names = new Set(listed.map(({ path }) => path));
  const problems: string[] = [];
  for (const path of files.keys()) {
    if (names.has(path) === UNLISTED.includes(path)) problems.push(`${path} is not as listed`);
  }
  for (const { path, bytes, sha256: hash } of listed) {
    const content = files.get(path);
    if (!content) problems.push(`${path} is missing`);
    else if (content.length !== bytes) problems.push(`${path} has another size`);
    else if (toHex(await sha256(content)) !== hash) problems.push(`${path} was changed`);
  }
  return problems;
}
