/**
 * A slow line to a server, as a process of its own: `node bench/slow-line.ts <port>` prints the address at
 * which it answers for that server of this machine.
 *
 * It brings bytes as slow 4G does: packet by packet, at the rate of the line, which all connections share, and
 * late by its latency. What a browser emulates of a slow line holds an answer back until its last byte would be
 * there, so that nothing is drawn before; on a line, a page is drawn from what has come.
 */
import { connect, createServer, type Socket } from 'node:net';
import { downBytesPerSecond, roundTripMs } from './phone-visit.ts';

const DOWN_BYTES_A_MS = downBytesPerSecond / 1_000;
const UP_BYTES_A_MS = DOWN_BYTES_A_MS / 2;
const ONE_WAY_MS = roundTripMs / 2;
/** What a packet carries. */
const PACKET_BYTES = 1_400;

/** One direction of the line: what is on its way, in its order, and when the last of it will have left. */
class Direction {
  readonly #bytesAMs: number;
  readonly #onItsWay: { readonly dueMs: number; readonly arrive: () => void }[] = [];
  #freeAtMs = 0;

  constructor(bytesAMs: number) {
    this.#bytesAMs = bytesAMs;
  }

  send(bytes: number, arrive: () => void): void {
    const now = performance.now();
    this.#freeAtMs = Math.max(now, this.#freeAtMs) + bytes / this.#bytesAMs;
    const dueMs = this.#freeAtMs + ONE_WAY_MS;
    this.#onItsWay.push({ dueMs, arrive });
    if (this.#onItsWay.length === 1) setTimeout(this.#arrive, dueMs - now);
  }

  readonly #arrive = () => {
    const now = performance.now();
    while ((this.#onItsWay[0]?.dueMs ?? Infinity) <= now) this.#onItsWay.shift()?.arrive();
    const next = this.#onItsWay[0];
    if (next) setTimeout(this.#arrive, next.dueMs - now);
  };
}

const down = new Direction(DOWN_BYTES_A_MS);
const up = new Direction(UP_BYTES_A_MS);

function carry(from: Socket, to: Socket, direction: Direction): void {
  from.on('data', (bytes) => {
    for (let start = 0; start < bytes.length; start += PACKET_BYTES) {
      const packet = bytes.subarray(start, start + PACKET_BYTES);
      direction.send(packet.length, () => to.write(packet));
    }
  });
  from.on('end', () => direction.send(0, () => to.end()));
  // A browser that leaves resets what it no longer wants.
  from.on('error', () => to.destroy());
}

const port = Number(process.argv[2]);
const line = createServer({ noDelay: true }, (browser) => {
  const server = connect({ port, host: '127.0.0.1', noDelay: true });
  carry(browser, server, up);
  carry(server, browser, down);
});
line.listen(0, '127.0.0.1', () => {
  const address = line.address();
  if (typeof address === 'object') console.log(`http://127.0.0.1:${address?.port}`);
});
