import { unzipSync, zipSync } from 'fflate';
import { type Bytes, Refusal } from './encoding.ts';

export type Files = ReadonlyMap<string, Bytes>;

/** Maximum total size of the files in a pack, in bytes. */
const LARGEST_PACK = 20 * 1024 * 1024;
const MOST_FILES = 200;
/** Maximum size of a ZIP file, in bytes. ZIP adds less than 1 KiB for each file. */
export const LARGEST_FILE = LARGEST_PACK + MOST_FILES * 1024;

const PATH = /^[a-z0-9][a-z0-9._-]*(\/[a-z0-9][a-z0-9._-]*)*$/;

function checkSize(files: number, bytes: number): void {
  if (files > MOST_FILES) throw new Refusal('too many files');
  if (bytes > LARGEST_PACK) throw new Refusal('too large');
}

function checkPaths(paths: readonly string[]): void {
  if (new Set(paths).size < paths.length) throw new Refusal('two files have the same name');
  if (!paths.every((path) => PATH.test(path) && path.length <= 200)) {
    throw new Refusal('a name that is not allowed');
  }
}

/** Writes the ZIP file of a pack. @throws Refusal if a path or size is not allowed */
export function writeZip(files: Files): Bytes {
  const first = ['manifest.json', 'signature.jws'];
  const place = (path: string) => (first.includes(path) ? `${first.indexOf(path)}` : `2${path}`);
  const sorted = [...files].sort(([a], [b]) => (place(a) < place(b) ? -1 : 1));
  checkPaths([...files.keys()]);
  checkSize(
    files.size,
    sorted.reduce((sum, [, { length }]) => sum + length, 0),
  );
  // Sets a fixed modification time, so that packs with equal files have equal bytes.
  const zipped = zipSync(Object.fromEntries(sorted), { level: 0, mtime: new Date(1980, 0, 1) });
  return Uint8Array.from(zipped);
}

/** Reads the ZIP file of a pack. @throws Refusal if the file is damaged or not allowed */
export function readZip(bytes: Bytes): Files {
  checkSize(0, bytes.length - MOST_FILES * 1024);
  const names: string[] = [];
  let total = 0;
  const isFile = ({ name, originalSize }: { name: string; originalSize: number }) => {
    if (name.endsWith('/')) return false;
    total += originalSize;
    checkSize(names.push(name), total);
    return true;
  };
  let unpacked: Readonly<Record<string, Uint8Array>>;
  try {
    unpacked = unzipSync(bytes, { filter: isFile });
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal('not a ZIP file');
  }
  // Some ZIP programs add a folder around the files. The path of the manifest shows this folder.
  const manifest = names.find((name) => /(^|\/)manifest\.json$/.test(name)) ?? '';
  const folder = manifest.slice(0, -'manifest.json'.length);
  const pathOf = (name: string) => (name.startsWith(folder) ? name.slice(folder.length) : name);
  checkPaths(names.map(pathOf));
  return new Map(names.map((name) => [pathOf(name), Uint8Array.from(unpacked[name] ?? [])]));
}
