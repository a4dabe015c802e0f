/** Requests as HTTP/1.1 bytes: valid ones, and bytes that are hardly HTTP. */
import type { Choices } from './fuzz-values.ts';

/** A request before it is encoded. */
export type Draft = {
  route: string;
  method: string;
  /** The path with its query. */
  target: string;
  headers: [name: string, value: string][];
  body: Buffer | undefined;
  leadBody?: string;
  /** The lead that the form stores, if the form is valid. */
  formLead?: string;
};

/** Encodes the request as HTTP/1.1, with a length or in chunks. */
export function goodBytes(any: Choices, { method, target, headers, body }: Draft): Buffer {
  const { chance, random } = any;
  const isChunked = body !== undefined && chance(0.1);
  const head = [`${method} ${escaped(target)} HTTP/1.1`, 'host: claims.example.com'];
  for (const [name, value] of headers) head.push(`${name}: ${value}`);
  if (isChunked) head.push('transfer-encoding: chunked');
  else if (body !== undefined) head.push(`content-length: ${body.length}`);
  const start = Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1');
  if (!isChunked || body === undefined) return Buffer.concat([start, body ?? Buffer.alloc(0)]);
  const parts: Buffer[] = [start];
  for (let at = 0; at < body.length; ) {
    const part = body.subarray(at, at + random.integer(1, body.length + 1));
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'));
    at += part.length;
  }
  parts.push(Buffer.from(chance(0.2) ? '0\r\nx-trailer: 1\r\n\r\n' : '0\r\n\r\n'));
  return Buffer.concat(parts);
}

/** Replaces blanks and control characters, which would end a target. */
function escaped(target: string): string {
  return target.replace(/[^\x21-\x7e\x80-\xff]/g, '_').slice(0, 12_000);
}

/** Returns bytes that are hardly HTTP. The server need not answer, and may close the connection. */
export function brokenBytes(any: Choices, draft: Draft): Buffer {
  const { of, random, hex } = any;
  const good = goodBytes(any, draft);
  const text = good.toString('latin1');
  const firstLine = text.slice(0, text.indexOf('\r\n'));
  const rest = text.slice(firstLine.length);
  const target = escaped(draft.target);
  return Buffer.from(
    of([
      () => `${draft.method} ${target} HTTP/9.9${rest}`,
      () => `${draft.method} ${target} HTTP/1.0${rest}`,
      () => `${draft.method} ${target}${rest}`,
      () => `${hex(5)} ${target} HTTP/1.1${rest}`,
      () => `CONNECT evil.example:443 HTTP/1.1${rest}`,
      () => `${draft.method} http://evil.example${target} HTTP/1.1${rest}`,
      () => `${draft.method} * HTTP/1.1${rest}`,
      () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      () => `\x16\x03\x01\x02\x00\x01${hex(200)}`,
      () => text.replace(/\r\nhost: [^\r]*/, ''),
      () => text.replace('\r\n', '\r\nhost: another.example\r\n'),
      () => text.replace('\r\n', '\r\ncontent-length: 5\r\ncontent-length: 6\r\n'),
      () => text.replace('\r\n', '\r\ncontent-length: -1\r\n'),
      () => text.replace('\r\n', '\r\ntransfer-encoding: chunked\r\ncontent-length: 3\r\n'),
      () => text.replace('\r\n', '\r\ntransfer-encoding: gzip, chunked\r\n'),
      () => text.replace('\r\n', `\r\nx-long: ${'x'.repeat(random.integer(15_000, 40_000))}\r\n`),
      () => text.replace('\r\n', `\r\n${'a: b\r\n'.repeat(3_000)}`),
      () => text.replace('\r\n', '\r\nno colon here\r\n'),
      () => text.replace('\r\n', '\r\nnul: a\u0000b\r\n'),
      () => text.replaceAll('\r\n', '\n'),
      () => `${firstLine}\r\n folded: header${rest}`,
      () => {
        const at = random.integer(0, text.length);
        return text.slice(0, at) + String.fromCharCode(random.integer(0, 256)) + text.slice(at + 1);
      },
    ])(),
    'latin1',
  );
}
