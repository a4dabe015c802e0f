/** The Merkle tree of RFC 6962, section 2.1, computed over all leaves. */
import { type Bytes, sha256 } from '../../src/model/evidence/encoding.ts';
import { nodeHash, splitOf } from '../../src/model/evidence/merkle.ts';

/** Returns the root of the tree over these leaf hashes. */
export async function rootOf(leaves: readonly Bytes[]): Promise<Bytes> {
  if (leaves.length === 0) return sha256();
  if (leaves.length === 1) return leaves[0] as Bytes;
  const split = splitOf(leaves.length);
  return nodeHash(await rootOf(leaves.slice(0, split)), await rootOf(leaves.slice(split)));
}

/** Returns the audit path of a leaf, from the leaf to the root. */
export async function auditPath(leaves: readonly Bytes[], index: number): Promise<Bytes[]> {
  if (leaves.length <= 1) return [];
  const split = splitOf(leaves.length);
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)];
  return index < split
    ? [...(await auditPath(left, index)), await rootOf(right)]
    : [...(await auditPath(right, index - split)), await rootOf(left)];
}

/**
 * Returns the proof that the tree over all leaves extends the tree over the first `from` leaves.
 */
export async function consistencyPath(leaves: readonly Bytes[], from: number): Promise<Bytes[]> {
  const proof = async (part: readonly Bytes[], size: number, isOld: boolean): Promise<Bytes[]> => {
    if (size === part.length) return isOld ? [] : [await rootOf(part)];
    const split = splitOf(part.length);
    const [left, right] = [part.slice(0, split), part.slice(split)];
    return size <= split
      ? [...(await proof(left, size, isOld)), await rootOf(right)]
      : [...(await proof(right, size - split, false)), await rootOf(left)];
  };
  return proof(leaves, from, true);
}
