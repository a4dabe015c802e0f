/** Opens the ports of the server. */
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Listens on a port and returns the URL. @throws if the port cannot be opened */
export async function listen(
  app: FastifyInstance,
  { port, host }: { readonly port: number; readonly host: string },
  prefix: '' | 'OPERATIONS_' | 'CONSOLE_',
): Promise<string> {
  // `localhost` can also mean ::1. Browsers try both, so listening on 127.0.0.1 is enough.
  const address = host === 'localhost' ? '127.0.0.1' : host;
  await app.listen({ port, host: address }).catch((error: NodeJS.ErrnoException) => {
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
  const { port: actual } = app.server.address() as AddressInfo;
  const isAnywhere = host === '0.0.0.0' || host === '::';
  const name = isAnywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${actual}`;
}
