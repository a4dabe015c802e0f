import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** The address from a trusted proxy's header; undefined: `request.ip` counts. */
    visitorAddress?: string | undefined;
  }
}

/** Returns whether a trusted proxy passed the request on. Otherwise Fastify knows the sender's address only. */
export function isThroughProxy(request: FastifyRequest): boolean {
  return (request.ips?.length ?? 0) > 1;
}

/**
 * Reads the visitor's address from the header of a content delivery network
 * (docs/specification.md#visitors-address). Only requests from a trusted proxy count, because visitors could
 * send any header.
 * @param header its name in lower case
 */
export function readVisitorAddress(app: FastifyInstance, header: string): void {
  app.decorateRequest('visitorAddress', undefined);
  app.addHook('onRequest', async (request) => {
    const given = request.headers[header];
    if (isThroughProxy(request) && typeof given === 'string') request.visitorAddress = given;
  });
}
