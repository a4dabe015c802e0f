import type { BaseLogger } from 'pino';

/** The methods of a logger that storage needs. Loggers of pino and Fastify fit. */
export type Logger = Pick<BaseLogger, 'debug' | 'info' | 'warn' | 'error'>;
