/**
 * Simulates slow 4G to a local server: `node bench/slow-line.ts <port>` prints a URL that forwards
 * to the port.
 */
import { connect, createServer, type Socket } from 'node:net';
import { downBytesPerSecond, roundTripMs } from './phone-visit.ts';

const DOWN_BYTES_A_MS = downBytesPerSecond / 1_000;
const UP_BYTES_A_MS = DOWN_BYTES_A_MS / 2;
const ONE_WAY_MS = roundTripMs / 2;
const PACKET_BYTES = 1_400;

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
