import type { BaseLogger } from 'pino';

/** The part of a logger that storage needs; pino's and Fastify's both fit. */
export type Logger = Pick<BaseLogger, 'debug' | 'info' | 'warn' | 'error'>;
