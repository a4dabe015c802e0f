/** The types that a route's schemas give its requests. */
import type { Static, TSchema } from '@sinclair/typebox';
import type { FastifyRequest } from 'fastify';
import { leadId } from '../../model/messages/console/requests.ts';

export type Schemas = {
  readonly params?: TSchema;
  readonly querystring?: TSchema;
  readonly body?: TSchema;
};

type Given<Schema> = Schema extends TSchema ? Static<Schema> : unknown;

/** A request with the types of its route's schemas. */
export type RequestOf<Takes extends Schemas> = FastifyRequest<{
  Params: Given<Takes['params']>;
  Querystring: Given<Takes['querystring']>;
  Body: Given<Takes['body']>;
}>;

/** Matches a lead's id. */
export const LEAD_ID = new RegExp(leadId.pattern ?? '');
