/** A network connection that tests can cut: between a browser and the server, or the server and its database. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type Gate = {
  readonly url: string;
  /** Ends every connection, and each new one at once. */
  cut(): void;
  mend(): void;
  /** The number of new connections refused since the last cut. */
  refused(): number;
  close(): Promise<void>;
};

/** @param target the server's address */
export async function openGate(target: string): Promise<Gate> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isCut = false;
  let refused = 0;
  const server = createServer((near) => {
    near.on('error', () => undefined);
    if (isCut) {
      refused += 1;
      near.destroy();
      return;
    }
    const far = connect(Number(port), hostname).on('error', () => undefined);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    isCut = true;
    refused = 0;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    mend: () => {
      isCut = false;
    },
    refused: () => refused,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        cut();
      }),
  };
}
