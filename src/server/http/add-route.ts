/** Adds routes whose request types come from the schemas. */
import type { Static, TSchema } from '@sinclair/typebox';
import type { FastifyInstance, FastifyRequest, HTTPMethods, RouteOptions } from 'fastify';

export type Schemas = {
  readonly params?: TSchema;
  readonly querystring?: TSchema;
  readonly body?: TSchema;
};

type Given<Schema> = Schema extends TSchema ? Static<Schema> : unknown;

/** A request whose body, query and parameters have the types of the route's schemas. */
export type RequestOf<Takes extends Schemas> = FastifyRequest<{
  Params: Given<Takes['params']>;
  Querystring: Given<Takes['querystring']>;
  Body: Given<Takes['body']>;
}>;

/** The options of a route, except its method and path. */
export type Route = Omit<RouteOptions, 'method' | 'url'>;

/** Adds a route at a method and path, such as `GET /api/leads`. */
export function addRoute(app: FastifyInstance, address: string, route: Route): void {
  const [method, url = ''] = address.split(' ');
  app.route({ ...route, method: method as HTTPMethods, url });
}
