/** What everybody may read of the log: keys, heads and proofs, nothing about a lead. */
import type pg from 'pg';
import { readKeys } from './keys.ts';
import { readHeads, sizeOfLog } from './log.ts';
import { Tree } from './tree.ts';

const HEADS_A_PAGE = 500;

export function createPublishedLog(pool: pg.Pool) {
  return {
    keys: () => readKeys(pool),
    /** Returns signed heads, the newest first. @param before the `next` of the page before */
    async heads(before?: Date) {
      const rows = await readHeads(pool, HEADS_A_PAGE, before);
      const heads = rows.map(({ at, size: treeSize, rootHash, jws }) => {
        return { at: at.toISOString(), treeSize, rootHash, jws };
      });
      return { heads, next: rows.length < HEADS_A_PAGE ? null : (heads.at(-1)?.at ?? null) };
    },
    /** Returns the newest head as a compact JWS; undefined: nothing was logged yet. */
    newestHead: async () => (await readHeads(pool, 1))[0]?.jws,
    /** Returns the proof that the log of one size begins with another; undefined: it has no such sizes. */
    async consistency(from: number, to: number) {
      if (from < 1 || from > to || to > (await sizeOfLog(pool))) return undefined;
      return { from, to, path: await new Tree(pool).consistencyPath(from, to) };
    },
    /** Returns the audit path of an entry; undefined: the log has no such entry or size. */
    async proof(index: number, size: number) {
      if (index >= size || size > (await sizeOfLog(pool))) return undefined;
      return { index, size, path: await new Tree(pool).auditPath(index, size) };
    },
  };
}
