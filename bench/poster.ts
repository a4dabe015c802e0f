import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { leadSecretHeader } from '../src/contract/lead.ts';

/** Separate connections to a server, with one request at a time on each. */
export type Connections = {
  /** Sends a raw request on a free connection. @returns the status of the answer */
  send(request: string): Promise<number>;
  readonly host: string;
  close(): void;
};

/**
 * Opens connections of a minimal HTTP client, because its cost slows the server on the same machine. It sends
 * each request in one write, and reads only the status and the length of the answer.
 */
export async function openConnections(url: string, count: number): Promise<Connections> {
  const { hostname, port } = new URL(url);
  const free: Socket[] = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<Socket>((resolve, reject) => {
          const socket = connect({ host: hostname, port: Number(port) });
          socket.setNoDelay(true).once('connect', () => resolve(socket));
          socket.once('error', reject);
        }),
    ),
  );
  const all = [...free];
  return {
    host: hostname,
    async send(request) {
      const socket = free.shift();
      if (!socket) throw new Error('More requests at once than connections');
      try {
        return await answerOf(socket, request);
      } finally {
        free.push(socket);
      }
    },
    close() {
      for (const socket of all) socket.destroy();
    },
  };
}

/** Posts leads on separate connections, one at a time on each. */
export type Poster = {
  /** Posts a body on a free connection. @returns the status of the answer */
  post(body: object, headers?: Readonly<Record<string, string>>): Promise<number>;
  close(): void;
};

export async function createPoster(url: string, count: number): Promise<Poster> {
  const connections = await openConnections(url, count);
  const ids = randomBytes(8).toString('hex');
  let posts = 0;
  return {
    post(body, headers = {}) {
      posts += 1;
      const text = JSON.stringify(body);
      const lines = Object.entries({
        host: connections.host,
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(text)),
        [leadSecretHeader]: ids + String(posts).padStart(16, '0'),
        ...headers,
      }).map(([name, value]) => `${name}: ${value}\r\n`);
      return connections.send(`POST /post-lead HTTP/1.1\r\n${lines.join('')}\r\n${text}`);
    },
    close: connections.close,
  };
}

function answerOf(socket: Socket, request: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const read = (chunk: Buffer) => {
      answer += chunk.toString('latin1');
      const end = answer.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/^content-length: (\d+)/im.exec(answer)?.[1] ?? 0);
      if (answer.length < end + 4 + length) return;
      socket.off('data', read);
      socket.off('close', gone);
      resolve(Number(answer.slice(9, 12)));
    };
    const gone = () => reject(new Error('The server closed the connection'));
    if (socket.destroyed) gone();
    socket.on('data', read);
    socket.once('close', gone);
    socket.write(request);
  });
}
