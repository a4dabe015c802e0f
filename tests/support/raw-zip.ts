/** Writes ZIP files with any oddity, for tests of the verifier. */
import { crc32 } from 'node:zlib';
import type { Bytes } from '../../src/evidence/bytes.ts';

/** What is odd. Without any it is the one form that a pack may have. */
export type Oddity = {
  readonly flags?: number;
  readonly method?: number;
  readonly time?: number;
  /** The unpacked size that the last file claims. */
  readonly unpacked?: number;
  readonly extra?: string;
  readonly comment?: string;
  /** The name of the last file in the directory. */
  readonly directoryName?: string;
  /** The index of a file that is not in the directory. */
  readonly hidden?: number;
};

export function rawZip(
  entries: readonly (readonly [name: string, content: Bytes])[],
  odd: Oddity = {},
): Bytes {
  const { extra = '', comment = '' } = odd;
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [at, [name, content]] of entries.entries()) {
    const isLast = at === entries.length - 1;
    const header = (inDirectory: boolean) => {
      const own = (inDirectory && isLast && odd.directoryName) || name;
      const bytes = Buffer.alloc(26);
      bytes.writeUInt16LE(20, 0);
      bytes.writeUInt16LE((isLast && odd.flags) || 0, 2);
      bytes.writeUInt16LE((isLast && odd.method) || 0, 4);
      bytes.writeUInt16LE((isLast && odd.time) || 0, 6);
      bytes.writeUInt16LE(0x21, 8);
      bytes.writeUInt32LE(crc32(content), 10);
      bytes.writeUInt32LE(content.length, 14);
      bytes.writeUInt32LE((isLast && odd.unpacked) || content.length, 18);
      bytes.writeUInt16LE(Buffer.byteLength(own), 22);
      bytes.writeUInt16LE(isLast ? extra.length : 0, 24);
      return { bytes, tail: Buffer.from(own + (isLast ? extra : '')) };
    };
    const local = header(false);
    const start = Buffer.from('PK\x03\x04');
    locals.push(start, local.bytes, local.tail, Buffer.from(content));
    if (at !== odd.hidden) {
      const central = header(true);
      const place = Buffer.alloc(14);
      place.writeUInt32LE(offset, 10);
      directory.push(Buffer.from('PK\x01\x02\x14\x00'), central.bytes, place, central.tail);
    }
    offset += 30 + local.tail.length + content.length;
  }
  const end = Buffer.alloc(18);
  const count = entries.length - (odd.hidden === undefined ? 0 : 1);
  end.writeUInt16LE(count, 4);
  end.writeUInt16LE(count, 6);
  end.writeUInt32LE(
    directory.reduce((sum, { length }) => sum + length, 0),
    8,
  );
  end.writeUInt32LE(offset, 12);
  end.writeUInt16LE(comment.length, 16);
  const all = [...locals, ...directory, Buffer.from('PK\x05\x06'), end, Buffer.from(comment)];
  return Uint8Array.from(Buffer.concat(all));
}
