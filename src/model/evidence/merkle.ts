/** Verifies proofs of the evidence log's Merkle tree (RFC 6962, section 2.1). */
import { type Bytes, equal, sha256 } from './encoding.ts';

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

export function leafHash(leafData: Bytes): Promise<Bytes> {
  return sha256(LEAF, leafData);
}

export function nodeHash(left: Bytes, right: Bytes): Promise<Bytes> {
  return sha256(NODE, left, right);
}

export function splitOf(size: number): number {
  let split = 1;
  while (split * 2 < size) split *= 2;
  return split;
}

async function climb(node: Bytes, index: number, size: number, path: readonly Bytes[]) {
  let [at, last] = [index, size - 1];
  let [part, whole] = [node, node];
  for (const next of path) {
    if (last === 0) return undefined;
    if (at % 2 === 1 || at === last) {
      part = await nodeHash(next, part);
      whole = await nodeHash(next, whole);
      while (at % 2 === 0 && at !== 0) [at, last] = [at / 2, Math.floor(last / 2)];
    } else {
      whole = await nodeHash(whole, next);
    }
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last === 0 ? { part, whole } : undefined;
}

/** Returns whether the tree with this root contains the leaf at this index. */
export async function verifyInclusion(claim: {
  readonly leaf: Bytes;
  readonly index: number;
  readonly size: number;
  readonly path: readonly Bytes[];
  readonly root: Bytes;
}): Promise<boolean> {
  const { leaf, index, size, path, root } = claim;
  if (!isIndex(index) || !isIndex(size) || index >= size) return false;
  const roots = await climb(leaf, index, size, path);
  return roots !== undefined && equal(roots.whole, root);
}

/** Returns whether the later tree extends the earlier tree (RFC 9162, section 2.1.4.2). */
export async function verifyConsistency(claim: {
  readonly from: number;
  readonly fromRoot: Bytes;
  readonly to: number;
  readonly toRoot: Bytes;
  readonly path: readonly Bytes[];
}): Promise<boolean> {
  const { from, to, fromRoot, toRoot, path } = claim;
  if (!isIndex(from) || !isIndex(to) || from < 1 || from > to) return false;
  if (from === to) return path.length === 0 && equal(fromRoot, toRoot);
  // If the size of the earlier tree is a power of two, `path` does not contain the earlier root.
  const isWhole = splitOf(from + 1) === from;
  const [first, ...rest] = isWhole ? [fromRoot, ...path] : path;
  if (!first || path.length === 0) return false;
  let [at, last] = [from - 1, to - 1];
  while (at % 2 === 1) [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  const roots = await climb(first, at, last + 1, rest);
  return roots !== undefined && equal(roots.part, fromRoot) && equal(roots.whole, toRoot);
}

function isIndex(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
