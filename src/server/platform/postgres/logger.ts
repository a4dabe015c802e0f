import type { BaseLogger } from 'pino';

/** The methods of a logger that storage uses. */
export type Logger = Pick<BaseLogger, 'debug' | 'info' | 'warn' | 'error'>;
