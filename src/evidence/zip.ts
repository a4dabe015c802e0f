/**
 * ZIP files that have exactly one form for their content: nothing is compressed, and no field is free. So every
 * byte of the container counts, and there are no bombs, gaps or second names.
 */
import { type Bytes, concat, equal, fromUtf8, Refusal, utf8 } from './bytes.ts';

/** Files by path. */
export type Files = ReadonlyMap<string, Bytes>;

/** The largest pack, in bytes, and the most files in it. */
export const LARGEST_PACK = 20 * 1024 * 1024;
const MOST_FILES = 200;
/** No file of a pack is larger: what is beside the contents has less than 1 KiB per file. */
export const LARGEST_FILE = LARGEST_PACK + MOST_FILES * 1024;

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const LOCAL_BYTES = 30;

const PATH = /^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*$/;

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

function crc32(bytes: Bytes): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ (crcTable[(crc ^ byte) & 0xff] as number);
  return ~crc >>> 0;
}

/** Returns numbers as little-endian fields of 2 or 4 bytes. */
function fields(...values: readonly (readonly [width: 2 | 4, value: number])[]): Bytes {
  const bytes = values.flatMap(([width, value]) =>
    Array.from({ length: width }, (_, at) => (value >>> (8 * at)) & 0xff),
  );
  return Uint8Array.from(bytes);
}

/** The place of a file in the pack: the manifest, its signature, then all others by path. */
function placeOf(path: string): string {
  const first = ['manifest.json', 'signature.jws'].indexOf(path);
  return first < 0 ? `2${path}` : `${first}`;
}

/** @throws Refusal if the paths, their number or their size are not allowed */
function checkFiles(paths: readonly string[], bytes: number): void {
  if (paths.length === 0 || paths.length > MOST_FILES) throw new Refusal('the number of files');
  if (bytes > LARGEST_PACK) throw new Refusal('too large');
  const known = new Set(paths);
  if (known.size !== paths.length) throw new Refusal('two files have the same name');
  for (const path of paths) {
    if (!PATH.test(path) || path.length > 200) throw new Refusal('a name that is not allowed');
    const parts = path.split('/');
    const isInFile = parts.some((_, at) => at > 0 && known.has(parts.slice(0, at).join('/')));
    if (isInFile) throw new Refusal('a name is both a file and a folder');
  }
}

/** Packs files. @throws Refusal if a path or the size is not allowed */
export function writeZip(files: Files): Bytes {
  const sorted = [...files].sort(([a], [b]) => (placeOf(a) < placeOf(b) ? -1 : 1));
  checkFiles(
    sorted.map(([path]) => path),
    sorted.reduce((sum, [, { length }]) => sum + length, 0),
  );
  const locals: Bytes[] = [];
  const centrals: Bytes[] = [];
  let offset = 0;
  for (const [path, content] of sorted) {
    const name = utf8(path);
    // Version 2.0, no flags, stored, 1980-01-01 00:00, checksum, both sizes, lengths of name and extra fields.
    const shared = fields(
      ...([20, 0, 0, 0, 0x21] as const).map((value) => [2, value] as const),
      [4, crc32(content)],
      [4, content.length],
      [4, content.length],
      [2, name.length],
      [2, 0],
    );
    locals.push(fields([4, LOCAL]), shared, name, content);
    centrals.push(
      fields([4, CENTRAL], [2, 20]),
      shared,
      // No comment, first disk, no attributes.
      fields([2, 0], [2, 0], [2, 0], [4, 0], [4, offset]),
      name,
    );
    offset += LOCAL_BYTES + name.length + content.length;
  }
  const directory = concat(...centrals);
  const count = sorted.length;
  return concat(
    ...locals,
    directory,
    fields([4, END], [2, 0], [2, 0], [2, count], [2, count]),
    fields([4, directory.length], [4, offset], [2, 0]),
  );
}

/** Unpacks files. @throws Refusal unless the bytes are exactly what `writeZip` makes of the files */
export function readZip(bytes: Bytes): Files {
  if (bytes.length > LARGEST_FILE) throw new Refusal('too large');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isLocalAt = (at: number) =>
    at + LOCAL_BYTES <= bytes.length && view.getUint32(at, true) === LOCAL;
  if (!isLocalAt(0)) throw new Refusal('not a ZIP file');
  const entries: [path: string, content: Bytes][] = [];
  for (let at = 0; isLocalAt(at); ) {
    if (view.getUint16(at + 8, true) !== 0) throw new Refusal('a file is compressed');
    const size = view.getUint32(at + 18, true);
    const nameEnd = at + LOCAL_BYTES + view.getUint16(at + 26, true);
    if (nameEnd + size > bytes.length) throw new Refusal('cut short');
    const name = fromUtf8(bytes.subarray(at + LOCAL_BYTES, nameEnd));
    entries.push([name, bytes.slice(nameEnd, nameEnd + size)]);
    if (entries.length > MOST_FILES) throw new Refusal('the number of files');
    at = nameEnd + size;
  }
  checkFiles(
    entries.map(([path]) => path),
    entries.reduce((sum, [, { length }]) => sum + length, 0),
  );
  const files = new Map(entries);
  if (!equal(writeZip(files), bytes)) {
    throw new Refusal('not packed by the issuer');
  }
  return files;
}

/**
 * Unpacks a ZIP file of any program, by its directory. Nothing is said of what stands between the files.
 * @throws if it cannot be read
 */
export async function readOtherZip(bytes: Bytes): Promise<Files> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const half = (at: number) => view.getUint16(at, true);
  const word = (at: number) => view.getUint32(at, true);
  let end = bytes.length - 22;
  while (word(end) !== END) end -= 1;
  const entries: [path: string, content: Bytes][] = [];
  let total = 0;
  let at = word(end + 16);
  for (let left = half(end + 10); left > 0; left -= 1) {
    const start = word(at + 42);
    const content = start + LOCAL_BYTES + half(start + 26) + half(start + 28);
    const packed = bytes.slice(content, content + word(at + 20));
    const nameEnd = at + 46 + half(at + 28);
    const path = fromUtf8(bytes.subarray(at + 46, nameEnd));
    if (!path.endsWith('/')) {
      const file = half(at + 10) === 0 ? packed : await inflated(packed);
      total += file.length;
      entries.push([path, file]);
    }
    at = nameEnd + half(at + 30) + half(at + 32);
  }
  // Some programs put everything into one folder.
  const folder = entries.find(([path]) => path.endsWith('manifest.json'))?.[0].slice(0, -13) ?? '';
  const files = entries.map(([path, content]) => [path.replace(folder, ''), content] as const);
  checkFiles(
    files.map(([path]) => path),
    total,
  );
  return new Map(files);
}

/** Decompresses a file, up to the size of the largest pack. */
async function inflated(content: Bytes): Promise<Bytes> {
  const stream = new Blob([content]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  const reader = stream.getReader();
  let bytes: Bytes = new Uint8Array();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return bytes;
    bytes = concat(bytes, Uint8Array.from(value));
    if (bytes.length > LARGEST_PACK) throw new Refusal('too large');
  }
}
