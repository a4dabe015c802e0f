/** Opens the ports of the server. */
import { lookup } from 'node:dns/promises';
import { type AddressInfo, createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Listens on a port and returns the URL. @throws if the port cannot be opened */
export async function listen(
  app: FastifyInstance,
  { port, host }: { readonly port: number; readonly host: string },
  prefix: '' | 'OPERATIONS_' | 'CONSOLE_',
): Promise<string> {
  await app.listen({ port, host }).catch((error: NodeJS.ErrnoException) => {
    const orOff = prefix === '' ? '' : ', or to "off"';
    const reasons: Readonly<Record<string, string>> = {
      EADDRINUSE: `Port ${port} is in use by another program: stop it first, or set ${prefix}PORT to another one${orOff}`,
      EACCES: `Port ${port} may not be used by this user: set ${prefix}PORT to another one, 1024 or above`,
      EADDRNOTAVAIL: `${host} is not an address of this machine: set ${prefix}HOST to one that is`,
      ENOTFOUND: `${host} is not an address of this machine: set ${prefix}HOST to one that is`,
    };
    const reason = reasons[error.code ?? ''];
    throw reason === undefined ? error : new Error(reason, { cause: error });
  });
  if (host === 'localhost') await listenBeside(app, host);
  const { port: actual } = app.server.address() as AddressInfo;
  const isAnywhere = host === '0.0.0.0' || host === '::';
  const name = isAnywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${actual}`;
}

/** Listens on all other IP addresses of the host name, because a browser may choose any of them. */
async function listenBeside({ server }: FastifyInstance, host: string): Promise<void> {
  const { address: first, port } = server.address() as AddressInfo;
  for (const { address } of await lookup(host, { all: true })) {
    if (address === first) continue;
    const options = { allowHalfOpen: true, noDelay: true };
    const other = createServer(options, (socket) => server.emit('connection', socket));
    server.once('close', () => other.close());
    await new Promise<void>((resolve) => {
      // Ignores errors, because `localhost` may resolve to IPv6 on a machine without IPv6.
      other.on('error', () => resolve()).listen(port, address, resolve);
    });
  }
}
