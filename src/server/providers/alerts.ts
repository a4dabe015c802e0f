import type { Logger } from 'pino';
import type { Alerts } from '../base/alerts.ts';
import { createSlackAlerts, type SlackAlerts, type SlackAlertsOptions } from './slack-alerts.ts';

/** The embedded alerts: written to the log, marked. */
export function createLogAlerts(log: Pick<Logger, 'error'>): Alerts {
  return (text, facts = {}) => log.error({ alert: true, ...facts }, text);
}

/** Alerts to the log, and to the operators' channel where there is one. */
export function createAlerts({
  slack,
  http,
  log,
}: Pick<SlackAlertsOptions, 'http'> & {
  slack: Pick<SlackAlertsOptions, 'url' | 'timeoutMs'> | undefined;
  log: Pick<Logger, 'error' | 'warn'>;
}): SlackAlerts {
  const toLog = createLogAlerts(log);
  if (slack === undefined) return { alert: toLog, stop: async () => undefined };
  const channel = createSlackAlerts({ ...slack, http, log });
  return {
    alert(text, facts) {
      toLog(text, facts);
      channel.alert(text, facts);
    },
    stop: () => channel.stop(),
  };
}
