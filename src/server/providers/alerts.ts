import type { Logger } from 'pino';
import type { Alerts } from '../leads/ports.ts';

/** The embedded alerts: written to the log, marked. */
export function createLogAlerts(log: Pick<Logger, 'error'>): Alerts {
  return (text, facts = {}) => log.error({ alert: true, ...facts }, text);
}
