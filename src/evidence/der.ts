/** DER (X.690), as far as time stamps and certificates need it. */
import { type Bytes, concat, Refusal } from './bytes.ts';

export const BOOLEAN = 0x01;
export const INTEGER = 0x02;
export const BIT_STRING = 0x03;
export const OCTET_STRING = 0x04;
export const OID = 0x06;
export const UTC_TIME = 0x17;
export const TIME = 0x18;
export const SEQUENCE = 0x30;
export const SET = 0x31;
/** A part of a sequence that is marked by its number. */
export const marked = (number: number) => 0xa0 + number;

export type Der = {
  readonly tag: number;
  readonly content: Bytes;
  /** The whole element, with tag and length. */
  readonly bytes: Bytes;
};

/** Returns an element. @param parts what it consists of: elements, or its content */
export function der(tag: number, ...parts: readonly Uint8Array[]): Bytes {
  const content = concat(...parts);
  const { length } = content;
  if (length < 0x80) return concat(Uint8Array.of(tag, length), content);
  const size = [length >> 16, (length >> 8) & 0xff, length & 0xff];
  while (size[0] === 0) size.shift();
  return concat(Uint8Array.of(tag, 0x80 + size.length, ...size), content);
}

/** Returns an object identifier. @param text its numbers with dots between them */
export function oid(text: string): Bytes {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  const base128 = (number: number): number[] =>
    number < 128
      ? [number]
      : [...base128(Math.floor(number / 128)).map((each) => each | 128), number % 128];
  return der(OID, Uint8Array.from([first * 40 + second, ...rest].flatMap(base128)));
}

/** Reads all elements that follow one another. @throws Refusal if the bytes are not DER */
export function readAll(bytes: Bytes): Der[] {
  const found: Der[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at] as number;
    let length = bytes[at + 1] ?? 0x80;
    let head = 2;
    if (length >= 0x80) {
      const size = bytes.subarray(at + 2, at + 2 + length - 0x80);
      length = size.reduce((sum, byte) => sum * 256 + byte, 0);
      head += size.length;
      // A length has one spelling.
      if (size.length === 0 || size.length > 3 || size[0] === 0 || length < 0x80) {
        throw new Refusal('not DER');
      }
    }
    const end = at + head + length;
    if ((tag & 0x1f) === 0x1f || end > bytes.length) throw new Refusal('not DER');
    found.push({ tag, content: bytes.slice(at + head, end), bytes: bytes.slice(at, end) });
    at = end;
  }
  return found;
}

/** Reads the parts of an element. @param tags what they must be. @throws Refusal */
export function partsOf({ content }: Pick<Der, 'content'>, ...tags: readonly number[]): Der[] {
  const parts = readAll(content);
  const isAsTold = parts.length === tags.length && parts.every(({ tag }, at) => tag === tags[at]);
  if (tags.length > 0 && !isAsTold) throw new Refusal('another form than expected');
  return parts;
}
