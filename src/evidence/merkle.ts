/** The Merkle tree of the log (RFC 6962, section 2.1). */
import { type Bytes, equal, sha256 } from './bytes.ts';

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

export function leafHash(leafData: Bytes): Promise<Bytes> {
  return sha256(LEAF, leafData);
}

export function nodeHash(left: Bytes, right: Bytes): Promise<Bytes> {
  return sha256(NODE, left, right);
}

/** Returns the largest power of two below a size of at least 2. */
export function splitOf(size: number): number {
  let split = 1;
  while (split * 2 < size) split *= 2;
  return split;
}

/** Says where a leaf is claimed to be. */
export type Inclusion = {
  readonly leaf: Bytes;
  readonly index: number;
  readonly size: number;
  readonly path: readonly Bytes[];
  readonly root: Bytes;
};

/** Returns whether a path leads from a leaf to the root (RFC 9162, section 2.1.3.2). */
export async function verifyInclusion(claim: Inclusion): Promise<boolean> {
  const { leaf, index, size, path, root } = claim;
  if (!isIndex(index) || !isIndex(size) || index >= size) return false;
  let at = index;
  let last = size - 1;
  let hash = leaf;
  for (const next of path) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      hash = await nodeHash(next, hash);
      while (at % 2 === 0 && at !== 0) [at, last] = [at / 2, Math.floor(last / 2)];
    } else {
      hash = await nodeHash(hash, next);
    }
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last === 0 && equal(hash, root);
}

/** Says which two trees are claimed to be one log at two times. */
export type Consistency = {
  readonly from: number;
  readonly fromRoot: Bytes;
  readonly to: number;
  readonly toRoot: Bytes;
  readonly path: readonly Bytes[];
};

/** Returns whether the later tree begins with the earlier one (RFC 9162, section 2.1.4.2). */
export async function verifyConsistency(claim: Consistency): Promise<boolean> {
  const { from, to, fromRoot, toRoot, path } = claim;
  if (!isIndex(from) || !isIndex(to) || from < 1 || from > to) return false;
  if (from === to) return path.length === 0 && equal(fromRoot, toRoot);
  // The proof leaves the old root out if it is a node of the new tree: a power of two.
  const isWhole = splitOf(from + 1) === from;
  const [first, ...rest] = isWhole ? [fromRoot, ...path] : path;
  if (!first || path.length === 0) return false;
  let at = from - 1;
  let last = to - 1;
  while (at % 2 === 1) [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  let oldHash = first;
  let newHash = first;
  for (const next of rest) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      oldHash = await nodeHash(next, oldHash);
      newHash = await nodeHash(next, newHash);
      while (at % 2 === 0 && at !== 0) [at, last] = [at / 2, Math.floor(last / 2)];
    } else {
      newHash = await nodeHash(newHash, next);
    }
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last === 0 && equal(oldHash, fromRoot) && equal(newHash, toRoot);
}

function isIndex(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
