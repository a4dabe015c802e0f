/**
 * Packs JSON into few bytes: zstd with a dictionary of the surveys' words (docs/decisions/0073-packed-rows.md). The
 * first byte names the dictionary. A dictionary never changes; better words become the next one.
 */
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { constants, createZstdDecompress, zstdCompress, zstdDecompressSync } from 'node:zlib';

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

/**
 * Returns the value of a packed JSON text; undefined: it is damaged.
 * @param read reads the text, or what is wanted of it
 */
export function unpack(packed: Buffer, read: (json: string) => unknown = JSON.parse): unknown {
  const version = packed[0] ?? 0;
  try {
    const dictionary = wordsOf(version);
    const frame = Buffer.concat([MAGIC, packed.subarray(1)]);
    try {
      return read(decompressAgain(version, frame));
    } catch {
      // A damaged frame can leave the context unusable for a good one.
      contexts.delete(version);
      return read(zstdDecompressSync(frame, { dictionary }).toString());
    }
  } catch {
    return undefined;
  }
}

/** The handle that Node's synchronous functions use. It is not documented, so another Node may lack it. */
type Context = ReturnType<typeof createZstdDecompress> & {
  readonly _handle: {
    writeSync(
      ...args: readonly [
        ...[flush: number, from: Buffer, fromAt: number, fromLength: number],
        ...[to: Buffer, toAt: number, toLength: number],
      ]
    ): void;
  };
  readonly _writeState: readonly [toLeft: number, fromLeft: number];
};

const contexts = new Map<number, Context>();
/** Most texts have 5 kB. */
const room = Buffer.allocUnsafe(65_536);

/**
 * Decompresses a frame in the context of those before. Node makes and fills a new one for each call, which takes ten
 * times as long as the rest: an export would be half as fast.
 * @throws if the frame is damaged or large, or this cannot be done
 */
function decompressAgain(version: number, frame: Buffer): string {
  let context = contexts.get(version);
  if (context === undefined) {
    context = createZstdDecompress({ dictionary: wordsOf(version) }) as Context;
    context.on('error', () => undefined);
    contexts.set(version, context);
  }
  const { ZSTD_e_end: end } = constants;
  context._handle.writeSync(end, frame, 0, frame.length, room, 0, room.length);
  const [left, unread] = context._writeState;
  if (context.destroyed || left === 0 || unread > 0)
    throw new Error('The frame is damaged or large');
  return room.toString('utf8', 0, room.length - left);
}
