/** Stores the log's Merkle tree (RFC 6962) in tiles of 256 hashes. */
import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { splitOf } from '../../model/evidence/merkle.ts';
import type { Queryable } from '../platform/database/database.ts';

const HASH_BYTES = 32;
const TILE_BITS = 8;
const TILE_HASHES = 1 << TILE_BITS;
const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);

/** Returns the leaf hash of an entry, from the SHA-256 of salt and file. */
export function leafHash(leafData: Uint8Array): Buffer {
  return hash('sha256', Buffer.concat([LEAF, leafData]), 'buffer');
}

function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  return hash('sha256', Buffer.concat([NODE, left, right]), 'buffer');
}

/** Combines hashes into the hash of their root. The number of hashes must be a power of two. */
function fold(hashes: readonly Buffer[]): Buffer {
  let row = hashes;
  while (row.length > 1) {
    row = Array.from({ length: row.length / 2 }, (_, at) =>
      nodeHash(row[2 * at] as Buffer, row[2 * at + 1] as Buffer),
    );
  }
  return row[0] as Buffer;
}

function hashesOf(tile: Buffer): Buffer[] {
  return Array.from({ length: tile.length / HASH_BYTES }, (_, at) =>
    tile.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES),
  );
}

export class DamagedLogError extends Error {
  override readonly name = 'DamagedLogError';
}

/** Appends leaf hashes after the first `size` leaves. The caller must have locked the log. */
export async function appendLeaves(
  client: Queryable,
  size: number,
  leaves: readonly Buffer[],
): Promise<void> {
  const changed: { level: number; tile: number; hashes: string }[] = [];
  const tree = new Tree(client);
  let before = size;
  let added = leaves;
  for (let level = 0; added.length > 0; level += 1) {
    const first = Math.floor(before / TILE_HASHES);
    const inTile = before % TILE_HASHES;
    const all = [...(await tree.hashes(level, before - inTile, inTile)), ...added];
    const whole: Buffer[] = [];
    for (let at = 0; at < all.length; at += TILE_HASHES) {
      const hashes = all.slice(at, at + TILE_HASHES);
      const tile = first + at / TILE_HASHES;
      changed.push({ level, tile, hashes: hexOf(Buffer.concat(hashes)) });
      if (hashes.length === TILE_HASHES) whole.push(fold(hashes));
    }
    before = first;
    added = whole;
  }
  await client.query({
    name: 'evidence-tiles',
    text: `insert into evidence_tiles (level, tile, hashes)
      select level, tile, decode(hashes, 'hex')
      from json_to_recordset($1::json) as t(level smallint, tile integer, hashes text)
      on conflict (level, tile) do update set hashes = excluded.hashes, at = now()`,
    values: [JSON.stringify(changed)],
  });
}

const hexOf = (bytes: Buffer) => bytes.toString('hex');

/** Reads the Merkle tree, each tile at most once. */
export class Tree {
  readonly #client: Queryable;
  readonly #tiles = new Map<string, Promise<Buffer[]>>();

  constructor(client: Queryable) {
    this.#client = client;
  }

