import { type Bytes, fromBase64url, fromHex, parseCanonical, Refusal, sha256 } from './encoding.ts';
import * as forms from './formats.ts';
import { isValidAt, verifyJws } from './keys.ts';
import { leafHash, verifyConsistency, verifyInclusion } from './merkle.ts';
import type { Files } from './zip.ts';

type Tree = forms.Manifest['log'];

/** Checks that the evidence log contains each logged file of the pack. */
export async function checkInclusion(files: Files, tree: Tree): Promise<forms.CheckResult> {
  const { entries } = forms.readFile(forms.proofsForm, files.get('log/proofs.json'));
  const problems: string[] = [];
  const isSorted = entries.every(({ index }, at) => index > (entries[at - 1]?.index ?? -1));
  if (!isSorted) problems.push('the proofs are not sorted, or two are of one entry');
  const proven = entries.map(({ file }) => file).sort();
  const logged = [...files.keys()].filter((path) => path.startsWith('logged/')).sort();
  if (proven.join() !== logged.join()) problems.push('proofs and logged files differ');
  for (const { file, index, salt, path } of entries) {
    const leafData = await sha256(fromBase64url(salt), files.get(file) ?? new Uint8Array());
    const isIncluded = await verifyInclusion({
      leaf: await leafHash(leafData),
      index,
      size: tree.treeSize,
      path: path.map(fromHex),
      root: fromHex(tree.rootHash),
    });
    if (!isIncluded) problems.push(`${file} is not entry ${index} of the log`);
  }
  return problems;
}

/** Parses a consistency proof. @throws if the text is invalid */
export function readConsistency(text: string): forms.ConsistencyProof {
  return forms.read(forms.consistencyForm, JSON.parse(text));
}

/** Checks that the issuer has not changed old entries of the evidence log. */
export async function checkHistory(
  tree: Tree,
  { heads = [], consistency = [] }: forms.ReaderInput,
  keys: forms.KeysById,
): Promise<forms.CheckResult> {
  if (heads.length === 0) return { notChecked: 'no stored head to compare with' };
  const problems: string[] = [];
  const missing: string[] = [];
  for (const bytes of heads) {
    const head = await readHead(bytes, keys);
    const [old, recent] = head.treeSize <= tree.treeSize ? [head, tree] : [tree, head];
    const proof = consistency.find(
      ({ from, to }) => from === old.treeSize && to === recent.treeSize,
    );
    if (head.origin !== tree.origin) {
      problems.push(`the stored head is of another log: ${head.origin}`);
    } else if (!proof && old.treeSize !== recent.treeSize) {
      missing.push(`needs /consistency?from=${old.treeSize}&to=${recent.treeSize}`);
    } else {
      const isSame = await verifyConsistency({
        from: old.treeSize,
        fromRoot: fromHex(old.rootHash),
        to: recent.treeSize,
        toRoot: fromHex(recent.rootHash),
        path: proof?.path.map(fromHex) ?? [],
      });
      if (!isSame)
        problems.push(`the log was rewritten: sizes ${old.treeSize}, ${recent.treeSize}`);
    }
  }
  if (problems.length > 0 || missing.length === 0) return problems;
  return { notChecked: missing.join('; ') };
}

async function readHead(bytes: Bytes, keys: forms.KeysById): Promise<forms.TreeHead> {
  const { payload, kid } = await verifyJws(bytes, 'evidence-head', keys);
  const head = forms.read(forms.headForm, parseCanonical(payload));
  const key = keys.get(kid);
  if (!key || !isValidAt(key, head.at)) throw new Refusal(`key ${kid} was not valid at ${head.at}`);
  return head;
}
