import type { BaseLogger } from 'pino';

/** The methods of a logger that storage uses. The loggers of pino and Fastify have them. */
export type Logger = Pick<BaseLogger, 'debug' | 'info' | 'warn' | 'error'>;
