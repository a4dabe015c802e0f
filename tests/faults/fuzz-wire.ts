/** Raw bytes on a socket: sends what no HTTP client would, and reads every answer. */
import { connect, type Socket } from 'node:net';

export type WireAnswer = {
  readonly status: number;
  /** By lower-case name; of several equal names the last. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** From the request's last written byte to the answer's last byte. */
  readonly ms: number;
};

/** One connection. Its methods never throw: an error shows as a missing answer. */
export type Wire = {
  write(bytes: Buffer): void;
  /**
   * Returns the next answer. `closed`: the connection ended without one. `late`: neither came in time.
   *
   * @param method of the request: an answer to HEAD has no body
   */
  answer(method: string, withinMs: number): Promise<WireAnswer | 'closed' | 'late'>;
  /** Sends FIN and waits for the other side's end; false if that does not come in time. */
  end(withinMs: number): Promise<boolean>;
  /** Ends at once (with RST if the other side still sends). */
  destroy(): void;
};

export function openWire(url: string): Wire {
  const { hostname, port } = new URL(url);
  const socket: Socket = connect({ host: hostname, port: Number(port), noDelay: true });
  let received: Buffer = Buffer.alloc(0);
  let isClosed = false;
  let writtenAtMs = performance.now();
  let changed: () => void = () => undefined;
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    changed();
  });
  socket.on('error', () => undefined);
  const onEnd = () => {
    isClosed = true;
    changed();
  };
  socket.on('end', onEnd).on('close', onEnd);

  /** Waits until `test` returns something, the time is over, or nothing more can arrive. */
  async function waitFor<T>(test: () => T | undefined, withinMs: number): Promise<T | undefined> {
    const deadlineMs = performance.now() + withinMs;
    for (;;) {
      const found = test();
      if (found !== undefined || isClosed) return found;
      const leftMs = deadlineMs - performance.now();
      if (leftMs <= 0) return undefined;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, leftMs);
        changed = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  return {
    write(bytes) {
      socket.write(bytes);
      writtenAtMs = performance.now();
    },
    async answer(method, withinMs) {
      const found = await waitFor(() => readAnswer(received, method, isClosed), withinMs);
      if (!found) return isClosed ? 'closed' : 'late';
      received = received.subarray(found.length);
      const { status, headers, body } = found;
      return { status, headers, body, ms: performance.now() - writtenAtMs };
    },
    async end(withinMs) {
      socket.end();
      await waitFor(() => undefined, withinMs);
      socket.destroy();
      return isClosed;
    },
    destroy: () => void socket.destroy(),
  };
}

type Found = Omit<WireAnswer, 'ms'> & { readonly length: number };

/** Returns the first complete answer, skipping those of status 1xx. */
function readAnswer(received: Buffer, method: string, isClosed: boolean): Found | undefined {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const [statusLine = '', ...lines] = received.toString('latin1', 0, headEnd).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1] ?? 0);
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const start = headEnd + 4;
  if (status >= 100 && status < 200) {
    const next = readAnswer(received.subarray(start), method, isClosed);
    return next && { ...next, length: start + next.length };
  }
  const isBare = method === 'HEAD' || status === 204 || status === 304;
  if (isBare) return { status, headers, body: Buffer.alloc(0), length: start };
  if (headers['transfer-encoding'] === 'chunked') {
    const chunked = readChunks(received, start);
    return chunked && { status, headers, ...chunked };
  }
  const announced = headers['content-length'];
  if (announced === undefined && !isClosed) return undefined;
  const end = announced === undefined ? received.length : start + Number(announced);
  if (received.length < end) return undefined;
  return { status, headers, body: received.subarray(start, end), length: end };
}

function readChunks(received: Buffer, start: number): { body: Buffer; length: number } | undefined {
  const chunks: Buffer[] = [];
  for (let at = start; ; ) {
    const lineEnd = received.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(received.toString('latin1', at, lineEnd), 16);
    const end = lineEnd + 2 + size;
    if (received.length < end + 2) return undefined;
    if (size === 0) return { body: Buffer.concat(chunks), length: end + 2 };
    chunks.push(received.subarray(lineEnd + 2, end));
    at = end + 2;
  }
}
