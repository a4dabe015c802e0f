import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** Opens a TCP proxy to the database that tests can shut. */
export async function door(target: { host: string; port: number }) {
  const sockets = new Set<Socket>();
  const open = (port: number): Promise<Server> =>
    new Promise((resolve) => {
      const server = createServer((client) => {
        const upstream = connect(target);
        for (const socket of [client, upstream]) {
          sockets.add(socket);
          socket.on('error', () => undefined);
          socket.on('close', () => {
            sockets.delete(socket);
            client.destroy();
            upstream.destroy();
          });
        }
        client.pipe(upstream).pipe(client);
      });
      server.listen(port, '127.0.0.1', () => resolve(server));
    });
  let server = await open(0);
  const { port } = server.address() as { port: number };
  return {
    port,
    async shut() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
    async reopen() {
      server = await open(port);
    },
  };
}