  async root(size: number): Promise<string> {
    return size === 0 ? hash('sha256', '', 'hex') : hexOf(await this.#over(0, size));
  }

  /** Returns the audit path of a leaf (RFC 6962, section 2.1.1). */
  async auditPath(index: number, size: number): Promise<string[]> {
    return (await this.#path(index, size, (start, end) => end - start === 1)).path;
  }

  /** Returns the consistency proof between two sizes (RFC 6962, section 2.1.2). */
  async consistencyPath(from: number, to: number): Promise<string[]> {
    const { path, start } = await this.#path(from - 1, to, (_, end) => end === from);
    return start === 0 ? path : [hexOf(await this.#over(start, from)), ...path];
  }

  async #path(leaf: number, size: number, isEnd: (start: number, end: number) => boolean) {
    const path: string[] = [];
    let [start, end] = [0, size];
    while (!isEnd(start, end)) {
      const split = start + splitOf(end - start);
      path.unshift(hexOf(await (leaf < split ? this.#over(split, end) : this.#over(start, split))));
      if (leaf < split) end = split;
      else start = split;
    }
    return { path, start };
  }

  /** Returns the hash of the subtree of the leaves `from` to `to`. */
  async #over(from: number, to: number): Promise<Buffer> {
    const size = to - from;
    const bits = Math.log2(size);
    if (!Number.isInteger(bits)) {
      const split = from + splitOf(size);
      return nodeHash(await this.#over(from, split), await this.#over(split, to));
    }
    const level = Math.floor(bits / TILE_BITS);
    const first = from / 2 ** (level * TILE_BITS);
    return fold(await this.hashes(level, first, 2 ** (bits - level * TILE_BITS)));
  }

  /** Returns hashes of one level from one tile. @throws DamagedLogError */
  async hashes(level: number, first: number, count: number): Promise<Buffer[]> {
    const tile = Math.floor(first / TILE_HASHES);
    const at = first % TILE_HASHES;
    const hashes = (await this.#tile(level, tile)).slice(at, at + count);
    if (hashes.length < count) throw new DamagedLogError(`Tile ${level}/${tile} lacks hashes`);
    return hashes;
  }

  #tile(level: number, tile: number): Promise<Buffer[]> {
    const key = `${level}/${tile}`;
    const read = async () => {
      const { rows } = await this.#client.query<{ hashes: Buffer }>({
        name: 'evidence-tile',
        text: 'select hashes from evidence_tiles where level = $1 and tile = $2',
        values: [level, tile],
      });
      return rows[0] ? hashesOf(rows[0].hashes) : [];
    };
    const found = this.#tiles.get(key) ?? read();
    this.#tiles.set(key, found);
    return found;
  }
}

/** Finds leaves in a time span. Returns each leaf's index by its hash in hex. */
export async function findLeaves(
  client: Queryable,
  leaves: readonly Buffer[],
  since: Date,
  until?: Date,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await client.query<{ leaf: Buffer; tile: number; byte: number }>(
    `select leaf, tile, position(leaf in hashes) - 1 as byte
     from evidence_tiles, unnest($1::bytea[]) as leaf
     where level = 0 and at >= $2 and position(leaf in hashes) > 0 and tile <= coalesce(
       (select tile from evidence_tiles where level = 0 and at >= $3 order by at limit 1), tile)`,
    [leaves, since, until ?? null],
  );
  return new Map(
    rows.map(({ leaf, tile, byte }) => [hexOf(leaf), tile * TILE_HASHES + byte / HASH_BYTES]),
  );
}

/** Number of tiles to check before a pause, in which the process serves visitors. */
const TILES_CHECKED_AT_ONCE = 16;
const CHECK_PAUSE_MS = 50;

/** Recomputes the tree's hashes, and returns the tiles with wrong hashes. */
export async function checkTiles(
  client: Queryable,
  size: number,
  seen: (leaves: readonly Buffer[]) => void,
): Promise<{ leaves: number; wrong: string[] }> {
  const wrong: string[] = [];
  let leaves = 0;
  let count = size;
  for (let level = 0; count > 0; level += 1, count = Math.floor(count / TILE_HASHES)) {
    for (let next = 0; ; ) {
      const { rows } = await client.query<{ tile: number; hashes: Buffer; above: Buffer | null }>(
        `select t.tile, t.hashes, substr(p.hashes, t.tile % ${TILE_HASHES} * ${HASH_BYTES} + 1, ${HASH_BYTES}) as above
         from evidence_tiles t
         left join evidence_tiles p on p.level = t.level + 1 and p.tile = t.tile / ${TILE_HASHES}
         where t.level = $1 and t.tile >= $2 and t.tile < $3
         order by t.tile limit ${TILES_CHECKED_AT_ONCE}`,
        [level, next, Math.ceil(count / TILE_HASHES)],
      );
      for (const { tile, hashes, above } of rows) {
        const own = hashesOf(hashes).slice(0, count - tile * TILE_HASHES);
        if (tile !== next) wrong.push(`${level}/${next}`);
        next = tile + 1;
        if (level === 0) {
          leaves = tile * TILE_HASHES + own.length;
          seen(own);
        }
        const isWhole = own.length === TILE_HASHES;
        if (isWhole && !above?.equals(fold(own))) wrong.push(`${level}/${tile}`);
      }
      if (rows.length < TILES_CHECKED_AT_ONCE) break;
      await sleep(CHECK_PAUSE_MS);
    }
  }
  return { leaves, wrong };
}
