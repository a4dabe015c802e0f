/**
 * Packs JSON into few bytes: zstd with a dictionary of the surveys' words (docs/decisions/0073-packed-rows.md). The
 * first byte names the dictionary. A dictionary never changes; better words become the next one.
 */
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompressSync } from 'node:zlib';

/** The dictionary of new values. Older ones stay readable. */
const NEWEST = 1;

const dictionaries = new Map<number, Buffer>();

function wordsOf(version: number): Buffer {
  const words =
    dictionaries.get(version) ??
    readFileSync(new URL(`./packed-words-${version}.txt`, import.meta.url));
  dictionaries.set(version, words);
  return words;
}

/** Begins each zstd frame, and is left out. */
const MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

const compress = promisify(zstdCompress);
const params = {
  // The highest that takes less than a millisecond.
  [constants.ZSTD_c_compressionLevel]: 10,
  // Tells a damaged value when it is read.
  [constants.ZSTD_c_checksumFlag]: 1,
};

/** Packs JSON texts, one after another on one other thread: the rest of the server needs threads too. */
export async function packAll(documents: readonly string[]): Promise<Buffer[]> {
  const all: Buffer[] = [];
  for (const document of documents) all.push(await pack(document));
  return all;
}

/** Packs a JSON text. */
export async function pack(json: string): Promise<Buffer> {
  const packed = await compress(Buffer.from(json), { dictionary: wordsOf(NEWEST), params });
  return Buffer.concat([Buffer.from([NEWEST]), packed.subarray(MAGIC.length)]);
}

/** Returns the value of a packed JSON text; undefined: it is damaged. */
export function unpack(packed: Buffer): unknown {
  try {
    const dictionary = wordsOf(packed[0] ?? 0);
    const frame = Buffer.concat([MAGIC, packed.subarray(1)]);
    return JSON.parse(zstdDecompressSync(frame, { dictionary }).toString());
  } catch {
    return undefined;
  }
}
