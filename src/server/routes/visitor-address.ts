import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** As a trusted proxy's own header says it; undefined: none does, and `request.ip` counts. */
    visitorAddress?: string | undefined;
  }
}

/** Whether a trusted proxy handed a request on: of an untrusted sender, Fastify knows one address, its own. */
export function isThroughProxy(request: FastifyRequest): boolean {
  return (request.ips?.length ?? 0) > 1;
}

/**
 * Reads the visitor's address from the header in which a content delivery network says it
 * (docs/specification.md#visitors-address), for requests that a trusted proxy handed on: a visitor's own
 * word is none.
 * @param header its name in lower case
 */
export function readVisitorAddress(app: FastifyInstance, header: string): void {
  app.decorateRequest('visitorAddress', undefined);
  app.addHook('onRequest', async (request) => {
    const given = request.headers[header];
    if (isThroughProxy(request) && typeof given === 'string') request.visitorAddress = given;
  });
}
