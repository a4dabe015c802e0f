/** Verifies an evidence pack (docs/evidence.md). */
import {
  type Bytes,
  canonicalJson,
  equal,
  parseCanonical,
  Refusal,
  sha256,
  toHex,
} from './encoding.ts';
import * as forms from './formats.ts';
import { isValidAt, type Jws, keysById, readKeys, verifyJws } from './keys.ts';
import { checkHistory, checkInclusion } from './verify-log.ts';
import { checkRecord, checkTimes, readLogged } from './verify-record.ts';
import { type Files, readZip } from './zip.ts';

/** Verifies a pack and returns the report. Never throws. */
export async function verifyPack(bytes: Bytes, input: forms.ReaderInput): Promise<forms.Report> {
  const done = new Map<forms.CheckId, forms.Check>();
  const check: Checking = async (id, work) => {
    const found = await (async () => work())().catch(
      (error: unknown): forms.CheckResult => [
        error instanceof Refusal ? error.message : `unreadable: ${error}`,
      ],
    );
    const [outcome, details] =
      'notChecked' in found
        ? (['not-checked', [found.notChecked]] as const)
        : ([found.length === 0 ? 'passed' : 'failed', found] as const);
    done.set(id, { id, outcome, details });
  };
  const facts = await verifyParts(bytes, input, check);
  const checks = forms.checkIds.map(
    (id): forms.Check => done.get(id) ?? { id, outcome: 'not-checked', details: [] },
  );
  const hasFailed = checks.some(({ outcome }) => outcome === 'failed');
  // Without an earlier head of the log, the verdict can be `proven` although `history` was skipped.
  const isConfirmed = checks.every(
    ({ id, outcome }) => outcome === 'passed' || (id === 'history' && !input.heads?.length),
  );
  return { verdict: hasFailed ? 'failed' : isConfirmed ? 'proven' : 'unconfirmed', checks, facts };
}

type Checking = (id: forms.CheckId, work: () => Awaitable<forms.CheckResult>) => Promise<void>;
type Awaitable<Value> = Value | Promise<Value>;

async function verifyParts(bytes: Bytes, input: forms.ReaderInput, check: Checking) {
  let files: Files = new Map();
  let manifest: forms.Manifest | undefined;
  await check('container', () => {
    files = readZip(bytes);
    const isWhole = files.has('manifest.json') && files.has('signature.jws');
    return isWhole ? [] : ['manifest or signature is missing'];
  });
  if (files.size === 0) return { logged: [] };
  await check('files', () => {
    manifest = forms.readFile(forms.manifestForm, files.get('manifest.json'));
    return checkFiles(manifest, files);
  });
  if (!manifest) return { logged: [] };
  const { log, madeAt } = manifest;

  let keys: forms.KeysById = new Map();
  let signature: Jws | undefined;
  let headJws: Jws | undefined;
  let head: forms.TreeHead | undefined;
  const uses = () => [
    { jws: signature, at: madeAt },
    { jws: headJws, at: head?.at },
  ];
  await check('signature', async () => {
    keys = await readKeys(files.get('keys.json'));
    signature = await verifyJws(files.get('signature.jws'), 'evidence-manifest', keys);
    const isSame = equal(signature.payload, files.get('manifest.json') as Bytes);
    return isSame ? [] : ['the signature is for another manifest'];
  });
  await check('log', async () => {
    headJws = await verifyJws(files.get('log/head.jws'), 'evidence-head', keys);
    head = forms.read(forms.headForm, parseCanonical(headJws.payload));
    const { at: _, ...tree } = head;
    const isSame = canonicalJson(tree) === canonicalJson(log);
    return isSame ? checkInclusion(files, log) : ['the manifest names another tree'];
  });
  const trusted = input.trusted && keysById(input.trusted.keys);
  await check('signer', () => {
    const problems = uses().flatMap(({ jws, at }) => {
      const key = jws && (trusted ?? keys).get(jws.kid);
      if (!key || !at) return [`key ${jws?.kid ?? '(none)'} is not among the trusted keys`];
      if (key.x !== keys.get(jws.kid)?.x) return [`key ${jws.kid} is another key than the trusted`];
      return isValidAt(key, at) ? [] : [`${at} is outside of the validity of key ${key.kid}`];
    });
    const isUnknown = !trusted && problems.length === 0;
    return isUnknown ? { notChecked: 'no keys to compare with' } : problems;
  });
  const logged = new Map<string, forms.Logged>();
  await check('record', () => {
    for (const [path, event] of readLogged(files)) logged.set(path, event);
    return checkRecord(files, manifest as forms.Manifest, logged);
  });
  await check('times', () => checkTimes(madeAt, head, [...logged.values()], input.now));
  await check('history', () => checkHistory(log, input, trusted ?? keys));
  return {
    manifest,
    logged: [...logged.values()],
    ...(head && { head }),
    ...(signature && { kid: signature.kid }),
    ...(input.trusted && { keysFrom: input.trusted.from }),
  };
}

/** The manifest lists all files of a pack except these two. */
const UNLISTED = ['manifest.json', 'signature.jws'];

async function checkFiles({ files: listed }: forms.Manifest, files: Files) {
  const paths = listed.map(({ path }) => path);
  const isSorted = paths.every((path, at) => at === 0 || (paths[at - 1] as string) < path);
  const problems = isSorted ? [] : ['the files are not sorted, or named twice'];
  for (const path of files.keys()) {
    if (paths.includes(path) === UNLISTED.includes(path)) problems.push(`${path} is not as listed`);
  }
  for (const { path, bytes, sha256: hash } of listed) {
    const content = files.get(path);
    if (!content) problems.push(`${path} is missing`);
    else if (content.length !== bytes) problems.push(`${path} has another size`);
    else if (toHex(await sha256(content)) !== hash) problems.push(`${path} was changed`);
  }
  return problems;
}
